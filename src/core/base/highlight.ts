import type { Kind, Language } from "./languages.ts";

/** How much of a text may still be highlighted. Code beyond this budget is shown without colours. */
export interface HighlightBudget {
  /** Characters of code to scan. */
  characters: number;
  /** Tokens to mark. Each token adds about thirty characters of HTML. */
  tokens: number;
}

/** Returns the budget of one text. */
export function newHighlightBudget(): HighlightBudget {
  return { characters: 20_000, tokens: 2000 };
}

/**
 * Renders code as HTML with a class per token (docs/adr/0030-markdown.md). Subtracts the cost of the code
 * from `budget`.
 */
export function highlight(code: string, language: Language, budget: HighlightBudget): string {
  const end = Math.min(code.length, budget.characters);
  budget.characters -= end;
  const examined = code.slice(0, end);
  let html = "";
  let at = 0;
  for (const found of examined.matchAll(language.pattern)) {
    if (budget.tokens === 0) break;
    const [piece] = found;
    const kind = kindOf(found, language);
    if (kind === undefined) continue;
    budget.tokens--;
    html += `${escape(examined.slice(at, found.index))}<span class="code-${kind}">${escape(piece)}</span>`;
    at = found.index + piece.length;
  }
  return html + escape(code.slice(at));
}

export function escape(text: string): string {
  return Bun.escapeHTML(text).replaceAll("&#x27;", "'");
}

/** Returns the kind of a token; undefined for a word without colour. */
function kindOf(found: RegExpExecArray, language: Language): Kind | undefined {
  const [piece] = found;
  const index = language.pieces.findIndex((_, i) => found[i + 1] !== undefined);
  const kind = language.pieces[index]?.[0];
  const isName = language.names !== undefined && isBefore(found, language.names);
  if (kind !== undefined) return kind === "s" && isName ? "a" : kind;
  const word = language.isCaseless ? piece.toLowerCase() : piece;
  if (language.keywords?.has(word)) return "k";
  if (language.constants?.has(word)) return "n";
  if (isName) return "a";
  if (language.names !== undefined) return undefined;
  if (found.input[found.index + piece.length] === "(") return "f";
  return /^[A-Z]/.test(piece) && !language.isCaseless ? "t" : undefined;
}

/** Whether the code has `sign` after this token, with at most a few blanks between them. */
function isBefore({ 0: piece, index, input }: RegExpExecArray, sign: string): boolean {
  const next = input.slice(index + piece.length, index + piece.length + 9);
  return next.trimStart().startsWith(sign);
}
