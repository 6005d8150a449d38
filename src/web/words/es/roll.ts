import type { Words } from "../words.ts";

/** Members as those who run the community see them, and what they can do for or against them. */
export const roll: Words["roll"] = {
  username: "Nombre de usuario, o su comienzo",
  find: "Buscar",
  nobody: "Nadie tiene ese nombre de usuario",
  nobodyLead: "Solo cuenta el comienzo. [Todos los miembros, los últimos primero](/admin/builders)",
  more: "Más",
  joined: "se unió {when}",
  roles: {
    owner: "Titular",
    admin: "Administración",
    moderator: "Moderación",
    member: "Miembro",
  },
  notStaff: "No es del equipo",
  suspended: "Cuenta suspendida",
  newness: {
    title: "Recién llegado",
    lead: "Hasta el {when} hay límites para enlaces, imágenes y mensajes a desconocidos. Si respondes por este miembro, dejan de valer para siempre.",
    vouch: "Responder por este miembro",
  },
  builder: {
    lead: "{name}, se unió el {when}. [Perfil]({address})",
    invited: "Vino con una invitación de {inviter}.",
    invitedAs: "Vino con una invitación de {inviter}: {label}.",
    nobodyInParticular: "quien opera el servidor, o de alguien que ya no está",
    intruder: "Alguien más en la cuenta",
    intruderLead:
      "Termina con todo lo que da acceso a ella: sesiones, tokens, apps conectadas, webhooks y enlaces. La página siguiente dice qué hay, y pregunta con qué seguirá entrando.",
    secure: "Proteger la cuenta",
    suspend: "Suspender",
    suspendLead:
      "Queda fuera al momento, y ninguno de sus tokens vuelve a funcionar. Las apps que registró también se detienen, para todas las personas que les dieron acceso, salvo las de un espacio compartido del que alguien más sea titular. Cuando pueda volver, entra de nuevo: sus sesiones, tokens, apps conectadas y enlaces terminaron para siempre, sus webhooks siguen desactivados hasta que los active, y sus apps vuelven a funcionar. Lo que escribió se queda.",
    suspendButton: "Suspender la cuenta",
    delete: "Eliminar",
    deleteLead:
      "La cuenta se oculta al momento con todo lo que escribió, y nadie puede entrar. A los siete días se borra para siempre; hasta entonces puede deshacerlo quien sea titular de la comunidad. Si basta con que no entre, suspende la cuenta. También puede eliminarla al momento su titular, en los ajustes de su cuenta. El nombre de usuario no queda libre.",
    theirUsername: "Su nombre de usuario, en señal de que va en serio",
    deleteButton: "Eliminar la cuenta",
    suspendedSince: "Desde el {when} no puede entrar.",
    letIn: "Dejar entrar de nuevo",
  },
  pending: {
    title: "Cuentas eliminadas",
    lead: "Estas cuentas están ocultas con todo lo que se escribió en ellas, y nadie puede entrar. Puedes recuperarlas hasta que se borren.",
    dates: "Eliminada: {deleted}. Se borra: {erased}.",
    datesBy: "Eliminada: {deleted}, por {deleter}. Se borra: {erased}.",
    undo: "Deshacer",
    undoOf: (username) => `Deshacer la eliminación de ${username}`,
  },
  role: {
    title: "Papel",
    what: "Qué puede hacer por la comunidad",
    may: {
      member: "Lo que puede todo el mundo.",
      moderator: "Resuelve denuncias, oculta lo que va contra las normas y suspende a miembros.",
      admin:
        "Administra la comunidad, salvo a titulares y a otras personas que administran. Nombra a quien modera.",
      owner: "Todo. Da y quita cualquier papel.",
    },
    /** Why it is not for whoever looks to change. */
    fixed: {
      member: "Solo lo cambia quien administra la comunidad o es titular.",
      moderator: "Solo lo cambia quien administra la comunidad o es titular.",
      admin: "Solo lo cambia un titular.",
      owner: "Solo lo cambia la propia persona, o quien opera el servidor.",
    },
    give: "Cambiar el papel",
    handOverLead:
      "O pasa a ser titular en tu lugar, y tú pasas a la administración: solo esa persona puede devolvértelo. Avisamos a las demás personas titulares.",
    handOver: "Entregarle la comunidad",
  },
  wayIn: {
    unclaimed: "Todavía sin reclamar",
    imported: "La cuenta se importó de {origin}, y nadie puede entrar en ella.",
    claimLead:
      "Un enlace con el que elige una contraseña en el plazo de siete días. Dáselo personalmente, y comprueba que es quien debe ser: quien lo abra se queda con la cuenta.",
    claim: "Crear un enlace para reclamarla",
    forgotten: "Contraseña olvidada",
    recoveryLead:
      "Un enlace con el que elige una nueva en el plazo de 24 horas. Dáselo personalmente, y comprueba que es quien debe ser: quien lo abra se queda con la cuenta.",
    recovery: "Crear un enlace de recuperación",
  },
  recovery: {
    title: "Un enlace de recuperación",
    of: (username: string) => `Para @${username}`,
    label: "Enlace de recuperación",
    copy: "Cópialo ahora: no se vuelve a mostrar. Sirve una vez, hasta el {when}, y los anteriores ya no sirven.",
    back: "Volver al miembro",
  },
  securing: {
    title: (username: string) => `Proteger a @${username}`,
    lead: "Por si alguien más está en esta cuenta. Lo que figura aquí termina al momento y para siempre. [Volver al miembro]({address})",
    password: "La contraseña",
    keep: "Con qué seguirá entrando",
    keepHint:
      "Desmarca lo que otra persona pueda tener. Quien se queda sin nada entra con un enlace de recuperación.",
    button: "Proteger la cuenta",
  },
};

/** The apps of everybody, as those who run the community see them. */
export const allApps: Words["allApps"] = {
  lead: "Todo lo que los miembros han registrado, lo más reciente primero.",
  empty: "Todavía no hay apps",
  emptyLead: "Los miembros las registran en Tus apps.",
  registered: "De {maker} · registrada {when}",
  ownRate: "Ritmo propio",
  suspended: "Suspendida",
  ownerSuspended: "Titular con cuenta suspendida",
  registeredAt: "De {maker}, registrada el {when}",
  rate: "Ritmo",
  rateLead:
    "Para cada cuenta que la usa, en lugar del ritmo general de OAuth. Deja los dos vacíos para volver a él.",
  sustained: "Solicitudes por minuto",
  burst: "De golpe",
  setRate: "Fijar el ritmo",
  suspend: "Suspender",
  suspendLead: "Todos sus tokens dejan de funcionar al momento, y nadie puede darle acceso.",
  reason: "Por qué",
  reasonHint: "Lo lee quien la hizo.",
  suspendButton: "Suspender la app",
  since: "Desde el {when}",
  restore: "Dejar que funcione de nuevo",
  facts: {
    id: "Id de cliente",
    kind: "Tipo",
    kinds: { public: "Pública: no tiene secreto", confidential: "Confidencial" },
    homepage: "Página principal",
    redirects: "Direcciones de retorno",
    scopes: "Puede pedir",
    noScope: "saber quién entra, nada más",
  },
};
