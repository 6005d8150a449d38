import type { Words } from "../words.ts";

/** The search over everything, and its box on every page. */
export const search: Words["search"] = {
  title: "Búsqueda",
  everything: "Buscar en todo",
  here: "Buscar aquí",
  example: "Palabras, «frases», tag:rust, author:ada",
  find: "Buscar",
  kinds: "Qué mostrar",
  all: "Todo",
  kind: { post: "Publicaciones", job: "Empleos", prompt: "Prompts", builder: "Miembros" },
  one: { post: "Publicación", reply: "Respuesta", job: "Empleo", prompt: "Prompt", builder: "Miembro" },
  by: (username: string) => `@${username}`,
  conversation: "En una conversación",
  more: { post: "Más publicaciones", job: "Más empleos", prompt: "Más prompts", builder: "Más miembros" },
  further: "Más resultados",
  nothing: "No se encontró nada",
  nothingLead: "Prueba con menos palabras, o con el comienzo de una seguido de un asterisco.",
  ask: "¿Qué buscas?",
  askLead:
    "Las palabras se buscan en publicaciones, respuestas, empleos y prompts, todas a la vez. Las “comillas” mantienen juntas las palabras; un asterisco sustituye al resto de una: compil*. Con tag:rust, author:ada, after:2026-01-01 y before:2026-07 acotas la búsqueda.",
};
