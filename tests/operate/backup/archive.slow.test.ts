import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { Encrypter } from "age-encryption";
import { packTar } from "modern-tar";
import {
  archiveBytes,
  readArchive,
  type ReadOptions,
  type Source,
} from "../../../src/operate/backup/archive.ts";
import { type Bytes, endFrame } from "../../../src/operate/backup/compression.ts";
import { type Manifest, manifestText, type Member } from "../../../src/operate/backup/manifest.ts";

/** docs/contract.md#12.4, docs/threats.md#M09 */

/** The same content in each run. A part of it hardly compresses. */
const DATABASE = Buffer.concat([
  Buffer.from("page ".repeat(100_000)),
  ...Array.from({ length: 300 }, (_, i) => createHash("sha256").update(`${i}`).digest()),
]);
const KEY = Buffer.from(`${"5".repeat(64)}\n`);

const memberOf = (name: string, bytes: Uint8Array): Member => ({
  name,
  bytes: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex"),
});

const MANIFEST: Manifest = {
  format: 1,
  program: "9.9.9",
  schema: 7,
  created_at: "2026-11-22T16:00:00.000Z",
  files: [memberOf("guildhall.db", DATABASE), memberOf("guildhall.key", KEY)],
  rows: { posts: 3 },
  newest_event: "evt_01jd8z",
  key: "00112233445566aa",
};

async function* pieces(bytes: Uint8Array, size = 64 * 1024): Bytes {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Cached, because encryption takes a third of a second. */
const archives = new Map<string | undefined, Promise<Buffer>>();
function createArchive(passphrase?: string): Promise<Buffer> {
  const archive = archives.get(passphrase) ?? make(passphrase);
  archives.set(passphrase, archive);
  return archive;
}

async function make(passphrase?: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-archive-"));
  try {
    const sources = [DATABASE, KEY].map((bytes, i): Source => {
      const path = join(folder, `${i}`);
      writeFileSync(path, bytes);
      return { ...MANIFEST.files[i]!, path };
    });
    return Buffer.concat(await Array.fromAsync(archiveBytes(MANIFEST, sources, { passphrase })));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * An encrypted archive with a small work factor. An attempt to read it costs 1 ms instead of half a second.
 */
async function cheaplyEncrypted(): Promise<Buffer> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase("correct horse");
  encrypter.setScryptWorkFactor(8);
  return Buffer.from(await encrypter.encrypt(await createArchive()));
}

/** “read”, or the message of the refusal. */
async function receivedBy(bytes: Uint8Array, options?: ReadOptions, size?: number): Promise<string> {
  return readArchive(pieces(bytes, size), options).then(
    () => "read",
    (error: Error) => (error.name === "BackupRefused" ? error.message : `${error.name}: ${error.message}`),
  );
}

async function forged(members: Parameters<typeof packTar>[0]): Promise<Buffer> {
  return withEnd(zstdCompressSync(await packTar(members)));
}

const withEnd = (frame: Uint8Array): Buffer =>
  Buffer.concat([frame, endFrame(createHash("sha256").update(frame).digest())]);
const END_BYTES = withEnd(new Uint8Array()).length;
const text = (name: string, data: string | Uint8Array, more = {}) => ({
  header: { name, size: data.length, ...more },
  data: typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data),
});

test("reads back what was written, in pieces of any size, and hides an encrypted archive without the passphrase", async () => {
  for (const passphrase of [undefined, "correct horse"]) {
    const archive = await createArchive(passphrase);
    expect(archive.length).toBeLessThan(DATABASE.length / 10);
    for (const size of passphrase === undefined ? [1000, 64 * 1024] : [1000]) {
      const out = new Map<string, Buffer[]>();
      const closed: string[] = [];
      const steps: number[] = [];
      const manifest = await readArchive(pieces(archive, size), {
        passphrase,
        sink({ name }) {
          const parts: Buffer[] = [];
          out.set(name, parts);
          return {
            write: (piece) => void parts.push(Buffer.from(piece)),
            close: () => void closed.push(name),
          };
        },
        progress: (done, total) => void steps.push(done / total),
      });
      expect(manifest).toEqual(MANIFEST);
      expect(Buffer.concat(out.get("guildhall.db") ?? []).equals(DATABASE)).toBe(true);
      expect(Buffer.concat(out.get("guildhall.key") ?? []).equals(KEY)).toBe(true);
      expect(closed).toEqual(["guildhall.db", "guildhall.key"]);
      expect(steps.at(-1)).toBe(1);
    }
  }
});

test("requires the right passphrase for an encrypted archive, and rejects a passphrase for a plain one", async () => {
  const [plain, secret] = [await createArchive(), await createArchive("correct horse")];
  expect(await receivedBy(secret)).toContain("is encrypted. Name the file with its passphrase");
  expect(await receivedBy(secret, { passphrase: "correct house" })).toBe("The passphrase is wrong.");
  expect(await receivedBy(plain, { passphrase: "correct horse" })).toContain("is not encrypted");
  // A scrypt header that demands 16 GB is refused before any computation.
  const dear = Buffer.from(secret.toString("latin1").replace(/(-> scrypt \S+) 17\n/, "$1 24\n"), "latin1");
  expect(await receivedBy(dear, { passphrase: "correct horse" })).toContain("asks for too much memory");
});

test("refuses an archive that is cut at any byte, with a message", async () => {
  const archive = await createArchive();
  for (let length = 0; length < archive.length; length += length > archive.length - 40 ? 1 : 97)
    expect([length, await receivedBy(archive.subarray(0, length))]).toEqual([
      length,
      expect.stringContaining("backup"),
    ]);
  const secret = await cheaplyEncrypted();
  expect(await receivedBy(secret, { passphrase: "correct horse" })).toBe("read");
  for (const length of [0, 10, 100, 300, secret.length - 1])
    expect([length, await receivedBy(secret.subarray(0, length), { passphrase: "correct horse" })]).toEqual([
      length,
      expect.stringContaining("backup"),
    ]);
});

test("refuses an archive with any flipped byte, with a message", async () => {
  const archive = await createArchive();
  for (let at = 0; at < archive.length; at += at > archive.length - 120 ? 1 : 83) {
    const flipped = Buffer.from(archive);
    flipped[at]! ^= 0x10;
    expect([at, await receivedBy(flipped)]).toEqual([at, expect.stringContaining("backup")]);
  }
  const secret = await cheaplyEncrypted();
  expect(await receivedBy(secret, { passphrase: "correct horse" })).toBe("read");
  for (const at of [30, 150, secret.length >> 1, secret.length - 1]) {
    const flipped = Buffer.from(secret);
    flipped[at]! ^= 1;
    expect([at, await receivedBy(flipped, { passphrase: "correct horse" })]).toEqual([
      at,
      expect.stringContaining("backup"),
    ]);
  }
});

test("refuses newer formats, unknown or duplicate members, links and paths out of the folder", async () => {
  const newer = manifestText({ ...MANIFEST, format: 3 });
  expect(await receivedBy(await forged([text("manifest.json", newer)]))).toContain("has format 3,");
  const manifest = text("manifest.json", manifestText(MANIFEST));
  const database = text("guildhall.db", DATABASE);
  const key = text("guildhall.key", KEY);
  const cases: [string, Parameters<typeof packTar>[0]][] = [
    [
      'contains "../guildhall.key"',
      [manifest, database, { ...key, header: { ...key.header, name: "../guildhall.key" } }],
    ],
    ['contains "/etc/passwd"', [text("/etc/passwd", "x"), manifest]],
    [
      'contains "guildhall.key"',
      [
        manifest,
        database,
        { header: { name: "guildhall.key", size: 0, type: "symlink", linkname: "/etc/passwd" } },
      ],
    ],
    ['contains "guildhall.db"', [manifest, database, key, database]],
    ['contains "guildhall.key"', [manifest, key, database]],
    ["has no guildhall.key", [manifest, database]],
    ["does not match its manifest", [manifest, text("guildhall.db", DATABASE.subarray(1))]],
    ["does not match its manifest", [manifest, text("guildhall.db", Buffer.from(DATABASE).fill("x", 9, 10))]],
    ["has no manifest", [text("manifest.json", "{")]],
    [
      'contains "x/../../y"',
      [
        text(
          "manifest.json",
          manifestText({ ...MANIFEST, files: [...MANIFEST.files, memberOf("x/../../y", KEY)] }),
        ),
      ],
    ],
    [
      "has no manifest",
      [text("manifest.json", manifestText({ ...MANIFEST, files: [MANIFEST.files[0]!, MANIFEST.files[0]!] }))],
    ],
  ];
  const media = { files: 1, bytes: 4 };
  const second = text("manifest.json", manifestText({ ...MANIFEST, format: 2, media }));
  const hash = "ab".repeat(20);
  const picture = (name: string, bytes = "webp") => [second, database, key, text(name, bytes)];
  expect(await receivedBy(await forged(picture(`media/ab/${hash}-160.webp`)))).toBe("read");
  cases.push(
    ["1 of its images are missing", [second, database, key]],
    ['contains "media/../guildhall.db"', picture("media/../guildhall.db")],
    [`contains "media/cd/${hash}-160.webp"`, picture(`media/cd/${hash}-160.webp`)],
    ["is larger than its manifest says", picture(`media/ab/${hash}-160.webp`, "larger")],
    ["are smaller than its manifest says", picture(`media/ab/${hash}-160.webp`, "s")],
    [
      `contains "media/ab/${hash}-480.webp"`,
      [...picture(`media/ab/${hash}-160.webp`), text(`media/ab/${hash}-480.webp`, "webp")],
    ],
  );
  for (const [words, members] of cases) expect(await receivedBy(await forged(members))).toContain(words);
});

test("refuses data that expands beyond its manifest while reading, wherever the excess is", async () => {
  const honest = zstdDecompressSync((await createArchive()).subarray(0, -END_BYTES));
  const zeros = Buffer.alloc(64 * 1024 * 1024);
  const bomb = withEnd(zstdCompressSync(Buffer.concat([honest, zeros])));
  expect(bomb.length).toBeLessThan(20_000);
  expect(await receivedBy(bomb)).toContain("contains more than its manifest says");
  // The excess data of the next archive is at its start. The excess data of the archive after that is in a
  // pax header.
  expect(await receivedBy(withEnd(zstdCompressSync(zeros)))).toContain("backup");
  const pax = await packTar([
    {
      header: { name: "manifest.json", size: 1, pax: { comment: "x".repeat(4_000_000) } },
      data: new Uint8Array(1),
    },
  ]);
  expect(await receivedBy(withEnd(zstdCompressSync(pax)))).toContain("contains more than its manifest says");
});

test("a caller can refuse an archive by its manifest before any other data is read", async () => {
  const seen: string[] = [];
  const refused = readArchive(pieces(await createArchive()), {
    checkManifest({ schema }) {
      throw new RangeError(`schema ${schema}`);
    },
    sink: ({ name }) => void seen.push(name),
  });
  expect(await refused.catch((error: Error) => error.message)).toContain("schema 7");
  expect(seen).toEqual([]);
});

test("common tools open a plain archive", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-archive-"));
  try {
    writeFileSync(join(folder, "a.tar"), zstdDecompressSync(await createArchive()));
    const { exitCode } = Bun.spawnSync(["tar", "xf", "a.tar"], { cwd: folder });
    expect(exitCode).toBe(0);
    expect(readFileSync(join(folder, "guildhall.db")).equals(DATABASE)).toBe(true);
    expect(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))).toEqual(MANIFEST);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
