import { type CoreError, fault, refuse, refuseFields } from "../core/base/errors.ts";
import { type Page, PAGE_LIMIT, type PageRequest } from "../core/base/page.ts";
import type { Batch } from "./batch.ts";
import type { GraphContext } from "./context.ts";
import { recheckCaller } from "./caller-check.ts";

/** Pagination arguments of a connection (Relay Cursor Connections §4). */
export interface ConnectionArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/**
 * Maximum value of `totalCount`. Top-level lists are counted in pages of a hundred, up to `list`. For lists
 * of a node, only the first page is counted, up to `listOfNode`.
 */
export const COUNT_MAX = { list: 1_000, listOfNode: PAGE_LIMIT.max } as const;

/**
 * Converts the arguments to a page request. Null means the same as an omitted argument (GraphQL §2.12), so
 * `last: null` still pages forward.
 */
export function pageRequest({ first, after, last, before }: ConnectionArgs): PageRequest {
  const isBackwards = last != null || before != null;
  if (isBackwards && (first != null || after != null)) throw refuse("page_both_ways");
  const length = isBackwards ? last : first;
  if (length != null && (length < 0 || length > PAGE_LIMIT.max))
    throw invalidLength(isBackwards ? "last" : "first");
  const cursor = (isBackwards ? before : after) ?? undefined;
  const limit = length ?? PAGE_LIMIT.default;
  return isBackwards
    ? { limit, cursor, argument: "before", backwards: true }
    : { limit, cursor, argument: "after" };
}

/**
 * Returns the core's refusal of an invalid page length, with the name of the GraphQL argument. The minimum is
 * 0, because GraphQL allows an empty page; REST does not (docs/contract.md#8.2).
 */
function invalidLength(name: "first" | "last"): CoreError {
  return refuseFields([fault(name, "not_whole", { min: 0, max: PAGE_LIMIT.max })]);
}

/**
 * Returns a list as a connection. Calls `read` for the page. If the client requests the total, calls `read`
 * again in pages of a hundred. `first` and `after` page forward, `last` and `before` page backward. Throws
 * bad_request for both directions at once. The core checks the limits.
 */
export function listConnection<Node>(
  args: ConnectionArgs,
  read: (request: PageRequest) => Page<Node>,
): Connection<Node> {
  const request = pageRequest(args);
  return new Connection(withoutNodes(read(atLeastOne(request)), request), () => countAll(read));
}

/**
 * Same as `listConnection`, for a list that is read in batches. The caller's rights are checked again after
 * each wait.
 */
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
 * Same as `listConnection`, for a list that each of many nodes has, such as the replies of a post. Lists with
 * the same arguments in the same tick are read together. Throws not_found if the caller cannot see the list.
 */
export async function batchedConnection<Node>(
  batch: Batch,
  name: string,
  id: string,
  args: ConnectionArgs,
  read: (ids: readonly string[], request: PageRequest) => ReadonlyMap<string, Page<Node>>,
): Promise<Connection<Node>> {
  const request = pageRequest(args);
  const pageFor = async (pageOf: PageRequest): Promise<Page<Node>> => {
    const page = await batch(
      `${name} ${JSON.stringify(pageOf)}`,
      id,
      (ids) => read(ids, pageOf),
      pageOf.limit,
    );
    if (!page) throw refuse("list_hidden");
    return page;
  };
  return new Connection(withoutNodes(await pageFor(atLeastOne(request)), request), async () => {
    const { nodes, hasNextPage } = await pageFor({ limit: COUNT_MAX.listOfNode });
    return { count: nodes.length, isExact: !hasNextPage };
  });
}

/** Changes a request for zero nodes to a request for one node. The result shows whether more nodes follow. */
function atLeastOne(request: PageRequest): PageRequest {
  return request.limit === 0 ? { ...request, limit: 1 } : request;
}

function withoutNodes<Node>(page: Page<Node>, { limit, backwards }: PageRequest): Page<Node> {
  if (limit > 0) return page;
  const hasNodes = page.nodes.length > 0;
  return {
    nodes: [],
    hasNextPage: backwards ? page.hasNextPage : hasNodes,
    hasPreviousPage: backwards ? hasNodes : page.hasPreviousPage,
    cursorOf: page.cursorOf,
  };
}

/** Counts page by page. Other requests can run between two pages. */
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
  /** False if the list has more items than `count`. */
  isExact: boolean;
}

/**
 * A page in the form that Relay defines. Cursors are the same as in REST, and are computed only if the client
 * selects them.
 */
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

  /** Counts once and caches the result. */
  total(): Promise<Total> {
    return (this.counted ??= this.count());
  }
}

/**
 * An edge with its cursor. Edge is a class, because object literals with getters would be slower for a
 * hundred edges.
 */
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
