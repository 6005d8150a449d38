import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { run } from "../../scripts/run.ts";

/** Reason why a drill cannot run on this machine. */
export interface Absent {
  absent: string;
}

/** Reports which of these tools are missing, or that root on Linux is required. */
export function missing(...tools: readonly string[]): Absent | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return { absent: "it takes root on Linux" };
  const lacks = tools.filter((tool) => Bun.which(tool) === null);
  return lacks.length > 0 ? { absent: `there is no ${lacks.join(", no ")} here` } : undefined;
}

/** Extra package for the minimal Debian: creates users without a running systemd. */
const WITH = "systemd-standalone-sysusers";

/**
 * Path of a minimal Debian 12 for this machine's architecture. Made once by debootstrap in the temporary
 * folder. Must not be modified.
 */
export async function bookworm(): Promise<string | Absent> {
  const folder = join(tmpdir(), "guildhall-bookworm");
  if (existsSync(folder)) return folder;
  const half = mkdtempSync(`${folder}-`);
  try {
    await run(half, ["debootstrap", "--variant=minbase", `--include=${WITH}`, "bookworm", half]);
    for (const name of ["var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/locale"])
      rmSync(join(half, name), { recursive: true, force: true });
    // The root folder must be readable for unprivileged users.
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
  root: string;
  /** Writable folders of this machine, by their path in the root. */
  writable: Readonly<Record<string, string>>;
  user: string;
  env: readonly string[];
}

/** A command line that runs `command` in a read-only root as an unprivileged user. */
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
