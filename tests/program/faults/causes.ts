import { dlopen } from "bun:ffi";
import Database from "better-sqlite3";
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Installation, InstallationOptions } from "./installation.ts";

/** Reason why this user cannot mount here. */
export function noMounts(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "it takes root on Linux";
  return Bun.which("unshare") === null ? "there is no unshare here" : undefined;
}

/**
 * Mounts a small file system at /mnt that only the programs of a test see. Returns the wrapper of their
 * commands.
 */
export async function smallDisk(megabytes: number): Promise<InstallationOptions> {
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=777 tmpfs /mnt && echo ready && exec sleep infinity`;
  const keeper = Bun.spawn(["unshare", "--mount", "sh", "-c", script], { stdout: "pipe" });
  await keeper.stdout.getReader().read();
  // The data folder is on that file system. The test's own folder has a link to it.
  const inside = 'mkdir -p /mnt/d && ln -sfn /mnt/d d && exec "$@"';
  return {
    before: ["nsenter", `--target=${keeper.pid}`, "--mount", "--wdns=.", "sh", "-c", inside, "sh"],
    end: () => keeper.kill("SIGKILL"),
  };
}

export function openSecondConnection({ data }: Installation): Database.Database {
  return new Database(join(data, "guildhall.db"));
}

export function damage(installation: Installation, table: string): void {
  const db = openSecondConnection(installation);
  const pages = db
    .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'")
    .pluck()
    .all(table);
  const size = Number(db.pragma("page_size", { simple: true }));
  db.close();
  const file = openSync(join(installation.data, "guildhall.db"), "r+");
  for (const page of pages.slice(-60))
    writeSync(file, Buffer.alloc(size, 0xa5), 0, size, (Number(page) - 1) * size);
  closeSync(file);
}

/** Constants of ptrace(2). */
const SEIZE = 0x4206;
const INTERRUPT = 0x4207;
const DETACH = 17;

/** Number of the server's own threads. The delivery thread starts first. */
const WORKERS = 2;

/** Stops the delivery thread of a server, as a debugger does. Returns a function that resumes the thread. */
export async function freezeDelivery(pid: number): Promise<() => void> {
  const workers = (): number[] =>
    readdirSync(`/proc/${pid}/task`)
      .filter((task) => readFileSync(`/proc/${pid}/task/${task}/comm`, "utf8").trim() === "Worker")
      .map(Number)
      .sort((a, b) => a - b);
  while (workers().length < WORKERS) await Bun.sleep(10);
  const [task = 0] = workers();
  const { symbols } = dlopen("libc.so.6", {
    ptrace: { args: ["int", "int", "pointer", "pointer"], returns: "i64" },
  });
  if (symbols.ptrace(SEIZE, task, null, null) !== 0n) throw new Error(`thread ${task} could not be stopped`);
  symbols.ptrace(INTERRUPT, task, null, null);
  return () => void symbols.ptrace(DETACH, task, null, null);
}
