import { MINUTE, SECOND } from "../../core/base/clock.ts";
import type { Bytes } from "./compression.ts";
import type { BackupFile } from "./backup-file.ts";
import { BackupRefused } from "./refused.ts";

/** What is not given is taken from the variables that S3's own tools read (`AWS_…`). */
export interface BucketAccess {
  endpoint?: string | undefined;
  region?: string | undefined;
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
}

/** What the settings say of it. */
export interface BucketSettings {
  s3Endpoint: string | undefined;
  s3Region: string | undefined;
  s3AccessKeyId: string | undefined;
  s3SecretAccessKey: string | undefined;
}

export function accessOf({
  s3Endpoint,
  s3Region,
  s3AccessKeyId,
  s3SecretAccessKey,
}: BucketSettings): BucketAccess {
  return {
    endpoint: s3Endpoint,
    region: s3Region,
    accessKeyId: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
  };
}

/** Of one upload: as much stands in memory a few times over. 10,000 of them are the most that S3 takes. */
const PART_BYTES = 16 * 1024 * 1024;

/** How long S3 may be silent: Bun's client waits for minutes, and cannot be told otherwise. */
export interface Patience {
  /** For the answer to a question, or the next piece of what is read. */
  answerMs: number;
  /** Until a part of an upload is taken. */
  partMs: number;
}

const PATIENCE: Patience = { answerMs: 30 * SECOND, partMs: 10 * MINUTE };

/** `s3://bucket/a/key`; undefined for what is no address of S3. */
export function readAddress(text: string): { bucket: string; key: string } | undefined {
  const [, bucket, key = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? [];
  return bucket === undefined ? undefined : { bucket, key };
}

export function openBucket(bucket: string, access: BucketAccess): Bun.S3Client {
  const given = Object.fromEntries(Object.entries(access).filter(([, value]) => value !== undefined));
  return new Bun.S3Client({ ...given, bucket });
}

/**
 * One object. It is there when the upload is complete and never before: what is broken off is no object, and
 * its parts are the bucket's to forget. One that cannot be read again as it was written is deleted.
 */
export function bucketBackupFile(
  client: Bun.S3Client,
  bucket: string,
  key: string,
  patience: Patience = PATIENCE,
): BackupFile {
  const name = `s3://${bucket}/${key}`;
  const file = client.file(key);
  const read = (): Bytes => streamed(file, name, patience.answerMs);
  return {
    name,
    read,
    async store(bytes, prove) {
      const put = <Result>(asking: Result | Promise<Result>, ms: number): Promise<Result> =>
        answered(asking, { name, what: "written", ms });
      // A silent server is found out before the first part is waited for. Who may only write is refused here.
      await put(
        file.exists().catch(() => false),
        patience.answerMs,
      );
      await upload(file, bytes, (asking) => put(asking, patience.partMs)).catch((error: unknown) => {
        throw asRefusal(error, name, "written");
      });
      try {
        await prove(read());
      } catch (error) {
        await answered(file.delete(), { name, what: "deleted", ms: patience.answerMs }).catch(
          () => undefined,
        );
        throw error;
      }
    },
  };
}

async function upload(
  file: Bun.S3File,
  bytes: Bytes,
  taken: (asking: number | Promise<number>) => Promise<number>,
): Promise<void> {
  const writer = file.writer({
    partSize: PART_BYTES,
    queueSize: 2,
    retry: 3,
    type: "application/octet-stream",
  });
  let waiting = 0;
  // Never ended where the bytes break off: to end it, even with an error, would make an object of what is
  // there.
  for await (const piece of bytes) {
    await taken(writer.write(piece));
    waiting += piece.byteLength;
    if (waiting < PART_BYTES) continue;
    waiting = 0;
    await taken(writer.flush());
  }
  await taken(writer.end());
}

async function* streamed(file: Bun.S3File, name: string, ms: number): Bytes {
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await answered(reader.read(), { name, what: "read", ms });
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw asRefusal(error, name, "read");
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

type Asked = "written" | "read" | "listed" | "deleted";

/**
 * What S3 answers. Throws BackupRefused where it is silent; the request itself goes on, and cannot be
 * cancelled.
 */
export async function answered<Result>(
  asking: Result | Promise<Result>,
  { name, what, ms = PATIENCE.answerMs }: { name: string; what: Asked; ms?: number | undefined },
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_, reject) => {
    const words = `${name} cannot be ${what}: no answer within ${ms / SECOND} s. Check GUILDHALL_S3_ENDPOINT and the network.`;
    timer = setTimeout(() => reject(new BackupRefused(words)), ms);
  });
  try {
    return await Promise.race([asking, silent]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the other side said, in words. */
export function asRefusal(error: unknown, name: string, what: Asked): unknown {
  if (!(error instanceof Error) || error instanceof BackupRefused) return error;
  const code = "code" in error ? String(error.code) : "";
  if (error.name !== "S3Error" && !code.startsWith("ERR_S3")) return error;
  return new BackupRefused(`${name} cannot be ${what} (${code}: ${error.message.split("\n", 1)[0]})`);
}
