import type { Kind, Language } from "./languages.ts";

/** What of a text may still be coloured: what is longer is shown as it is. */
export interface HighlightBudget {
  /** Signs of code that are still looked at. */
  signs: number;
  /** Pieces that may still be marked: each costs the page some thirty signs. */
  pieces: number;
}

/** As much as one text gets. */
export function newHighlightBudget(): HighlightBudget {
  return { signs: 20_000, pieces: 2000 };
}

/**
 * Code as HTML, each piece marked by what it is (docs/adr/0030-markdown.md). Takes what it used from `ink`.
 */
export function highlight(code: string, language: Language, ink: HighlightBudget): string {
  const end = Math.min(code.length, ink.signs);
  ink.signs -= end;
  const examined = code.slice(0, end);
  let html = "";
  let at = 0;
  for (const found of examined.matchAll(language.seek)) {
    if (ink.pieces === 0) break;
    const [piece] = found;
    const kind = kindOf(found, language);
    if (kind === undefined) continue;
    ink.pieces--;
    html += `${escape(examined.slice(at, found.index))}<span class="code-${kind}">${escape(piece)}</span>`;
    at = found.index + piece.length;
  }
  return html + escape(code.slice(at));
}

export function escape(text: string): string {
  return Bun.escapeHTML(text).replaceAll("&#x27;", "'");
}

/** Undefined for a word that has no colour. */
function kindOf(found: RegExpExecArray, language: Language): Kind | undefined {
  const [piece] = found;
  const index = language.pieces.findIndex((_, i) => found[i + 1] !== undefined);
  const kind = language.pieces[index]?.[0];
  const isName = language.names !== undefined && isBefore(found, language.names);
  if (kind !== undefined) return kind === "s" && isName ? "a" : kind;
  const word = language.isCaseless ? piece.toLowerCase() : piece;
  if (language.words?.has(word)) return "k";
  if (language.values?.has(word)) return "n";
  if (isName) return "a";
  if (language.names !== undefined) return undefined;
  if (found.input[found.index + piece.length] === "(") return "f";
  return /^[A-Z]/.test(piece) && !language.isCaseless ? "t" : undefined;
}

/** Whether that sign comes next, behind a few blanks. */
function isBefore({ 0: piece, index, input }: RegExpExecArray, sign: string): boolean {
  const next = input.slice(index + piece.length, index + piece.length + 9);
  return next.trimStart().startsWith(sign);
}
