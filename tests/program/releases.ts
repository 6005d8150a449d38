import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import Database from "better-sqlite3";

const FIXTURES = join(import.meta.dir, "../fixtures");

/** A small database as a release left it, and what is known of the life in it; see scripts/fixture.ts. */
export interface Release {
  version: string;
  /** Of its tables. */
  schema: number;
  /** Tokens of two builders. */
  ada: string;
  bo: string;
  post: string;
  reply: string;
  job: string;
  prompt: string;
  thread: string;
  endpoint: string;
  /** What signs for the endpoint, the newest first. */
  secrets: string[];
  /** Deliveries that nobody has taken yet. */
  waiting: string[];
}

export const RELEASES: readonly Release[] = readdirSync(FIXTURES)
  .sort()
  .map((version) => JSON.parse(readFileSync(join(FIXTURES, version, "life.json"), "utf8")) as Release);

/** Lays the data folder of a release into `data`, its endpoint on this machine's port where one is given. */
export function layOut({ version, endpoint }: Release, data: string, port?: number): void {
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
