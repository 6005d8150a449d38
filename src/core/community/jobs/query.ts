import { facetToken } from "../fulltext/language.ts";

export interface Facets {
  stack?: readonly string[] | undefined;
  city?: string | undefined;
  remote?: boolean | undefined;
  seniority?: readonly string[] | undefined;
}

/**
 * Combines a search into one FTS5 expression. Returns undefined if the search has no criteria. Filters are
 * tokens of the column `facets`, so FTS5 intersects words and filters inside the index and begins with the
 * rarest part. `terms` are FTS5 expressions.
 */
export function matchExpression(terms: readonly string[], facets: Facets): string | undefined {
  const parts = [...terms];
  for (const anyOf of facetGroups(facets)) parts.push(`(${anyOf.join(" OR ")})`);
  return parts.length === 0 ? undefined : parts.join(" AND ");
}

/** Returns a job's tokens for the column `facets`. */
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

/**
 * Returns groups of tokens. A job must have at least one token of each group. `city` with `remote=true` means
 * in that city or fully remote.
 */
function facetGroups(facets: Facets): string[][] {
  const groups: string[][] = [];
  if (facets.stack?.length) groups.push(facets.stack.map((slug) => facetToken("stack", slug)));
  if (facets.seniority?.length) groups.push(facets.seniority.map((name) => facetToken("seniority", name)));
  const location: string[] = [];
  if (facets.city !== undefined) location.push(facetToken("city", facets.city));
  if (facets.remote === true) location.push(facetToken("remote", "true"));
  if (location.length > 0) groups.push(location);
  if (facets.remote === false) groups.push([facetToken("remote", "false")]);
  return groups;
}
