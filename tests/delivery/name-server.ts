import { createSocket, type RemoteInfo } from "node:dgram";
import { getServers, setServers } from "node:dns";

/** Reply to a DNS query: IPv4 addresses, NXDOMAIN, SERVFAIL, or nothing. */
export type Reply = string[] | "unknown" | "at a loss" | "silent";

const CODES = { unknown: 3, "at a loss": 2 };
const A = 1;

export interface NameServer extends AsyncDisposable {
  port: number;
  asked(): number;
}

/** A DNS server on loopback. `reply` gets each name in lower case. */
export async function nameServer(reply: (name: string) => Reply): Promise<NameServer> {
  const socket = createSocket("udp4");
  let requestCount = 0;
  socket.on("message", (question, from) => {
    requestCount++;
    const { name, type, end } = read(question);
    const response = reply(name);
    if (response !== "silent") answer(question.subarray(0, end), from, response, type);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));

  function answer(question: Buffer, to: RemoteInfo, said: Exclude<Reply, "silent">, type: number): void {
    const addresses = typeof said === "string" || type !== A ? [] : said;
    const head = Buffer.alloc(12);
    question.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | (typeof said === "string" ? CODES[said] : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((address) =>
      // A pointer to the query's name, type A, class IN, TTL of one second.
      Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split(".").map(Number)]),
    );
    socket.send(Buffer.concat([head, question.subarray(12), ...records]), to.port, to.address);
  }

  return {
    port: socket.address().port,
    asked: () => requestCount,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}

/** Makes this process query only the server at `port`, until disposed. */
export function resolveWith(port: number): Disposable {
  const before = getServers();
  setServers([`127.0.0.1:${port}`]);
  return { [Symbol.dispose]: () => setServers(before) };
}

function read(question: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.subarray(at + 1, at + 1 + length).toString("latin1"));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: question.readUInt16BE(at + 1), end: at + 5 };
}
