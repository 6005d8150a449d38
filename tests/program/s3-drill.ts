import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readArchive } from "../../src/operate/backup/archive.ts";
import type { Absent } from "./bookworm.ts";
import { goTool, VERSITYGW } from "./go-tools.ts";
import { emptyFolder, type Program, run } from "./programs.ts";
import { serveS3 } from "./versity.ts";

/**
 * Makes backups to a real S3 server (versitygw) and restores them. Tests backups by hand, by schedule with
 * retention, with a wrong secret, and to a missing bucket. Returns the checks that failed.
 */
export async function s3Drill(
  program: Program,
  posts: number,
  mayBuild: boolean,
): Promise<string[] | Absent> {
  const gateway = await goTool(VERSITYGW, mayBuild);
  if (typeof gateway !== "string") return gateway;
  using folder = emptyFolder();
  const cwd = folder.path;
  await using server = await serveS3(gateway, cwd);
  const { bucket } = server;
  const env = {
    GUILDHALL_S3_ENDPOINT: server.url,
    GUILDHALL_S3_REGION: "us-east-1",
    GUILDHALL_S3_ACCESS_KEY_ID: server.id,
    GUILDHALL_S3_SECRET_ACCESS_KEY: server.secret,
    GUILDHALL_BACKUP: "s3://bkt/auto",
    GUILDHALL_BACKUP_KEEP: "hourly=1",
  };
  const backup = (args: string[], more = {}) =>
    run(program, ["backup", ...args, "--data", "d"], { cwd, env: { ...env, ...more } });
  const wrongs: string[] = [];
  await run(program, ["demo", "--data", "d", "--posts", `${posts}`], { cwd });

  const created = await backup(["s3://bkt/by/hand"]);
  if (created.code !== 0) wrongs.push(`by hand: ${created.stderr}`);
  else await readArchive(Bun.file(join(bucket, "by/hand")).stream());
  for (let i = 0; i < 3; i++) {
    const { code, stderr } = await backup(["--scheduled"]);
    if (code !== 0) wrongs.push(`by schedule: ${stderr}`);
    // File names contain the time in seconds, so each backup starts in a new second.
    await Bun.sleep(1000);
  }
  for (const [args, words] of [
    [["s3://bkt/by/hand", "--verify"], "backup is intact: "],
    [["--rehearse"], "test restore succeeded"],
    [["s3://bkt/by/hand", "--replace"], "restored: "],
  ] as const) {
    const result = await run(program, ["restore", ...args, "--data", "d"], { cwd, env });
    if (result.code !== 0 || !result.stdout.startsWith(words))
      wrongs.push(`restore ${args.join(" ")}: ${result.stderr}`);
  }
  const kept = readdirSync(join(bucket, "auto"));
  // Two backups are kept if a new hour began in between.
  if (kept.length < 1 || kept.length > 2) wrongs.push(`${kept.length} are kept: ${kept.join(", ")}`);
  const state = JSON.parse(readFileSync(join(cwd, "d/backups/.state.json"), "utf8"));
  if (!kept.includes(state.last.name)) wrongs.push(`the last one, ${state.last.name}, is not there`);
  const refused = {
    "wrong secret": await backup(["s3://bkt/x"], {
      GUILDHALL_S3_SECRET_ACCESS_KEY: "another secret",
    }),
    "no bucket": await backup(["s3://nowhere/x"]),
  };
  for (const [which, told] of Object.entries(refused))
    if (told.code !== 1 || !told.stderr.includes("cannot be written"))
      wrongs.push(`${which}: ${told.code} ${told.stderr}`);
  if (existsSync(join(bucket, "x"))) wrongs.push("a refused backup is there");
  return wrongs;
}
