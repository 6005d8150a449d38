import type { Words } from "../words.ts";
import { counted } from "./forms.ts";

/** Whom and what one follows, and what one keeps. */
export const following: Words["following"] = {
  views: {
    label: "Qué publicaciones",
    all: "Todas",
    following: "Siguiendo",
  },
  feed: {
    title: "Siguiendo",
    empty: "Todavía no hay nada de lo que sigues",
    emptyLead:
      "Sigue a [miembros](/builders) desde su perfil, y etiquetas desde la página de sus publicaciones. [A quién y qué sigues](/settings/following)",
    list: "[A quién y qué sigues](/settings/following)",
  },
  seen: "Arriba: lo nuevo desde tu última visita",
  follow: "Seguir",
  unfollow: "Siguiendo",
  followers: "Seguidores",
  keep: "Guardar",
  bookmarks: {
    title: "Marcadores",
    lead: "Publicaciones y respuestas que guardas. Nadie más las ve.",
    empty: "Todavía no has guardado nada",
    emptyLead: "Cada publicación tiene un botón que la guarda aquí.",
  },
  list: {
    title: "Siguiendo",
    lead: "Nadie más ve a quién y qué sigues. A quien sigues le llega un aviso.",
    builders: "Miembros",
    tags: "Etiquetas",
    nobody: "Todavía no sigues a nadie. [Miembros](/builders)",
    noTag: "Todavía no sigues ninguna etiqueta.",
    stop: "Dejar de seguir",
    end: (what: string) => `Dejar de seguir: ${what}`,
    more: "Más",
    count: (followers: number) => counted(followers, "seguidor", "seguidores"),
  },
};
