import { readdir, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SECOND } from "../../core/base/clock.ts";
import { type BucketAccess, openBucket, readAddress, asRefusal } from "./bucket.ts";

/**
 * Where Litestream 0.5 puts what is newer than the last compaction: `0000000000000001-0000000000000001.ltx`.
 */
const LEVEL_0 = "ltx/0";
const LTX = /^[0-9a-f]{16}-[0-9a-f]{16}\.ltx$/;
/** A share of a network may hang for ever, and an answer of S3 take long. */
const WITHIN_MS = 10 * SECOND;
/** A listing of S3 has a thousand names; level 0 holds an hour of seconds at most. */
const PAGES_MAX = 20;

/** The replica of a database, only to be read. */
export interface Replica {
  /** As an operator would name it, without keys. */
  name: string;
  /** How far its clock may be from this machine's: that of S3 is another machine's. */
  skewMs: number;
  /** When its newest file was written. Rejects with one line of why that is not known. */
  newest(): Promise<number>;
}

/**
 * `url` as the setting GUILDHALL_REPLICA takes it; S3 is asked with `access` where the address does not say
 * otherwise.
 */
export function openReplica(url: string, access: BucketAccess, withinMs: number = WITHIN_MS): Replica {
  return url.startsWith("s3://") ? inBucket(url, access, withinMs) : inFolder(url, withinMs);
}

function inFolder(url: string, withinMs: number): Replica {
  const folder = isAbsolute(url) ? url : fileURLToPath(url);
  return {
    name: folder,
    skewMs: 5 * SECOND,
    newest: oneAtATime(withinMs, async () => {
      const level = join(folder, LEVEL_0);
      const last = newestOf(await readdir(level).catch(inOneLine(level)));
      if (last === undefined) throw new Error(`${level} has no Litestream files`);
      return (await stat(join(level, last)).catch(inOneLine(level))).mtimeMs;
    }),
  };
}

function inBucket(url: string, access: BucketAccess, withinMs: number): Replica {
  const [address = "", query = ""] = url.split("?", 2);
  const { bucket, key } = readAddress(address) ?? { bucket: "", key: "" };
  const asked = new URLSearchParams(query);
  const client = openBucket(bucket, {
    ...access,
    endpoint: asked.get("endpoint") ?? access.endpoint,
    region: asked.get("region") ?? access.region,
  });
  const prefix = [key.replace(/\/+$/, ""), `${LEVEL_0}/`].filter(Boolean).join("/");
  /** Names only grow, so that what is newer comes behind the newest of the last look. */
  let known: { name: string; at: number } | undefined;

  async function look(startAfter: string | undefined): Promise<typeof known> {
    let found: typeof known;
    let after = startAfter;
    for (let page = 0; page < PAGES_MAX; page++) {
      const asking = client.list({ prefix, ...(after !== undefined && { startAfter: after }) });
      const { contents = [], isTruncated } = await asking.catch((error: unknown) => {
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
    newest: oneAtATime(withinMs, async () => {
      // A place that was emptied begins with low numbers again.
      known = (known && (await look(known.name))) ?? (await look(undefined));
      if (known === undefined) throw new Error(`${address}/${LEVEL_0} has no Litestream files`);
      return known.at;
    }),
  };
}

/**
 * A read that hangs is waited for by the next ones, each for a while: there is never a second one beside it.
 */
function oneAtATime(withinMs: number, read: () => Promise<number>): () => Promise<number> {
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

/** By number, which is also the order of the names. */
function newestOf(names: readonly string[]): string | undefined {
  let newest: string | undefined;
  for (const name of names) if (LTX.test(name) && (newest === undefined || name > newest)) newest = name;
  return newest;
}

function inOneLine(place: string): (error: unknown) => never {
  return (error) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Error(code === "ENOENT" ? `${place} does not exist` : `${place}: ${code}`);
  };
}
