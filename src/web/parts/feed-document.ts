/** A feed as RFC 4287 has it; all of it is plain text. Times in ms since the epoch. */
export interface AtomFeed {
  id: string;
  title: string;
  /** The page of which it is the feed. */
  page: string;
  author: string;
  updated: number;
  entries: readonly AtomEntry[];
}

export interface AtomEntry {
  id: string;
  title: string;
  page: string;
  author: string | undefined;
  updated: number;
  text: string | undefined;
}

/** Its XML. The address that it is read at stands nowhere in it. */
export function atom({ id, title, page, author, updated, entries }: AtomFeed): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    ...head({ id, title, page, author, updated }),
    ...entries.flatMap(({ text, ...entry }) => [
      "<entry>",
      ...head(entry),
      ...(text === undefined ? [] : [element("content", text)]),
      "</entry>",
    ]),
    "</feed>",
    "",
  ].join("\n");
}

function head({ id, title, page, author, updated }: Omit<AtomEntry, "text">): string[] {
  return [
    element("id", id),
    element("title", title),
    `<link rel="alternate" type="text/html" href="${escaped(page)}"/>`,
    element("updated", new Date(updated).toISOString()),
    ...(author === undefined ? [] : [`<author>${element("name", author)}</author>`]),
  ];
}

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>`;
}

/** Without what no XML may hold: controls, halves of letters. */
function escaped(text: string): string {
  return Bun.escapeHTML(
    text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ""),
  );
}
