import { codePoints } from "../core/base/check.ts";

/**
 * Converts a Forem's texts to Markdown of limited length. Articles are Markdown with HTML and Liquid tags;
 * comments are available only as HTML (docs/adr/0042-forem-import.md).
 */

type Token =
  | { is: "begin"; name: string; get(attribute: string): string }
  | { is: "end"; name: string }
  | { is: "text"; text: string };

/**
 * Longest input and output, in UTF-16 units. A post has at most 2,000 characters. The limits bound the
 * processing time of malicious texts (docs/threats.md#M11).
 */
const READ_MAX = 100_000;
const WRITTEN_MAX = 20_000;

/** Splits HTML into tokens, in linear time. Text that only looks like a tag remains text. */
function tokensOf(html: string): Token[] {
  const tokens: Token[] = [];
  new HTMLRewriter()
    .on("*", {
      element(element) {
        const name = element.tagName;
        const attributes = new Map(
          ["href", "src", "alt"].map((key) => [key, element.getAttribute(key) ?? ""]),
        );
        tokens.push({ is: "begin", name, get: (key) => attributes.get(key) ?? "" });
        if (!element.selfClosing && element.canHaveContent)
          element.onEndTag((tag) => void tokens.push({ is: "end", name: tag.name }));
      },
    })
    .onDocument({
      text(chunk) {
        if (chunk.text !== "") tokens.push({ is: "text", text: chunk.text });
      },
    })
    .transform(html.slice(0, READ_MAX));
  return tokens;
}

/** Elements whose content is not for readers. */
const DROPPED = setOf("script style head title svg object template noscript button form select math");
const BLOCKS = setOf(
  "p div section article header footer ul ol table figure figcaption details summary center aside main dl dt dd",
);
const HEADINGS = setOf("h1 h2 h3 h4 h5 h6");
const MARKDOWN_MARKS: Readonly<Record<string, string>> = {
  b: "**",
  strong: "**",
  em: "*",
  i: "*",
  del: "~~",
  s: "~~",
};

interface Writing {
  out: string;
  /** Prefix of each line in quotes and lists. */
  prefix: string;
}

/**
 * Converts HTML to Markdown. Relative URLs are resolved against `base`. With `isMarkdown`, the text between
 * tags is already Markdown and remains unchanged.
 */
export function fromHtml(html: string, base: string, isMarkdown = false): string {
  const writing: Writing = { out: "", prefix: "" };
  const lists: { isOrdered: boolean; count: number; prefix: string }[] = [];
  const quotes: string[] = [];
  const links: { href: string | undefined; at: number }[] = [];
  let [dropped, pre, code] = ["", 0, undefined as string | undefined];

  for (const token of tokensOf(html)) {
    if (writing.out.length > WRITTEN_MAX) break;
    if (dropped !== "") {
      if (token.is === "end" && token.name === dropped) dropped = "";
    } else if (token.is === "text") {
      if (code !== undefined) code += token.text;
      else if (isMarkdown) writing.out += token.text.replaceAll("\n", `\n${writing.prefix}`);
      else writeText(writing, escaped(token.text));
    } else if (token.is === "begin") begin(token);
    else end(token.name);
  }
  if (code !== undefined) endCode();
  return cleanText(writing.out);

  function begin({ name, get }: Token & { is: "begin" }): void {
    if (DROPPED.has(name)) dropped = name;
    else if (code !== undefined) return;
    else if (name === "pre") [pre, code] = [1, ""];
    else if (name === "code" || name === "kbd" || name === "samp") code = "";
    else if (name === "br") writing.out += `${isMarkdown ? "" : "\\"}\n${writing.prefix}`;
    else if (name === "hr") block(() => (writing.out += "---"));
    else if (name === "img") writing.out += picture(get("src"), get("alt"));
    else if (name === "iframe" || name === "video" || name === "embed")
      block(() => (writing.out += addressOf(get("src"), base) ?? ""));
    else if (name === "a") {
      const href = addressOf(get("href"), base);
      links.push({ href, at: writing.out.length });
      if (href !== undefined) writing.out += "[";
    } else if (MARKDOWN_MARKS[name] !== undefined) writing.out += MARKDOWN_MARKS[name];
    else if (HEADINGS.has(name)) {
      paragraph(writing);
      writing.out += `${"#".repeat(Number(name[1]))} `;
    } else if (name === "blockquote") {
      paragraph(writing);
      quotes.push(writing.prefix);
      if (quotes.length > DEPTH_MAX) return;
      writing.prefix += "> ";
      writing.out += "> ";
    } else if (name === "ul" || name === "ol") {
      if (lists.length === 0) paragraph(writing);
      lists.push({ isOrdered: name === "ol", count: 0, prefix: writing.prefix });
    } else if (name === "li") {
      const list = lists.at(-1) ?? { isOrdered: false, count: 0, prefix: "" };
      list.count++;
      const sign = list.isOrdered ? `${list.count}. ` : "- ";
      line(writing, list.prefix);
      writing.out += sign;
      if (lists.length <= DEPTH_MAX) writing.prefix = list.prefix + " ".repeat(sign.length);
    } else if (name === "tr") line(writing, writing.prefix);
    else if (name === "td" || name === "th") writing.out += " ";
    else if (BLOCKS.has(name)) paragraph(writing);
  }

  function end(name: string): void {
    if (code !== undefined) {
      if (pre === 1 ? name === "pre" : name === "code" || name === "kbd" || name === "samp") endCode();
      return;
    }
    if (name === "a") {
      const { href, at } = links.pop() ?? { href: undefined, at: 0 };
      // Removes a link without text, such as the anchor of a heading.
      if (href !== undefined && writing.out.slice(at).trim() === "[") writing.out = writing.out.slice(0, at);
      else if (href !== undefined) writing.out += `](${href})`;
    } else if (MARKDOWN_MARKS[name] !== undefined) writing.out += MARKDOWN_MARKS[name];
    else if (name === "blockquote") {
      writing.prefix = quotes.pop() ?? "";
      paragraph(writing);
    } else if (name === "ul" || name === "ol") {
      writing.prefix = lists.pop()?.prefix ?? "";
      if (lists.length === 0) paragraph(writing);
    } else if (BLOCKS.has(name) || HEADINGS.has(name)) paragraph(writing);
  }

  function endCode(): void {
    const text = decoded(code ?? "");
    const ticks = "`".repeat(Math.max(pre === 1 ? 3 : 1, longestRun(text) + 1));
    if (pre === 1) {
      const lines = text.replace(/^\n|\s+$/g, "").split("\n");
      block(() => (writing.out += [ticks, ...lines, ticks].join(`\n${writing.prefix}`)));
    } else if (text.trim() !== "") writing.out += ticks + (/^`|`$/.test(text) ? ` ${text} ` : text) + ticks;
    [pre, code] = [0, undefined];
  }

  function block(write: () => void): void {
    paragraph(writing);
    write();
    paragraph(writing);
  }

  function picture(src: string, alt: string): string {
    const address = addressOf(src, base);
    return address === undefined ? "" : `![${escaped(alt.replaceAll(/[\r\n[\]]+/g, " "))}](${address})`;
  }
}

/** Deepest nesting of lists and quotes. Deeper ones are written at this depth. */
const DEPTH_MAX = 6;

/** Begins a paragraph, unless a paragraph or a list item has just begun. */
function paragraph(writing: Writing): void {
  const start = writing.out.lastIndexOf("\n") + 1;
  const here = writing.out.slice(start);
  if (/^[\s>]*$/.test(here)) writing.out = writing.out.slice(0, start) + writing.prefix;
  else if (!/^[\s>]*(?:-|\d+\.) $/.test(here))
    writing.out += `\n${writing.prefix.trimEnd()}\n${writing.prefix}`;
}

function line(writing: Writing, prefix: string): void {
  if (writing.out !== "" && !writing.out.endsWith(`\n${prefix}`)) writing.out += `\n${prefix}`;
  writing.prefix = prefix;
}

function writeText(writing: Writing, text: string): void {
  const isFresh = /(?:^|[\n ])$/.test(writing.out);
  writing.out += isFresh ? text.trimStart() : text;
}

/** Escapes HTML text, so that Markdown shows it literally. */
function escaped(text: string): string {
  return decoded(text)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_[\]<~]/g, "\\$&")
    .replace(/^(\s*)([#>+-]|\d+[.)])(?=\s|$)/, "$1\\$2");
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  mdash: "—",
  ndash: "–",
};

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (all, decimal, hex, name) => {
    if (name) return NAMED[name.toLowerCase()] ?? all;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
      ? String.fromCodePoint(code)
      : "";
  });
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).slice(0, 1000).map((run) => run.length));
}

/** Returns a URL that is safe in a Markdown link, or undefined if it is not an http(s) URL. */
function addressOf(written: string, base: string): string | undefined {
  const url = written === "" ? null : URL.parse(decoded(written).trim(), base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "") return undefined;
  return url.href.replaceAll(/[()\s<>]/g, (sign) =>
    encodeURIComponent(sign).replace("(", "%28").replace(")", "%29"),
  );
}

/**
 * Converts an article's Markdown to ours: removes front matter, and replaces embeds of Liquid tags with
 * links.
 */
export function fromMarkdown(markdown: string, base: string): string {
  const body = markdown
    .slice(0, READ_MAX)
    .replaceAll("\r\n", "\n")
    .replace(/^\s*---\n[\s\S]*?\n---[ \t]*(?:\n|$)/, "");
  return cleanText(
    proseAndCode(body)
      .map(({ text, isCode }) => (isCode ? text : fromProse(text, base)))
      .join(""),
  );
}

/**
 * Separates code from prose. Fenced blocks and code spans are code and remain unchanged. Indented code blocks
 * are not recognized.
 */
function proseAndCode(text: string): { text: string; isCode: boolean }[] {
  const parts: { text: string; isCode: boolean }[] = [];
  const add = (piece: string, isCode: boolean) => piece !== "" && parts.push({ text: piece, isCode });
  let prose = "";
  let fence = "";
  let fenced = "";
  for (const row of text.split(/(?<=\n)/)) {
    const sign = /^ {0,3}(`{3,}|~{3,})/.exec(row)?.[1] ?? "";
    if (fence !== "") {
      fenced += row;
      if (sign.startsWith(fence) && row.trim() === sign) {
        add(fenced, true);
        fence = fenced = "";
      }
    } else if (sign !== "") {
      spans(prose);
      [prose, fence, fenced] = ["", sign, row];
    } else prose += row;
  }
  spans(prose);
  add(fenced, true);
  return parts;

  function spans(piece: string): void {
    let from = 0;
    for (const { 0: span, index } of piece.matchAll(/(?<!`)(`{1,3})(?!`)[^`\n]{1,1000}\1(?!`)/g)) {
      add(piece.slice(from, index), false);
      add(span, true);
      from = index + span.length;
    }
    add(piece.slice(from), false);
  }
}

/** `<https://…>` is a Markdown link, not a tag. */
function fromProse(text: string, base: string): string {
  const linked = withoutLiquid(text, base).replaceAll(/<(https?:\/\/[^\s<>]{1,2000})>/g, "$1");
  if (!/<[a-z!/]/i.test(linked)) return linked;
  const edge = { before: /^\s*/.exec(linked)?.[0] ?? "", after: /\s*$/.exec(linked)?.[0] ?? "" };
  return `${edge.before}${fromHtml(linked, base, true)}${edge.after}`;
}

/** Builds the URL for a Liquid tag that names an item of another site by its id. */
const SITES: Readonly<Record<string, (id: string) => string>> = {
  youtube: (id) => `https://youtu.be/${id}`,
  vimeo: (id) => `https://vimeo.com/${id}`,
  twitter: (id) => `https://twitter.com/i/status/${id}`,
  tweet: (id) => `https://twitter.com/i/status/${id}`,
  x: (id) => `https://twitter.com/i/status/${id}`,
  github: (id) => `https://github.com/${id}`,
  npm: (id) => `https://www.npmjs.com/package/${id}`,
  user: (id) => `/${id}`,
  organization: (id) => `/${id}`,
  tag: (id) => `/t/${id}`,
  link: (id) => `/${id.replace(/^\//, "")}`,
  post: (id) => `/${id.replace(/^\//, "")}`,
  comment: (id) => `/comment/${id}`,
};

/**
 * Replaces `{% embed https://… %}` with the URL on a line of its own. Removes tags that only enclose text,
 * and keeps that text.
 */
function withoutLiquid(text: string, base: string): string {
  return text.replaceAll(/\{%-?\s*(\w+)\s*([^%\n]{0,1000}?)\s*-?%\}/g, (_all, name: string, rest: string) => {
    const [first = ""] = rest.split(/\s+/);
    const own = SITES[name.toLowerCase()];
    const written = /^https?:\/\//.test(first) ? first : own && /^[\w@./-]+$/.test(first) ? own(first) : "";
    const address = written === "" ? undefined : addressOf(written, base);
    return address === undefined ? "" : `\n\n${address}\n\n`;
  });
}

/** Makes text storable: no NUL, no lone surrogate, and at most one empty line in a row. */
function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\0", "")
    .replaceAll(/[ \t]+\n/g, "\n")
    .replaceAll(/(?<=\n)>[> ]*\n(?!>)/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** Returns one line of plain text, at most `max` characters. */
export function plainLine(text: string, max: number): string {
  const plain = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\s\u2028\u2029]+/gu, " ")
    .trim();
  return [...plain].slice(0, max).join("").trim();
}

/**
 * Returns the beginning of a Markdown text, at most `max` characters. Cuts at a paragraph, line or word if
 * enough text remains. Closes an open code block.
 */
export function beginningOf(markdown: string, max: number): string {
  if (codePoints(markdown) <= max) return markdown;
  const room = max - ENDING.length;
  const cut = [...markdown.slice(0, room * 2)].slice(0, room).join("");
  const at = ["\n\n", "\n", " "]
    .map((edge) => cut.lastIndexOf(edge))
    .find((place) => place > cut.length * 0.6);
  const kept = cut.slice(0, at ?? cut.length).trimEnd();
  const fences = kept.match(/^ {0,3}(?:`{3,10}(?!`)|~{3,10}(?!~))/gm) ?? [];
  return fences.length % 2 === 1 ? `${kept}\n${fences.at(-1)?.trim()}\n…` : `${kept} …`;
}

/** Longest text that `beginningOf` adds at the end. */
const ENDING = "\n``````````\n…";

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}
