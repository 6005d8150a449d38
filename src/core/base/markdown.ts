import { escape, newHighlightBudget, highlight } from "./highlight.ts";
import { languageOf } from "./languages.ts";
import { collectNames, mentionLink, NAME, type NameOf } from "./names.ts";
import {
  type Element,
  joined,
  MARK,
  type Footnote,
  type Part,
  parse,
  read,
  extractFootnotes,
  textOfElement,
} from "./markdown-tree.ts";

/** A picture that may stand in a text: one of ours, whose addresses are made here. */
export interface ShownPicture {
  url: string;
  srcset: string;
  width: number;
  height: number;
  alt: string;
}

export interface Rendering {
  /** The level of the page's own last heading: those of the text stand below it. */
  below?: number;
  /**
   * What the text is of: makes the addresses of its footnotes its own on a page with many texts. Without it
   * they are shown and lead nowhere.
   */
  id?: string;
  /** Whom a name behind an @ means; left out, nobody: it is text. */
  nameOf?: NameOf | undefined;
  /** Which picture of ours an address means; left out, none: all are links. */
  pictureOf?: ((address: string) => ShownPicture | undefined) | undefined;
  /** Is told where each link of the text leads. */
  onLink?: ((href: string) => void) | undefined;
}

/**
 * Markdown of a person as HTML (docs/threats.md#F06, docs/threats.md#F07, docs/adr/0030-markdown.md). Bun's
 * parser makes a tree of it in time linear in the text, and the page is written from that tree alone: no text
 * becomes a tag. Pictures of elsewhere become links, as a page of ours loads nothing from there. Headings
 * stand below the page's own and leave none out. Code of a language that is known is coloured, by classes.
 */
export function renderMarkdown(
  markdown: string,
  { below = 2, id, nameOf, pictureOf, onLink }: Rendering = {},
): string {
  let html = "";
  let [depth, level, isLinked, isInLine] = [0, below, false, false];
  const ink = newHighlightBudget();
  const notes = notesOf(id);

  /**
   * Begins what the page shows of an element. Gives the name that ends it, empty where its content stands
   * alone.
   */
  function begin({ type, props }: Element): string {
    if (NESTING.has(type) && ++depth > DEPTH_MAX) return "";
    if (type === "a") return link(hrefOf(props));
    if (type === "img") return link(read(props.src ?? ""));
    if (HEADINGS.has(type)) return open(`h${(level = Math.min(6, below + Number(type[1]), level + 1))}`);
    // What may be wider than the page is scrolled by keys, too.
    if (type === "pre") return open(type, ' tabindex="0"');
    if (type === "table") html += `${isInLine ? "\n" : ""}<div class="wide" tabindex="0">`;
    if (type === "ol" && props.start !== 1) return open(type, ` start="${Number(props.start)}"`);
    if (type === "li" && props.checked !== undefined) return task(props.checked);
    if (type === "th" || type === "td") return open(type, ASIDE[props.align ?? "left"]);
    return BLOCKS.has(type) || INLINE.has(type) ? open(type) : "";
  }

  /** A sign that any reader says, and a page draws as a box. */
  function task(isDone: boolean): string {
    const name = open("li", ' class="task"');
    html += isDone ? '<span class="tick done">☑</span> ' : '<span class="tick">☐</span> ';
    return name;
  }

  /**
   * One that helps no spammer. None stands in another, and one whose scheme could run something is its words
   * alone.
   */
  function link(address: string): string {
    const href = encode(address.replaceAll(MARK, ""));
    if (isLinked || !isHarmless(href)) return "";
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
    if (BLOCKS.has(name) || name === "br") html += "\n";
    isInLine &&= !BLOCKS.has(name);
  }

  /** Text in which names and the numbers of notes become links, where no link is around it. */
  function write(text: string): void {
    isInLine = true;
    let at = 0;
    const isPlain = isLinked || !/@|\[\^/.test(text);
    for (const found of isPlain ? [] : text.matchAll(LINKED)) {
      const [{ length }, before = "", name, label] = found;
      const made = name === undefined ? notes.refer(label ?? "") : mentionLink(name, nameOf);
      if (made === undefined) continue;
      html += clean(text.slice(at, found.index)) + escape(before) + made;
      at = found.index + length;
    }
    html += clean(text.slice(at));
  }

  /** Not by calls in calls: quotes stand in each other by the thousand. */
  function writeAll(parts: readonly Part[]): void {
    // What is still to be written, the next at the end.
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

  /** One of ours in its place. Says whether it is. */
  function writePicture({ props: { src = "", alt = "" } }: Element): boolean {
    const picture = pictureOf?.(read(src));
    if (!picture) return false;
    const { url, srcset, width, height } = picture;
    const words = clean(alt === "" ? picture.alt : alt);
    html += `<img src="${escape(url)}" srcset="${escape(srcset)}" sizes="(max-width: 44rem) 92vw, 40rem" width="${width}" height="${height}" alt="${words}" loading="lazy" decoding="async">`;
    isInLine = true;
    return true;
  }

  /** As it was written: nothing in it is a link. */
  function writeCode(element: Element): void {
    const { type, props } = element;
    const name = begin(element);
    const known = type === "pre" ? languageOf(props.language ?? "") : undefined;
    if (type === "pre") html += known ? `<code class="language-${known.name}">` : "<code>";
    const code = textOfElement(element).replaceAll(MARK, "");
    html += known ? highlight(code, known, ink) : escape(code);
    if (type === "pre") html += "</code>";
    end(type, name);
  }

  const { body, notes: written } = extractFootnotes(parse(markdown).props.children ?? []);
  notes.know(written);
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
 * Who is named in a text behind an @, in lower case and each once, in the order they are met: at most `max`.
 */
export function namesIn(markdown: string, max: number): string[] {
  return collectNames(max, markdown, (nameOf) => renderMarkdown(markdown, { nameOf }));
}

/** Where the links of a text lead, each as often as it stands there. */
export function linksIn(markdown: string): string[] {
  const links: string[] = [];
  renderMarkdown(markdown, { onLink: (href) => links.push(href) });
  return links;
}

/**
 * The notes of a text, numbered as they are first referred to; those that nothing refers to come last, as
 * nothing that was written is left out.
 */
function notesOf(id: string | undefined) {
  const known = new Map<string, Footnote>();
  const inOrder = new Map<Footnote, number>();
  let others: readonly Footnote[] = [];

  return {
    know(notes: readonly Footnote[]): void {
      others = notes;
      for (const note of notes.toReversed()) known.set(note.label, note);
    },
    /** The number that leads to a note; undefined where there is none. */
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
    /** Each once, also where notes refer to each other. */
    *all(): Generator<{ parts: Part[]; anchor: string; back: string }> {
      const referred = id === undefined ? 0 : Infinity;
      for (const [note, number] of inOrder) yield shown(note, Math.min(number, referred));
      for (const note of others) if (!inOrder.has(note)) yield { parts: note.parts, anchor: "", back: "" };
    },
  };

  function shown({ parts }: Footnote, number: number) {
    if (number === 0) return { parts, anchor: "", back: "" };
    return {
      parts,
      anchor: ` id="${id}-note-${number}"`,
      back: ` <a href="#${id}-ref-${number}">^\u00A0${number}</a>`,
    };
  }
}

/** A name, or the label of a note; what stands before the name is kept. */
const LINKED = new RegExp(String.raw`${NAME}|\[\^([\w-]{1,32})\](?!\u{FDD0})`, "gu");

/** Text without what is only known here. */
function clean(text: string): string {
  return escape(text.includes(MARK) ? text.replaceAll(MARK, "") : text);
}

const HEADINGS = setOf("h1 h2 h3 h4 h5 h6");
const VOID = setOf("br hr");
/** Each stands on lines of its own in the HTML. */
const BLOCKS = setOf("p blockquote ul ol li pre hr table thead tbody tr h1 h2 h3 h4 h5 h6");
const INLINE = setOf("br code em strong del th td");
const ASIDE = { left: "", center: ' class="center"', right: ' class="right"' };

/** Deeper quotes and lists go on at this depth: browsers and readers both get lost in more. */
const DEPTH_MAX = 12;
const NESTING = setOf("blockquote ul ol li");

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

function contentOf({ type, props }: Element): Part[] {
  const { children = [], alt = "", src = "" } = props;
  return type === "img" ? [alt === "" ? read(src) : alt] : joined(children);
}

/**
 * The address of a link. One that the parser has found in the text is that text, and may begin with the host.
 */
function hrefOf({ href = "", children }: Element["props"]): string {
  if (children?.[0] !== href) return read(href);
  return /^www\./i.test(href) ? `http://${href}` : href;
}

/** What an address cannot hold, as its bytes. */
function encode(href: string): string {
  return href.replaceAll(/[^\w\-.~:/?#@!$&'()*+,;=%]/gu, (sign) => encodeURIComponent(sign.toWellFormed()));
}

/**
 * As a browser reads the address: blanks and control characters around and inside of a scheme do not hide it.
 */
function isHarmless(href: string): boolean {
  const url = href === "" ? null : URL.parse(href, "https://here.invalid");
  if (url === null) return false;
  const { protocol, username, password } = url;
  // What stands before an @ looks like the host and is not.
  return ["http:", "https:", "mailto:"].includes(protocol) && username === "" && password === "";
}
