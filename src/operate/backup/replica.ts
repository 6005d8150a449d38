import { readdir, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SECOND } from "../../core/base/clock.ts";
import { type BucketAccess, openBucket, readAddress, asRefusal } from "./bucket.ts";

/**
 * Folder in which Litestream 0.5 stores changes since the last compaction, such as
 * `0000000000000001-0000000000000001.ltx`.
 */
const LEVEL_0 = "ltx/0";
const LTX = /^[0-9a-f]{16}-[0-9a-f]{16}\.ltx$/;
/** Timeout, in ms. A network share may hang forever, and S3 may be slow. */
const WITHIN_MS = 10 * SECOND;
/**
 * Most pages of an S3 listing, with a thousand names each. Level 0 has at most one file per second for an
 * hour.
 */
const PAGES_MAX = 20;

/** Read-only view of the replica of a database. */
export interface Replica {
  /** URL of the replica without keys, for messages to the operator. */
  name: string;
  /** How much the clock of the destination may differ from this machine's, in ms. S3 is another machine. */
  skewMs: number;
  /** Resolves to when the newest file was written. Rejects with a one-line reason. */
  newest(): Promise<number>;
}

/**
 * Opens the replica at `url`, in the format of the setting GUILDHALL_REPLICA. For S3, `access` is used. An
 * endpoint or region in the URL overrides the values in `access`.
 */
export function openReplica(url: string, access: BucketAccess, withinMs: number = WITHIN_MS): Replica {
  return url.startsWith("s3://") ? inBucket(url, access, withinMs) : inFolder(url, withinMs);
}

function inFolder(url: string, withinMs: number): Replica {
  const folder = isAbsolute(url) ? url : fileURLToPath(url);
  return {
    name: folder,
    skewMs: 5 * SECOND,
    newest: singleFlight(withinMs, async () => {
      const level = join(folder, LEVEL_0);
      const last = newestOf(await readdir(level).catch(withOneLineMessage(level)));
      if (last === undefined) throw new Error(`${level} has no Litestream files`);
      return (await stat(join(level, last)).catch(withOneLineMessage(level))).mtimeMs;
    }),
  };
}

function inBucket(url: string, access: BucketAccess, withinMs: number): Replica {
  const [address = "", query = ""] = url.split("?", 2);
  const { bucket, key } = readAddress(address) ?? { bucket: "", key: "" };
  const params = new URLSearchParams(query);
  const client = openBucket(bucket, {
    ...access,
    endpoint: params.get("endpoint") ?? access.endpoint,
    region: params.get("region") ?? access.region,
  });
  const prefix = [key.replace(/\/+$/, ""), `${LEVEL_0}/`].filter(Boolean).join("/");
  /**
   * Newest file of the last check. File names only increase, so the next check lists only the files after
   * this file.
   */
  let known: { name: string; at: number } | undefined;

  async function look(startAfter: string | undefined): Promise<typeof known> {
    let found: typeof known;
    let after = startAfter;
    for (let page = 0; page < PAGES_MAX; page++) {
      const listing = client.list({ prefix, ...(after !== undefined && { startAfter: after }) });
      const { contents = [], isTruncated } = await listing.catch((error: unknown) => {
        throw asRefusal(error, address, "listed");
      });
      const last = contents.findLast(({ key: name }) => LTX.test(name.slice(prefix.length)));
      if (last?.lastModified !== undefined) found = { name: last.key, at: Date.parse(last.lastModified) };
      after = contents.at(-1)?.key;
      if (!isTruncated || after === undefined) break;
    }
    return found;
  }

  return {
    name: address,
    skewMs: 30 * SECOND,
    newest: singleFlight(withinMs, async () => {
      // If the destination was emptied, its file names start with low numbers again.
      known = (known && (await look(known.name))) ?? (await look(undefined));
      if (known === undefined) throw new Error(`${address}/${LEVEL_0} has no Litestream files`);
      return known.at;
    }),
  };
}

/**
 * Runs at most one read at a time. If a read hangs, later calls wait for the same read, each until its
 * timeout.
 */
function singleFlight(withinMs: number, read: () => Promise<number>): () => Promise<number> {
  let reading: Promise<number> | undefined;
  return async () => {
    reading ??= read().finally(() => (reading = undefined));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${withinMs / SECOND} s`)), withinMs);
    });
    try {
      return await Promise.race([reading, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Compares names, because they sort by number. */
function newestOf(names: readonly string[]): string | undefined {
  let newest: string | undefined;
  for (const name of names) if (LTX.test(name) && (newest === undefined || name > newest)) newest = name;
  return newest;
}

function withOneLineMessage(place: string): (error: unknown) => never {
  return (error) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Error(code === "ENOENT" ? `${place} does not exist` : `${place}: ${code}`);
  };
}
