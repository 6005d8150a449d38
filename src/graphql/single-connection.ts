import { randomBytes } from "node:crypto";
import { SECOND } from "../core/base/clock.ts";
import { refuse, unauthorized } from "../core/base/errors.ts";
import { type Listeners, LISTENERS_MAX, type Listening } from "../http/listeners.ts";
import type { RequestContext } from "../http/context.ts";
import type { ExecutionResult } from "graphql";
import type { GraphContext, StreamedOperation } from "./context.ts";
import { writeResult } from "./result-json.ts";
import { answerText, refusedJson, RequestRefusal } from "./refusal.ts";
import { refusedAs } from "./request.ts";
import { frame, streamAnswer, type StreamEvent } from "./event-frames.ts";

/*
 * Single connection mode of GraphQL over SSE:
 * - PUT reserves a stream and returns its token.
 * - GET with the token opens the stream.
 * - POST with the token sends an operation, whose results are sent on the stream.
 * - DELETE ends an operation.
 */

/** How long a reserved stream waits to be opened, in ms. */
const RESERVED_MS = 30 * SECOND;
/**
 * Maximum number of operations per stream. The number is limited because each operation reads the database
 * after every commit.
 */
export const OPERATIONS_MAX = 50;
/**
 * Maximum number of results per stream that the client has not read yet. At the maximum, operations wait
 * until the client reads.
 */
const ANSWERS_MAX = 2;
const ID_MAX_LENGTH = 200;

interface Message {
  of: StreamedOperation;
  frame: string | Uint8Array;
  wasRead(): void;
}

/** An operation on a stream. `callerNow` authenticates the caller of the request that sent the operation. */
interface Running extends StreamedOperation, Pick<RequestContext, "callerNow"> {}

interface Stream {
  account: string;
  /** The request that reserved the stream. Its credentials are checked while the stream is open. */
  reservedBy: RequestContext;
  /** `undefined` until the stream is opened. */
  listener: Listening | undefined;
  operations: Map<string, Running>;
  messages: Message[];
  /** Wakes the function that reads `messages`. */
  wake: (() => void) | undefined;
  isOver: boolean;
  /** Number of free slots for unread results. `waiting` contains the operations that wait for a slot. */
  slots: number;
  waiting: Map<StreamedOperation, () => void>;
}

/** Returns the stream token from the header or query parameter of the protocol. */
export function streamTokenOf({ request, query }: RequestContext): string | undefined {
  const header = request.headers.get("x-graphql-event-stream-token");
  if (header !== null) return header;
  return query.includes("token=") ? (new URLSearchParams(query).get("token") ?? undefined) : undefined;
}

/** Returns the response to a reservation. The body is the token of the stream. */
export function reservationResponse({ headers }: RequestContext, token: string): Response {
  return new Response(token, {
    status: 201,
    headers: { ...headers, "content-type": "text/plain; charset=utf-8" },
  });
}

export type Outcome = ExecutionResult | AsyncIterable<StreamEvent> | RequestRefusal;

/**
 * Runs an operation whose results are sent on the caller's stream. If the operation is refused, the refusal
 * is the response to the request that sent it. Otherwise the response is 202.
 */
export async function answerOnStream(
  context: GraphContext,
  operation: StreamedOperation,
  run: (context: GraphContext) => Promise<Outcome>,
): Promise<Response> {
  const { http, accepts } = context;
  let isAdmitted = false;
  const admitted = new Promise<void>((resolve) => {
    operation.admitted = () => {
      isAdmitted = true;
      resolve();
    };
  });
  const result = run(context);
  try {
    const early = await Promise.race([result, admitted]);
    if (!isAdmitted) {
      if (early instanceof RequestRefusal) throw early.thrown;
      operation.stop();
      const { json } = await writeResult(context, early as ExecutionResult);
      return answerText(http, 400, accepts, json);
    }
  } catch (thrown) {
    operation.stop();
    throw thrown;
  }
  void sendResult(context, operation, result);
  return new Response(null, { status: 202, headers: http.headers });
}

async function sendResult(
  context: GraphContext,
  operation: StreamedOperation,
  running: Promise<Outcome>,
): Promise<void> {
  const { http } = context;
  operation.signal.addEventListener("abort", () => context.listening.close());
  try {
    const result = await running;
    if (result instanceof RequestRefusal) await operation.send(refusedJson(http, result.thrown));
    else if (Symbol.asyncIterator in result) for await (const { json } of result) await operation.send(json);
    else await operation.send((await writeResult(context, result)).json);
    if (!operation.signal.aborted) await operation.send();
  } catch (thrown) {
    http.report(thrown);
  } finally {
    operation.stop();
  }
}

export interface SingleStreams {
  /** Returns the token of a new stream. Throws conflict if the account has too many streams. */
  reserve(http: RequestContext): string;
  /**
   * Opens a reserved stream. Throws not_found for an unknown token, conflict if the stream is already open.
   */
  open(http: RequestContext, token: string): Response;
  /** Adds an operation to the caller's stream. Throws not_found, conflict or bad_request. */
  begin(http: RequestContext, token: string, id: unknown): StreamedOperation;
  /**
   * Ends an operation, if it exists. Throws not_found for an unknown token and for another account's token.
   */
  end(http: RequestContext, token: string, id: string): void;
}

export function createSingleStreams(listeners: Listeners): SingleStreams {
  const streams = new Map<string, Stream>();

  /** Returns a stream of the caller. Another account's token is treated as unknown. */
  function streamOf(http: RequestContext, token: string): Stream {
    const stream = streams.get(token);
    if (!stream || stream.account !== http.caller?.builderId) throw refusedAs(404, refuse("stream_unknown"));
    return stream;
  }

  /**
   * Closes a stream. Operations whose id is in `complete` get a `complete` frame. All other operations end
   * without this frame, so the client knows that they were interrupted.
   */
  function close(token: string, stream: Stream, complete: readonly string[] = []): void {
    streams.delete(token);
    stream.isOver = true;
    stream.listener?.close();
    for (const [id, operation] of [...stream.operations]) {
      operation.stop();
      if (complete.includes(id))
        stream.messages.push({ of: operation, frame: completeFrame(id), wasRead: () => {} });
    }
    stream.wake?.();
  }

  return {
    reserve(http) {
      const account = http.caller?.builderId;
      if (!account) throw unauthorized();
      const theirs = [...streams.values()].filter((stream) => stream.account === account).length;
      if (theirs >= LISTENERS_MAX.each) throw refuse("subscriptions_too_many", { max: LISTENERS_MAX.each });
      if (streams.size >= LISTENERS_MAX.all) throw refuse("subscriptions_full");
      const token = randomBytes(16).toString("base64url");
      const stream: Stream = {
        account,
        reservedBy: http,
        listener: undefined,
        operations: new Map(),
        messages: [],
        wake: undefined,
        isOver: false,
        slots: ANSWERS_MAX,
        waiting: new Map(),
      };
      streams.set(token, stream);
      const late = setTimeout(() => {
        if (!stream.listener) close(token, stream);
      }, RESERVED_MS);
      late.unref();
      return token;
    },
    open(http, token) {
      // The token alone opens a stream, because a browser's EventSource sends no credentials. A stream can be
      // opened only once.
      const stream = http.caller ? streamOf(http, token) : streams.get(token);
      if (!stream) throw refusedAs(404, refuse("stream_unknown"));
      if (stream.listener) throw refuse("stream_open");
      const listener = listeners.open(stream.reservedBy, () => {});
      stream.listener = listener;
      void (async () => {
        while (await listener.changed());
        close(token, stream, listener.isOver() ? await withoutRights(stream) : []);
      })();
      return streamAnswer(http, framesOf(stream), () => close(token, stream));
    },
    begin(http, token, id) {
      const stream = streamOf(http, token);
      if (typeof id !== "string" || id === "" || id.length > ID_MAX_LENGTH)
        throw refuse("operation_unnamed", { max: ID_MAX_LENGTH });
      if (stream.operations.has(id)) throw refuse("operation_running");
      if (stream.operations.size >= OPERATIONS_MAX)
        throw refuse("operations_too_many", { max: OPERATIONS_MAX });
      const operation = operationOf(stream, id, http);
      stream.operations.set(id, operation);
      return operation;
    },
    end(http, token, id) {
      streamOf(http, token).operations.get(id)?.stop();
    },
  };
}

/**
 * Returns the ids of operations whose credentials are no longer valid. The client can resume all other
 * operations on a new stream.
 */
async function withoutRights({ operations }: Stream): Promise<string[]> {
  const callers = await Promise.all(
    [...operations].map(async ([id, { callerNow }]) => ({ id, caller: await callerNow() })),
  );
  return callers.filter(({ caller }) => caller === undefined).map(({ id }) => id);
}

function completeFrame(id: string): string | Uint8Array {
  return frame("complete", [JSON.stringify({ id })]);
}

async function* framesOf(stream: Stream): AsyncGenerator<string | Uint8Array> {
  for (;;) {
    const message = stream.messages.shift();
    if (message) {
      yield message.frame;
      message.wasRead();
    } else if (stream.isOver) return;
    else await new Promise<void>((resolve) => (stream.wake = resolve));
  }
}

function operationOf(stream: Stream, id: string, { callerNow }: RequestContext): Running {
  const ending = new AbortController();
  let isInside = false;
  const leave = (): void => {
    stream.waiting.delete(operation);
    if (!isInside) return;
    isInside = false;
    const [first] = stream.waiting;
    if (!first) {
      stream.slots++;
      return;
    }
    stream.waiting.delete(first[0]);
    first[1]();
  };
  const operation: Running = {
    callerNow,
    signal: ending.signal,
    admitted: () => {},
    acquireSlot() {
      if (stream.slots > 0) {
        stream.slots--;
        isInside = true;
        return Promise.resolve();
      }
      return new Promise((resolve) =>
        stream.waiting.set(operation, () => {
          isInside = true;
          resolve();
        }),
      );
    },
    releaseSlot: leave,
    send(payload) {
      if (ending.signal.aborted) return Promise.resolve();
      const frameText =
        payload === undefined
          ? completeFrame(id)
          : frame("next", [`{"id":${JSON.stringify(id)},"payload":`, payload, "}"]);
      return new Promise((wasRead) => {
        stream.messages.push({ of: operation, frame: frameText, wasRead });
        stream.wake?.();
      });
    },
    stop() {
      if (stream.operations.get(id) === operation) stream.operations.delete(id);
      ending.abort();
      leave();
      stream.messages = stream.messages.filter((message) => {
        if (message.of !== operation) return true;
        message.wasRead();
        return false;
      });
    },
  };
  return operation;
}
