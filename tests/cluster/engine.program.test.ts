// The engine of docs/scaling.md with real processes. Longer: `bun run drill engine`.
import { expect, setDefaultTimeout, test } from "bun:test";
import Database from "better-sqlite3";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder, fromSource, LONG_MS } from "../program/programs.ts";
import { engineKills } from "./engine-drill.ts";

setDefaultTimeout(LONG_MS);

const SCRIPT = join(import.meta.dir, "../../deploy/follow.sh");

test("a follower's file is whole at every read while its engine is killed, and has every post in the end", async () => {
  const told = await engineKills(fromSource, {
    place: "file",
    mayBuild: false,
    isHasty: true,
    kills: 2,
    writers: 2,
    restMs: 5,
  });
  if ("absent" in told) return console.log(`the engine: ${told.absent}`);
  expect(told).toMatchObject({ killed: 2, wrongs: [] });
  expect(told.versions).toBeGreaterThanOrEqual(10);
});

test("the engine's script leaves a database alone that a server writes", async () => {
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
    `follow: a server writes ${file}: this is no follower\n`,
  ]);
  expect(readFileSync(file).equals(before)).toBe(true);
});
