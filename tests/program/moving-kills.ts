import Database from "better-sqlite3";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { killDuring } from "./kills.ts";
import { emptyFolder, type Program, run } from "./programs.ts";

function contentsOf(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));
  return names.map((name) => `${name}\n${readFileSync(join(folder, name), "utf8")}`).join("\n");
}

/**
 * Kills `guildhall import` at `times` moments, each time into an empty folder. The folder then has all of the
 * community or nothing. No server starts on a partial import, and the same command completes it.
 */
export async function killMoves(
  program: Program,
  times: number,
  posts: number,
  progress?: (kill: number) => void,
): Promise<{ killed: number; unfinished: number; wrongs: string[] }> {
  using folder = emptyFolder();
  const cwd = folder.path;
  const command = (...args: string[]) => run(program, args, { cwd });
  await command("demo", "--data", "d", "--posts", `${posts}`);
  await command("export", "out", "--data", "d");
  const before = contentsOf(join(cwd, "out"));
  const [data, again] = [join(cwd, "new"), join(cwd, "again")];
  const wrongs: string[] = [];
  let unfinished = 0;
  const killed = await killDuring({
    program,
    args: ["import", "out", "--data", "new"],
    cwd,
    times,
    prepare: () => {
      for (const path of [data, again]) rmSync(path, { recursive: true, force: true });
    },
    begun: () => existsSync(join(data, "importing")),
    async look(kill) {
      const wrong = (label: string): void => void wrongs.push(`kill ${kill}: ${label}`);
      if (!existsSync(join(data, "guildhall.db"))) {
        unfinished++;
        const refused = await command("builder", "create", "zoe", "--data", "new");
        if (refused.code !== 1 || !/is running or was interrupted/.test(refused.stderr))
          wrong(`not told: ${refused.stderr}`);
      }
      const ended = await command("import", "out", "--data", "new");
      if (ended.code !== 0) wrong(`the next import failed: ${ended.stderr}`);
      const left = readdirSync(data).filter((name) => !/^(?:guildhall\.(?:db|key|lock)|driver)$/.test(name));
      if (left.length > 0) wrong(`it left ${left.join(", ")}`);
      const db = new Database(join(data, "guildhall.db"), { readonly: true });
      if (db.pragma("integrity_check", { simple: true }) !== "ok") wrong("a damaged database");
      db.close();
      await command("export", "again", "--data", "new");
      if (contentsOf(again) !== before) wrong("it is not what was exported");
    },
    ...(progress ? { progress } : {}),
  });
  return { killed, unfinished, wrongs };
}
