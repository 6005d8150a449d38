import type { Words } from "../words.ts";
import { counted, number } from "./forms.ts";

/** What goes out by mail, in plain text: nothing of it is a link or markup. */
export const mails: Words["mails"] = {
  confirm: {
    subject: (community: string) => `Tu dirección de correo en ${community}`,
    body: (username: string) =>
      `La cuenta @${username} pide que su correo llegue a esta dirección. Abre el enlace en el plazo de un día para confirmarla.`,
    button: "Confirmar la dirección",
    ignore: "Si no lo pediste, no hagas nada: no llegará ningún correo.",
  },
  recovery: {
    subject: (community: string) => `Una contraseña nueva en ${community}`,
    body: (username: string) =>
      `Alguien pidió recuperar el acceso a la cuenta @${username}. El enlace permite elegir una contraseña nueva y sirve una vez, durante una hora.`,
    button: "Elegir una contraseña nueva",
    ignore: "Si no fuiste tú, no hagas nada: tu contraseña sigue como está.",
  },
  invitation: {
    subject: (community: string) => `Tienes una invitación a ${community}`,
    community: (inviter: string, community: string) => `${inviter} te invita a ${community}.`,
    workspace: (inviter: string, community: string) =>
      `${inviter} te invita a un espacio de trabajo en ${community}. Se abre cuando hayas entrado allí.`,
    operator: "Quien opera el servidor",
    until: (when: string) => `El enlace sirve hasta el ${when}.`,
    button: "Ver la invitación",
    ignore:
      "Si no sabes quién es, no hagas nada. Tu dirección no se guarda, y no llegará ningún otro correo por esto.",
  },
  applied: {
    subject: (community: string) => `Adónde va la respuesta de ${community}`,
    body: (username: string) =>
      `Alguien pide unirse como @${username} y quiere recibir aquí la respuesta. Confirma la dirección y llegará.`,
    button: "Confirmar la dirección",
    ignore: "Si no fuiste tú, no hagas nada: no llegará ningún otro correo por esto.",
  },
  answered: {
    subject: (community: string) => `La respuesta de ${community}`,
    approved: (username: string) =>
      `Ya formas parte, como @${username}. Entra con la contraseña que elegiste.`,
    declined: "Quien administra la comunidad no te ha admitido.",
    word: "Lo que te dicen:",
    button: "Entrar",
  },
  moved: {
    subject: (community: string) => `Tu dirección de correo en ${community} ha cambiado`,
    body: (username: string) =>
      `El correo de la cuenta @${username} ya no llega a esta dirección. Si no fuiste tú, entra y protege tu cuenta, o pregunta a quienes administran la comunidad.`,
  },
  notMe: {
    lead: "Si no fuiste tú, abre el enlace «No fui yo». Abrirlo todavía no cambia nada.",
    button: "No fui yo",
    foot: "Recibes este correo siempre que se añade algo que da acceso a tu cuenta.",
  },
  notification: { foot: "Elegiste recibir por correo este tipo de notificaciones." },
  digest: {
    subject: (community: string, count: number) =>
      `${community}: ${counted(count, "notificación", "notificaciones")}`,
    body: "Mientras no estabas:",
    more: (count: number) => `${number(count)} más`,
  },
  end: "Dejar de recibir estos correos",
  foot: (community: string, origin: string) => `${community}, ${origin}`,
};
