import Database from "better-sqlite3";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { killDuring } from "./kills.ts";
import { emptyFolder, type Program, run } from "./programs.ts";

/**
 * Kills `guildhall restore --replace` at `times` moments. The next command on the folder then finds the old
 * or the new community, complete and without leftovers of the restore.
 */
export async function killRestores(
  program: Program,
  times: number,
  posts: number,
  progress?: (kill: number) => void,
): Promise<{ killed: number; old: number; restored: number; wrongs: string[] }> {
  using folder = emptyFolder();
  const cwd = folder.path;
  const data = join(cwd, "d");
  await run(program, ["demo", "--data", "first", "--posts", `${posts}`], { cwd });
  await run(program, ["backup", "b", "--data", "first"], { cwd });
  await run(program, ["builder", "create", "late", "--data", "first"], { cwd });
  const wrongs: string[] = [];
  const found = { old: 0, restored: 0 };
  const killed = await killDuring({
    program,
    args: ["restore", "b", "--replace", "--data", "d"],
    cwd,
    times,
    prepare() {
      rmSync(data, { recursive: true, force: true });
      cpSync(join(cwd, "first"), data, { recursive: true });
    },
    begun: () => existsSync(join(data, "restore-unfinished")) || existsSync(join(data, "restore-ready")),
    async look(kill) {
      const wrong = (label: string): void => void wrongs.push(`kill ${kill}: ${label}`);
      // Any command may come next. This test creates a builder.
      const next = await run(program, ["builder", "create", "next", "--data", "d"], { cwd });
      if (next.code !== 0) return wrong(next.stderr);
      const db = new Database(join(data, "guildhall.db"), { readonly: true });
      const names = db
        .prepare("SELECT username FROM builders WHERE username IN ('late', 'next')")
        .pluck()
        .all();
      const isOld = names.includes("late");
      if (!names.includes("next")) wrong("what was written after it is not there");
      if (db.pragma("integrity_check", { simple: true }) !== "ok") wrong("a damaged database");
      if (db.prepare("SELECT count(*) FROM posts").pluck().get() === 0) wrong("an empty community");
      db.close();
      found[isOld ? "old" : "restored"]++;
      const kept = readdirSync(data).filter((name) => name.startsWith("before-restore-"));
      if (kept.length !== (isOld ? 0 : 1))
        wrong(`${isOld ? "old" : "restored"}, and kept ${kept.join(", ")}`);
      const left = readdirSync(data).filter((name) => /^restore-/.test(name));
      if (left.length > 0) wrong(`it left ${left.join(", ")}`);
    },
    ...(progress ? { progress } : {}),
  });
  return { killed, ...found, wrongs };
}
