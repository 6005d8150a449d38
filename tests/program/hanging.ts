import { createSocket } from "node:dgram";
import { chownSync, readdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { readConfig } from "../../src/config/config.ts";
import { createFolderCore, openDataFolder } from "../../src/app/data-folder.ts";
import { authority, openReceiver } from "../delivery/receiver.ts";
import { createMemberToken } from "../support.ts";
import { emptyFolder, type Program, serve } from "./programs.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";

type CheckedUrl = Parameters<typeof registerEndpoint>[2]["url"];

export interface HangingOptions {
  /** Number of endpoints that accept a connection but never respond, and of their owners. */
  hanging: number;
  owners: number;
  /** Number of endpoints whose DNS server never responds. Needs root on Linux. */
  silent?: number;
  healthy: number;
  /** Number of events, and the time between two in ms. */
  events: number;
  everyMs: number;
  progress?: (event: number) => void;
}

export interface HangingReport {
  /** Deliveries to healthy endpoints: expected, arrived, and arrived more than once. */
  expected: number;
  arrived: number;
  repeated: number;
  /** Time from the response to a post to the arrival of its event, in ms. */
  p50Ms: number;
  p95Ms: number;
  slowestMs: number;
  hangingAtOnce: number;
}

const SILENT_SERVER = "127.0.0.253";

/**
 * Runs healthy receivers beside many hanging ones and unresolvable names, all subscribed to the same events.
 * The program knows none of them yet. Measures how soon the healthy ones get their events.
 */
export async function hangingDrill(program: Program, options: HangingOptions): Promise<HangingReport> {
  const { hanging, owners, silent = 0, healthy, events, everyMs } = options;
  using folder = emptyFolder();
  await using receiver = await openReceiver();
  await using hole = await blackHole();
  await using _ = silent > 0 ? await silentServer() : undefined;
  writeFileSync(join(folder.path, "ca.pem"), (await authority()).pem);
  writeFileSync(join(folder.path, "resolv.conf"), `nameserver ${SILENT_SERVER}\n`);
  const urls = [
    ...Array.from({ length: hanging }, (_, i) => `https://127.1.${i >> 8}.${i & 255}:${hole.port}/`),
    ...Array.from({ length: silent }, (_, i) => `https://silent${i}.example.com/`),
  ];
  const token = settle(join(folder.path, "d"), urls, owners, (i) => {
    return i < healthy ? `https://127.0.0.1:${receiver.port}/${i}` : undefined;
  });
  const started = silent > 0 ? deaf(program, join(folder.path, "resolv.conf")) : program;
  await using server = await serve(started, {
    cwd: folder.path,
    args: ["--data", "d"],
    env: { GUILDHALL_WEBHOOK_ALLOW: "127.0.0.0/8", GUILDHALL_WEBHOOK_CA: "ca.pem" },
  });
  const answeredAt = new Map<string, number>();
  for (let event = 0; event < events; event++) {
    const answer = await fetch(`${server.url}/v1/feed`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ text: `event ${event}` }),
    });
    answeredAt.set(((await answer.json()) as { id: string }).id, Date.now());
    options.progress?.(event + 1);
    await Bun.sleep(everyMs);
  }
  const expected = healthy * events;
  const end = performance.now() + 30_000;
  const distinct = () => new Set(receiver.received.map(({ head, headers }) => head + headers["webhook-id"]));
  while (receiver.received.length < expected && performance.now() < end) await Bun.sleep(50);
  const waits = receiver.received
    .map(({ body, at }) => Math.max(0, at - (answeredAt.get(JSON.parse(body).data.post.id) ?? NaN)))
    .sort((a, b) => a - b);
  const quantile = (share: number): number => waits[Math.floor(waits.length * share)] ?? NaN;
  return {
    expected,
    arrived: distinct().size,
    repeated: receiver.received.length - distinct().size,
    p50Ms: quantile(0.5),
    p95Ms: quantile(0.95),
    slowestMs: waits.at(-1) ?? NaN,
    hangingAtOnce: hole.most(),
  };
}

/** Makes a data folder with all endpoints, and a token that may post. */
function settle(
  data: string,
  hangingUrls: readonly string[],
  owners: number,
  healthyUrl: (i: number) => string | undefined,
): string {
  const config = readConfig({}, { data });
  const installation = openDataFolder(config, { busyMs: 1000, mayCreate: true });
  const core = createFolderCore(installation, config, "https://guild.test");
  const own = (username: string, urls: readonly string[]): void => {
    createBuilder(core, OPERATOR, { username, name: username, role: "member" });
    const { caller } = createMemberToken(core, username);
    for (const url of urls)
      registerEndpoint(core, caller, { url: url as CheckedUrl, events: ["post.created"] });
  };
  const each = Math.ceil(hangingUrls.length / owners);
  for (let i = 0; i < owners; i++) own(`hanging${i}`, hangingUrls.slice(i * each, (i + 1) * each));
  for (let i = 0, url = healthyUrl(0); url !== undefined; url = healthyUrl(++i)) own(`healthy${i}`, [url]);
  const scopes = ["feed:write"];
  const { token } = createToken(core, OPERATOR, "healthy0", { name: "test", scopes, tier: "enterprise" });
  installation.close();
  if (process.getuid?.() === 0) {
    // The binary runs as user nobody.
    chownSync(data, 65534, 65534);
    for (const file of readdirSync(data)) chownSync(join(data, file), 65534, 65534);
  }
  return token;
}

/** Accepts connections and never responds. For half of them not even TLS completes. */
async function blackHole(): Promise<{ port: number; most(): number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  let most = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    most: () => most,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function silentServer(): Promise<AsyncDisposable> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(53, SILENT_SERVER, resolve));
  return {
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}

function deaf(program: Program, resolvConf: string): Program {
  const script = `mount --bind ${resolvConf} /etc/resolv.conf && exec "$@"`;
  return { ...program, command: ["unshare", "--mount", "sh", "-c", script, "sh", ...program.command] };
}
