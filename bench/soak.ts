/**
 * Serves a community under mixed load: `bun run soak MINUTES [--rate N] [--every SECONDS] [--program FILE]
 * [--load-max N]`. Clients disconnect, receivers stall and stop, members sign in, and backups run. Meanwhile
 * the soak records memory, open files, the log and responses. Prints a line per sample, then the growth of
 * each figure. Exits with 1 if a figure grew more than allowed. By default the soak takes one sample per
 * minute of a binary built from this tree. `--of FILE` judges a table that an earlier run printed, even if
 * the table is incomplete.
 */
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cpuMs, residentMiB } from "./server.ts";
import { beginLoad, type Load } from "./soak/load.ts";
import { openReceivers, type Receivers } from "./soak/receivers.ts";
import { judge, type Sample, samplesIn } from "./soak/verdict.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: "string", default: "1" },
    every: { type: "string", default: "60" },
    program: { type: "string" },
    "load-max": { type: "string", default: String(2 * cpus().length) },
    of: { type: "string" },
  },
});
const [minutes, rate, every] = [positionals[0] ?? "60", values.rate, values.every].map(Number);
if (!(minutes && rate && every)) {
  console.error("bun run soak MINUTES [--rate N] [--every SECONDS] [--program FILE]");
  process.exit(2);
}
/** Share of requests that may fail, because a busy machine can cause failures. */
const FAULTS_SHARE = 1e-4;
/** Longest wait after the load until all deliveries have reached the receivers that acknowledge at once. */
const DRAIN_MS = 60_000;
const MIB = 2 ** 20;

const ACCOUNTS = 6;
/**
 * Number of accounts that sign in. Each account signs in less than once a minute, because the server treats
 * more sign-ins as password guessing (docs/threats.md#F03).
 */
const VISITORS = Math.ceil(15 * (rate ?? 1));
const PASSWORD = "correct horse battery";
const SIZE = ["--builders", "200", "--posts", "20000", "--jobs", "500", "--prompts", "300"];

if (values.of !== undefined) process.exit(printVerdict(samplesIn(readFileSync(values.of, "utf8"))) ? 0 : 1);

const folder = mkdtempSync(join(tmpdir(), "guildhall-soak-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const program = values.program ?? (await build());
const data = join(folder, "data");
const [cpu] = cpus();
console.log(
  `${new Date().toISOString()}, ${minutes} min at a rate of ${rate}, ${cpus().length} × ${cpu?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}`,
);

const receivers = await openReceivers();
const tokens = await createDemo();
const server = await serve();
await subscribe();
const samples: Sample[] = [];
const load = beginLoad(
  {
    url: server.url,
    tokens,
    accounts: Array.from({ length: VISITORS }, (_, i) => ({ username: `visitor${i}`, password: PASSWORD })),
  },
  rate,
);
let ended = false;
process.on("SIGINT", () => (ended = true));
const count = Math.round((minutes * 60) / every);
let from = { at: performance.now(), cpu: cpuMs(server.pid), log: 0 };
for (let i = 0; i < count && !ended; i++) {
  await Bun.sleep(from.at + every * 1000 - performance.now());
  const sample = await takeSample();
  if (i === 0) row(["min", ...Object.keys(sample)], true);
  samples.push(sample);
  row([round(((i + 1) * every) / 60), ...Object.values(sample)]);
}
await load.stop();
const isComplete = await arrived(load, receivers);
server.kill("SIGTERM");
console.log(`\nthe server ended with ${await server.exited}`);
const isFlat = printVerdict(samples);
process.exit(printFaults() && isFlat && isComplete ? 0 : 1);

async function build(): Promise<string> {
  const outfile = join(folder, "guildhall");
  await run([process.execPath, "scripts/build.ts", "--outfile", outfile]);
  return outfile;
}

async function run(command: string[], stdin = ""): Promise<string> {
  const child = Bun.spawn(command, { stdin: new Blob([stdin]), stdout: "pipe", stderr: "pipe" });
  const [out, failed] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}\n${out}${failed}`);
  return out.trim();
}

/** Creates a demo community and its test accounts. Returns a token per account. */
async function createDemo(): Promise<string[]> {
  await run([program, "demo", "--data", data, ...SIZE]);
  const created: string[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const name = `soaker${i}`;
    await run([program, "builder", "create", name, "--data", data]);
    created.push(await run([program, "token", "create", name, "--tier", "enterprise", "--data", data]));
  }
  for (let i = 0; i < VISITORS; i++)
    await run(
      [program, "builder", "create", `visitor${i}`, "--password-stdin", "--data", data],
      `${PASSWORD}\n`,
    );
  return created;
}

/**
 * Starts the server with intervals so short that retries, permanent failures and backups happen within an
 * hour.
 */
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

/** Gives each account one of the receivers. All of them receive every post. */
async function subscribe(): Promise<void> {
  for (const [i, url] of receivers.urls.entries()) {
    const created = await fetch(`${server.url}/v1/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokens[i % tokens.length]}`, "content-type": "application/json" },
      body: JSON.stringify({ url, events: ["post.created"] }),
    });
    if (created.status !== 201) throw new Error(`${url}: ${created.status} ${await created.text()}`);
  }
}

async function takeSample(): Promise<Sample> {
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
  const sample: Record<string, number> = {
    "rss MiB": residentMiB(server.pid),
    "heap MiB": round(gauge("nodejs_heap_size_used_bytes") / MIB),
    files: readdirSync(`/proc/${server.pid}/fd`).length,
    "WAL MiB": round((statSync(join(data, "guildhall.db-wal"), { throwIfNoEntry: false })?.size ?? 0) / MIB),
    "db MiB": round(statSync(join(data, "guildhall.db")).size / MIB),
    "log kB/min": round(((now.log - from.log) / 1000) * (60_000 / passedMs)),
    "cpu %": Math.round((100 * (now.cpu - from.cpu)) / passedMs),
    load: round(loadavg()[0] ?? 0),
  };
  for (const [kind, { p50, p99 }] of load.results()) {
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

/** Returns whether every post reached every receiver that acknowledges. */
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

/** Prints the course of each figure. Returns whether no figure grew more than allowed. */
function printVerdict(samples: readonly Sample[]): boolean {
  const judged = judge(samples, Number(values["load-max"]));
  console.log(`\nafter the warm-up; times of minutes with a load of at most ${values["load-max"]}:\n`);
  row(["figure", "samples", "first third", "last third", "worst", "growth", ""], true);
  for (const { name, samples: of, first, last, worst, growth, verdict } of judged)
    row([name, of, first, last, worst, round(growth), verdict]);
  return judged.every(({ verdict }) => verdict !== "GROWS");
}

/** Prints the faults. Returns whether nearly all requests succeeded. */
function printFaults(): boolean {
  for (const [words, times] of kindsOf(load.faults).slice(0, 20)) console.log(`${times} × ${words}`);
  const isWell = load.faults.length <= load.requests() * FAULTS_SHARE;
  if (!isWell) console.log(`BROKEN: ${load.faults.length} requests did not go as they have to`);
  return isWell;
}

/**
 * Groups faults that differ only in their numbers. Returns the first fault of each group and the size of the
 * group.
 */
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
