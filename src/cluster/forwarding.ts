import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { SECOND } from "../core/base/clock.ts";

/*
 * How a request gets from one node to another: streamed both ways, and given up where the other one is
 * silent. By sockets of its own, as Bun's `fetch` has 256 places for the whole program
 * (docs/adr/0064-followers.md).
 */

/** A request on its way. */
export interface ForwardedRequest {
  method: string;
  target: string;
  headers: Readonly<Record<string, string>>;
  body: ReadableStream<Uint8Array> | Uint8Array | null;
  /** Ends it, when the client has left. */
  signal?: AbortSignal | undefined;
}

/** No answer came. */
export class Unanswered extends Error {
  override name = "Unanswered";
  constructor(
    /**
     * `unsent`: there was no connection. `stale`: one that had been kept was closed. `broken`: it may have
     * been read.
     */
    readonly stage: "unsent" | "stale" | "broken" | "left",
    cause: unknown,
  ) {
    super(`no answer: ${String(cause)}`, { cause });
  }
}

export interface Forwarder {
  /** The other node's answer, whatever it says. Throws Unanswered. */
  send(parcel: ForwardedRequest): Promise<Response>;
  close(): void;
}

/**
 * So many requests may be under way to one node, and as many again that last for as long as a client likes: a
 * body that comes by pieces, a stream. Those never take the places of the others. The next wait for a place.
 */
const CONNECTIONS_MAX = 256;
const CONNECT_WITHIN_MS = 2 * SECOND;
/** From the end of the request, or its last piece, to the head of the answer. */
export const ANSWER_WITHIN_MS = 30 * SECOND;
/** Of an answer that is no longer, all is taken before it goes on: it keeps its length. */
const SHORT_BYTES = 64 * 1024;

export function createForwarder(address: string): Forwarder {
  const { protocol, hostname, port, host } = new URL(address);
  const isSecure = protocol === "https:";
  const agentOf = () =>
    new (isSecure ? https : http).Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX, maxFreeSockets: 32 });
  const [short, long] = [agentOf(), agentOf()];
  const to = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isSecure ? 443 : 80) : Number(port),
    // Or NODE_TLS_REJECT_UNAUTHORIZED in the environment would decide.
    ...(isSecure && { rejectUnauthorized: true }),
  };

  return {
    close() {
      short.destroy();
      long.destroy();
    },
    send({ method, target, headers, body, signal }) {
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      const isWhole = body === null || body instanceof Uint8Array;
      const isStream = headers["accept"]?.includes("text/event-stream") ?? false;
      const request = (isSecure ? https : http).request({
        ...to,
        agent: isWhole && !isStream ? short : long,
        method,
        path: target,
        headers: {
          ...headers,
          host,
          ...(body instanceof Uint8Array && { "content-length": body.byteLength }),
        },
      });
      let isConnected = false;
      let timer = setTimeout(() => {
        const late = new Error("no connection in time");
        request.destroy(late);
        // Of one that waits for a place Bun tells nothing.
        reject(new Unanswered("unsent", late));
      }, CONNECT_WITHIN_MS);
      const left = (): void => void request.destroy(new Error("the client disconnected"));
      const waitOn = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => request.destroy(new Error("no data for too long")), ANSWER_WITHIN_MS);
      };
      const connected = (): void => {
        isConnected = true;
        waitOn();
        if (isWhole) request.end(body ?? undefined);
        else void pour(body, request, waitOn);
      };
      signal?.addEventListener("abort", left);
      request.on("socket", (socket) => {
        if (request.destroyed) return;
        if (!socket.connecting) connected();
        else socket.once(isSecure ? "secureConnect" : "connect", connected);
      });
      request.on("error", (error) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", left);
        const stage = signal?.aborted
          ? "left"
          : !isConnected
            ? "unsent"
            : request.reusedSocket && /ECONNRESET|EPIPE/.test(codeOf(error))
              ? "stale"
              : "broken";
        reject(new Unanswered(stage, error));
      });
      request.on("response", (message) => {
        clearTimeout(timer);
        message.on("close", () => signal?.removeEventListener("abort", left));
        void answerOf(method, message).then(resolve, (error) => reject(new Unanswered("broken", error)));
      });
      return promise;
    },
  };
}

/** As fast as the other node takes it. */
async function pour(
  body: ReadableStream<Uint8Array>,
  request: ClientRequest,
  waitOn: () => void,
): Promise<void> {
  try {
    for await (const piece of body) {
      if (request.destroyed) return;
      waitOn();
      if (!request.write(piece)) await drained(request);
    }
    request.end();
  } catch (error) {
    request.destroy(error instanceof Error ? error : new Error("the request body ended too early"));
  }
}

/** A long body waits a thousand times on one request, and leaves no listener of any of them. */
function drained(request: ClientRequest): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  request.once("drain", resolve).once("close", resolve);
  return promise.finally(() => request.off("drain", resolve).off("close", resolve));
}

async function answerOf(method: string, message: IncomingMessage): Promise<Response> {
  const status = message.statusCode ?? 502;
  const headers = forwardedHeaders(headersOf(message));
  const hasBody = method !== "HEAD" && status !== 204 && status !== 304;
  if (!hasBody) {
    message.resume();
    return new Response(null, { status, headers });
  }
  const length = Number(headers.get("content-length") ?? Infinity);
  headers.delete("content-length");
  return new Response(length <= SHORT_BYTES ? await whole(message) : streamOf(message, length), {
    status,
    headers,
  });
}

async function whole(message: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  if (!message.complete) throw new Error("the response ended too early");
  return Buffer.concat(pieces);
}

/** As fast as the client takes it; one that leaves ends it. */
function streamOf(message: IncomingMessage, length: number): ReadableStream<Uint8Array> {
  let isOver = false;
  let came = 0;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const fail = (): void => {
        if (isOver) return;
        isOver = true;
        controller.error(new Error("the response ended too early"));
      };
      message.on("data", (piece: Uint8Array) => {
        came += piece.byteLength;
        controller.enqueue(piece);
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.on("end", () => {
        if (length !== Infinity && came !== length) return fail();
        if (isOver) return;
        isOver = true;
        controller.close();
      });
      message.on("error", fail);
      message.on("close", fail);
    },
    pull() {
      message.resume();
    },
    cancel() {
      isOver = true;
      message.destroy();
    },
  });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  return headers;
}

/** What is said of one connection, and not of the request or the answer on it (RFC 9110 §7.6.1). */
const OF_THE_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** The same without what was said of the connection; also what that names itself. */
export function forwardedHeaders(headers: Headers): Headers {
  const kept = new Headers(headers);
  const named = (headers.get("connection") ?? "").split(",").map((name) => name.trim().toLowerCase());
  for (const name of [...OF_THE_HOP, ...named.filter((each) => /^[\w!#$%&'*+.^`|~-]+$/.test(each))])
    kept.delete(name);
  return kept;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
