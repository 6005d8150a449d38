import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { createAuthority, selfSigned } from "./authority.ts";
import { authority } from "./receiver.ts";

export const TIMEOUT_MS = 2500;

/** A behaviour of a receiver, and how an attempt at that receiver must end. */
export interface Script {
  name: string;
  /**
   * `nobody`: no listener. `tcp`: behaves on the bare connection. `tls`: behaves after the request is read.
   */
  on: "nobody" | "tcp" | "tls";
  behave(this: void, socket: Socket): void;
  certificate?: Fault;
  /** A 2xx status, another status, or the error text if there was no response. */
  outcome: { acknowledged: number } | { refused: number } | { error: RegExp };
  /** The stored part of the response. */
  answer?: string | RegExp;
}

type Fault = "expired" | "early" | "wrong name" | "self-signed" | "unknown authority";

const LATE = { error: /^The receiver did not respond within 2\.5 seconds\.$/ };
const CLOSED = { error: /^The receiver closed the connection without a response\.$/ };
const NO_TLS = {
  error: /^The TLS handshake failed\. hooks\.example\.com, port \d+, may not support TLS\.$/,
};
const NOT_HTTP = { error: /^The receiver's response is not valid HTTP \(\w+\)\.$/ };
const TOO_LARGE = { error: /^The headers of the receiver's response are too large\.$/ };
const acknowledged = (status: number) => ({ acknowledged: status });
const refused = (status: number) => ({ refused: status });
const certificate = (text: string) => ({
  error: new RegExp(`^The receiver's certificate ${text}.* \\(\\w+\\)\\.$`),
});

const full = (status: number, body = "", headers = ""): string =>
  `HTTP/1.1 ${status} X\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const sendText = (text: string | Uint8Array) => (socket: Socket) => void socket.write(text);
const sendAndEnd = (text: string | Uint8Array) => (socket: Socket) => void socket.end(text);
const doNothing = (): void => {};
const atHello = (then: (socket: Socket) => void) => (socket: Socket) =>
  void socket.once("data", () => then(socket));

const nonsense = Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 37 + 200) % 256));
const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024), { level: 1 });
const settings = Buffer.from(
  "\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x64\0\x04\x3f\xff\xff\xff\0\x05\0\xff\xff\xff",
  "latin1",
);
const goodbye = Buffer.from("\0\0\x08\x07\0\0\0\0\0\0\0\0\0\0\0\0\x01", "latin1");
const MARKUP = `<script>alert(1)</script><img src=x onerror=alert(1)>&lt;"'\u001b[31m`;

/** Responses that any receiver may send. The other scripts misbehave. */
const statuses: Script[] = [
  ...[200, 201, 202, 204, 206, 226, 299].map((status) => answers(status, acknowledged(status))),
  ...[300, 304, 400, 401, 403, 404, 410, 418, 421, 500, 502, 503, 599].map((status) =>
    answers(status, refused(status)),
  ),
  ...[301, 302, 303, 305, 307, 308].map((status) => ({
    ...answers(status, refused(status)),
    name: `redirects with ${status} to an address that nobody may call`,
    behave: sendText(full(status, "", "Location: https://127.0.0.1:1/\r\n")),
  })),
  {
    name: "asks for patience with 429 and Retry-After",
    on: "tls",
    behave: sendText(full(429, "", "Retry-After: 1\r\n")),
    outcome: refused(429),
  },
];

function answers(status: number, outcome: Script["outcome"]): Script {
  return { name: `answers ${status}`, on: "tls", behave: sendText(full(status)), outcome };
}

const connections: Script[] = [
  {
    name: "does not listen",
    on: "nobody",
    behave: doNothing,
    outcome: {
      error:
        /^The connection to hooks\.example\.com, port \d+, was refused\. Nothing is listening there, or a firewall blocks the connection\.$/,
    },
  },
  { name: "closes at accept", on: "tcp", behave: (socket) => void socket.end(), outcome: CLOSED },
  { name: "resets at accept", on: "tcp", behave: (socket) => socket.resetAndDestroy(), outcome: CLOSED },
  {
    name: "closes after the client's hello",
    on: "tcp",
    behave: atHello((socket) => socket.end()),
    outcome: CLOSED,
  },
  {
    name: "resets after the client's hello",
    on: "tcp",
    behave: atHello((socket) => socket.resetAndDestroy()),
    outcome: CLOSED,
  },
  { name: "never begins the handshake", on: "tcp", behave: doNothing, outcome: LATE },
  {
    name: "stalls in the middle of the handshake",
    on: "tcp",
    behave: atHello(sendText(Buffer.from([22, 3, 3, 0, 90, 2]))),
    outcome: LATE,
  },
  {
    name: "drips a handshake that never ends",
    on: "tcp",
    behave: atHello((socket) => drip(socket, Buffer.from([22, 3, 3, 64, 0, 2, 0, 63, 252]), 30)),
    outcome: LATE,
  },
  {
    name: "shakes hands with garbage",
    on: "tcp",
    behave: atHello(sendText(nonsense)),
    outcome: NO_TLS,
  },
  {
    name: "ends the handshake with an alert",
    on: "tcp",
    behave: atHello(sendAndEnd(Buffer.from([21, 3, 3, 0, 2, 2, 40]))),
    outcome: NO_TLS,
  },
  {
    name: "speaks plain HTTP on its TLS port",
    on: "tcp",
    behave: atHello(sendAndEnd(full(200))),
    outcome: NO_TLS,
  },
  { name: "is an SSH server", on: "tcp", behave: sendText("SSH-2.0-OpenSSH_9.2\r\n"), outcome: NO_TLS },
  {
    name: "is a mail server",
    on: "tcp",
    behave: sendText("220 mail.example.com ESMTP\r\n"),
    outcome: NO_TLS,
  },
  {
    name: "is a MySQL server",
    on: "tcp",
    behave: sendText(Buffer.from("\x4a\0\0\0\x0a8.0.36\0\x08\0\0\0abcdefgh\0\xff\xff\xff\x02\0", "latin1")),
    outcome: NO_TLS,
  },
  {
    name: "is a Telnet server",
    on: "tcp",
    behave: sendText(Buffer.from([255, 253, 24, 255, 253, 32, 255, 253, 35, 255, 253, 39])),
    outcome: NO_TLS,
  },
];

const certificates: Script[] = (
  [
    ["expired", "has expired"],
    ["early", "is not valid yet"],
    ["wrong name", "was issued for another host name"],
    ["self-signed", "is self-signed"],
    ["unknown authority", "comes from an untrusted authority"],
  ] as const
).map(([fault, words]) => ({
  name: `has a bad certificate: ${fault}`,
  on: "tls",
  certificate: fault,
  behave: sendText(full(200)),
  outcome: certificate(words),
}));

const heads: Script[] = [
  { name: "reads the request and says nothing", on: "tls", behave: doNothing, outcome: LATE },
  { name: "reads the request and closes", on: "tls", behave: (socket) => void socket.end(), outcome: CLOSED },
  {
    name: "reads the request and resets",
    on: "tls",
    behave: (socket) => socket.resetAndDestroy(),
    outcome: CLOSED,
  },
  { name: "stalls in the status line", on: "tls", behave: sendText("HTTP/1.1 20"), outcome: LATE },
  { name: "closes in the status line", on: "tls", behave: sendAndEnd("HTTP/1.1 20"), outcome: CLOSED },
  {
    name: "stalls in its headers",
    on: "tls",
    behave: sendText("HTTP/1.1 200 OK\r\nContent-Le"),
    outcome: LATE,
  },
  {
    name: "closes in its headers",
    on: "tls",
    behave: sendAndEnd("HTTP/1.1 200 OK\r\nContent-Le"),
    outcome: CLOSED,
  },
  {
    name: "stalls before the empty line behind its headers",
    on: "tls",
    behave: sendText("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"),
    outcome: LATE,
  },
  {
    name: "drips its headers for ever",
    on: "tls",
    behave: (socket) => drip(socket, `HTTP/1.1 200 OK\r\nX-A: ${"a".repeat(1000)}`, 10),
    outcome: LATE,
  },
  {
    name: "drips its headers, but ends in time",
    on: "tls",
    behave: (socket) => drip(socket, full(200), 5),
    outcome: acknowledged(200),
  },
  {
    name: "answers well before the time is over",
    on: "tls",
    behave: (socket) => void setTimeout(() => socket.write(full(200)), 0.6 * TIMEOUT_MS),
    outcome: acknowledged(200),
  },
  {
    name: "answers when the time is over",
    on: "tls",
    behave: (socket) => void setTimeout(() => socket.write(full(200)), 1.3 * TIMEOUT_MS),
    outcome: LATE,
  },
  {
    name: "pours headers without end",
    on: "tls",
    behave: (socket) => pour(socket, "HTTP/1.1 200 X\r\n", "X-A: b\r\n"),
    outcome: NOT_HTTP,
  },
  {
    name: "pours one header without end",
    on: "tls",
    behave: (socket) => pour(socket, "HTTP/1.1 200 X\r\nX-A: ", "b"),
    outcome: TOO_LARGE,
  },
  {
    name: "pours a status line without end",
    on: "tls",
    behave: (socket) => pour(socket, "HTTP/1.1 200 ", "b"),
    outcome: TOO_LARGE,
  },
  {
    name: "pours 100 Continue without end",
    on: "tls",
    // The receiver sends slowly, because it shares its processor with the attempts.
    behave: (socket) =>
      drip(
        socket,
        full(100)
          .replace(/Content.*\r\n/, "")
          .repeat(200),
        1,
      ),
    outcome: LATE,
  },
  {
    name: "has one header of 300 KB",
    on: "tls",
    behave: sendText(full(200, "", `X-A: ${"a".repeat(300_000)}\r\n`)),
    outcome: acknowledged(200),
  },
  {
    name: "has 1,000 headers",
    on: "tls",
    behave: sendText(full(200, "", "X-A: b\r\n".repeat(1000))),
    outcome: NOT_HTTP,
  },
  {
    name: "sends 100 Continue first",
    on: "tls",
    behave: sendText(`HTTP/1.1 100 Continue\r\n\r\n${full(200)}`),
    outcome: acknowledged(200),
  },
  {
    name: "sends 103 Early Hints first",
    on: "tls",
    behave: sendText(`HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n${full(200)}`),
    outcome: acknowledged(200),
  },
  {
    name: "sends 102 Processing, then fails",
    on: "tls",
    behave: sendText(`HTTP/1.1 102 Processing\r\n\r\n${full(500)}`),
    outcome: refused(500),
  },
  {
    name: "sends 100 Continue and nothing more",
    on: "tls",
    behave: sendText("HTTP/1.1 100 Continue\r\n\r\n"),
    outcome: LATE,
  },
  {
    name: "sends 103 Early Hints and closes",
    on: "tls",
    behave: sendAndEnd("HTTP/1.1 103 X\r\n\r\n"),
    outcome: CLOSED,
  },
  {
    name: "switches protocols unasked",
    on: "tls",
    behave: sendText("HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n"),
    outcome: NOT_HTTP,
  },
  { name: "answers in HTTP/0.9", on: "tls", behave: sendAndEnd("thank you\r\n"), outcome: CLOSED },
  {
    name: "answers in HTTP/1.0",
    on: "tls",
    behave: sendAndEnd("HTTP/1.0 200 OK\r\n\r\nthank you"),
    outcome: acknowledged(200),
    answer: "thank you",
  },
  {
    name: "answers in HTTP/2",
    on: "tls",
    behave: sendAndEnd(Buffer.concat([settings, goodbye])),
    outcome: { error: /not valid HTTP|closed the connection/ },
  },
  {
    name: "names a version that does not exist",
    on: "tls",
    behave: sendText("HTTP/7.3 200 OK\r\nContent-Length: 0\r\n\r\n"),
    outcome: NOT_HTTP,
  },
  { name: "speaks nonsense", on: "tls", behave: sendText(nonsense), outcome: NOT_HTTP },
  { name: "opens HTTP/2 and waits", on: "tls", behave: sendText(settings), outcome: NOT_HTTP },
  {
    name: "answers with a picture and waits",
    on: "tls",
    behave: sendText(Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1")),
    outcome: NOT_HTTP,
  },
  {
    name: "answers with the banner of an SSH server and waits",
    on: "tls",
    behave: sendText("SSH-2.0-OpenSSH_9.2\r\n"),
    outcome: NOT_HTTP,
  },
  {
    name: "answers with a handshake of TLS inside TLS and waits",
    on: "tls",
    behave: sendText(Buffer.from([22, 3, 3, 0, 90, 2, ...Array<number>(90).fill(7)])),
    outcome: NOT_HTTP,
  },
  {
    // Bun waits for 16 bytes, the shortest status line, before it reads any of them.
    name: "answers with eight bytes and waits",
    on: "tls",
    behave: sendText(Buffer.from([31, 139, 8, 0, 0, 0, 0, 0])),
    outcome: LATE,
  },
  {
    name: "has NULs in its status line",
    on: "tls",
    behave: sendText("HTTP/1.1 2\x000 OK\r\nContent-Length: 0\r\n\r\n"),
    outcome: NOT_HTTP,
  },
  {
    name: "has NULs in a header",
    on: "tls",
    behave: sendText(full(200, "", "X-A: a\0b\r\n")),
    outcome: NOT_HTTP,
  },
  {
    name: "has a header without a colon",
    on: "tls",
    behave: sendText(full(200, "", "hello\r\n")),
    outcome: NOT_HTTP,
  },
  {
    name: "has a status of one digit",
    on: "tls",
    behave: sendText("HTTP/1.1 2 OK\r\nContent-Length: 0\r\n\r\n"),
    outcome: NOT_HTTP,
  },
  {
    name: "has a status of four digits",
    on: "tls",
    behave: sendText("HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n"),
    outcome: NOT_HTTP,
  },
  {
    name: "has a status below 0",
    on: "tls",
    behave: sendText("HTTP/1.1 -200 OK\r\nContent-Length: 0\r\n\r\n"),
    outcome: NOT_HTTP,
  },
  {
    name: "has no reason behind its status",
    on: "tls",
    behave: sendText("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n"),
    outcome: acknowledged(200),
  },
];

const bodies: Script[] = [
  {
    name: "stalls behind its headers",
    on: "tls",
    behave: sendText("HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\n"),
    outcome: acknowledged(200),
    answer: "",
  },
  {
    name: "fails and stalls in its body",
    on: "tls",
    behave: sendText("HTTP/1.1 500 X\r\nContent-Length: 100\r\n\r\nab"),
    outcome: refused(500),
    answer: "ab",
  },
  {
    name: "drips its body for ever",
    on: "tls",
    behave: (socket) => drip(socket, `HTTP/1.1 200 X\r\nContent-Length: 5000\r\n\r\n${"b".repeat(5000)}`, 5),
    outcome: acknowledged(200),
    answer: /^b+$/,
  },
  {
    name: "pours a chunked body without end",
    on: "tls",
    behave: (socket) =>
      pour(
        socket,
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n",
        `10000\r\n${"x".repeat(0x10000)}\r\n`,
      ),
    outcome: acknowledged(200),
    answer: "x".repeat(1024),
  },
  {
    name: "pours a body without length and without end",
    on: "tls",
    behave: (socket) => pour(socket, "HTTP/1.1 500 X\r\n\r\n", "y"),
    outcome: refused(500),
    answer: "y".repeat(1024),
  },
  {
    name: "sends a long body in pieces",
    on: "tls",
    behave: (socket) => {
      socket.write("HTTP/1.1 500 X\r\nContent-Length: 2800\r\n\r\n");
      for (const piece of [1, 2, 3, 4]) setTimeout(() => socket.write(String(piece).repeat(700)), 20 * piece);
    },
    outcome: refused(500),
    answer: "1".repeat(700) + "2".repeat(324),
  },
  {
    name: "sends a gzip bomb",
    on: "tls",
    behave: sendText(
      Buffer.concat([
        Buffer.from(`HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`),
        bomb,
      ]),
    ),
    outcome: acknowledged(200),
    // The response is stored as received, still compressed.
    answer: /^\u001F\uFFFD\u0008/,
  },
  {
    name: "has a chunk of no size",
    on: "tls",
    behave: sendText("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n"),
    outcome: acknowledged(200),
  },
  {
    name: "has a chunk of boundless size",
    on: "tls",
    behave: sendText("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc"),
    outcome: acknowledged(200),
  },
  {
    name: "fails, with a chunk of no size",
    on: "tls",
    behave: sendText("HTTP/1.1 503 X\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n"),
    outcome: refused(503),
  },
  {
    name: "closes in the middle of a chunk",
    on: "tls",
    behave: sendAndEnd("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"),
    outcome: acknowledged(200),
  },
  {
    name: "uses an unknown transfer coding",
    on: "tls",
    behave: sendText("HTTP/1.1 200 X\r\nTransfer-Encoding: zork\r\n\r\nab"),
    outcome: NOT_HTTP,
  },
  {
    name: "promises a longer body than it sends",
    on: "tls",
    behave: sendAndEnd("HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\nab"),
    outcome: acknowledged(200),
  },
  {
    name: "promises a shorter body than it sends",
    on: "tls",
    behave: sendText("HTTP/1.1 500 X\r\nContent-Length: 2\r\n\r\nabcdef"),
    outcome: refused(500),
    answer: "ab",
  },
  {
    name: "promises two lengths",
    on: "tls",
    behave: sendText("HTTP/1.1 200 X\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nabcde"),
    outcome: NOT_HTTP,
  },
  {
    name: "promises a length below 0",
    on: "tls",
    behave: sendText("HTTP/1.1 200 X\r\nContent-Length: -1\r\n\r\nab"),
    outcome: NOT_HTTP,
  },
  {
    name: "promises more than can be counted",
    on: "tls",
    behave: sendText("HTTP/1.1 200 X\r\nContent-Length: 99999999999999999999999\r\n\r\nab"),
    outcome: NOT_HTTP,
  },
  {
    name: "promises no length and closes",
    on: "tls",
    behave: sendAndEnd("HTTP/1.1 200 X\r\n\r\nabc"),
    outcome: acknowledged(200),
    answer: "abc",
  },
  {
    name: "puts a body behind a 204",
    on: "tls",
    behave: sendText("HTTP/1.1 204 X\r\nContent-Length: 3\r\n\r\nabc"),
    outcome: acknowledged(204),
    answer: "",
  },
  {
    name: "answers twice at once",
    on: "tls",
    behave: sendText(full(500, "one") + full(200, "two")),
    outcome: refused(500),
    answer: "one",
  },
  {
    name: "answers in markup",
    on: "tls",
    behave: sendText(full(500, MARKUP, "Content-Type: text/html\r\n")),
    outcome: refused(500),
    answer: MARKUP,
  },
  {
    name: "answers in bytes that are no text",
    on: "tls",
    behave: sendText(
      Buffer.concat([
        Buffer.from("HTTP/1.1 500 X\r\nContent-Length: 8\r\n\r\na"),
        Buffer.from([0xff, 0xc0, 0x80, 0x00, 0xed, 0xa0, 0x80]),
      ]),
    ),
    outcome: refused(500),
    answer: /^a\uFFFD{7}$/,
  },
  {
    name: "answers in text whose first KiB ends in the middle of a letter",
    on: "tls",
    behave: sendText(full(500, `${"x".repeat(1022)}🎉`)),
    outcome: refused(500),
    answer: `${"x".repeat(1022)}\uFFFD`,
  },
  {
    name: "asks to refresh elsewhere",
    on: "tls",
    behave: sendText(full(200, "", "Refresh: 0; url=https://127.0.0.1:1/\r\n")),
    outcome: acknowledged(200),
  },
];

/** All scripts. The ones that use up the time limit come first, so that they wait while others run. */
export const SCRIPTS: readonly Script[] = [
  ...statuses,
  ...connections,
  ...certificates,
  ...heads,
  ...bodies,
].sort((a, b) => Number(b.outcome === LATE) - Number(a.outcome === LATE));

export interface ScriptedReceiver extends AsyncDisposable {
  port: number;
  /** Number of open connections, and of requests read to the end. */
  open(): number;
  requests(): number;
  /** Number of bytes that the receiver could send. */
  sent(): number;
}

export async function startScript({ on, behave, certificate: fault }: Script): Promise<ScriptedReceiver> {
  if (on === "nobody") return unusedPort();
  const sockets = new Set<Socket>();
  let requests = 0;
  const all: Socket[] = [];
  const hold = (socket: Socket): void => {
    sockets.add(socket);
    all.push(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
  };
  const { cert, key } = await certificateWith(fault);
  const server =
    on === "tls"
      ? createTlsServer({ cert, key }, (socket) => {
          hold(socket);
          let text = "";
          socket.on("data", (chunk) => {
            text += chunk.toString("latin1");
            if (!isComplete(text)) return;
            text = "";
            requests++;
            behave(socket);
          });
        })
      : createServer((socket) => {
          hold(socket);
          behave(socket);
        });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    port,
    open: () => sockets.size,
    requests: () => requests,
    sent: () => all.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    [Symbol.asyncDispose]: close,
  };
}

/**
 * A port without a listener that nothing else can take, because it is the local end of an open connection. A
 * port that was only freed may be given to another receiver.
 */
async function unusedPort(): Promise<ScriptedReceiver> {
  const far = createServer();
  await new Promise<void>((resolve) => far.listen(0, "127.0.0.1", resolve));
  const near = connect((far.address() as AddressInfo).port, "127.0.0.1");
  await new Promise((resolve) => near.once("connect", resolve));
  return {
    port: near.localPort ?? 0,
    open: () => 0,
    requests: () => 0,
    sent: () => 0,
    async [Symbol.asyncDispose]() {
      near.destroy();
      await new Promise((resolve) => far.close(resolve));
    },
  };
}

async function certificateWith(fault: Fault | undefined) {
  const own = await authority();
  const names = ["hooks.example.com"];
  if (fault === "self-signed") return selfSigned(names);
  if (fault === "unknown authority") return (await createAuthority("CN=Somebody else")).issue(names);
  if (fault === "wrong name") return own.issue(["other.example.com"]);
  return own.issue(names, { expired: fault === "expired", early: fault === "early" });
}

function isComplete(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return end >= 0 && text.length >= end + 4 + length;
}

function drip(socket: Socket, text: string | Uint8Array, everyMs: number): void {
  const bytes = Buffer.from(text as string);
  let sent = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || sent >= bytes.length) clearInterval(timer);
    else socket.write(bytes.subarray(sent, ++sent));
  }, everyMs);
}

/** Sends as fast and as long as the client reads. */
function pour(socket: Socket, beginning: string, unit: string): void {
  const piece = unit.repeat(Math.ceil(0x10000 / unit.length));
  socket.write(beginning);
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once("drain", more);
  };
  more();
}
