import { readFileSync } from "node:fs";
import { isNativeLoaded, useNative } from "../../core/base/db/sqlite.ts";
import { systemRandom } from "../../core/base/random.ts";
import { type EmbeddedFile, EMBEDDED } from "./embedded.ts";
import { extractToFolder } from "./folder.ts";
import { withMemoryFile } from "./memory.ts";
import { OperatorError } from "../../core/base/operator-error.ts";

/** The native driver cannot be loaded. The message tells the operator why, and what to do. */
class DriverRefused extends OperatorError {
  override name = "DriverRefused";
}

/**
 * Loads the native module of the database driver (docs/adr/0036-the-driver-loads-everywhere.md). The binary
 * contains the module, but the system can load it only from a file. The places to load from are, in this
 * order:
 * - `driver/` in the data folder
 * - a file in memory, if the folder is `noexec` or belongs to another user
 * - the temporary folder, where the runtime unpacks the module
 *
 * Runs once per thread. In a checkout it does nothing. Throws DriverRefused.
 */
export function loadDriver(data: string): void {
  if (EMBEDDED !== undefined && !isNativeLoaded()) useNative(load(EMBEDDED, data));
}

/**
 * Loads the driver when the first database file is opened. Used for files that are opened before any data
 * folder.
 */
export function useDriver(): void {
  const embedded = EMBEDDED;
  if (embedded !== undefined) useNative(() => load(embedded));
}

function load({ path, sha256 }: EmbeddedFile, data?: string): object {
  const bytes = readFileSync(path);
  const token = Buffer.from(systemRandom.bytes(8)).toString("hex");
  const loaders: [name: string, way: () => object][] = [
    ["memory", () => fromMemory(bytes)],
    ["the temporary folder", () => map(path)],
  ];
  if (data !== undefined)
    loaders.unshift(["the data folder", () => map(extractToFolder(data, { bytes, sha256, token }))]);
  const reasons: string[] = [];
  for (const [name, way] of loaders) {
    try {
      return way();
    } catch (error) {
      reasons.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new DriverRefused(
    `The database driver cannot be loaded (${reasons.join("; ")}). Choose a data folder that belongs to this user, on a file system without noexec.`,
  );
}

function fromMemory(bytes: Buffer): object {
  let part: object = {};
  withMemoryFile(bytes, (path) => (part = map(path)));
  return part;
}

function map(path: string): object {
  const module = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
}
