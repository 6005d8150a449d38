import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { createAuthority } from "../delivery/authority.ts";
import { until } from "../delivery/receiver.ts";
import { emptyFolder, type Program, run, type Served, serve } from "./programs.ts";

const ROOT = join(import.meta.dir, "../..");
const PROGRAMS = ["pebble", "pebble-challtestsrv"] as const;
const MODULE = "github.com/letsencrypt/pebble/v2/cmd";
const VERSION = "v2.10.1";
const HOST = "guild.example.com";
/**
 * Lifetime of the certificates. The server checks every ten seconds, and renews after two thirds of the
 * lifetime.
 */
const LIFE_SECONDS = 30;

export interface AcmeReport {
  /** Time from the server's ready line to the first certificate. */
  firstMs: number;
  /** Number of different certificates, without the stand-in. */
  shown: number;
  /** Number of events on one stream, and of certificate changes meanwhile. */
  received: number;
  changes: number;
  wrongs: string[];
}

/** Paths of the ACME authority and its DNS server (Pebble queries by TCP). */
export interface Pebble {
  authority: string;
  names: string;
}

/** Finds Pebble or installs it with Go. Returns undefined if neither works. */
export async function findPebble(): Promise<Pebble | undefined> {
  const folder = join(ROOT, `node_modules/.cache/pebble-${VERSION}`);
  const [authority, names] = PROGRAMS.map((name) => Bun.which(name) ?? join(folder, name));
  if (!authority || !names) return undefined;
  if (existsSync(authority) && existsSync(names)) return { authority, names };
  const go = Bun.which("go");
  if (!go) return undefined;
  const building = Bun.spawn([go, "install", ...PROGRAMS.map((name) => `${MODULE}/${name}@${VERSION}`)], {
    env: { ...process.env, GOBIN: folder },
    stdio: ["ignore", "ignore", "ignore"],
  });
  return (await building.exited) === 0 ? { authority, names } : undefined;
}

/**
 * Runs the program with a third-party ACME authority: a first certificate, then `changes` renewals while one
 * event stream is open. With `away` the authority is also down during a renewal.
 */
export async function acme(
  program: Program,
  pebble: Pebble,
  { changes, away }: { changes: number; away: boolean },
): Promise<AcmeReport> {
  using folder = emptyFolder();
  const [port, httpPort, namesPort] = [await freePort(), await freePort(), await freePort()];
  const directory = await describe(folder.path, httpPort);
  const wrongs: string[] = [];
  const names = startNames(pebble, namesPort, await freePort());
  const start = () => startPebble(pebble, folder.path, namesPort, directory);
  let authority = await start();
  try {
    await run(program, ["builder", "create", "ada", "--data", "d"], { cwd: folder.path });
    const { stdout } = await run(program, ["token", "create", "ada", "--data", "d"], { cwd: folder.path });
    await using server = await serve(program, {
      cwd: folder.path,
      args: ["--data", "d", "--port", String(port)],
      env: {
        GUILDHALL_ORIGIN: `https://${HOST}`,
        GUILDHALL_ACME: "ada@example.com",
        GUILDHALL_ACME_DIRECTORY: directory,
        GUILDHALL_ACME_CA: join(folder.path, "directory.pem"),
        GUILDHALL_HTTP_PORT: String(httpPort),
      },
    });
    const from = performance.now();
    await until(() => changesOf(server) >= 1);
    const firstMs = performance.now() - from;
    const seen = new Set([await shownBy(port)]);
    const stream = await openStream(port, stdout.trim());
    for (let change = 1; change <= changes; change++) {
      await until(() => changesOf(server) > change, 2 * LIFE_SECONDS * 1000);
      seen.add(await shownBy(port));
      await post(port, stdout.trim(), `under certificate ${change + 1}`);
      await until(() => stream.heard() >= change);
    }
    const received = stream.heard();
    stream.close();
    if (seen.size !== changes + 1) wrongs.push(`${changes} renewals showed ${seen.size} certificates`);
    wrongs.push(...rightsIn(join(folder.path, "d/tls")));
    wrongs.push(...(await requestPlain(httpPort)));

    if (away) {
      // An unavailable authority is logged and retried, and interrupts nothing.
      authority.kill();
      await authority.exited;
      await until(() => server.output().includes("could not get a certificate"), 2 * LIFE_SECONDS * 1000);
      const answer = await fetch(`https://127.0.0.1:${port}/healthz`, { tls: { rejectUnauthorized: false } });
      if (answer.status !== 200)
        wrongs.push(`while the authority is away the server answers ${answer.status}`);
      authority = await start();
      const before = changesOf(server);
      server.signal("SIGHUP");
      await until(() => changesOf(server) > before, 2 * LIFE_SECONDS * 1000);
    }
    if (/PRIVATE KEY/.test(server.output())) wrongs.push("a private key is in the log");
    server.signal("SIGTERM");
    const code = await server.exited;
    if (code !== 0) wrongs.push(`the server ended with ${code}`);
    return { firstMs: Math.round(firstMs), shown: seen.size, received, changes, wrongs };
  } finally {
    authority.kill();
    names.kill();
  }
}

function startNames({ names }: Pebble, port: number, management: number): Bun.Subprocess {
  const off = ["http01", "https01", "tlsalpn01", "doh", "defaultIPv6"].flatMap((name) => [`-${name}`, ""]);
  return Bun.spawn(
    [names, "-dnsserver", `127.0.0.1:${port}`, "-management", `127.0.0.1:${management}`, ...off],
    {
      stdio: ["ignore", "ignore", "ignore"],
    },
  );
}

/** Number of certificate changes in the log. */
function changesOf(server: Served): number {
  return server.output().split("new certificate loaded").length - 1;
}

/** Writes Pebble's configuration. Returns the URL of its directory. */
async function describe(folder: string, httpPort: number): Promise<string> {
  const directory = await createAuthority("CN=Directory");
  const { cert, key } = await directory.issue(["127.0.0.1"]);
  const [listen, management, tlsPort] = [await freePort(), await freePort(), await freePort()];
  const files = { "directory.pem": directory.pem, "pebble.pem": cert, "pebble.key": key };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const settings = {
    listenAddress: `127.0.0.1:${listen}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: join(folder, "pebble.pem"),
    privateKey: join(folder, "pebble.key"),
    httpPort,
    tlsPort,
    keyAlgorithm: "ecdsa",
    profiles: { default: { description: "short", validityPeriod: LIFE_SECONDS } },
  };
  writeFileSync(join(folder, "pebble.json"), JSON.stringify({ pebble: settings }));
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
  return `https://127.0.0.1:${listen}/dir`;
}

/** Starts Pebble, which rejects some nonces, as it does by default. Clients must retry. */
async function startPebble(
  { authority }: Pebble,
  folder: string,
  names: number,
  directory: string,
): Promise<Bun.Subprocess> {
  const child = Bun.spawn(
    [authority, "-config", join(folder, "pebble.json"), "-dnsserver", `127.0.0.1:${names}`],
    {
      env: { PATH: process.env["PATH"] ?? "", PEBBLE_VA_NOSLEEP: "1" },
      stdio: ["ignore", "ignore", "ignore"],
    },
  );
  for (let tries = 0; tries < 200; tries++) {
    const exists = await fetch(directory, { tls: { rejectUnauthorized: false } }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (exists) return child;
    await Bun.sleep(50);
  }
  child.kill();
  throw new Error("pebble does not start");
}

export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Hash of the certificate that a new connection receives. */
function shownBy(port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ host: "127.0.0.1", port, servername: HOST, rejectUnauthorized: false }, () => {
    const raw = socket.getPeerX509Certificate()?.raw ?? Buffer.alloc(0);
    resolve(createHash("sha256").update(raw).digest("hex"));
  });
  socket.on("error", reject);
  return promise.finally(() => socket.destroy());
}

const unverified = { tls: { rejectUnauthorized: false } };

async function openStream(port: number, token: string): Promise<{ heard(): number; close(): void }> {
  const leave = new AbortController();
  const answer = await fetch(`https://127.0.0.1:${port}/graphql`, {
    ...unverified,
    method: "POST",
    signal: leave.signal,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "text/event-stream",
    },
    body: JSON.stringify({ query: "subscription { postCreated { id } }" }),
  });
  let text = "";
  const reading = (async () => {
    for await (const part of answer.body ?? []) text += new TextDecoder().decode(part);
  })();
  reading.catch(() => {});
  return { heard: () => text.split('"postCreated"').length - 1, close: () => leave.abort() };
}

async function post(port: number, token: string, text: string): Promise<void> {
  await fetch(`https://127.0.0.1:${port}/v1/feed`, {
    ...unverified,
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", connection: "close" },
    body: JSON.stringify({ text }),
  });
}

/** Files that users other than the server's can access. */
function rightsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const mode = statSync(path).mode & 0o777;
    return mode === (entry.isDirectory() ? 0o700 : 0o600)
      ? []
      : [`${entry.name} has the mode ${mode.toString(8)}`];
  });
}

async function requestPlain(port: number): Promise<string[]> {
  const ask = async (path: string) => {
    const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual" });
    return `${status} ${headers.get("location") ?? ""}`.trim();
  };
  const [sent, stranger] = [await ask("/jobs?q=x"), await ask("/.well-known/acme-challenge/stranger")];
  return [
    ...(sent === `308 https://${HOST}/jobs?q=x` ? [] : [`plain HTTP answered ${sent}`]),
    ...(stranger === "404" ? [] : [`a stranger's challenge was answered ${stranger}`]),
  ];
}
