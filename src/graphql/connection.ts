import { type CoreError, fault, refuse, refuseFields } from "../core/base/errors.ts";
import { type Page, PAGE_LIMIT, type PageRequest } from "../core/base/page.ts";
import type { Batch } from "./batch.ts";
import type { GraphContext } from "./context.ts";
import { recheckCaller } from "./caller-check.ts";

/** The four arguments of a connection (Relay Cursor Connections §4). */
export interface ConnectionArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/**
 * How far a list is counted: in pages of a hundred, and of a list that hangs on a node the first of them
 * alone.
 */
export const COUNT_MAX = { list: 1_000, listOfNode: PAGE_LIMIT.max } as const;

/** Null is as good as left out (GraphQL §2.12), so forwards with `last: null` is forwards. */
export function pageRequest({ first, after, last, before }: ConnectionArgs): PageRequest {
  const isBackwards = last != null || before != null;
  if (isBackwards && (first != null || after != null)) throw refuse("page_both_ways");
  const length = isBackwards ? last : first;
  if (length != null && (length < 0 || length > PAGE_LIMIT.max))
    throw badLength(isBackwards ? "last" : "first");
  const cursor = (isBackwards ? before : after) ?? undefined;
  const limit = length ?? PAGE_LIMIT.default;
  return isBackwards
    ? { limit, cursor, argument: "before", backwards: true }
    : { limit, cursor, argument: "after" };
}

/**
 * The core refuses the same, by REST's name for it. A page of none is Relay's alone (docs/contract.md#8.2).
 */
function badLength(name: "first" | "last"): CoreError {
  return refuseFields([fault(name, "not_whole", { min: 0, max: PAGE_LIMIT.max })]);
}

/**
 * A list as a connection: `read` is asked for the page, and once more, a hundred at a time, where somebody
 * wants to know how many there are. Forwards with `first` and `after`, backwards with `last` and `before`.
 * Throws bad_request for both ways at once; the core refuses what is over its limits.
 */
export function listConnection<Node>(
  args: ConnectionArgs,
  read: (request: PageRequest) => Page<Node>,
): Connection<Node> {
  const request = pageRequest(args);
  return new Connection(withoutNodes(read(atLeastOne(request)), request), () => countAll(read));
}

/** The same for a list that is read in batches. The caller's rights may end between two of them. */
export async function listConnectionAsync<Node>(
  args: ConnectionArgs,
  context: GraphContext,
  read: (request: PageRequest) => Page<Node> | Promise<Page<Node>>,
): Promise<Connection<Node>> {
  const request = pageRequest(args);
  const found = read(atLeastOne(request));
  const page = await found;
  if (found instanceof Promise) await recheckCaller(context);
  return new Connection(withoutNodes(page, request), () => countAll(read));
}

/**
 * The same of one of many lists of a kind: those that are asked for in the same moment, with the same
 * arguments, are read together. Throws not_found for a list that the caller cannot see.
 */
export async function batchedConnection<Node>(
  batch: Batch,
  name: string,
  id: string,
  args: ConnectionArgs,
  read: (ids: readonly string[], request: PageRequest) => ReadonlyMap<string, Page<Node>>,
): Promise<Connection<Node>> {
  const request = pageRequest(args);
  const pageFor = async (asked: PageRequest): Promise<Page<Node>> => {
    const page = await batch(`${name} ${JSON.stringify(asked)}`, id, (ids) => read(ids, asked), asked.limit);
    if (!page) throw refuse("list_hidden");
    return page;
  };
  return new Connection(withoutNodes(await pageFor(atLeastOne(request)), request), async () => {
    const { nodes, hasNextPage } = await pageFor({ limit: COUNT_MAX.listOfNode });
    return { count: nodes.length, isExact: !hasNextPage };
  });
}

/** Whether there is more behind a page of none is seen by the one that would come next. */
function atLeastOne(request: PageRequest): PageRequest {
  return request.limit === 0 ? { ...request, limit: 1 } : request;
}

function withoutNodes<Node>(page: Page<Node>, { limit, backwards }: PageRequest): Page<Node> {
  if (limit > 0) return page;
  const isThere = page.nodes.length > 0;
  return {
    nodes: [],
    hasNextPage: backwards ? page.hasNextPage : isThere,
    hasPreviousPage: backwards ? isThere : page.hasPreviousPage,
    cursorOf: page.cursorOf,
  };
}

/** Page by page, so that whoever else is waiting comes in between. */
async function countAll<Node>(
  read: (request: PageRequest) => Page<Node> | Promise<Page<Node>>,
): Promise<Total> {
  let count = 0;
  for (let cursor: string | undefined; ;) {
    const page = await read({ limit: PAGE_LIMIT.max, cursor });
    count += page.nodes.length;
    const last = page.nodes.at(-1);
    if (!page.hasNextPage || last === undefined) return { count, isExact: true };
    if (count >= COUNT_MAX.list) return { count: COUNT_MAX.list, isExact: false };
    cursor = page.cursorOf(last);
    await new Promise(setImmediate);
  }
}

interface Total {
  count: number;
  /** False where there are more than were counted. */
  isExact: boolean;
}

/** A page as Relay names its parts. Cursors are REST's own, and made only where they are asked for. */
export class Connection<Node> {
  readonly edges: Edge<Node>[];
  readonly pageInfo: PageInfo;
  private counted: Promise<Total> | undefined;

  constructor(
    page: Page<Node>,
    private readonly count: () => Promise<Total>,
  ) {
    this.edges = page.nodes.map((node) => new Edge(page, node));
    this.pageInfo = new PageInfo(page as Page<never>);
  }

  /** Counted once, whoever asks. */
  total(): Promise<Total> {
    return (this.counted ??= this.count());
  }
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
