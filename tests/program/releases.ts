import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import Database from "better-sqlite3";

const FIXTURES = join(import.meta.dir, "../fixtures");

/** A small database of an older release, with known content. See scripts/fixture.ts. */
export interface Release {
  version: string;
  schema: number;
  /** Tokens of two members. */
  ada: string;
  bo: string;
  post: string;
  reply: string;
  job: string;
  prompt: string;
  thread: string;
  endpoint: string;
  /** Signing secrets of the endpoint, newest first. */
  secrets: string[];
  waiting: string[];
}

export const RELEASES: readonly Release[] = readdirSync(FIXTURES)
  .sort()
  .map((version) => JSON.parse(readFileSync(join(FIXTURES, version, "life.json"), "utf8")) as Release);

/** Writes the data folder of a release to `data`. With `port`, the endpoint's URL points to this machine. */
export function writeDataFolder({ version, endpoint }: Release, data: string, port?: number): void {
  mkdirSync(data, { mode: 0o777 });
  const file = join(data, "guildhall.db");
  writeFileSync(file, zstdDecompressSync(readFileSync(join(FIXTURES, version, "guildhall.db.zst"))));
  cpSync(join(FIXTURES, version, "guildhall.key"), join(data, "guildhall.key"));
  if (port === undefined) return;
  const db = new Database(file);
  db.prepare("UPDATE webhook_endpoints SET url = ? WHERE id = ?").run(
    `https://127.0.0.1:${port}/hook`,
    endpoint,
  );
  db.close();
}
