import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { run } from "../../scripts/run.ts";

/** Why a drill cannot run here. */
export interface Absent {
  absent: string;
}

/** What of these tools this machine lacks, or that root is needed for them. */
export function missing(...tools: readonly string[]): Absent | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return { absent: "it takes root on Linux" };
  const lacks = tools.filter((tool) => Bun.which(tool) === null);
  return lacks.length > 0 ? { absent: `there is no ${lacks.join(", no ")} here` } : undefined;
}

/**
 * What is asked of the smallest Debian beside itself: something that makes users without a running systemd.
 */
const WITH = "systemd-standalone-sysusers";

/**
 * A folder with a small Debian 12 of this machine's own kind, made once by debootstrap and kept in the
 * temporary folder: nobody may write into it.
 */
export async function bookworm(): Promise<string | Absent> {
  const folder = join(tmpdir(), "guildhall-bookworm");
  if (existsSync(folder)) return folder;
  const half = mkdtempSync(`${folder}-`);
  try {
    await run(half, ["debootstrap", "--variant=minbase", `--include=${WITH}`, "bookworm", half]);
    for (const name of ["var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/locale"])
      rmSync(join(half, name), { recursive: true, force: true });
    // As the root of a system is.
    chmodSync(half, 0o755);
    renameSync(half, folder);
  } catch (error) {
    const said = error instanceof Error ? error.message.trim().split("\n").at(-1) : String(error);
    if (!existsSync(folder)) return { absent: `debootstrap makes no Debian here: ${said}` };
  } finally {
    if (existsSync(half)) rmSync(half, { recursive: true, force: true });
  }
  return folder;
}

export interface Cage {
  /** The root of its own, which it sees read-only. */
  root: string;
  /** Folders of this machine that it may write in, by their place in it. */
  writable: Readonly<Record<string, string>>;
  user: string;
  env: readonly string[];
}

/**
 * A command line that runs something as one user, without any right of root's, in a root that is read-only.
 */
export function caged({ root, writable, user, env }: Cage, command: readonly string[]): string[] {
  const [uid = "0", gid = uid] = user.split(":");
  const binds = Object.entries(writable).map(([place, folder]) => `mount --bind "${folder}" "$1${place}"`);
  const script = [
    "set -e",
    `mount --bind "$1" "$1"`,
    `mount -t proc proc "$1/proc"`,
    `mount -t tmpfs tmpfs "$1/dev"`,
    `for each in null zero random urandom; do touch "$1/dev/$each"; mount --bind "/dev/$each" "$1/dev/$each"; done`,
    `mount -o remount,ro "$1/dev"`,
    `mount -o remount,bind,ro "$1"`,
    ...binds,
    `root=$1; shift`,
    `exec chroot "$root" "$@"`,
  ].join("\n");
  const asUser = [
    "setpriv",
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    "--no-new-privs",
    "--bounding-set=-all",
  ];
  return [
    "unshare",
    "--mount",
    "--ipc",
    "sh",
    "-c",
    script,
    basename(root),
    root,
    ...asUser,
    "env",
    "-i",
    ...env,
    ...command,
  ];
}
