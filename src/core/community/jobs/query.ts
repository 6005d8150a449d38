import { facetToken } from "../fulltext/language.ts";

export interface Facets {
  stack?: readonly string[] | undefined;
  city?: string | undefined;
  remote?: boolean | undefined;
  seniority?: readonly string[] | undefined;
}

/**
 * The whole search as one FTS5 expression, or undefined when it asks for nothing. Filters are tokens of the
 * column `facets`, so that words and filters are one intersection inside the index, led by whatever is
 * rarest. `terms` are expressions already.
 */
export function matchExpression(terms: readonly string[], facets: Facets): string | undefined {
  const parts = [...terms];
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
