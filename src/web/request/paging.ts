import type { Caller } from "../../core/identity/access/caller.ts";
import { visitorCaller } from "../../core/identity/community-settings/community-settings.ts";
import type { Page, PageRequest } from "../../core/base/page.ts";
import type { PageContext } from "./route.ts";

/** How many items of a list a page shows. */
export const PAGE_SIZE = 20;

/** The caller of a page: the person, or a visitor. */
export function readerOf({ core, person }: PageContext): Caller {
  return person?.caller ?? visitorCaller(core);
}

/** Which page of a list an address asks for. */
export function pageRequest({ query }: PageContext): PageRequest {
  return { limit: PAGE_SIZE, cursor: query.get("cursor") ?? undefined };
}

/**
 * The address of the page after this one, with the same filters; null at the end. `path` is for a page that
 * also answers a form.
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

/** Whether a browser prefetches a page that nobody sees yet (Fetch, "Sec-Purpose"). */
export function isFetchedAhead({ context }: PageContext): boolean {
  return context.request.headers.get("sec-purpose")?.includes("prefetch") ?? false;
}

/** A filter of an address; undefined where it is empty, as forms send empty fields too. */
export function filterOf({ query }: PageContext, name: string): string | undefined {
  return query.get(name)?.trim() || undefined;
}
