/** A feed that programs read, as Atom and JSON Feed both have it. Times in ms since the epoch. */
export interface FeedDocument {
  /** The same for good, whatever its address. */
  id: string;
  title: string;
  /** The page of which it is the feed. */
  page: string;
  /** Where it is read; left out where that is a secret, which stands nowhere in it. */
  address?: string;
  author: string;
  updated: number;
  entries: readonly FeedEntry[];
}

export interface FeedEntry {
  id: string;
  title: string;
  page: string;
  /** Who wrote it, with their page where that is told. */
  author: string | undefined;
  authorPage?: string;
  published?: number;
  updated: number;
  text: string | undefined;
  /** The same as markup of ours, in place of the text; its links begin with a slash or a scheme. */
  html?: string;
  tags?: readonly string[];
}

/** As RFC 4287 has it. `origin` is what links begin with that begin with a slash. */
export function atom({ entries, ...feed }: FeedDocument, origin: string): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${escaped(origin)}/">`,
    ...headOf(feed),
    ...(feed.address === undefined
      ? []
      : [`<link rel="self" type="application/atom+xml" href="${escaped(feed.address)}"/>`]),
    ...entries.flatMap((entry) => ["<entry>", ...headOf(entry), ...bodyOf(entry), "</entry>"]),
    "</feed>",
    "",
  ].join("\n");
}

/** As JSON Feed 1.1 has it, which knows no base: links of its markup are made whole. */
export function jsonFeed({ title, page, address, author, entries }: FeedDocument, origin: string): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: page,
    feed_url: address,
    authors: [{ name: author }],
    items: entries.map((entry) => ({
      id: entry.id,
      url: entry.page,
      title: entry.title,
      ...(entry.html === undefined
        ? { content_text: entry.text ?? "" }
        : { content_html: entry.html.replaceAll(/ (href|src)="\//g, ` $1="${origin}/`) }),
      date_published: isoOf(entry.published ?? entry.updated),
      date_modified: isoOf(entry.updated),
      ...(entry.author === undefined ? {} : { authors: [{ name: entry.author, url: entry.authorPage }] }),
      ...(entry.tags === undefined || entry.tags.length === 0 ? {} : { tags: entry.tags }),
    })),
  });
}

function headOf(of: Omit<FeedEntry, "text" | "html">): string[] {
  const { id, title, page, author, authorPage, published, updated } = of;
  return [
    element("id", id),
    element("title", title),
    `<link rel="alternate" type="text/html" href="${escaped(page)}"/>`,
    ...(published === undefined ? [] : [element("published", isoOf(published))]),
    element("updated", isoOf(updated)),
    ...(author === undefined
      ? []
      : [
          `<author>${element("name", author)}${authorPage === undefined ? "" : element("uri", authorPage)}</author>`,
        ]),
  ];
}

function bodyOf({ text, html, tags = [] }: FeedEntry): string[] {
  return [
    ...tags.map((tag) => `<category term="${escaped(tag)}"/>`),
    ...(html !== undefined
      ? [`<content type="html">${escaped(html)}</content>`]
      : text !== undefined
        ? [element("content", text)]
        : []),
  ];
}

const isoOf = (at: number): string => new Date(at).toISOString();

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>`;
}

/** Without what no XML may hold: controls, halves of letters. */
export function escaped(text: string): string {
  return Bun.escapeHTML(
    text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ""),
  );
}
