import { foldText } from "../../ground/fold.ts";

/** One thing to look for: a word or a quoted phrase, whole or (with a trailing `*`) as a beginning. */
export interface Term {
  text: string;
  isPrefix: boolean;
}

/**
 * More words than this are left out: they narrow nothing that sixteen have not narrowed, and each costs a
 * look-up.
 */
const TERMS_MAX = 16;
/** A beginning stands for many words, and each costs as much as they do together. */
const PREFIXES_MAX = 4;

/**
 * Reads a query as people write it (docs/contract.md#4.5): words, "quoted phrases", a trailing `*`. Nothing
 * is a syntax error: what holds no letter or digit is left out, and every other sign is only a space between
 * words.
 */
export function parseQuery(text: string): Term[] {
  const terms: Term[] = [];
  for (const [whole, phrase] of foldText(text).matchAll(/"([^"]*)"\*?|[^\s"]+/g)) {
    const words = phrase ?? whole.replace(/(?<!\*)\*+$/, "");
    if (!/[\p{L}\p{N}\p{Co}+#]/u.test(words)) continue;
    const isPrefix = whole.endsWith("*");
    const isRepeated = terms.some((term) => term.text === words && term.isPrefix === isPrefix);
    const isOneTooMany = isPrefix && terms.filter((term) => term.isPrefix).length >= PREFIXES_MAX;
    if (!isRepeated && !isOneTooMany) terms.push({ text: words, isPrefix });
    if (terms.length === TERMS_MAX) break;
  }
  return terms;
}

/** A term in the language of FTS5: always quoted, so that no sign in it means anything. */
export function termExpression(term: Term): string {
  return `"${term.text.replaceAll('"', '""')}"${term.isPrefix ? "*" : ""}`;
}

export interface Facets {
  stack?: readonly string[] | undefined;
  city?: string | undefined;
  remote?: boolean | undefined;
  seniority?: readonly string[] | undefined;
}

/**
 * The whole search as one FTS5 expression, or undefined when it asks for nothing. Filters are tokens of the
 * column `facets`, so that words and filters are one intersection inside the index, led by whatever is
 * rarest.
 */
export function matchExpression(terms: readonly Term[], facets: Facets): string | undefined {
  const parts = terms.map(termExpression);
  for (const anyOf of facetGroups(facets)) parts.push(`(${anyOf.join(" OR ")})`);
  return parts.length === 0 ? undefined : parts.join(" AND ");
}

/** What a job puts into the column `facets`. */
export function facetTokens(job: {
  stack: readonly string[];
  city: string | null;
  remote: boolean;
  seniority: string;
}): string {
  return [
    ...job.stack.map((slug) => facetToken("stack", slug)),
    ...(job.city === null ? [] : [facetToken("city", job.city)]),
    facetToken("remote", String(job.remote)),
    facetToken("seniority", job.seniority),
  ].join(" ");
}

/** Each group must be met by one of its tokens. `city` with `remote=true` means that city or fully remote. */
function facetGroups(facets: Facets): string[][] {
  const groups: string[][] = [];
  if (facets.stack?.length) groups.push(facets.stack.map((slug) => facetToken("stack", slug)));
  if (facets.seniority?.length) groups.push(facets.seniority.map((name) => facetToken("seniority", name)));
  const place: string[] = [];
  if (facets.city !== undefined) place.push(facetToken("city", facets.city));
  if (facets.remote === true) place.push(facetToken("remote", "true"));
  if (place.length > 0) groups.push(place);
  if (facets.remote === false) groups.push([facetToken("remote", "false")]);
  return groups;
}

/**
 * One word to the tokenizer, whatever signs the value holds: a letter of Unicode's private use, the kind, and
 * hex of the value. Nobody types such a word, so no column has to be named in a search.
 */
function facetToken(kind: string, value: string): string {
  return `\u{E000}${kind}${Buffer.from(value).toString("hex")}`;
}
