import Database from "better-sqlite3";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readArchive } from "../../src/operate/backup/archive.ts";
import { killDuring } from "./kills.ts";
import { emptyFolder, type Program, run } from "./programs.ts";

/**
 * Kills `guildhall backup` at `times` moments. Each time, every file with the name of a backup is intact and
 * the community is unchanged. The next backup succeeds and removes the remains.
 */
export async function killBackups(
  program: Program,
  times: number,
  posts: number,
  progress?: (kill: number) => void,
): Promise<{ killed: number; named: number; wrongs: string[] }> {
  using folder = emptyFolder();
  const cwd = folder.path;
  await run(program, ["demo", "--data", "d", "--posts", `${posts}`], { cwd });
  const backups = join(cwd, "d/backups");
  mkdirSync(backups, { mode: 0o777 });
  const wrongs: string[] = [];
  let last: string[] = [];
  const named = (): string[] => readdirSync(backups).filter((name) => name.endsWith(".zst"));
  const killed = await killDuring({
    program,
    args: ["backup", "--data", "d"],
    cwd,
    times,
    // File names contain the time in seconds, so each run starts in a new second.
    prepare: async () => {
      last = named();
      await Bun.sleep(1000 - (Date.now() % 1000));
    },
    begun: () => existsSync(join(backups, ".copying")),
    async look(kill) {
      for (const name of named().filter((each) => !last.includes(each)))
        await readArchive(Bun.file(join(backups, name)).stream()).catch((error: unknown) =>
          wrongs.push(`kill ${kill}: ${name}: ${String(error)}`),
        );
      const db = new Database(join(cwd, "d/guildhall.db"), { readonly: true });
      if (db.pragma("integrity_check", { simple: true }) !== "ok")
        wrongs.push(`kill ${kill}: a damaged database`);
      db.close();
    },
    ...(progress ? { progress } : {}),
  });
  await Bun.sleep(1000);
  const { code, stderr } = await run(program, ["backup", "--data", "d"], { cwd });
  if (code !== 0) wrongs.push(`the next backup failed: ${stderr}`);
  const left = readdirSync(backups).filter((name) => !name.endsWith(".zst") && name !== ".lock");
  if (left.length > 0) wrongs.push(`it left ${left.join(", ")}`);
  return { killed, named: named().length, wrongs };
}
