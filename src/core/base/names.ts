import { escape } from "./highlight.ts";

/**
 * Resolves a name in lower case to the current username of the member with this name; undefined for an
 * unknown name.
 */
export type NameOf = (written: string) => string | undefined;

/**
 * Returns the names mentioned in a plain text, in lower case, without duplicates, in order of appearance, at
 * most `max`.
 */
export function namesInPlainText(text: string, max: number): string[] {
  return collectNames(max, text, (nameOf) => renderPlainText(text, nameOf));
}

/** Renders a plain text as HTML without Markdown. Mentions of members become links, except inside code. */
export function renderPlainText(text: string, nameOf: NameOf | undefined): string {
  return text
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? escape(part) : linkMentions(part, nameOf)))
    .join("");
}

const CODE = /(```[^]*?(?:```|$)|`[^`\n]*`)/;

function linkMentions(text: string, nameOf: NameOf | undefined): string {
  let [html, at] = ["", 0];
  for (const { 0: all, 1: before = "", 2: written = "", index } of text.matchAll(NAMED)) {
    const link = mentionLink(written, nameOf);
    if (link === undefined) continue;
    html += escape(text.slice(at, index) + before) + link;
    at = index + all.length;
  }
  return html + escape(text.slice(at));
}

/** Renders a mention as a link to the member's current username; undefined for an unknown name. */
export function mentionLink(written: string, nameOf: NameOf | undefined): string | undefined {
  const name = nameOf?.(written.toLowerCase());
  return name === undefined
    ? undefined
    : `<a class="mention" href="/@${escape(name)}">@${escape(written)}</a>`;
}

/**
 * Matches an @ and a name that are not part of a URL, an email address or a longer handle. Group 1 is the
 * character before the `@`, group 2 the name.
 */
export const NAME = String.raw`(^|[^\p{L}\p{M}\p{N}_@/.+=&?#%~-])@([A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9])?)(?![\p{L}\p{M}\p{N}_@]|\.[\p{L}\p{N}])`;
const NAMED = new RegExp(NAME, "gu");

/** Returns the names that `write` looks up while it renders a text. */
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
