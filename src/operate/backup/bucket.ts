import { MINUTE, SECOND } from "../../core/base/clock.ts";
import type { Bytes } from "./compression.ts";
import type { BackupFile } from "./backup-file.ts";
import { BackupRefused } from "./refused.ts";

/** Access to an S3 bucket. Missing values are read from the standard variables of S3 tools (`AWS_…`). */
export interface BucketAccess {
  endpoint?: string | undefined;
  region?: string | undefined;
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
}

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

/** Size of one part of an upload. A few parts are in memory at once. S3 accepts at most 10,000 parts. */
const PART_BYTES = 16 * 1024 * 1024;

/** Longest waits for a silent S3 server. Bun's client waits for minutes, and has no setting for this. */
export interface Patience {
  /** Longest wait for a response, or for the next chunk of a download. */
  answerMs: number;
  /** Longest wait until S3 accepts a part of an upload. */
  partMs: number;
}

const PATIENCE: Patience = { answerMs: 30 * SECOND, partMs: 10 * MINUTE };

/** Parses `s3://bucket/a/key`. Returns undefined if the text is not an S3 URL. */
export function readAddress(text: string): { bucket: string; key: string } | undefined {
  const [, bucket, key = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? [];
  return bucket === undefined ? undefined : { bucket, key };
}

export function openBucket(bucket: string, access: BucketAccess): Bun.S3Client {
  const options = Object.fromEntries(Object.entries(access).filter(([, value]) => value !== undefined));
  return new Bun.S3Client({ ...options, bucket });
}

/**
 * A backup as one object in a bucket. The object exists only after a complete upload. The bucket has to clean
 * up the parts of an aborted upload. An object that cannot be read back unchanged is deleted.
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
    async store(bytes, verify) {
      const put = <Result>(pending: Result | Promise<Result>, ms: number): Promise<Result> =>
        answered(pending, { name, operation: "written", ms });
      // Detects a silent server before the first part is sent. An error of this request is ignored, because
      // the credentials may allow only writes.
      await put(
        file.exists().catch(() => false),
        patience.answerMs,
      );
      await upload(file, bytes, (pending) => put(pending, patience.partMs)).catch((error: unknown) => {
        throw asRefusal(error, name, "written");
      });
      try {
        await verify(read());
      } catch (error) {
        await answered(file.delete(), { name, operation: "deleted", ms: patience.answerMs }).catch(
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
  taken: (pending: number | Promise<number>) => Promise<number>,
): Promise<void> {
  const writer = file.writer({
    partSize: PART_BYTES,
    queueSize: 2,
    retry: 3,
    type: "application/octet-stream",
  });
  let waiting = 0;
  // If reading `bytes` fails, the writer must not be ended. Ending the writer, even with an error, would
  // create an object from the parts sent so far.
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
      const { done, value } = await answered(reader.read(), { name, operation: "read", ms });
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw asRefusal(error, name, "read");
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

type BucketOperation = "written" | "read" | "listed" | "deleted";

/**
 * Returns S3's response. Throws BackupRefused if S3 is silent for too long. The request itself continues,
 * because Bun cannot cancel it.
 */
export async function answered<Result>(
  pending: Result | Promise<Result>,
  {
    name,
    operation,
    ms = PATIENCE.answerMs,
  }: { name: string; operation: BucketOperation; ms?: number | undefined },
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_, reject) => {
    const message = `${name} cannot be ${operation}: no answer within ${ms / SECOND} s. Check GUILDHALL_S3_ENDPOINT and the network.`;
    timer = setTimeout(() => reject(new BackupRefused(message)), ms);
  });
  try {
    return await Promise.race([pending, silent]);
  } finally {
    clearTimeout(timer);
  }
}

/** Turns an error of S3 into a message for the operator. */
export function asRefusal(error: unknown, name: string, operation: BucketOperation): unknown {
  if (!(error instanceof Error) || error instanceof BackupRefused) return error;
  const code = "code" in error ? String(error.code) : "";
  if (error.name !== "S3Error" && !code.startsWith("ERR_S3")) return error;
  return new BackupRefused(`${name} cannot be ${operation} (${code}: ${error.message.split("\n", 1)[0]})`);
}
