import { readFileSync, writeFileSync } from "node:fs";
import { request as plainRequest } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { createAuthority } from "../delivery/authority.ts";
import { until } from "../delivery/receiver.ts";
import { freePort } from "./acme-drill.ts";
import { emptyFolder, type Program, run, type Served, serve } from "./programs.ts";

const DEPLOY = join(import.meta.dir, "../../deploy");
const HOST = "guild.example";

export const PROXIES = ["caddy", "nginx"] as const;
export type ProxyName = (typeof PROXIES)[number];

/** Start commands of each proxy with our configuration file. */
const BEGUN: Readonly<Record<ProxyName, (at: ProxyFiles) => string[]>> = { caddy, nginx };

interface ProxyFiles {
  program: string;
  folder: string;
  /** Ports of the proxy, with and without TLS. */
  port: number;
  httpPort: number;
  /** Port of Guildhall. */
  upstream: number;
}

export function findProxy(name: ProxyName): string | undefined {
  return Bun.which(name) ?? Bun.which(name, { PATH: "/usr/sbin:/usr/local/sbin" }) ?? undefined;
}

/**
 * Sends requests through a proxy with our configuration. Returns the differences from a server without a
 * proxy. `idle` also tests silent connections and streams, which takes minutes.
 */
export async function throughProxy(name: ProxyName, program: Program, idle: boolean): Promise<string[]> {
  const proxy = findProxy(name);
  if (!proxy) return [`${name} is not here`];
  using folder = emptyFolder();
  const authority = await createAuthority();
  const { cert, key } = await authority.issue([HOST]);
  writeFileSync(join(folder.path, "cert.pem"), cert);
  writeFileSync(join(folder.path, "key.pem"), key);
  await run(program, ["builder", "create", "ada", "--data", "d"], { cwd: folder.path });
  const created = await run(program, ["token", "create", "ada", "--data", "d"], { cwd: folder.path });
  const upstream = await freePort();
  const start = (): Promise<Served> =>
    serve(program, {
      cwd: folder.path,
      args: ["--data", "d", "--port", String(upstream)],
      env: {
        GUILDHALL_ORIGIN: `https://${HOST}`,
        GUILDHALL_TRUSTED_PROXIES: "127.0.0.1,::1",
        GUILDHALL_LOG_LEVEL: "debug",
      },
    });
  await using server = await start();
  const place = {
    program: proxy,
    folder: folder.path,
    port: await freePort(),
    httpPort: await freePort(),
    upstream,
  };
  const child = Bun.spawn(BEGUN[name](place), {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder.path },
    stdio: ["ignore", Bun.file(join(folder.path, "proxy.log")), Bun.file(join(folder.path, "proxy.log"))],
  });
  try {
    const ask = createRequester(place, authority.pem, created.stdout.trim());
    for (let tries = 0; tries < 100 && child.exitCode === null; tries++) {
      if ((await ask("GET", "/healthz").catch(() => undefined))?.status === 200) break;
      await Bun.sleep(50);
    }
    if (child.exitCode !== null)
      return [`${name} ended: ${readFileSync(join(folder.path, "proxy.log"), "utf8")}`];
    return [
      ...(await addresses(ask)),
      ...(await bodies(ask)),
      ...(await ids(ask, server)),
      ...(await streams(ask)),
      ...(await plain(place)),
      ...(idle ? await silence(ask) : []),
    ].map((wrong) => `${name}: ${wrong}`);
  } finally {
    child.kill();
    await child.exited;
  }
}

function caddy({ program, folder, port, httpPort, upstream }: ProxyFiles): string[] {
  const ours = readFileSync(join(DEPLOY, "Caddyfile"), "utf8");
  const here = ours
    .replace(/^guild\.example \{$/m, `${HOST} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`)
    .replace("127.0.0.1:8787", `127.0.0.1:${upstream}`);
  writeFileSync(
    join(folder, "Caddyfile"),
    `{\n\tadmin off\n\thttps_port ${port}\n\thttp_port ${httpPort}\n}\n${here}`,
  );
  return [program, "run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"];
}

function nginx({ program, folder, port, httpPort, upstream }: ProxyFiles): string[] {
  const ours = readFileSync(join(DEPLOY, "nginx.conf"), "utf8");
  const here = ours
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace("listen 80;", `listen 127.0.0.1:${httpPort};`)
    .replace("127.0.0.1:8787", `127.0.0.1:${upstream}`)
    .replace(/\/etc\/letsencrypt\/live\/guild\.example\/fullchain\.pem/, `${folder}/cert.pem`)
    .replace(/\/etc\/letsencrypt\/live\/guild\.example\/privkey\.pem/, `${folder}/key.pem`);
  writeFileSync(join(folder, "site.conf"), here);
  const kept = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const places = kept.map((label) => `${label}_temp_path ${folder}/${label};`).join(" ");
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/proxy.log; ${process.getuid?.() === 0 ? "user root;" : ""}
     events {} http { access_log off; ${places} include ${folder}/site.conf; }`,
  );
  return [program, "-c", join(folder, "nginx.conf"), "-e", join(folder, "proxy.log")];
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

interface Question {
  from?: string;
  headers?: Record<string, string>;
  body?: string;
  isAnonymous?: boolean;
  begun?: () => void;
  /** Receives text of the response. Returning true ends the request. */
  hear?: (text: string) => boolean;
}

type SendRequest = (method: string, path: string, question?: Question) => Promise<Answer>;

function createRequester({ port }: ProxyFiles, ca: string, token: string): SendRequest {
  return (
    method,
    path,
    { from = "127.0.0.1", headers = {}, body, isAnonymous = false, begun = () => {}, hear } = {},
  ) =>
    new Promise((resolve, reject) => {
      const asking = request(
        {
          host: "127.0.0.1",
          port,
          servername: HOST,
          ca,
          localAddress: from,
          agent: false,
          method,
          path,
          headers: {
            host: HOST,
            ...(isAnonymous ? {} : { authorization: `Bearer ${token}` }),
            ...(body === undefined
              ? {}
              : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
            ...headers,
          },
        },
        (answer) => {
          begun();
          let text = "";
          const done = () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
          answer.on("data", (bytes: Buffer) => {
            text += bytes.toString();
            if (hear?.(text)) {
              done();
              asking.destroy();
            }
          });
          answer.on("end", done).on("error", done);
        },
      );
      asking.on("error", reject);
      asking.end(body);
    });
}

/** Clients are limited by their own address, whatever headers they send. */
async function addresses(ask: SendRequest): Promise<string[]> {
  const left = async (from: string, said?: string): Promise<number> => {
    const headers: Record<string, string> = said === undefined ? {} : { "x-forwarded-for": said };
    const answer = await ask("GET", "/v1/openapi.json", { from, headers, isAnonymous: true });
    return Number(answer.headers["x-ratelimit-remaining"]);
  };
  const full = await left("127.0.0.2");
  for (const output of ["192.0.2.1", "192.0.2.2, 127.0.0.1", "127.0.0.3"]) await left("127.0.0.2", output);
  const [afterwards, other] = [await left("127.0.0.2"), await left("127.0.0.3")];
  return [
    ...(afterwards <= full - 3 ? [] : [`a forged address was believed: ${full} left, then ${afterwards}`]),
    ...(other === full ? [] : [`two addresses share a bucket: ${other} left of ${full}`]),
  ];
}

/** A body that is too long gets Guildhall's refusal instead of the proxy's, at any length. */
async function bodies(ask: SendRequest): Promise<string[]> {
  const wrongs: string[] = [];
  for (const kilobytes of [200, 300, 5000]) {
    const body = JSON.stringify({ text: "x".repeat(kilobytes * 1024) });
    const answer = await ask("POST", "/v1/feed", { body }).catch((error: unknown) => String(error));
    const output = typeof answer === "string" ? answer : `${answer.status} ${answer.text.slice(0, 80)}`;
    if (!/^4\d\d \{"error"/.test(output)) wrongs.push(`a body of ${kilobytes} kB was answered ${output}`);
  }
  return wrongs;
}

async function ids(ask: SendRequest, server: Served): Promise<string[]> {
  const own = await ask("GET", "/v1/feed", { headers: { "x-request-id": "drill-1" } });
  const created = await ask("GET", "/v1/feed");
  const id = String(created.headers["x-request-id"]);
  await until(() => server.output().includes(id));
  return [
    ...(own.headers["x-request-id"] === "drill-1" && server.output().includes("drill-1")
      ? []
      : ["an id was lost"]),
    ...(id.length >= 32 ? [] : [`a request had the id ${id}`]),
  ];
}

/** An event that has not arrived by then is being buffered. */
const HELD_BACK_MS = 10_000;

/** Each stream sends its headers before the first event, and each event at once. */
async function streams(ask: SendRequest): Promise<string[]> {
  const body = JSON.stringify({ query: "subscription { postCreated { text } }" });
  const headers = { accept: "text/event-stream" };
  await ask("POST", "/v1/feed", { body: JSON.stringify({ text: "before" }) });
  const ways: Record<string, (questions: Question) => Promise<Answer>> = {
    "a subscription": (questions) => ask("POST", "/graphql", { body, headers, ...questions }),
    "the stream of events": (questions) => ask("GET", "/v1/events", { headers, ...questions }),
    "a question that waits": async (questions) => {
      const after = await lastEvent(ask);
      // Long polling sends no headers before an event.
      setTimeout(() => questions.begun?.(), 1000);
      return ask("GET", `/v1/events?wait=30&after=${after}`, questions);
    },
  };
  const wrongs: string[] = [];
  for (const [way, open] of Object.entries(ways)) {
    const begun = Promise.withResolvers<void>();
    const mark = `streamed-${way.replaceAll(" ", "-")}`;
    const hearing = open({ begun: begun.resolve, hear: (text) => text.includes(mark) });
    if (!(await inTime(begun.promise.then(() => true)))) wrongs.push(`${way} did not begin`);
    await ask("POST", "/v1/feed", { body: JSON.stringify({ text: mark }) });
    if (!(await inTime(hearing))?.text.includes(mark)) wrongs.push(`${way} did not bring its event`);
  }
  return wrongs;
}

function inTime<Value>(work: Promise<Value>): Promise<Value | undefined> {
  return Promise.race([work, Bun.sleep(HELD_BACK_MS).then(() => undefined)]);
}

/** Id of the last event. */
async function lastEvent(ask: SendRequest): Promise<string> {
  const { text } = await ask("GET", "/v1/events?limit=100");
  return /.*"id":"(evt_\w+)"/s.exec(text)?.[1] ?? "";
}

/** Plain HTTP redirects to the same path. */
async function plain({ httpPort }: ProxyFiles): Promise<string[]> {
  const location = await new Promise<string>((resolve, reject) => {
    plainRequest(
      { host: "127.0.0.1", port: httpPort, path: "/jobs?q=x", headers: { host: HOST }, agent: false },
      (answer) => {
        answer.resume();
        resolve(`${answer.statusCode} ${answer.headers.location ?? ""}`);
      },
    )
      .on("error", reject)
      .end();
  });
  return /^308 https:\/\/guild\.example(?::\d+)?\/jobs\?q=x$/.test(location)
    ? []
    : [`plain HTTP answered ${location}`];
}

/** Idle connections keep working, and silent streams are not cut. */
async function silence(ask: SendRequest): Promise<string[]> {
  const wrongs: string[] = [];
  const listening = ask("GET", "/v1/events", {
    headers: { accept: "text/event-stream" },
    hear: (text) => text.includes("after-silence"),
  });
  for (const seconds of [19.9, 20.1, 29.9, 30, 30.1]) {
    await Promise.all(Array.from({ length: 20 }, () => ask("GET", "/v1/feed")));
    await Bun.sleep(seconds * 1000);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        ask("POST", "/v1/feed", { body: JSON.stringify({ text: `after ${seconds} s, ${i}` }) }),
      ),
    );
    const lost = answers.filter(({ status }) => status >= 500);
    if (lost.length > 0)
      wrongs.push(`after ${seconds} s of silence ${lost.length} of 20 were answered ${lost[0]?.status}`);
  }
  await ask("POST", "/v1/feed", { body: JSON.stringify({ text: "after-silence" }) });
  const received = await inTime(listening);
  if (!received?.text.includes("after-silence")) wrongs.push("a stream that was silent was cut");
  return wrongs;
}
