import type { Caller } from "../../core/identity/access/caller.ts";
import { visitorCaller } from "../../core/identity/community-settings/community-settings.ts";
import { type Page, PAGE_LIMIT, type PageRequest } from "../../core/base/page.ts";
import type { PageContext } from "./route.ts";

/** Number of items on a page. */
export const PAGE_SIZE = 20;

/** Returns the caller of a page: the person, or a guest. */
export function readerOf({ core, person }: PageContext): Caller {
  return person?.caller ?? visitorCaller(core);
}

/** Returns the page of a list that the URL asks for. */
export function pageRequest({ query }: PageContext): PageRequest {
  return { limit: PAGE_SIZE, cursor: query.get("cursor") ?? undefined };
}

/**
 * Returns the URL of the next page with the same filters. Null on the last page. `path` is needed if the
 * current request is a form, because the form may have another path.
 */
export function nextAddress<Node>(
  ctx: PageContext,
  page: Page<Node>,
  path = ctx.context.path,
): string | null {
  const last = page.nodes.at(-1);
  if (!page.hasNextPage || last === undefined) return null;
  const query = new URLSearchParams(ctx.query);
  query.delete("notice");
  query.set("cursor", page.cursorOf(last));
  return `${path}?${query}`;
}

/** Whether a browser prefetches a page that nobody sees yet (Fetch, `Sec-Purpose`). */
export function isFetchedAhead({ context }: PageContext): boolean {
  return context.request.headers.get("sec-purpose")?.includes("prefetch") ?? false;
}

/** Returns a filter from the URL. Undefined if it is empty, because forms send empty fields. */
export function filterOf({ query }: PageContext, name: string): string | undefined {
  return query.get(name)?.trim() || undefined;
}

/** Returns the first entries of a list, up to `max`, and whether there are more. */
export function firstOf<Node>(
  max: number,
  list: (request: PageRequest) => Page<Node>,
): { nodes: Node[]; hasMore: boolean } {
  const nodes: Node[] = [];
  for (let cursor: string | undefined; ;) {
    const page = list({ limit: Math.min(max - nodes.length, PAGE_LIMIT.max), cursor });
    nodes.push(...page.nodes);
    const last = page.nodes.at(-1);
    if (!page.hasNextPage || last === undefined || nodes.length >= max)
      return { nodes, hasMore: page.hasNextPage };
    cursor = page.cursorOf(last);
  }
}
