import { escape } from "./highlight.ts";

/** Whom a name means, which is written in lower case: the username of now; undefined for nobody. */
export type NameOf = (written: string) => string | undefined;

/**
 * Who is named in a text that is shown as it stands, in lower case and each once, in their order: at most
 * `max`.
 */
export function namesInSample(text: string, max: number): string[] {
  return collectNames(max, text, (nameOf) => renderSample(text, nameOf));
}

/** A text as it stands as HTML, in which names that are somebody's are links: not in what is set as code. */
export function renderSample(text: string, nameOf: NameOf | undefined): string {
  return text
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? escape(part) : linked(part, nameOf)))
    .join("");
}

const CODE = /(```[^]*?(?:```|$)|`[^`\n]*`)/;

function linked(text: string, nameOf: NameOf | undefined): string {
  let [html, at] = ["", 0];
  for (const { 0: all, 1: before = "", 2: written = "", index } of text.matchAll(NAMED)) {
    const made = mentionLink(written, nameOf);
    if (made === undefined) continue;
    html += escape(text.slice(at, index) + before) + made;
    at = index + all.length;
  }
  return html + escape(text.slice(at));
}

/** A name that is somebody's as a link to whoever it is now; undefined for nobody's. */
export function mentionLink(written: string, nameOf: NameOf | undefined): string | undefined {
  const name = nameOf?.(written.toLowerCase());
  return name === undefined
    ? undefined
    : `<a class="mention" href="/@${escape(name)}">@${escape(written)}</a>`;
}

/**
 * A name behind an @ that is no part of an address or of another's handle. The sign before the @ is its first
 * group, the name its second.
 */
export const NAME = String.raw`(^|[^\p{L}\p{M}\p{N}_@/.+=&?#%~-])@([A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9])?)(?![\p{L}\p{M}\p{N}_@]|\.[\p{L}\p{N}])`;
const NAMED = new RegExp(NAME, "gu");

/** Whom `write` asks for while it makes HTML of a text. */
export function collectNames(
  max: number,
  text: string,
  write: (nameOf: (written: string) => undefined) => void,
): string[] {
  const names = new Set<string>();
  if (text.includes("@"))
    write((name) => {
      if (names.size < max) names.add(name);
    });
  return [...names];
}
