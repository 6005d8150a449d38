import type { Words } from "../words.ts";

/** Telling the moderators, and what they do about it. */
export const moderation: Words["moderation"] = {
  report: {
    titles: {
      post: "Denunciar esta publicación",
      job: "Denunciar este empleo",
      prompt: "Denunciar este prompt",
      builder: "Denunciar a este miembro",
      message: "Denunciar este mensaje",
    },
    message:
      "A quienes administran esta comunidad se les muestra este único mensaje, quién lo escribió y que lo denuncias: nada más de tu conversación.",
    reason: "¿Qué tiene de malo?",
    reasonHint: "Solo para la moderación, hasta 500 caracteres.",
    button: "Denunciar",
    back: "Volver",
  },
  reports: {
    title: "Denuncias",
    open: "Lo que espera a que alguien lo mire. Ocultar algo responde a todas las denuncias sobre ello. [Las ya respondidas](/admin/reports?state=settled) · [Contenido oculto](/admin/reports?state=hidden)",
    settled:
      "Lo que ya se miró. Toda respuesta se puede deshacer. [Las que esperan](/admin/reports) · [Contenido oculto](/admin/reports?state=hidden)",
    nothingWaits: "No hay nada en espera",
    nothingWaitsLead:
      "Cuando alguien denuncia una publicación, un empleo, un prompt o a un miembro, aparece aquí.",
    nothingAnswered: "Todavía no se respondió nada",
    nothingAnsweredLead:
      "Las denuncias llegan aquí cuando ocultas aquello de lo que tratan, o las desestimas.",
    named: {
      post: "La publicación {title}",
      job: "El empleo {title}",
      prompt: "El prompt {title}",
      builder: "El miembro {title}",
      message: "El mensaje directo de {title}",
    },
    gone: {
      post: "Una publicación que ya no está",
      job: "Un empleo que ya no está",
      prompt: "Un prompt que ya no está",
      builder: "Un miembro que ya no está",
      message: "Un mensaje directo que ya no está",
    },
    suspended: "Cuenta suspendida",
    hidden: "Oculto",
    deleted: "Eliminado",
    by: (username: string) => `De @${username}`,
    reported: "denuncia de {reporter} {when}",
    outcomes: {
      upheld: { nobody: "Confirmada {when}", somebody: "Confirmada {when} por {who}" },
      dismissed: { nobody: "Desestimada {when}", somebody: "Desestimada {when} por {who}" },
      gone: {
        nobody: "Quien lo escribió lo eliminó {when}",
        somebody: "Quien lo escribió, {who}, lo eliminó {when}",
      },
    },
  },
  hidden: {
    list: {
      title: "Contenido oculto",
      lead: "Todo lo que la moderación ha ocultado, con o sin denuncia, lo más reciente primero. Quien lo escribió y la moderación lo siguen viendo. [Denuncias](/admin/reports)",
      nothing: "No hay nada oculto",
      nothingLead:
        "Aquí aparecen las publicaciones, respuestas, empleos y prompts que ocultas. Puedes volver a mostrarlos.",
    },
    when: "se ocultó {when}",
  },
  answers: {
    about: {
      post: (act, title) => `${act}: la publicación ${title}`,
      job: (act, title) => `${act}: el empleo ${title}`,
      prompt: (act, title) => `${act}: el prompt ${title}`,
      builder: (act, title) => `${act}: el miembro ${title}`,
      message: (act, title) => `${act}: el mensaje directo ${title}`,
    },
    openAgain: "Volver a abrir",
    letIn: "Dejar entrar de nuevo",
    show: "Volver a mostrar",
    dismiss: "Desestimar",
    uphold: "Confirmar",
    suspend: "Suspender",
    suspendWho: (username: string) => `Suspender a @${username}`,
    hide: "Ocultar",
    reason: "Motivo (se le envía)",
  },
};
