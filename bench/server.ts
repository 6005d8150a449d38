import { BUILDER_SCOPES } from "../src/core/identity/access/scopes.ts";
import { OPERATOR } from "../src/core/identity/access/caller.ts";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createToken } from "../src/core/delegation/tokens/tokens.ts";
import type { Core } from "../src/core/base/core.ts";
import type { CommunitySize } from "../src/demo/community.ts";
import { fillDemo } from "../src/demo/demo.ts";
import { readConfig } from "../src/config/config.ts";
import { createFolderCore, openDataFolder } from "../src/app/data-folder.ts";

/** A data folder, open for the bench and removed at the end. */
export interface BenchFolder extends Disposable {
  folder: string;
  core: Core;
}

/** A filled data folder. */
export interface BenchCommunity extends BenchFolder {
  /** A token with a rate limit that no run reaches. */
  token: string;
}

/** Creates a data folder without members. */
export function createBenchFolder(): BenchFolder {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-bench-"));
  const config = readConfig({}, { data: folder });
  const ground = openDataFolder(config, { busyMs: 5000, mayCreate: true });
  return {
    folder,
    core: createFolderCore(ground, config, "http://127.0.0.1"),
    [Symbol.dispose]() {
      ground.db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function createBenchCommunity(size: CommunitySize): Promise<BenchCommunity> {
  const empty = createBenchFolder();
  const { core } = empty;
  await fillDemo(core, size, 1, (done, total, label) => {
    if (process.stderr.isTTY)
      process.stderr.write(`\r  filling: ${label} ${Math.floor((100 * done) / total)} %   `);
  });
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  const { username = "" } =
    core.db.prepare<{ username: string }>("SELECT username FROM builders LIMIT 1").get() ?? {};
  // Without a scope, the server would reject a request before it parses the body.
  const scopes = [...BUILDER_SCOPES];
  const { token } = createToken(core, OPERATOR, username, { name: "bench", scopes, tier: "enterprise" });
  return { ...empty, token };
}

export interface Served extends AsyncDisposable {
  url: string;
  pid: number;
}

/** Starts a server process. `as` changes the command, for example to select another core. */
export async function serve(
  command: string[],
  env: Record<string, string> = {},
  as: (command: string[]) => string[] = asServer,
): Promise<Served> {
  const child = Bun.spawn(as([process.execPath, ...command]), {
    env: { ...process.env, GUILDHALL_RATE_ENTERPRISE: "900000000/900000000", ...env },
    stdout: "pipe",
    stderr: "inherit",
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  void (async () => {
    let text = "";
    for await (const chunk of child.stdout) {
      // Reads the log after the start to its end and discards it.
      if (text.length < 10_000) text += Buffer.from(chunk).toString();
      const line = text.split("\n").find((part) => part.includes('"listening"') && part.endsWith("}"));
      if (line) resolve(JSON.parse(line).url);
    }
    reject(new Error(`${command.join(" ")} did not start: ${text}`));
  })();
  return {
    url: await promise,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

export const guildhall = (folder: string): string[] => [
  "src/cli/guildhall.ts",
  "serve",
  "--port",
  "0",
  "--data",
  folder,
];

export function residentMiB(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
  return Math.round(Number(kib) / 1024);
}

/** Returns the CPU time of all threads of a process so far, in milliseconds. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Returns the median and the slowest of `times` runs after a warm-up, in milliseconds. */
export function time(work: () => void, times = 200): { median: number; slowest: number } {
  for (let i = 0; i < 20; i++) work();
  const taken: number[] = [];
  for (let i = 0; i < times; i++) {
    const from = performance.now();
    work();
    taken.push(performance.now() - from);
  }
  return { median: median(taken), slowest: Math.max(...taken) };
}

/** Like `time`, but measures CPU time, which other work on the machine hardly changes. */
export function cpuTime(work: () => void, times = 200): { median: number; slowest: number } {
  for (let i = 0; i < 20; i++) work();
  const taken = cpuSamples(work, times);
  return { median: median(taken), slowest: taken.at(-1) ?? 0 };
}

/** Returns sorted CPU times in ms. */
export function cpuSamples(work: () => void, times: number): number[] {
  const taken: number[] = [];
  for (let i = 0; i < times; i++) {
    const from = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(from);
    taken.push((user + system) / 1000);
  }
  return taken.sort((a, b) => a - b);
}

export function row(...cells: (string | number)[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}

/**
 * `CORES=1` pins the server to the first core, and the load and the receivers to the others. Without this
 * variable, the operating system chooses the cores.
 */
export const hasOneCore = process.env["CORES"] === "1";

const OTHERS = cpus().length > 1 ? `1-${cpus().length - 1}` : "0";

/** Returns the command that starts a server on its core. */
export function asServer(command: string[]): string[] {
  return hasOneCore ? ["taskset", "-c", "0", ...command] : command;
}

/** Returns the command that starts a part of the load on the other cores. */
export function asLoad(command: string[]): string[] {
  return hasOneCore ? ["taskset", "-c", OTHERS, ...command] : command;
}

/** Moves this process to the cores that the server does not use. */
export function leaveFirstCore(): void {
  if (hasOneCore) Bun.spawnSync(["taskset", "-apc", OTHERS, String(process.pid)]);
}
