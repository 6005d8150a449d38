/**
 * `bun run soak MINUTES [--rate N] [--every SECONDS] [--program FILE]`: a served community under mixed load,
 * with clients that leave, receivers that stall and die, sign-ins and backups, while somebody looks at
 * memory, files, log and answers. A line a sample, then what grew; exits with 1 where something did that must
 * not. By default one sample a minute of the binary as it is built from this tree.
 */
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cpuMs, residentMiB } from "./ground.ts";
import { beginLoad, type Load } from "./soak-load.ts";
import { openReceivers, type Receivers } from "./soak-receivers.ts";
import { type Allowed, courseOf, quantile } from "./slope.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: "string", default: "1" },
    every: { type: "string", default: "60" },
    program: { type: "string" },
  },
});
const [minutes, rate, every] = [positionals[0] ?? "60", values.rate, values.every].map(Number);
if (!(minutes && rate && every)) {
  console.error("bun run soak MINUTES [--rate N] [--every SECONDS] [--program FILE]");
  process.exit(2);
}
/** While caches fill, and the first backup is made. */
const WARM_UP_SHARE = 1 / 6;
/** With fewer samples after it nothing can be said. */
const JUDGED_MIN = 8;
/** Requests that may go wrong for reasons of the machine. */
const FAULTS_SHARE = 1e-4;
/** After the load, for what is on its way to those who acknowledge at once. */
const DRAIN_MS = 60_000;
const MIB = 2 ** 20;

const ACCOUNTS = 6;
const PASSWORD = "correct horse battery";
const SIZE = ["--builders", "200", "--posts", "20000", "--jobs", "500", "--prompts", "300"];

interface Sample {
  [figure: string]: number;
}

/** What each figure may grow from the end of the warm-up to the end. */
// The write-ahead log begins anew where it holds 32 MiB, and keeps 64 at most.
const ALLOWED: Readonly<Record<string, Allowed>> = {
  "rss MiB": { share: 0.15, least: 16 },
  "heap MiB": { share: 0.3, least: 8 },
  files: { share: 0.1, least: 5 },
  "WAL MiB": { share: 0.5, least: 48 },
  "log kB/min": { share: 0.1, least: 10 },
  "lag p50": { share: 0.5, least: 20 },
};
const ALLOWED_OF_TIMES: Allowed = { share: 0.5, least: 10 };

const folder = mkdtempSync(join(tmpdir(), "guildhall-soak-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const program = values.program ?? (await build());
const data = join(folder, "data");
const [cpu] = cpus();
console.log(
  `${new Date().toISOString()}, ${minutes} min at a rate of ${rate}, ${cpus().length} × ${cpu?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}`,
);

const receivers = await openReceivers();
const tokens = await found();
const server = await serve();
await subscribe();
const samples: Sample[] = [];
const load = beginLoad(
  {
    url: server.url,
    tokens,
    accounts: tokens.map((_, i) => ({ username: `soaker${i}`, password: PASSWORD })),
  },
  rate,
);
let ended = false;
process.on("SIGINT", () => (ended = true));
const count = Math.round((minutes * 60) / every);
let from = { at: performance.now(), cpu: cpuMs(server.pid), log: 0 };
for (let i = 0; i < count && !ended; i++) {
  await Bun.sleep(from.at + every * 1000 - performance.now());
  const sample = await look();
  if (i === 0) row(["min", ...Object.keys(sample)], true);
  samples.push(sample);
  row([round(((i + 1) * every) / 60), ...Object.values(sample)]);
}
await load.stop();
const isWhole = await arrived(load, receivers);
server.kill("SIGTERM");
console.log(`\nthe server ended with ${await server.exited}`);
process.exit(judge(samples) && isWhole ? 0 : 1);

async function build(): Promise<string> {
  const outfile = join(folder, "guildhall");
  await run([process.execPath, "scripts/build.ts", "--outfile", outfile]);
  return outfile;
}

async function run(command: string[], stdin = ""): Promise<string> {
  const child = Bun.spawn(command, { stdin: new Blob([stdin]), stdout: "pipe", stderr: "pipe" });
  const [told, failed] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}\n${told}${failed}`);
  return told.trim();
}

/** A community with a past, and people who use it. Gives a token of each. */
async function found(): Promise<string[]> {
  await run([program, "demo", "--data", data, ...SIZE]);
  const made: string[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const name = `soaker${i}`;
    await run([program, "builder", "create", name, "--password-stdin", "--data", data], `${PASSWORD}\n`);
    made.push(await run([program, "token", "create", name, "--tier", "enterprise", "--data", data]));
  }
  return made;
}

/** With times that let retries, failures for good, backups and what housekeeping drops happen within the hour. */
async function serve() {
  const backups = join(folder, "backups");
  mkdirSync(backups);
  await Bun.write(join(folder, "ca.pem"), receivers.ca);
  const log = join(folder, "log");
  const child = Bun.spawn([program, "serve", "--port", "0", "--data", data], {
    env: {
      PATH: process.env["PATH"] ?? "",
      GUILDHALL_TRUSTED_PROXIES: "127.0.0.1",
      GUILDHALL_WEBHOOK_ALLOW: "127.0.0.0/8",
      GUILDHALL_WEBHOOK_CA: join(folder, "ca.pem"),
      GUILDHALL_RETRY_DELAYS: "0s,10s,1m,3m,5m,5m,5m",
      GUILDHALL_RETENTION: "15m",
      GUILDHALL_RATE_ENTERPRISE: "900000000/900000000",
      GUILDHALL_BACKUP: backups,
      GUILDHALL_BACKUP_EVERY: "15m",
      GUILDHALL_BACKUP_KEEP: "hourly=1",
      GUILDHALL_METRICS_TOKEN: "soak",
    },
    stdin: "ignore",
    stdout: openSync(log, "w"),
    stderr: "inherit",
  });
  for (;;) {
    const line = readFileSync(log, "utf8")
      .split("\n")
      .find((text) => text.includes('"msg":"listening"'));
    if (line?.endsWith("}"))
      return {
        url: (JSON.parse(line) as { url: string }).url,
        pid: child.pid,
        log,
        kill: child.kill.bind(child),
        exited: child.exited,
      };
    if (child.exitCode !== null) throw new Error(`the server did not start: ${readFileSync(log, "utf8")}`);
    await Bun.sleep(50);
  }
}

/** Each account has one of the receivers: all hear of every post. */
async function subscribe(): Promise<void> {
  for (const [i, url] of receivers.urls.entries()) {
    const made = await fetch(`${server.url}/v1/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokens[i % tokens.length]}`, "content-type": "application/json" },
      body: JSON.stringify({ url, events: ["post.created"] }),
    });
    if (made.status !== 201) throw new Error(`${url}: ${made.status} ${await made.text()}`);
  }
}

async function look(): Promise<Sample> {
  const [metrics, ready] = await Promise.all([
    fetch(`${server.url}/metrics`, { headers: { authorization: "Bearer soak" } }).then((answer) =>
      answer.text(),
    ),
    fetch(`${server.url}/readyz`).then(({ status }) => status),
  ]);
  const gauge = (name: string): number =>
    Number(new RegExp(String.raw`^(?:guildhall_)?${name}(?:\{[^}]*\})? (\S+)$`, "m").exec(metrics)?.[1] ?? 0);
  const now = { at: performance.now(), cpu: cpuMs(server.pid), log: statSync(server.log).size };
  const passedMs = now.at - from.at;
  const sample: Sample = {
    "rss MiB": residentMiB(server.pid),
    "heap MiB": round(gauge("nodejs_heap_size_used_bytes") / MIB),
    files: readdirSync(`/proc/${server.pid}/fd`).length,
    "WAL MiB": round((statSync(join(data, "guildhall.db-wal"), { throwIfNoEntry: false })?.size ?? 0) / MIB),
    "db MiB": round(statSync(join(data, "guildhall.db")).size / MIB),
    "log kB/min": round(((now.log - from.log) / 1000) * (60_000 / passedMs)),
    "cpu %": Math.round((100 * (now.cpu - from.cpu)) / passedMs),
    load: round(loadavg()[0] ?? 0),
  };
  for (const [kind, { p50, p99 }] of load.came()) {
    sample[`${kind} p50`] = round(p50);
    sample[`${kind} p99`] = round(p99);
  }
  const lag = receivers.lag();
  sample["lag p50"] = Math.round(lag.p50);
  sample["lag p99"] = Math.round(lag.p99);
  sample["waiting"] = gauge("delivery_waiting");
  sample["not ready"] = ready === 200 ? 0 : 1;
  sample["faults"] = load.faults.length;
  from = now;
  return sample;
}

/** Whether every post reached everybody who acknowledges. */
async function arrived(load: Load, receivers: Receivers): Promise<boolean> {
  const wanted = load.posted() * receivers.good;
  const until = performance.now() + DRAIN_MS;
  while (receivers.received().once < wanted && performance.now() < until) await Bun.sleep(200);
  const { all, once } = receivers.received();
  console.log(
    `\n${load.requests()} requests, ${load.posted()} posts; events: ${wanted} for those who acknowledge at once, ${once} arrived, ${all - once} of them twice; ${load.streamed()} told on streams`,
  );
  return once >= wanted;
}

/** Prints the course of each figure, and whether all of them stay. */
function judge(samples: readonly Sample[]): boolean {
  const tooMany = load.faults.length > load.requests() * FAULTS_SHARE;
  for (const [words, times] of kindsOf(load.faults).slice(0, 20)) console.log(`${times} × ${words}`);
  if (tooMany) console.log(`BROKEN: ${load.faults.length} requests did not go as they have to`);
  const judged = samples.slice(Math.ceil(samples.length * WARM_UP_SHARE));
  if (judged.length < JUDGED_MIN) {
    console.log("too short to say what grows");
    return !tooMany;
  }
  console.log(`\nfrom minute ${round(((samples.length - judged.length) * (every ?? 60)) / 60)} on:\n`);
  row(["figure", "first third", "last third", "worst", "growth", ""], true);
  let isFlat = true;
  for (const name of Object.keys(samples[0] ?? {})) {
    const allowed = ALLOWED[name] ?? (/ p(?:50|99)$/.test(name) ? ALLOWED_OF_TIMES : undefined);
    if (!allowed) continue;
    const figures = judged.map((sample) => sample[name] ?? 0);
    const course = courseOf(figures, allowed);
    isFlat &&= course.isFlat;
    row([
      name,
      course.first,
      course.last,
      quantile(figures, 1),
      round(course.growth),
      course.isFlat ? "flat" : "GROWS",
    ]);
  }
  return isFlat && !tooMany;
}

/** What differs in figures alone is one; the first of each, and how many there were. */
function kindsOf(faults: readonly string[]): [string, number][] {
  const kinds = Map.groupBy(faults, (fault) =>
    fault.replace(/^\S+ /, "").replace(/[0-9a-z]*\d[0-9a-z-]*/g, "#"),
  );
  return [...kinds.values()].map((of) => [(of[0] ?? "").slice(0, 300), of.length]);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function row(cells: (string | number)[], isHead = false): void {
  console.log(`| ${cells.join(" | ")} |`);
  if (isHead) console.log(`| ${cells.map(() => "---").join(" | ")} |`);
}
