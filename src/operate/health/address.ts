import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** File with the URL of the server that holds the folder. */
const FILE = "guildhall.address";

/**
 * If the server listens on all IP addresses, maps the listening host to a host for requests from the same
 * machine.
 */
const LOOPBACK: Readonly<Record<string, string>> = {
  "0.0.0.0": "127.0.0.1",
  "0": "127.0.0.1",
  "[::]": "[::1]",
};

/** Writes the URL with which programs on this machine reach the server. */
export function writeAddress(data: string, url: string): void {
  const { protocol, hostname, port } = new URL(url);
  const host = LOOPBACK[hostname] ?? hostname;
  const file = join(data, FILE);
  // The file is renamed into place, so that a reader never sees half a file.
  writeFileSync(`${file}.new`, `${protocol}//${host}${port && `:${port}`}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function removeAddress(data: string): void {
  rmSync(join(data, FILE), { force: true });
}

/** Returns when the server on the folder began to listen, in ms. Returns 0 if no URL was written. */
export function addressWrittenAt(data: string): number {
  return statSync(join(data, FILE), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Returns undefined if there is no URL. A killed server leaves its URL behind. */
export function readAddress(data: string): string | undefined {
  const file = join(data, FILE);
  try {
    // Reads only a regular file. Reading a pipe, for example, might never end.
    if (!statSync(file).isFile()) return undefined;
    const text = readFileSync(file, "utf8").trim();
    return URL.canParse(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
