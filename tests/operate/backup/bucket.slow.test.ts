import { expect, test } from "bun:test";
import { bucketBackupFile, openBucket, readAddress } from "../../../src/operate/backup/bucket.ts";
import type { Bytes } from "../../../src/operate/backup/compression.ts";
import { BackupRefused } from "../../../src/operate/backup/refused.ts";
import { openBackupStore } from "../../../src/operate/backup/backup-storage.ts";
import { openFakeS3 } from "./s3.ts";

/** docs/contract.md#12.4.1 */

const access = (url: string) => ({ endpoint: url, region: "x", accessKeyId: "a", secretAccessKey: "b" });

async function* pieces(count: number, breaksAt = Infinity): Bytes {
  for (let i = 0; i < count; i++) {
    if (i === breaksAt) throw new Error("the source broke off");
    yield new Uint8Array(1024 * 1024).fill(i);
  }
}

async function lengthOf(bytes: Bytes): Promise<number> {
  let length = 0;
  for await (const piece of bytes) length += piece.byteLength;
  return length;
}

test("stores an object in parts and reads it back, and leaves no object after an interrupted or unverified upload", async () => {
  using s3 = openFakeS3();
  const client = openBucket("bkt", access(s3.url));
  const place = bucketBackupFile(client, "bkt", "a/b");
  let read = 0;
  await place.store(pieces(40), async (stored) => void (read = await lengthOf(stored)));
  expect(read).toBe(40 * 1024 * 1024);
  expect([...s3.objects.keys()]).toEqual(["a/b"]);
  expect([...s3.uploads.values()].map((parts) => parts.length)).toEqual([3]);

  for (const [count, breaksAt] of [
    [40, 35],
    [3, 2],
  ] as const) {
    const broken = bucketBackupFile(client, "bkt", "broken").store(
      pieces(count, breaksAt),
      async () => undefined,
    );
    expect(await broken.catch((error: Error) => error.message)).toBe("the source broke off");
  }
  const changed = bucketBackupFile(client, "bkt", "changed").store(pieces(2), async () => {
    throw new BackupRefused("The backup is damaged");
  });
  expect(await changed.catch((error: Error) => error.message)).toBe("The backup is damaged");
  expect([...s3.objects.keys()]).toEqual(["a/b"]);
});

test("lists all backups under the prefix over several responses, and no other object", async () => {
  using s3 = openFakeS3();
  for (const key of ["auto/1", "auto/2", "auto/3", "auto/4", "auto/5", "other/6", "autos"])
    s3.objects.set(key, new Uint8Array(1));
  const shelf = openBackupStore("s3://bkt/auto", access(s3.url), 0);
  expect(await shelf.list()).toEqual(["1", "2", "3", "4", "5"]);
  await shelf.remove("3");
  expect(await shelf.list()).toEqual(["1", "2", "4", "5"]);
});

test("reports an unreachable server and a missing object with a message", async () => {
  const gone = bucketBackupFile(openBucket("bkt", access("http://127.0.0.1:9")), "bkt", "a");
  const refusal = await gone
    .store(pieces(1), async () => undefined)
    .catch((error: Error) => [error.name, error.message]);
  expect(refusal).toEqual(["BackupRefused", expect.stringContaining("s3://bkt/a cannot be written (")]);
  using s3 = openFakeS3();
  const missing = lengthOf(bucketBackupFile(openBucket("bkt", access(s3.url)), "bkt", "b").read());
  expect(await missing.catch((error: Error) => error.message)).toContain(
    "s3://bkt/b cannot be read (NoSuchKey",
  );
});

test("a bucket that accepts connections but never answers fails every operation with one line in bounded time", async () => {
  let isSilent = true;
  let answers = 0;
  using s3 = openFakeS3();
  const silent = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (isSilent) return new Promise<Response>(() => {});
      answers++;
      if (answers > 1) return new Promise<Response>(() => {});
      const { pathname, search } = new URL(request.url);
      return await fetch(`${s3.url}${pathname}${search}`, { method: request.method, body: request.body });
    },
  });
  const client = openBucket("bkt", access(silent.url.origin));
  const place = bucketBackupFile(client, "bkt", "a", { answerMs: 50, partMs: 100 });
  const shelf = openBackupStore("s3://bkt/auto", access(silent.url.origin), 0, { answerMs: 50, partMs: 100 });
  const said = (work: Promise<unknown>) => work.catch((error: Error) => [error.name, error.message]);
  const line = (name: string, label: string, time: string) => [
    "BackupRefused",
    `${name} cannot be ${label}: no answer within ${time}. Check GUILDHALL_S3_ENDPOINT and the network.`,
  ];
  const write = () => place.store(pieces(1), async () => undefined);

  expect(await said(write())).toEqual(line("s3://bkt/a", "written", "0.05 s"));
  expect(await said(lengthOf(place.read()))).toEqual(line("s3://bkt/a", "read", "0.05 s"));
  expect(await said(shelf.list())).toEqual(line("s3://bkt/auto/", "listed", "0.05 s"));
  expect(await said(shelf.remove("x"))).toEqual(line("s3://bkt/auto/x", "deleted", "0.05 s"));
  isSilent = false;
  // The first request is answered in time, but the upload is not.
  const unhurried = bucketBackupFile(client, "bkt", "a", { answerMs: 10_000, partMs: 100 });
  expect(await said(unhurried.store(pieces(1), async () => undefined))).toEqual(
    line("s3://bkt/a", "written", "0.1 s"),
  );
  await silent.stop(true);
});

test("tells S3 addresses from file paths", () => {
  expect(readAddress("s3://bkt/a/b")).toEqual({ bucket: "bkt", key: "a/b" });
  expect(readAddress("s3://bkt")).toEqual({ bucket: "bkt", key: "" });
  for (const text of ["bkt/a", "s3:/bkt", "s3://B_KT/a", "https://bkt/a"])
    expect([text, readAddress(text)]).toEqual([text, undefined]);
});
