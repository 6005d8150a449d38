import type { TObject } from "@sinclair/typebox";
import { Whole } from "../core/base/check.ts";
import { SECOND } from "../core/base/clock.ts";
import type { Page, PageRequest } from "../core/base/page.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import { currentCaller } from "../http/commit.ts";
import { streamBody } from "../http/event-stream.ts";
import type { Listeners, Listening } from "../http/listeners.ts";
import type { RequestContext } from "../http/context.ts";
import type { OperationRequest, FollowedList, ListOperation } from "../operations/operation.ts";

/*
 * A list that grows, as HTTP has it: a page that waits for its first item, or server-sent events. What it is
 * a list of, its table says.
 */

/** How a request wants to be told of what comes. */
export interface LiveRequest {
  /** Whether it asks for a stream of events rather than for JSON. */
  isStream: boolean;
  /** Whether it may be waited for something to tell. */
  mayWait: boolean;
  /** Where a stream that broke off goes on (`Last-Event-ID`). */
  lastId: string | undefined;
  /**
   * Opens an listener, which is closed when the client goes away. Throws conflict where too many are open.
   */
  listen(): Listening;
  /** Who asks, by now. Throws unauthorized where their credentials work no more. */
  callerNow(): Promise<Caller>;
  /** Lets the connection be silent for so long. */
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

/** RFC 9110 §12.5.1: only where it is named, and no less than JSON. */
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

/** The parameter of a list that one can wait for. */
export function waitParameter({ growing }: ListOperation): TObject["properties"] {
  if (!growing) return {};
  return {
    wait: Whole(0, growing.waitMax, {
      default: 0,
      description: "How many seconds to wait for the first event if there is none yet.",
    }),
  };
}

type Node = { id: string };
/** Who asks, and for which part of the list. */
type Part = OperationRequest & { filter: object };

/**
 * The first page that is not empty, or the empty one when the time is up, the client gone or the server about
 * to stop.
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
  const timeUp = setTimeout(listener.close, seconds * SECOND);
  try {
    for (let request = page; ;) {
      // Who waits may lose their right meanwhile, or some of it: then this throws.
      const found = await run(op, { ...part, caller: await live.callerNow() }, request);
      if (found.nodes.length > 0) return found;
      request = { ...page, walkedTo: found.walkedTo };
      if (!(await listener.changed()) && !listener.isOver()) return found;
    }
  } finally {
    clearTimeout(timeUp);
    listener.close();
  }
}

/**
 * The list from a place on, and on. The place is taken at once, and refused at once where one cannot go on
 * from it.
 */
export async function streamEvents(
  op: ListOperation,
  part: Part,
  live: LiveRequest,
): Promise<ReadableStream> {
  const { begin, behind, serialize } = op.growing as unknown as FollowedList<object, Node>;
  const from = begin(part, live.lastId);
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
        if (last) filter = behind(last);
        request = { ...request, walkedTo: page.walkedTo };
        if (!page.hasNextPage && !(await listener.changed())) return;
      }
    } catch {
      // Whoever asks has no right to any more of it: the stream is over, and their next request is told why.
    }
  }
}

async function run(op: ListOperation, part: Part, page: PageRequest): Promise<Page<Node>> {
  return (await op.run({ ...part, filter: part.filter as never, page })) as Page<Node>;
}
