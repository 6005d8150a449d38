import type { TObject } from "@sinclair/typebox";
import { WholeNumber } from "../core/base/check.ts";
import { SECOND } from "../core/base/clock.ts";
import type { Page, PageRequest } from "../core/base/page.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import { currentCaller } from "../http/commit.ts";
import { streamBody } from "../http/event-stream.ts";
import type { Listeners, Listening } from "../http/listeners.ts";
import type { RequestContext } from "../http/context.ts";
import type { OperationRequest, FollowedList, ListOperation } from "../operations/operation.ts";

/*
 * Growing lists over HTTP: a page that waits for its first item, or server-sent events. The operation defines
 * the list.
 */

/** How a request waits for new items or streams them. */
export interface LiveRequest {
  /** Whether the client prefers an event stream to JSON. */
  isStream: boolean;
  /** Whether the request may wait for items. False for HEAD. */
  mayWait: boolean;
  /** The `Last-Event-ID` header: where a broken stream resumes. */
  lastId: string | undefined;
  /** Opens a listener that closes when the client disconnects. Throws conflict if too many are open. */
  listen(): Listening;
  /** Returns the current caller. Throws unauthorized if the credentials are no longer valid. */
  callerNow(): Promise<Caller>;
  /** Allows the connection to be silent for `seconds`. */
  keepOpen(seconds: number): void;
}

export function liveRequestOf(context: RequestContext, listeners: Listeners): LiveRequest {
  const { headers, signal } = context.request;
  return {
    isStream: !context.isHead && prefersStream(headers.get("accept")),
    mayWait: !context.isHead,
    lastId: headers.get("last-event-id") ?? undefined,
    listen() {
      const listener = listeners.open(context, () => {});
      if (signal.aborted) listener.close();
      else signal.addEventListener("abort", listener.close, { once: true });
      return listener;
    },
    callerNow: () => currentCaller(context),
    keepOpen(seconds) {
      context.isWaiting = true;
      context.keepOpen(seconds);
    },
  };
}

/**
 * Whether the client prefers an event stream (RFC 9110 §12.5.1). True only if the header names
 * `text/event-stream` with at least the weight of JSON.
 */
function prefersStream(accept: string | null): boolean {
  if (accept === null || !accept.includes("text/event-stream")) return false;
  const weights = new Map(
    accept.split(",").map((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith("q="));
      return [type, q === undefined ? 1 : Number(q.slice(2)) || 0];
    }),
  );
  const stream = weights.get("text/event-stream") ?? 0;
  return stream > 0 && stream >= (weights.get("application/json") ?? 0);
}

/** Returns the `wait` parameter of a growing list. */
export function waitParameter({ growing }: ListOperation): TObject["properties"] {
  if (!growing) return {};
  return {
    wait: WholeNumber(0, growing.waitMax, {
      default: 0,
      description: "How many seconds to wait for the first event if there is none yet.",
    }),
  };
}

type Node = { id: string };
/** A request for a list, with its filter. */
type Part = OperationRequest & { filter: object };

/**
 * Returns the first page with items. Returns an empty page if the time is up, the client disconnects or the
 * server stops.
 */
export async function waitFor(
  op: ListOperation,
  part: Part,
  page: PageRequest,
  seconds: number,
  live: LiveRequest,
): Promise<Page<unknown>> {
  const listener = live.listen();
  live.keepOpen(seconds + 5);
  const timeout = setTimeout(listener.close, seconds * SECOND);
  try {
    for (let request = page; ;) {
      // Throws if the caller lost the right to read while waiting.
      const found = await run(op, { ...part, caller: await live.callerNow() }, request);
      if (found.nodes.length > 0) return found;
      request = { ...page, walkedTo: found.walkedTo };
      if (!(await listener.changed()) && !listener.isOver()) return found;
    }
  } finally {
    clearTimeout(timeout);
    listener.close();
  }
}

/** Streams a list from a position onward. Throws before the stream begins if the position is invalid. */
export async function streamEvents(
  op: ListOperation,
  part: Part,
  live: LiveRequest,
): Promise<ReadableStream> {
  const { startFilter, filterAfter, serialize } = op.growing as unknown as FollowedList<object, Node>;
  const from = startFilter(part, live.lastId);
  const first = await run(op, { ...part, filter: from }, { limit: 1 });
  const listener = live.listen();
  return streamBody(frames(), listener.close);

  async function* frames(): AsyncGenerator<string> {
    try {
      let request: PageRequest = {
        limit: 100,
        walkedTo: first.nodes.length === 0 ? first.walkedTo : undefined,
      };
      for (let filter = from; ;) {
        const page = await run(op, { ...part, caller: await live.callerNow(), filter }, request);
        for (const node of page.nodes) yield `id: ${node.id}\ndata: ${serialize(node)}\n\n`;
        const last = page.nodes.at(-1);
        if (last) filter = filterAfter(last);
        request = { ...request, walkedTo: page.walkedTo };
        if (!page.hasNextPage && !(await listener.changed())) return;
      }
    } catch {
      // The caller may no longer read the list. The stream ends, and the client's next request gets the
      // error.
    }
  }
}

async function run(op: ListOperation, part: Part, page: PageRequest): Promise<Page<Node>> {
  return (await op.run({ ...part, filter: part.filter as never, page })) as Page<Node>;
}
