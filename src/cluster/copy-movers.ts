import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename } from "node:path";
import { hasHolder, pipeOf } from "./database-file.ts";

/** Who may still move a copy, in words for an operator; empty where nobody does, as far as one can see. */
export function moversOf(file: string): string[] {
  return [
    ...(hasHolder(file) ? [`the replication engine holds ${basename(pipeOf(file))}`] : []),
    ...writersOf(file),
  ];
}

/** Whether an engine was killed while it moved it: half of an update may be in the file. */
export function wasInterrupted(file: string): boolean {
  return hasHolder(file) === false;
}

/** What tells a copy that was moved from the one before. */
export function stateOf(file: string): string {
  const { dev, ino, size, mtimeMs } = statSync(file);
  return [dev, ino, size, mtimeMs].join(" ");
}

/** Programs that have it open to write, where the system tells: Linux, of one's own user or as root. */
function writersOf(file: string): string[] {
  const path = realpathSync(file);
  const { dev, ino } = statSync(path);
  return processes()
    .filter((pid) => pid !== process.pid)
    .flatMap((pid) =>
      handlesOf(pid).some((handle) => isWriter(pid, handle, { dev, ino })) ? [named(pid)] : [],
    );
}

function processes(): number[] {
  return (
    quietly(() =>
      readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map(Number),
    ) ?? []
  );
}

function handlesOf(pid: number): string[] {
  return quietly(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
}

const ACCESS = 0o3;

function isWriter(pid: number, handle: string, { dev, ino }: { dev: number; ino: number }): boolean {
  const isIt = quietly(() => {
    const path = `/proc/${pid}/fd/${handle}`;
    if (!readlinkSync(path).startsWith("/")) return false;
    const found = statSync(path);
    return found.dev === dev && found.ino === ino;
  });
  if (!isIt) return false;
  const text = quietly(() => readFileSync(`/proc/${pid}/fdinfo/${handle}`, "utf8")) ?? "";
  const [, flags = "0"] = /^flags:\s*([0-7]+)/m.exec(text) ?? [];
  return (Number.parseInt(flags, 8) & ACCESS) !== 0;
}

function named(pid: number): string {
  const name = quietly(() => readFileSync(`/proc/${pid}/comm`, "utf8").trim()) ?? "a program";
  return `${name} (process ${pid}) has the database open for writing`;
}

/** A process may end while it is looked at. */
function quietly<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
