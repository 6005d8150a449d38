import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { SECOND } from "../core/base/clock.ts";

/*
 * Sends a request from one node to another, streamed in both directions. Gives up when the other node is
 * silent for too long. Uses its own sockets, because Bun's `fetch` has only 256 slots for the whole process
 * (docs/adr/0064-followers.md).
 */

export interface ForwardedRequest {
  method: string;
  target: string;
  headers: Readonly<Record<string, string>>;
  body: ReadableStream<Uint8Array> | Uint8Array | null;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal | undefined;
}

export class Unanswered extends Error {
  override name = "Unanswered";
  constructor(
    /**
     * `unsent`: no connection was made. `stale`: a kept-alive connection was closed. `broken`: the other node
     * may have read the request. `left`: the client disconnected.
     */
    readonly stage: "unsent" | "stale" | "broken" | "left",
    cause: unknown,
  ) {
    super(`no answer: ${String(cause)}`, { cause });
  }
}

export interface Forwarder {
  /** Returns the other node's response, whatever its status. Throws Unanswered. */
  send(parcel: ForwardedRequest): Promise<Response>;
  close(): void;
}

/**
 * Most concurrent requests to one node. A second pool of the same size holds requests that a client can keep
 * open: streamed bodies and event streams. Such requests never use slots of the first pool. Requests beyond
 * the limit of a pool wait for a slot.
 */
const CONNECTIONS_MAX = 256;
const CONNECT_WITHIN_MS = 2 * SECOND;
/** Longest time from the last piece of the request to the response headers, in ms. */
export const ANSWER_WITHIN_MS = 30 * SECOND;
/**
 * A response up to this size is read completely before it is sent, so that the response keeps its
 * Content-Length.
 */
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
    // The certificate is always verified. Without this option, the environment variable
    // NODE_TLS_REJECT_UNAUTHORIZED decides.
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
        const connectTimeout = new Error("no connection in time");
        request.destroy(connectTimeout);
        // Rejects directly, because `destroy` emits no error in Bun while the request still waits for a
        // socket.
        reject(new Unanswered("unsent", connectTimeout));
      }, CONNECT_WITHIN_MS);
      const abort = (): void => void request.destroy(new Error("the client disconnected"));
      const restartTimeout = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => request.destroy(new Error("no data for too long")), ANSWER_WITHIN_MS);
      };
      const connected = (): void => {
        isConnected = true;
        restartTimeout();
        if (isWhole) request.end(body ?? undefined);
        else void pipeBody(body, request, restartTimeout);
      };
      signal?.addEventListener("abort", abort);
      request.on("socket", (socket) => {
        if (request.destroyed) return;
        if (!socket.connecting) connected();
        else socket.once(isSecure ? "secureConnect" : "connect", connected);
      });
      request.on("error", (error) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
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
        message.on("close", () => signal?.removeEventListener("abort", abort));
        void answerOf(method, message).then(resolve, (error) => reject(new Unanswered("broken", error)));
      });
      return promise;
    },
  };
}

/** Writes the body only as fast as the other node reads it. */
async function pipeBody(
  body: ReadableStream<Uint8Array>,
  request: ClientRequest,
  restartTimeout: () => void,
): Promise<void> {
  try {
    for await (const piece of body) {
      if (request.destroyed) return;
      restartTimeout();
      if (!request.write(piece)) await waitForDrain(request);
    }
    request.end();
  } catch (error) {
    request.destroy(error instanceof Error ? error : new Error("the request body ended too early"));
  }
}

/**
 * Waits until the connection accepts more data. A long body needs many calls for one request, so each call
 * removes its listeners.
 */
function waitForDrain(request: ClientRequest): Promise<void> {
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
  return new Response(length <= SHORT_BYTES ? await readAll(message) : streamOf(message, length), {
    status,
    headers,
  });
}

async function readAll(message: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  if (!message.complete) throw new Error("the response ended too early");
  return Buffer.concat(pieces);
}

/** Streams the response at the speed of the client. Cancelling the stream closes the connection. */
function streamOf(message: IncomingMessage, length: number): ReadableStream<Uint8Array> {
  let isOver = false;
  let received = 0;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const fail = (): void => {
        if (isOver) return;
        isOver = true;
        controller.error(new Error("the response ended too early"));
      };
      message.on("data", (piece: Uint8Array) => {
        received += piece.byteLength;
        controller.enqueue(piece);
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.on("end", () => {
        if (length !== Infinity && received !== length) return fail();
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

/** Hop-by-hop headers, which describe one connection (RFC 9110 §7.6.1). */
const HOP_BY_HOP_HEADERS = [
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

/** Returns a copy without hop-by-hop headers. Also removes the headers that the `Connection` header names. */
export function forwardedHeaders(headers: Headers): Headers {
  const kept = new Headers(headers);
  const named = (headers.get("connection") ?? "").split(",").map((name) => name.trim().toLowerCase());
  for (const name of [...HOP_BY_HOP_HEADERS, ...named.filter((each) => /^[\w!#$%&'*+.^`|~-]+$/.test(each))])
    kept.delete(name);
  return kept;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
