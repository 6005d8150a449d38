import type { Words } from "../words.ts";

/** The search over everything, and its box on every page. */
export const search: Words["search"] = {
  title: "Suche",
  everything: "Alles durchsuchen",
  here: "Hier suchen",
  example: "Wörter, „ganze Wendungen“, tag:rust, author:ada",
  find: "Suchen",
  kinds: "Was gezeigt wird",
  all: "Alles",
  kind: { post: "Beiträge", job: "Stellen", prompt: "Prompts", builder: "Leute" },
  one: { post: "Beitrag", reply: "Antwort", job: "Stelle", prompt: "Prompt", builder: "Mitglied" },
  by: (username) => `@${username}`,
  conversation: "In einem Gespräch",
  more: { post: "Mehr Beiträge", job: "Mehr Stellen", prompt: "Mehr Prompts", builder: "Mehr Leute" },
  further: "Weitere Treffer",
  nothing: "Nichts gefunden",
  nothingLead: "Versuch es mit weniger Wörtern oder mit einem Wortanfang und einem Stern dahinter.",
  ask: "Wonach suchst du?",
  askLead:
    "Gesucht wird in Beiträgen, Antworten, Stellen und Prompts, nach allen Wörtern zusammen. „Anführungszeichen“ halten Wörter zusammen, ein Stern steht für den Rest eines Wortes: compil*. tag:rust, author:ada, after:2026-01-01 und before:2026-07 grenzen die Suche ein.",
};
