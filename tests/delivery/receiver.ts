import { createServer, type TLSSocket } from "node:tls";
import type { AddressInfo } from "node:net";
import type { Claim, Outcome } from "../../src/core/outbox/deliveries/deliveries.ts";
import { failureSentence } from "../../src/core/outbox/deliveries/failures.ts";
import { type Authority, type Certificate, createAuthority } from "./authority.ts";

export interface Received {
  head: string;
  headers: Record<string, string>;
  body: string;
  /** All bytes, from the request line to the end of the body. */
  bytes: Buffer;
  /** Number of the connection, starting at 1, and the SNI name of its TLS handshake. */
  connection: number;
  serverName: string | false | null;
  at: number;
}

/** Response to a request: a status, a raw response, or a function of the socket. */
export type ScriptedResponse = number | string | ((socket: TLSSocket, received: Received) => void);

export interface Receiver extends AsyncDisposable {
  port: number;
  received: Received[];
  open(): number;
  /** Reactions to the next requests in order. The last one repeats. */
  script: ScriptedResponse[];
}

let shared: Promise<Authority> | undefined;

/** One authority per test file, because generating keys is slow. */
export function authority(): Promise<Authority> {
  shared ??= createAuthority();
  return shared;
}

/** A real HTTPS receiver on loopback. Uses bare sockets, so that it can misbehave in any way. */
export async function openReceiver(
  script: ScriptedResponse[] = [204],
  certificate?: Certificate,
  address = "127.0.0.1",
): Promise<Receiver> {
  const { cert, key } = certificate ?? (await (await authority()).issue(["hooks.example.com", "127.0.0.1"]));
  const received: Received[] = [];
  const sockets = new Set<TLSSocket>();
  let connections = 0;
  const server = createServer({ cert, key }, (socket) => {
    sockets.add(socket);
    const connection = ++connections;
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      for (;;) {
        const end = text.indexOf("\r\n\r\n");
        if (end < 0) return;
        const head = text.slice(0, end);
        const headers = Object.fromEntries(
          head
            .split("\r\n")
            .slice(1)
            .map((line) => [
              line.slice(0, line.indexOf(":")).toLowerCase(),
              line.slice(line.indexOf(":") + 1).trim(),
            ]),
        ) as Record<string, string>;
        const length = Number(headers["content-length"] ?? 0);
        if (text.length < end + 4 + length) return;
        const body = Buffer.from(text.slice(end + 4, end + 4 + length), "latin1").toString("utf8");
        const bytes = Buffer.from(text.slice(0, end + 4 + length), "latin1");
        text = text.slice(end + 4 + length);
        const { servername: serverName } = socket;
        const request: Received = { head, headers, body, bytes, connection, serverName, at: Date.now() };
        received.push(request);
        respond(socket, request, script.length > 1 ? script.shift() : script[0]);
      }
    });
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    open: () => sockets.size,
    script,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(socket: TLSSocket, received: Received, response: ScriptedResponse | undefined): void {
  if (typeof response === "function") response(socket, received);
  else if (typeof response === "string") socket.end(response);
  else socket.write(`HTTP/1.1 ${response ?? 204} X\r\nContent-Length: 0\r\n\r\n`);
}

/** A claim for a first attempt, without a stored delivery. */
export function claimTo(url: string, change: Partial<Claim> = {}): Claim {
  return {
    deliveryId: "dlv_1",
    eventId: "evt_1",
    endpointId: "whe_1",
    ownerId: "builder_1",
    attempt: 1,
    firstAt: 0,
    beganAt: 0,
    dueAt: 0,
    startedAt: Date.now(),
    url,
    secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    body: '{"id":"evt_1"}',
    ...change,
  };
}

/** The error that the endpoint's owner sees, or undefined for an acknowledged delivery. */
export function errorTextOf({ failure }: Outcome): string | undefined {
  return failure && failureSentence(failure);
}

/** Waits until `holds` returns true. Throws after `withinMs`, which is shorter than the test timeout. */
export async function until(holds: () => boolean, withinMs = 55_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`it does not hold after ${withinMs} ms: ${holds}`);
    await Bun.sleep(2);
  }
}
