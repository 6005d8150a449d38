import { escape, newHighlightBudget, highlight } from "./highlight.ts";
import { languageOf } from "./languages.ts";
import { collectNames, mentionLink, NAME, type NameOf } from "./names.ts";
import {
  type Element,
  mergeStrings,
  MARK,
  type Footnote,
  type Part,
  parse,
  decodeAddress,
  extractFootnotes,
  textOfElement,
} from "./markdown-tree.ts";

/** An uploaded picture that a text may show. This server makes the URLs of uploaded pictures. */
export interface ShownPicture {
  url: string;
  srcset: string;
  width: number;
  height: number;
  alt: string;
}

export interface Rendering {
  /** Level of the page's last heading. Headings of the text start one level below. */
  below?: number;
  /**
   * Prefix of the footnote anchors, unique on a page with many texts. Without this prefix, footnotes have no
   * links.
   */
  id?: string;
  /** Resolves the name after an @. Without this function, mentions remain text. */
  nameOf?: NameOf | undefined;
  /** Resolves the URL of an uploaded picture. Without this function, all pictures become links. */
  pictureOf?: ((address: string) => ShownPicture | undefined) | undefined;
  /** Function that is called with the target of each link. */
  onLink?: ((href: string) => void) | undefined;
  /** Function that is called with each text outside of code, and with a line break between blocks. */
  onText?: ((text: string) => void) | undefined;
}

/**
 * Renders a member's Markdown as HTML (docs/threats.md#F06, docs/threats.md#F07, docs/adr/0030-markdown.md).
 * Bun's parser builds a tree in linear time. The HTML is built from that tree alone, so text never becomes a
 * tag. Pictures on other hosts become links, because our pages load nothing from other hosts. Headings
 * continue the page's levels without gaps. Code in a known language is highlighted with classes.
 */
export function renderMarkdown(
  markdown: string,
  { below = 2, id, nameOf, pictureOf, onLink, onText }: Rendering = {},
): string {
  let html = "";
  let [depth, isLinked, isInLine] = [0, false, false];
  // Ranks of the headings above the current text, from 1 to 6.
  const ranks: number[] = [];
  const highlightBudget = newHighlightBudget();
  const notes = createFootnotes(id);

  /**
   * Writes the start tag of an element. Returns the tag name to close, or an empty string when only the
   * content is shown.
   */
  function begin({ type, props }: Element): string {
    if (NESTING.has(type) && ++depth > DEPTH_MAX) return "";
    if (type === "a") return link(hrefOf(props));
    if (type === "img") return link(decodeAddress(props.src ?? ""));
    if (HEADINGS.has(type)) return open(`h${levelOf(Number(type[1]))}`);
    // With a `tabindex`, the keyboard can scroll code and tables that are wider than the page.
    if (type === "pre") return open(type, ' tabindex="0"');
    if (type === "table") html += `${isInLine ? "\n" : ""}<div class="wide" tabindex="0">`;
    if (type === "ol" && props.start !== 1) return open(type, ` start="${Number(props.start)}"`);
    if (type === "li" && props.checked !== undefined) return openTask(props.checked);
    if (type === "th" || type === "td") return open(type, ALIGNMENT[props.align ?? "left"]);
    return BLOCKS.has(type) || INLINE.has(type) ? open(type) : "";
  }

  /** Returns the page's level of a heading. Headings of one rank below the same heading have one level. */
  function levelOf(rank: number): number {
    while ((ranks.at(-1) ?? 0) >= rank) ranks.pop();
    ranks.push(rank);
    return Math.min(6, below + ranks.length);
  }

  /** Writes a task as a character that screen readers announce; the page styles it as a checkbox. */
  function openTask(isDone: boolean): string {
    const name = open("li", ' class="task"');
    html += isDone ? '<span class="tick done">☑</span> ' : '<span class="tick">☐</span> ';
    return name;
  }

  /**
   * Writes a link with `nofollow`, so that it is worthless to spammers. Links do not nest. A link with a
   * dangerous scheme becomes plain text.
   */
  function link(address: string): string {
    const href = encode(address.replaceAll(MARK, ""));
    if (isLinked || !isSafeAddress(href)) return "";
    isLinked = true;
    onLink?.(href);
    return open("a", ` rel="nofollow noopener ugc" href="${Bun.escapeHTML(href)}"`);
  }

  function open(name: string, attributes = ""): string {
    if (isInLine && BLOCKS.has(name)) html += "\n";
    html += `<${name}${attributes}>`;
    isInLine = true;
    return name;
  }

  function end(type: string, name: string): void {
    if (NESTING.has(type)) depth--;
    if (name === "a") isLinked = false;
    if (name !== "" && !VOID.has(name)) html += `</${name}>`;
    if (name === "table") html += "</div>";
    if (BLOCKS.has(name) || name === "br") {
      html += "\n";
      onText?.("\n");
    }
    isInLine &&= !BLOCKS.has(name);
  }

  /** Writes text. Outside of a link, mentions and footnote references become links. */
  function write(text: string): void {
    isInLine = true;
    onText?.(text.replaceAll(MARK, ""));
    let at = 0;
    const isPlain = isLinked || !/@|\[\^/.test(text);
    for (const found of isPlain ? [] : text.matchAll(LINKED)) {
      const [{ length }, before = "", name, label] = found;
      const linkHtml = name === undefined ? notes.refer(label ?? "") : mentionLink(name, nameOf);
      if (linkHtml === undefined) continue;
      html += escapeText(text.slice(at, found.index)) + escape(before) + linkHtml;
      at = found.index + length;
    }
    html += escapeText(text.slice(at));
  }

  /**
   * Writes the parts and their children. A stack replaces recursion, because quotes can be nested thousands
   * deep.
   */
  function writeAll(parts: readonly Part[]): void {
    // Parts that are not written yet, with the next part last.
    const todo: (Part | (() => void))[] = parts.toReversed();
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (typeof next === "function") next();
      else if (typeof next === "string") write(next);
      else if (next.type === "pre" || next.type === "code") writeCode(next);
      else if (next.type !== "img" || !writePicture(next)) {
        const { type } = next;
        const name = begin(next);
        todo.push(() => end(type, name));
        for (const part of contentOf(next).toReversed()) todo.push(part);
      }
    }
  }

  /** Writes an uploaded picture. Returns false when the URL does not belong to an uploaded picture. */
  function writePicture({ props: { src = "", alt = "" } }: Element): boolean {
    const picture = pictureOf?.(decodeAddress(src));
    if (!picture) return false;
    const { url, srcset, width, height } = picture;
    const label = escapeText(alt === "" ? picture.alt : alt);
    html += `<img src="${escape(url)}" srcset="${escape(srcset)}" sizes="(max-width: 44rem) 92vw, 40rem" width="${width}" height="${height}" alt="${label}" loading="lazy" decoding="async">`;
    isInLine = true;
    return true;
  }

  /** Writes code verbatim. Mentions and URLs in code do not become links. */
  function writeCode(element: Element): void {
    const { type, props } = element;
    const name = begin(element);
    const known = type === "pre" ? languageOf(props.language ?? "") : undefined;
    if (type === "pre") html += known ? `<code class="language-${known.name}">` : "<code>";
    const code = textOfElement(element).replaceAll(MARK, "");
    html += known ? highlight(code, known, highlightBudget) : escape(code);
    if (type === "pre") html += "</code>";
    end(type, name);
  }

  const { body, notes: written } = extractFootnotes(parse(markdown).props.children ?? []);
  notes.define(written);
  writeAll(body);
  if (written.length > 0) {
    html += '<ol class="notes">\n';
    for (const note of notes.all()) {
      html += `<li${note.anchor}>`;
      isInLine = true;
      writeAll(note.parts);
      html += `${note.back}</li>\n`;
    }
    html += "</ol>\n";
  }
  return html;
}

/**
 * Returns the names mentioned with an @, in lower case, without duplicates, in order of appearance, at most
 * `max`.
 */
export function namesIn(markdown: string, max: number): string[] {
  return collectNames(max, markdown, (nameOf) => renderMarkdown(markdown, { nameOf }));
}

/** Characters without which a text has no link. Most texts have none, and testing is faster than parsing. */
const MAY_LINK = /\]|<|:\/\/|www\./i;

/** Returns the target of every link in a text, including duplicates. */
export function linksIn(markdown: string): string[] {
  if (!MAY_LINK.test(markdown)) return [];
  const links: string[] = [];
  renderMarkdown(markdown, { onLink: (href) => links.push(href) });
  return links;
}

/** Returns the text that readers see, without code and marks. */
export function shownTextIn(markdown: string): string {
  let shown = "";
  renderMarkdown(markdown, { onText: (text) => (shown += text) });
  return shown;
}

/**
 * Collects the footnotes of a text, numbered in order of their first reference. Unreferenced footnotes come
 * last, so that no text is lost.
 */
function createFootnotes(id: string | undefined) {
  const known = new Map<string, Footnote>();
  const inOrder = new Map<Footnote, number>();
  let others: readonly Footnote[] = [];

  return {
    define(notes: readonly Footnote[]): void {
      others = notes;
      for (const note of notes.toReversed()) known.set(note.label, note);
    },
    /** Returns the HTML of a reference to a footnote; undefined for an unknown label. */
    refer(label: string): string | undefined {
      const note = known.get(label);
      if (note === undefined) return undefined;
      const isFirst = !inOrder.has(note);
      if (isFirst) inOrder.set(note, inOrder.size + 1);
      const number = inOrder.get(note);
      if (id === undefined) return `<sup>[${number}]</sup>`;
      const anchor = isFirst ? ` id="${id}-ref-${number}"` : "";
      return `<sup><a${anchor} href="#${id}-note-${number}">[${number}]</a></sup>`;
    },
    /** Yields each footnote once, even when footnotes refer to each other. */
    *all(): Generator<{ parts: Part[]; anchor: string; back: string }> {
      const referred = id === undefined ? 0 : Infinity;
      for (const [note, number] of inOrder) yield withAnchors(note, Math.min(number, referred));
      for (const note of others) if (!inOrder.has(note)) yield { parts: note.parts, anchor: "", back: "" };
    },
  };

  function withAnchors({ parts }: Footnote, number: number) {
    if (number === 0) return { parts, anchor: "", back: "" };
    return {
      parts,
      anchor: ` id="${id}-note-${number}"`,
      back: ` <a href="#${id}-ref-${number}">^\u00A0${number}</a>`,
    };
  }
}

/** A mention, or a reference to a footnote. The character before a mention is captured. */
const LINKED = new RegExp(String.raw`${NAME}|\[\^([\w-]{1,32})\](?!\u{FDD0})`, "gu");

/** Escapes text and removes the internal marks. */
function escapeText(text: string): string {
  return escape(text.includes(MARK) ? text.replaceAll(MARK, "") : text);
}

const HEADINGS = setOf("h1 h2 h3 h4 h5 h6");
const VOID = setOf("br hr");
/** Elements on lines of their own in the HTML. */
const BLOCKS = setOf("p blockquote ul ol li pre hr table thead tbody tr h1 h2 h3 h4 h5 h6");
const INLINE = setOf("br code em strong del th td");
const ALIGNMENT = { left: "", center: ' class="center"', right: ' class="right"' };

/**
 * Deepest nesting of quotes and lists. Deeper quotes and lists are shown at this depth, because browsers and
 * screen readers cannot follow more levels.
 */
const DEPTH_MAX = 12;
const NESTING = setOf("blockquote ul ol li");

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

function contentOf({ type, props }: Element): Part[] {
  const { children = [], alt = "", src = "" } = props;
  return type === "img" ? [alt === "" ? decodeAddress(src) : alt] : mergeStrings(children);
}

/**
 * Returns the target of a link. For a bare URL in the text, the target equals the text and may start with
 * `www.`.
 */
function hrefOf({ href = "", children }: Element["props"]): string {
  if (children?.[0] !== href) return decodeAddress(href);
  return /^www\./i.test(href) ? `http://${href}` : href;
}

/** Percent-encodes the characters that a URL cannot contain. */
function encode(href: string): string {
  return href.replaceAll(/[^\w\-.~:/?#@!$&'()*+,;=%]/gu, (sign) => encodeURIComponent(sign.toWellFormed()));
}

/**
 * Whether a link is safe. Parses the URL like a browser, because blanks and control characters can hide the
 * scheme.
 */
function isSafeAddress(href: string): boolean {
  const url = href === "" ? null : URL.parse(href, "https://here.invalid");
  if (url === null) return false;
  const { protocol, username, password } = url;
  // Reject a user name before the host, because readers can mistake it for the host.
  return ["http:", "https:", "mailto:"].includes(protocol) && username === "" && password === "";
}
