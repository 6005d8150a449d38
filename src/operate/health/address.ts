import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Beside the lock: where the server that holds the folder listens. */
const FILE = "guildhall.address";

/** Hosts that mean every address of the machine, by the one that a program on it asks. */
const LOOPBACK: Readonly<Record<string, string>> = {
  "0.0.0.0": "127.0.0.1",
  "0": "127.0.0.1",
  "[::]": "[::1]",
};

/** Writes down where this server is asked from its own machine. */
export function writeAddress(data: string, url: string): void {
  const { protocol, hostname, port } = new URL(url);
  const host = LOOPBACK[hostname] ?? hostname;
  const file = join(data, FILE);
  // Whole or not at all, for whoever reads it in this moment.
  writeFileSync(`${file}.new`, `${protocol}//${host}${port && `:${port}`}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function removeAddress(data: string): void {
  rmSync(join(data, FILE), { force: true });
}

/** When the server on the folder began to listen; 0 where none has said. */
export function addressWrittenAt(data: string): number {
  return statSync(join(data, FILE), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Undefined where no server runs on the folder. One that was killed left its address behind. */
export function readAddress(data: string): string | undefined {
  const file = join(data, FILE);
  try {
    // Anything else, such as a pipe, might never end.
    if (!statSync(file).isFile()) return undefined;
    const text = readFileSync(file, "utf8").trim();
    return URL.canParse(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
