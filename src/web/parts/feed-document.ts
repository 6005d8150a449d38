/** A feed for Atom and JSON Feed. Times are in ms since the epoch. */
export interface FeedDocument {
  /** A permanent id, independent of the URL. */
  id: string;
  title: string;
  /** The page that the feed belongs to. */
  page: string;
  /** The URL of the feed. Undefined if it is secret. */
  address?: string;
  author: string;
  updated: number;
  entries: readonly FeedEntry[];
}

export interface FeedEntry {
  id: string;
  title: string;
  page: string;
  /** The author. `authorPage` is set if their page is public. */
  author: string | undefined;
  authorPage?: string;
  published?: number;
  updated: number;
  text: string | undefined;
  /** The content as safe HTML instead of text. Links begin with a slash or a scheme. */
  html?: string;
  tags?: readonly string[];
}

/** Returns an Atom feed (RFC 4287). Links that begin with a slash get `origin`. */
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

/** Returns a JSON Feed (version 1.1). The format has no base URL, so links in its HTML are made absolute. */
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

/** Escapes a text for XML. Removes characters that XML forbids, such as controls and lone surrogates. */
export function escaped(text: string): string {
  return Bun.escapeHTML(
    text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ""),
  );
}
