/**
 * Markdown of a person as HTML (docs/threats.md#F06, docs/threats.md#F07, docs/adr/0030-markdown.md). Bun's
 * parser makes a tree of it in time linear in the text, and the page is written from that tree alone: no text
 * becomes a tag. Pictures become links, as a page of ours loads nothing from elsewhere. Headings stand below
 * the page's own, of which the last has the level `below`, and leave none out.
 */
export function renderMarkdown(markdown: string, below = 2): string {
  let html = "";
  let [depth, level, isLinked, isInLine] = [0, below, false, false];

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
    if (type === "ol" && props.start !== 1) return open(type, ` start="${Number(props.start)}"`);
    return BLOCKS.has(type) || INLINE.has(type) ? open(type) : "";
  }

  /**
   * One that helps no spammer. None stands in another, and one whose scheme could run something is its words
   * alone.
   */
  function link(address: string): string {
    const href = encode(address);
    if (isLinked || !isHarmless(href)) return "";
    isLinked = true;
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
    if (BLOCKS.has(name) || name === "br") html += "\n";
    isInLine &&= !BLOCKS.has(name);
  }

  // What is still to be written, the next at the end. Not by calls in calls: quotes stand in each other by
  // the thousand.
  const todo: (Part | (() => void))[] = [parse(markdown)];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next === "function") next();
    else if (typeof next === "string") {
      html += Bun.escapeHTML(next).replaceAll("&#x27;", "'");
      isInLine = true;
    } else {
      const { type } = next;
      const name = begin(next);
      todo.push(() => end(type, name));
      for (const part of contentOf(next).toReversed()) todo.push(part);
    }
  }
  return html;
}

/** What the parser makes, as far as it is read here. */
interface Element {
  type: string;
  props: { href?: string; src?: string; alt?: string; start?: number; checked?: boolean; children?: Part[] };
}
type Part = Element | string;

function parse(markdown: string): Element {
  const options = { noHtmlBlocks: true, noHtmlSpans: true, autolinks: { url: true, www: true } };
  return Bun.markdown.react(markdown, undefined, options) as unknown as Element;
}

const HEADINGS = setOf("h1 h2 h3 h4 h5 h6");
const VOID = setOf("br hr");
/** Each stands on lines of its own in the HTML. */
const BLOCKS = setOf("p blockquote ul ol li pre hr table thead tbody tr h1 h2 h3 h4 h5 h6");
const INLINE = setOf("br code em strong del th td");

/** Deeper quotes and lists go on at this depth: browsers and readers both get lost in more. */
const DEPTH_MAX = 12;
const NESTING = setOf("blockquote ul ol li");

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

function contentOf({ type, props }: Element): Part[] {
  const { children = [], checked, alt = "", src = "" } = props;
  if (type === "pre") return [{ type: "code", props: { children } }];
  if (type === "img") return [alt === "" ? read(src) : alt];
  return checked === undefined ? children : [checked ? "☑ " : "☐ ", ...children];
}

/**
 * The address of a link. One that the parser has found in the text is that text, and may begin with the host.
 */
function hrefOf({ href = "", children }: Element["props"]): string {
  if (children?.[0] !== href) return read(href);
  return /^www\./i.test(href) ? `http://${href}` : href;
}

/**
 * An address as it is meant. In addresses the parser leaves escapes and character references as they were
 * written; as a text, in which no other sign means anything, it reads them.
 */
function read(written: string): string {
  if (!/[\\&]/.test(written)) return written;
  const escaped = written.replaceAll(/\\[!-/:-@[-`{-~]|[!-"$%'-/:<-@[-`{-~]/g, (sign) =>
    sign.padStart(2, "\\"),
  );
  return wordsOf(parse(`x${escaped}x`)).slice(1, -1);
}

function wordsOf({ props }: Element): string {
  return (props.children ?? []).map((part) => (typeof part === "string" ? part : wordsOf(part))).join("");
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
