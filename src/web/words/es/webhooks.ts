import type { Words } from "../words.ts";
import { counted, decimal, list, number, plural } from "./forms.ts";

/** The endpoints of a workspace, one of them, its deliveries. */
export const webhooks: Words["webhooks"] = {
  title: "Webhooks",
  all: "Todos los webhooks",
  add: "Añadir un webhook",
  lead: "Tu webhook recibe una solicitud firmada milisegundos después de lo que ocurre aquí, una y otra vez durante 24 horas hasta que responde. [Cómo comprobar una firma](/docs#deliveries)",
  empty: "Todavía no hay webhooks",
  emptyLead:
    "Avisa a tu chat, a tu compilación o a tu propio script cuando alguien publica, cuando un empleo encaja contigo o cuando te llega un mensaje.",
  states: {
    off: "Apagado",
    disabled: "Desactivado",
    on: "Activo",
    failing: "Falla",
    failingForADay: "Falla desde hace un día",
  },
  form: {
    url: "Dirección",
    urlHint: "Una dirección https:// a la que llegue cualquiera en internet.",
    urlExample: "https://hooks.example.com/guildhall",
    events: "De qué se entera",
    button: "Añadir el webhook",
  },
  made: {
    title: "Tu webhook",
    heading: "Tu webhook está listo",
    next: "Y ahora",
    nextLead:
      "Pon el secreto donde tu receptor pueda leerlo, y después [envía un evento de prueba]({address}).",
  },
  secret: {
    label: "Secreto de firma",
    copy: "Cópialo ahora: no se vuelve a mostrar. Quien lo tenga puede enviar solicitudes que parezcan nuestras.",
    lead: "Uno nuevo vale al momento; cada uno de los anteriores firma también durante 24 horas más, para que tu receptor se ponga al día. Puede haber cinco válidos a la vez.",
    make: "Crear un secreto nuevo",
    older: (count: number) => {
      const ends = list(Array.from({ length: count }, (_, index) => `{${index}}`));
      return plural(count, {
        one: `Un secreto anterior todavía firma, hasta el ${ends}.`,
        other: `{n} secretos anteriores todavía firman, hasta: ${ends}.`,
      });
    },
    newTitle: "Un secreto de firma nuevo",
    of: "Para {url}",
    back: "Volver al webhook",
  },
  endpoint: {
    title: "Webhook",
    ofApp: "Lo registró la app «{app}». Termina cuando [desconectas la app](/settings/connected).",
    changeTitle: "Cambiarlo",
    save: "Guardar",
    stop: "Detenerlo",
    stopLead:
      "Al pausar se conserva lo que espera, y luego se sigue donde se quedó. Al eliminar se olvida todo.",
    pause: "Pausar las entregas",
    delete: "Eliminar el webhook",
    failing: "Está fallando",
    failingLead:
      "No ha confirmado nada desde el {when}. Lo que se le envía se intenta de nuevo durante 24 horas; a los cinco días sin una sola confirmación se desactiva.",
    paused: "Las entregas están en pausa",
    pausedLead:
      "{reason} Desde el {when}. Las mil entregas más recientes que esperan se conservan tres días; las demás fallan, y se pueden enviar de nuevo.",
    deliver: "Volver a entregar",
    leave: "Dejarlo apagado",
  },
  test: {
    title: "Probarlo",
    lead: "Una prueba se firma y se envía como cualquier otro evento, sobre nada que exista: todos sus identificadores terminan en ceros.",
    type: "Tipo",
    button: "Enviar un evento de prueba",
  },
  figures: {
    acknowledged: "Confirmadas",
    percent: (percent: number) => `${number(percent)} %`,
    median: "Respuesta mediana",
    slow: "Percentil 95",
    waiting: "En espera",
    unknown: "–",
    time: (ms: number) => (ms < 1000 ? `${number(ms)} ms` : `${decimal(ms / 1000, 1)} s`),
  },
  charts: {
    days: "Entregas por día",
    daysInWords: (days: number, acknowledged: number, failed: number, waiting: number) =>
      `Entregas de los últimos ${number(days)} días: confirmadas ${number(acknowledged)}, fallidas ${number(failed)}, en espera ${number(waiting)}.`,
    attempts: "Últimos intentos, según lo que tardó la respuesta",
    seconds: (seconds: number) => `${number(seconds)} s`,
    milliseconds: (ms: number) => `${number(ms)} ms`,
    acknowledged: (moment: string, ms: number) => `${moment}: ${number(ms)} ms, confirmada`,
    failed: (moment: string, ms: number) => `${moment}: ${number(ms)} ms, fallida`,
    attemptsInWords: (attempts: number, acknowledged: number) =>
      `De los últimos ${number(attempts)} intentos se confirmaron ${number(acknowledged)}.`,
  },
  deliveries: {
    title: "Entregas",
    again: "Enviar de nuevo…",
    state: "Estado",
    all: "Todas",
    waiting: "En espera",
    acknowledged: "Confirmadas",
    failed: "Fallidas",
    onItsWay: "En camino",
    empty: "Aquí no hay nada",
    emptyLead: "Lo que se envía a este webhook queda aquí treinta días.",
    attempts: (count: number) => counted(count, "intento", "intentos"),
  },
  delivery: {
    title: (type: string) => `Entrega de ${type}`,
    event: "Evento",
    delivery: "Entrega",
    fired: "Ocurrió",
    attempts: "Intentos",
    attempt: (index: number) => `Intento ${number(index)}`,
    attemptWith: (index: number, status: number) => `Intento ${number(index)}: ${status}`,
    attemptAt: (ms: number) => `{when} · ${number(ms)} ms`,
    answer: "El comienzo de la respuesta",
    givenUp: "Abandonada",
    acknowledged: "Confirmada",
    onItsWay: "En camino",
    paused: "Espera a que se active el webhook",
    due: "Toca el siguiente intento",
    next: "Siguiente intento {when}",
    again: "Enviarla de nuevo",
    now: "Intentarlo ya",
  },
  recovery: {
    title: "Enviar de nuevo",
    lead: "A {url}, lo más antiguo primero. Tu receptor puede recibir un evento dos veces: descarta aquellos cuyo id ya conoce.",
    paused: "El webhook está en pausa",
    pausedLead: "Deja primero que las entregas vuelvan a salir.",
    since: "Desde cuándo",
    spans: {
      hour: "La última hora",
      day: "Las últimas 24 horas",
      week: "Los últimos 7 días",
      month: "Los últimos 30 días",
    },
    counts: (failed: string, acknowledged: string, missed: string) =>
      `fallidas ${failed} · confirmadas ${acknowledged} · perdidas ${missed}`,
    orMore: (count: number) => `${number(count)} o más`,
    what: "Qué",
    failed: "Lo que falló",
    acknowledged: "Lo que se confirmó",
    acknowledgedHint: "Para un receptor que ha perdido lo que tenía.",
    any: "Ambas cosas",
    beside: "Además",
    missed: "Lo que se perdió",
    missedHint: "Lo que ocurrió mientras estaba apagado, o aún no escuchaba ese tipo. Cada evento una vez.",
    button: "Enviar de nuevo",
  },
};
