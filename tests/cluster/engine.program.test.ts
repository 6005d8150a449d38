// Runs the engine of docs/scaling.md with real processes. Longer: `bun run drill engine`.
import { expect, setDefaultTimeout, test } from "bun:test";
import Database from "better-sqlite3";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { emptyFolder, guildhall, LONG_MS } from "../program/programs.ts";
import { engineKills } from "./engine-drill.ts";

setDefaultTimeout(LONG_MS);

const SCRIPT = join(import.meta.dir, "../../deploy/follow.sh");

test("a follower reads a whole file while its engine is killed, and has every post in the end", async () => {
  const report = await engineKills(guildhall, {
    storage: "file",
    mayBuild: false,
    hasShortIntervals: true,
    kills: 2,
    writers: 2,
    pauseMs: 5,
  });
  if ("absent" in report) return console.log(`the engine: ${report.absent}`);
  expect(report).toMatchObject({ killed: 2, wrongs: [] });
  expect(report.versions).toBeGreaterThanOrEqual(10);
});

test("the engine script leaves a database unchanged that a server writes", async () => {
  if (!Bun.which("flock")) return console.log("flock is not here: the script was not started");
  using folder = emptyFolder();
  const file = join(folder.path, "guildhall.db");
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  db.exec("CREATE TABLE kept (id INTEGER)");
  db.close();
  const before = readFileSync(file);
  const { exitCode, stdout } = Bun.spawnSync([SCRIPT], {
    env: { ...process.env, GUILDHALL_DATA: folder.path, GUILDHALL_REPLICA: "file:///nonexistent" },
  });
  expect([exitCode, stdout.toString()]).toEqual([
    2,
    `follow: a server writes ${file}, so this folder is not a follower's\n`,
  ]);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("the engine script refuses a folder whose demotion was interrupted", () => {
  if (!Bun.which("flock")) return console.log("flock is not here: the script was not started");
  using folder = emptyFolder();
  writeFileSync(join(folder.path, "guildhall.leads"), "2\n");
  const { exitCode, stdout } = Bun.spawnSync([SCRIPT], {
    env: { ...process.env, GUILDHALL_DATA: folder.path, GUILDHALL_REPLICA: "file:///nonexistent" },
  });
  expect([exitCode, stdout.toString()]).toEqual([
    2,
    "follow: this node leads, or a demotion was interrupted: run guildhall demote first\n",
  ]);
});

/**
 * A stub of Litestream: a replica with one transaction that takes 0.2 s to find, and an engine that never
 * ends.
 */
const SLOW_LITESTREAM = `#!/bin/sh
case "$*" in
*-dry-run*) echo ' "max_txid": "0000000000000001"'; exec sleep 0.2 ;;
esac
exec sleep 600
`;
const STARTS = 40;
const AT_ONCE = 4;
const FIRST_SECOND_MS = 1000;
const PROMPTLY_MS = 8000;

test("the engine script ends on a signal at any moment of its first second, and leaves no process", async () => {
  if (!Bun.which("flock") || process.platform !== "linux") return console.log("no flock, or no /proc");
  using folder = emptyFolder();
  const programs = join(folder.path, "bin");
  mkdirSync(programs);
  writeFileSync(join(programs, "litestream"), SLOW_LITESTREAM);
  chmodSync(join(programs, "litestream"), 0o755);
  const env = { ...process.env, PATH: [programs, process.env["PATH"]].join(delimiter) };
  const late: number[] = [];
  const left: string[] = [];
  const tryOne = async (start: number): Promise<void> => {
    const data = join(folder.path, `data-${start}`);
    mkdirSync(data);
    const child = Bun.spawn([SCRIPT], {
      env: { ...env, GUILDHALL_DATA: data, GUILDHALL_REPLICA: "file:///nonexistent" },
      stdio: ["ignore", "ignore", "ignore"],
    });
    await Bun.sleep((start * FIRST_SECOND_MS) / STARTS);
    child.kill("SIGTERM");
    const isOver = await Promise.race([child.exited.then(() => true), Bun.sleep(PROMPTLY_MS)]);
    if (!isOver) late.push(start);
    child.kill("SIGKILL");
    await child.exited;
    left.push(...processesOf(data));
  };
  for (let first = 0; first < STARTS; first += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => tryOne(first + i)));
  expect({ late, left }).toEqual({ late: [], left: [] });
});

/** Processes that have this data folder in their environment. */
function processesOf(data: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isOfIt = readFileSync(`/proc/${pid}/environ`, "utf8").includes(`GUILDHALL_DATA=${data}\0`);
        if (!isOfIt) return [];
        const text = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        process.kill(Number(pid), "SIGKILL");
        return [text];
      } catch {
        return [];
      }
    });
}
