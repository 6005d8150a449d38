import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename } from "node:path";
import { hasHolder, pipeOf } from "./database-file.ts";

/**
 * Returns the programs that may still write the copy, as text for an operator. Empty if no such program is
 * visible.
 */
export function writingProcesses(file: string): string[] {
  return [
    ...(hasHolder(file) ? [`the replication engine holds ${basename(pipeOf(file))}`] : []),
    ...writersOf(file),
  ];
}

/**
 * Whether a replication engine was killed while it updated the file. The file may then contain half of an
 * update.
 */
export function wasInterrupted(file: string): boolean {
  return hasHolder(file) === false;
}

/** Returns a text that changes when the file is replaced or written. */
export function stateOf(file: string): string {
  const { dev, ino, size, mtimeMs } = statSync(file);
  return [dev, ino, size, mtimeMs].join(" ");
}

/**
 * Returns other programs that have the file open for writing. Works only on Linux. A process that does not
 * run as root sees only processes of the same user.
 */
function writersOf(file: string): string[] {
  const path = realpathSync(file);
  const { dev, ino } = statSync(path);
  return processes()
    .filter((pid) => pid !== process.pid)
    .flatMap((pid) =>
      handlesOf(pid).some((handle) => isWriter(pid, handle, { dev, ino })) ? [processName(pid)] : [],
    );
}

function processes(): number[] {
  return (
    readOrUndefined(() =>
      readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map(Number),
    ) ?? []
  );
}

function handlesOf(pid: number): string[] {
  return readOrUndefined(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
}

const ACCESS = 0o3;

function isWriter(pid: number, handle: string, { dev, ino }: { dev: number; ino: number }): boolean {
  const isSameFile = readOrUndefined(() => {
    const path = `/proc/${pid}/fd/${handle}`;
    if (!readlinkSync(path).startsWith("/")) return false;
    const found = statSync(path);
    return found.dev === dev && found.ino === ino;
  });
  if (!isSameFile) return false;
  const text = readOrUndefined(() => readFileSync(`/proc/${pid}/fdinfo/${handle}`, "utf8")) ?? "";
  const [, flags = "0"] = /^flags:\s*([0-7]+)/m.exec(text) ?? [];
  return (Number.parseInt(flags, 8) & ACCESS) !== 0;
}

function processName(pid: number): string {
  const name = readOrUndefined(() => readFileSync(`/proc/${pid}/comm`, "utf8").trim()) ?? "a program";
  return `${name} (process ${pid}) has the database open for writing`;
}

/** Returns undefined if `read` throws, because a process may end while its `/proc` entries are read. */
function readOrUndefined<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
