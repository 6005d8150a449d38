import { badRequest, notFound } from "../core/errors.ts";
import type { Batch } from "./batch.ts";
import { type Page, PAGE_LIMIT, type PageRequest } from "../core/page.ts";

/** The four arguments of a connection (Relay Cursor Connections §4). */
export interface ConnectionArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/**
 * The core's own request for a page: forwards with `first` and `after`, backwards with `last` and `before`. Throws bad_request for
 * both ways at once; the core refuses what is over its limits.
 */
export function pageRequest({ first, after, last, before }: ConnectionArgs): PageRequest {
  const isBackwards = last != null || before != null;
  if (isBackwards && (first != null || after != null))
    throw badRequest(
      "Ask either forwards, with `first` and `after`, or backwards, with `last` and `before`.",
    );
  refuseLength("first", first);
  refuseLength("last", last);
  return isBackwards
    ? { limit: last ?? PAGE_LIMIT.default, cursor: before ?? undefined, backwards: true }
    : { limit: first ?? PAGE_LIMIT.default, cursor: after ?? undefined };
}

/** The core refuses the same, by REST's name for it. */
function refuseLength(name: string, length: number | null | undefined): void {
  if (length != null && (length < PAGE_LIMIT.min || length > PAGE_LIMIT.max))
    throw badRequest(`\`${name}\` must be a whole number from ${PAGE_LIMIT.min} to ${PAGE_LIMIT.max}.`);
}

/** A page as a connection. Cursors are REST's own, and made only where they are asked for. */
export function toConnection<Node>(page: Page<Node>): Connection<Node> {
  return {
    edges: page.nodes.map((node) => new Edge(page, node)),
    pageInfo: new PageInfo(page as Page<never>),
  };
}

/** Classes, because a getter in each of a hundred literals costs more than all that it saves. */
class Edge<Node> {
  constructor(
    private readonly page: Page<Node>,
    readonly node: Node,
  ) {}

  get cursor(): string {
    return this.page.cursorOf(this.node);
  }
}

class PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;

  constructor(private readonly page: Page<never>) {
    this.hasNextPage = page.hasNextPage;
    this.hasPreviousPage = page.hasPreviousPage;
  }

  get startCursor(): string | null {
    return this.cursorAt(0);
  }

  get endCursor(): string | null {
    return this.cursorAt(-1);
  }

  private cursorAt(index: number): string | null {
    const node = this.page.nodes.at(index);
    return node === undefined ? null : this.page.cursorOf(node);
  }
}

export interface Connection<Node> {
  edges: { readonly node: Node; readonly cursor: string }[];
  pageInfo: PageInfo;
}

/**
 * A page of one of many lists of the same kind: those that are asked for in the same moment, with the same arguments, are read
 * together. Throws not_found for a list that the caller can not see.
 */
export async function pageOf<Node>(
  batch: Batch,
  name: string,
  id: string,
  args: ConnectionArgs,
  read: (ids: readonly string[], request: PageRequest) => ReadonlyMap<string, Page<Node>>,
) {
  const request = pageRequest(args);
  const page = await batch(`${name} ${JSON.stringify(request)}`, id, (ids) => read(ids, request));
  if (!page) throw notFound("There is no such list to see.");
  return toConnection(page);
}
