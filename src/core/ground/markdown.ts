/**
 * Markdown of a person as HTML (THREATS F06, F07). The renderer is linear in the text. Nothing is taken from it on trust: of what it writes,
 * only the tags below go on, written anew and in balance, and any other `<` becomes text. Pictures become links, as a page of ours loads
 * nothing from elsewhere. Headings stand below the page's own, of which the last has the level `below`, and leave none out.
 */
export function renderMarkdown(markdown: string, below = 2): string {
  const open: { name: string; shown: string }[] = [];
  let depth = 0;
  let level = below;

  /** `name` is what the renderer calls it, `shown` what the page does; empty where it is left away. */
  function begin(name: string, shown: string, attributes = ""): string {
    if (NESTING.has(name)) depth++;
    open.push({ name, shown });
    return shown === "" ? "" : `<${shown}${attributes}>`;
  }

  function end(): string {
    const element = open.pop();
    if (element && NESTING.has(element.name)) depth--;
    return element?.shown ? `</${element.shown}>` : "";
  }

  /** What one tag of the renderer's becomes. */
  function tag(slash: string, name: string, attributes: string): string {
    if (slash === "") {
      if (name === "br" || name === "hr") return `<${name}>`;
      if (name === "input") return / checked/.test(attributes) ? "☑ " : "☐ ";
      if (name === "img") return picture(attribute(attributes, "src"), attribute(attributes, "alt"));
      if (name === "a") return link(attribute(attributes, "href"));
      if (/^h\d$/.test(name)) return begin(name, heading(Number(name[1])));
      const shown = NESTING.has(name) && depth >= DEPTH_MAX ? "" : name;
      // What may be wider than the page is scrolled by keys, too.
      if (shown === "pre") return begin(name, shown, ' tabindex="0"');
      return begin(name, shown, name === "ol" ? startOf(attribute(attributes, "start")) : "");
    }
    // What was not opened is not closed, and what stands inside of it is closed with it.
    const at = open.findLastIndex((element) => element.name === name);
    let closed = "";
    while (at >= 0 && open.length > at) closed += end();
    return closed;
  }

  function picture(src: string, alt: string): string {
    const words = alt === "" ? src : alt;
    return isHarmless(src) ? link(src) + words + end() : words;
  }

  /** One that helps no spammer. None stands in another, and one whose scheme could run something is its words alone. */
  function link(href: string): string {
    const isShown = isHarmless(href) && !open.some(({ name }) => name === "a");
    return begin("a", isShown ? "a" : "", ` rel="nofollow noopener ugc" href="${href}"`);
  }

  function heading(written: number): string {
    level = Math.min(6, below + written, level + 1);
    return `h${level}`;
  }

  const page = Bun.markdown
    .html(markdown, { noHtmlBlocks: true, noHtmlSpans: true, autolinks: { url: true, www: true } })
    .replace(TAG, (whole, slash: string, name: string | undefined, attributes: string) =>
      name !== undefined && (TAGS.has(name) || VOID.has(name))
        ? tag(slash, name, attributes)
        : whole.replaceAll("<", "&lt;"),
    );
  let rest = "";
  while (open.length > 0) rest += end();
  return page + rest;
}

const TAG = /<(?:(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<]*")?)*)\s*\/?>)?/g;
const TAGS: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 blockquote ul ol li pre code em strong del a table thead tbody tr th td".split(" "),
);
const VOID: ReadonlySet<string> = new Set(["br", "hr", "img", "input"]);

/** Deeper quotes and lists go on at this depth: browsers and readers both get lost in more. */
const DEPTH_MAX = 12;
const NESTING: ReadonlySet<string> = new Set(["blockquote", "ul", "ol", "li"]);

/** The value of an attribute, still escaped. */
function attribute(attributes: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
}

/** As a browser reads the address: blanks and control characters around and inside of a scheme do not hide it. */
function isHarmless(escaped: string): boolean {
  const href = escaped.replace(/&(amp|quot|lt|gt|#\d+|#x[\da-f]+);/gi, entityOf);
  if (href === "" || !URL.canParse(href, "https://here.invalid")) return false;
  const { protocol, username, password } = new URL(href, "https://here.invalid");
  // What stands before an @ looks like the host and is not.
  return ["http:", "https:", "mailto:"].includes(protocol) && username === "" && password === "";
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", quot: '"', lt: "<", gt: ">" };

function entityOf(_whole: string, name: string): string {
  if (!name.startsWith("#")) return ENTITIES[name.toLowerCase()] ?? "";
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

function startOf(start: string): string {
  return /^\d{1,9}$/.test(start) ? ` start="${start}"` : "";
}
