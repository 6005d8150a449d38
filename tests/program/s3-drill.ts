import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run as runTool } from "../../scripts/run.ts";
import { readArchive } from "../../src/keep/archive.ts";
import type { Absent } from "./bookworm.ts";
import { emptyFolder, type Program, run } from "./programs.ts";

const VERSION = "v1.8.0";

/**
 * Backups to a real server of S3 (versitygw, on a folder), and restores from it: by hand, by schedule with retention, with a wrong
 * secret, and into a bucket that is not there. What was wrong; empty where every promise was kept.
 */
export async function s3Drill(
  program: Program,
  posts: number,
  mayBuild: boolean,
): Promise<string[] | Absent> {
  const gateway = await binary(mayBuild);
  if (typeof gateway !== "string") return gateway;
  using folder = emptyFolder();
  const cwd = folder.path;
  const bucket = join(cwd, "s3/bkt");
  mkdirSync(bucket, { recursive: true });
  mkdirSync(join(cwd, "meta"));
  const port = await freePort();
  const [id, secret] = ["guildhall", "a secret of the drill"];
  const server = Bun.spawn(
    [gateway, "--port", `127.0.0.1:${port}`, "posix", "--sidecar", join(cwd, "meta"), join(cwd, "s3")],
    {
      env: { ...process.env, ROOT_ACCESS_KEY: id, ROOT_SECRET_KEY: secret },
      stdio: ["ignore", "ignore", "ignore"],
    },
  );
  try {
    const env = {
      GUILDHALL_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      GUILDHALL_S3_REGION: "us-east-1",
      GUILDHALL_S3_ACCESS_KEY_ID: id,
      GUILDHALL_S3_SECRET_ACCESS_KEY: secret,
      GUILDHALL_BACKUP: "s3://bkt/auto",
      GUILDHALL_BACKUP_KEEP: "hourly=1",
    };
    const backup = (args: string[], more = {}) =>
      run(program, ["backup", ...args, "--data", "d"], { cwd, env: { ...env, ...more } });
    const wrongs: string[] = [];
    await run(program, ["demo", "--data", "d", "--posts", `${posts}`], { cwd });
    while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))) await Bun.sleep(20);

    const made = await backup(["s3://bkt/by/hand"]);
    if (made.code !== 0) wrongs.push(`by hand: ${made.stderr}`);
    else await readArchive(Bun.file(join(bucket, "by/hand")).stream());
    for (let i = 0; i < 3; i++) {
      const { code, stderr } = await backup(["--scheduled"]);
      if (code !== 0) wrongs.push(`by schedule: ${stderr}`);
      // Names tell seconds.
      await Bun.sleep(1000);
    }
    for (const [args, words] of [
      [["s3://bkt/by/hand", "--verify"], "whole: "],
      [["--rehearse"], "a restore works"],
      [["s3://bkt/by/hand", "--replace"], "restored: "],
    ] as const) {
      const told = await run(program, ["restore", ...args, "--data", "d"], { cwd, env });
      if (told.code !== 0 || !told.stdout.startsWith(words))
        wrongs.push(`restore ${args.join(" ")}: ${told.stderr}`);
    }
    const kept = readdirSync(join(bucket, "auto"));
    // Two where an hour began in between.
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
  } finally {
    server.kill();
    await server.exited;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** As it is installed, or built once by Go and kept in the temporary folder. */
async function binary(mayBuild: boolean): Promise<string | Absent> {
  const found = Bun.which("versitygw");
  if (found) return found;
  const folder = join(tmpdir(), `guildhall-versitygw-${VERSION}`);
  const built = join(folder, "versitygw");
  if (existsSync(built)) return built;
  if (!mayBuild) return { absent: "there is no versitygw here" };
  if (!Bun.which("go")) return { absent: "there is no versitygw here, and no go to build it" };
  try {
    await runTool(".", ["go", "install", `github.com/versity/versitygw/cmd/versitygw@${VERSION}`], {
      GOBIN: folder,
    });
  } catch (error) {
    return { absent: `go does not build it: ${String(error).split("\n")[0]}` };
  }
  return built;
}
