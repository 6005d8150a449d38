import type { Words } from "../words.ts";
import { counted, number } from "./forms.ts";

/** Conversations of two, requests, who may write. */
export const messages: Words["messages"] = {
  heading: "Mensajes",
  all: "Todos los mensajes",
  newOne: "Nuevo mensaje",
  places: {
    inbox: "Recibidos",
    requests: "Solicitudes",
    requestsOf: (waiting: number) => `Solicitudes (${waiting > 99 ? "99+" : number(waiting)})`,
    settings: "Quién puede escribirte",
    blocked: "Bloqueos",
  },
  box: {
    requestsHere: (waiting: number) =>
      waiting > 99
        ? "99+ solicitudes de mensaje"
        : counted(waiting, "solicitud de mensaje", "solicitudes de mensaje"),
    requestsFrom: "De miembros a quienes no has escrito.",
    requests: "De miembros a quienes no has escrito. Responde o acepta, y la conversación pasa a Recibidos.",
    noRequest: "No hay solicitudes en espera",
    noRequestLead:
      "Lo que te escribe alguien nuevo llega primero aquí. [Quién puede escribirte](/messages/settings)",
    nothing: "Todavía no hay conversaciones",
    nothingLead: "Escribe a alguien cuyo trabajo te guste: lo verá aquí, y nadie más.",
    unread: (count: number) => counted(count, "sin leer", "sin leer"),
    mine: (text: string) => `Tú: ${text}`,
  },
  settings: {
    lead: "A quien no puede no se le dice el motivo. Lo que ya llegó se queda.",
    legend: "Recibir mensajes de",
    save: "Guardar",
    from: {
      everybody: {
        words: "Todo el mundo",
        hint: "Lo que te escribe alguien nuevo espera en Solicitudes hasta que respondas o aceptes.",
      },
      contacts: {
        words: "Quienes sigo o a quienes he escrito",
        hint: "Puedes seguir empezando una conversación con cualquiera; podrá responderte.",
      },
      nobody: { words: "Nadie", hint: "Ni siquiera en las conversaciones que ya hay." },
    },
  },
  form: {
    to: "Para",
    toHint: "Un nombre de usuario.",
    text: "Mensaje",
    textHint: "Markdown, hasta 4000 caracteres.",
    send: "Enviar",
  },
  blocked: {
    lead: "No pueden escribirte, y no reciben ningún aviso.",
    nobody: "No has bloqueado a nadie",
    nobodyLead: "En el perfil de una persona puedes bloquearla, si alguna vez hace falta.",
    unblock: "Desbloquear",
    unblockOf: (name: string) => `Desbloquear a ${name}`,
  },
  thread: {
    earlier: "Anteriores",
    newest: "A lo más reciente",
    answer: "Responder",
    yours: "Tu respuesta",
    you: "Tú",
    report: "Denunciar",
  },
  request: {
    title: "Una solicitud",
    lead: "Todavía no has escrito a {name}. Responde o acepta, y la conversación pasa a Recibidos; no sabrá que la has leído.",
    accept: "Aceptar",
    block: "Bloquear",
    blockOf: (name: string) => `Bloquear a ${name}`,
  },
};
