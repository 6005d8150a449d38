import type { Words } from "../words.ts";
import { counted } from "./forms.ts";

/** The face of the community: what it says of itself, and where that is changed. */
export const community: Words["community"] = {
  about: {
    title: "Acerca de",
    rules: "Normas",
    joinTitle: "Cómo unirse",
    join: {
      open: "Cualquiera puede unirse: [crea una cuenta](/sign-up).",
      approval: "[Pide unirte](/sign-up): quienes llevan esta comunidad miran quién lo pide y dejan entrar.",
      invite: "Con invitación: pide un enlace a un miembro. Lleva adonde creas tu cuenta.",
      closed: "Por ahora nadie puede unirse.",
    },
    forMembers: "Lo que se escribe aquí es para los miembros. [Entra](/sign-in) si eres miembro.",
    stewards: "Quiénes la llevan",
    roles: { owner: "Titular", admin: "Administración", moderator: "Moderación", member: "Miembro" },
    contactTitle: "Contacto",
    counts: {
      members: (count) => counted(count, "miembro", "miembros"),
      active: (count) => `${counted(count, "persona", "personas")} por aquí en el último mes`,
      posts: (count) => counted(count, "publicación", "publicaciones"),
      replies: (count) => counted(count, "respuesta", "respuestas"),
      jobs: (count) => counted(count, "empleo", "empleos"),
      prompts: (count) => counted(count, "prompt", "prompts"),
    },
  },
};
