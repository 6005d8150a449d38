// docs/contract.md#4.21, docs/threats.md#M04: uploaded pictures are re-encoded or refused with a reason.
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reencode, type PictureSizes } from "../../src/media/reencode.ts";
import { PictureRefused } from "../../src/media/refused.ts";
import { createEncoder } from "../../src/media/encoder.ts";
import { hostileFiles, MARK } from "./hostile.ts";
import * as made from "./sample-images.ts";

async function outcomeOf(bytes: Buffer): Promise<{ outcome: string; sizes: PictureSizes[] }> {
  try {
    return { outcome: "served", sizes: await reencode(bytes) };
  } catch (error) {
    if (error instanceof PictureRefused) return { outcome: error.fault, sizes: [] };
    throw error;
  }
}

function partsOf(webp: Buffer): string[] {
  const names: string[] = [];
  for (let at = 12; at < webp.length;) {
    names.push(webp.toString("latin1", at, at + 4));
    const length = webp.readUInt32LE(at + 4);
    at += 8 + length + (length & 1);
  }
  return names;
}

/** A grey picture of 8 × 8 pixels by libjpeg with one segment each: APP0, DQT, SOF0, DHT, DHT, SOS. */
const GREY = Buffer.from(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/" +
    "wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAv/EABkQAAEFAAAAAAAAAAAAAAAAAAAFByIzUf/aAAgBAQAAPwAtOlURw//Z",
  "base64",
);
const EOI = GREY.length - 2;

/** Offset of each segment, and the end of the scan. */
function segmentsOf(jpg: Buffer): number[] {
  const begins: number[] = [];
  let at = 2;
  while (jpg[at + 1] !== 0xda) {
    begins.push(at);
    at += 2 + jpg.readUInt16BE(at + 2);
  }
  return [...begins, at, EOI];
}

const withBytes = (at: number, ...bytes: number[]): Buffer =>
  Buffer.concat([GREY.subarray(0, at), Buffer.from(bytes), GREY.subarray(at)]);

test("accepts a baseline JPEG that other decoders open, with any segments, and refuses a truncated one", async () => {
  const [, tables = 0, frame = 0, codes = 0, , scan = 0] = segmentsOf(GREY);
  const changed = (at: number, ...bytes: number[]): Buffer => {
    const copy = Buffer.from(GREY);
    copy.set(bytes, at);
    return copy;
  };
  const values = [...GREY.subarray(tables + 5, frame)];
  const restarts = [0xff, 0xdd, 0, 4, 0, 1];
  const taken: Record<string, Buffer> = {
    "as it is": GREY,
    "with 16-bit tables": Buffer.concat([
      GREY.subarray(0, tables),
      Buffer.from([0xff, 0xdb, 0, 131, 0x10, ...values.flatMap((value) => [0, value])]),
      GREY.subarray(frame),
    ]),
    "with an extended frame": changed(frame + 1, 0xc1),
    "without JFIF": Buffer.concat([GREY.subarray(0, 2), GREY.subarray(tables)]),
    "with restarts": withBytes(scan, ...restarts),
    "with a restart at its end": Buffer.concat([
      withBytes(scan, ...restarts).subarray(0, EOI + restarts.length),
      Buffer.from([0xff, 0xd0, 0xff, 0xd9]),
    ]),
    "with bytes behind it": Buffer.concat([GREY, Buffer.from("and more")]),
    ...Object.fromEntries(
      [0x12, 0x21, 0x22, 0x44].map((by) => [`sampled ${by.toString(16)}`, changed(frame + 11, by)]),
    ),
    "without a code that it does not use": withBytes(codes, 0xff, 0xc4, 0, 2),
  };
  const between: Record<string, number[]> = {
    "a zero": [0],
    words: [...Buffer.from("hello")],
    "a line": [13, 10],
    "0xff00": [0xff, 0],
    "0xff": [0xff, 0xff, 0xff],
    "an empty comment": [0xff, 0xfe, 0, 2],
    "a comment without a length": [0xff, 0xfe, 0, 0],
  };
  for (const [name, bytes] of Object.entries(between))
    for (const at of segmentsOf(GREY)) {
      // Other bytes right after the first two make another file type.
      if (at === 2 && bytes[0] !== 0xff) continue;
      taken[`with ${name} at ${at}`] = withBytes(at, ...bytes);
    }
  const differences: Record<string, string> = {};
  const [plain] = (await outcomeOf(GREY)).sizes;
  for (const [name, bytes] of Object.entries(taken)) {
    const { outcome, sizes } = await outcomeOf(bytes);
    const isSame = sizes[0] !== undefined && plain !== undefined && sizes[0].bytes.equals(plain.bytes);
    if (!isSame) differences[name] = outcome;
  }
  expect([differences, Object.keys(taken).length > 50]).toEqual([{}, true]);
  // Decoders disagree on a picture without an end marker, and a truncated picture looks the same.
  for (const length of [EOI, EOI + 1, EOI - 3, scan + 5, scan])
    expect([length, (await outcomeOf(GREY.subarray(0, length))).outcome]).toEqual([
      length,
      "picture_damaged",
    ]);
});

test("refuses or cleanly re-encodes a hundred hostile files, and none takes 100 MB", async () => {
  const files = await hostileFiles();
  expect(files.length).toBeGreaterThanOrEqual(100);
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  let most = before;
  const wrong: string[] = [];
  for (const { name, bytes, expected } of files) {
    const found = await outcomeOf(bytes);
    most = Math.max(most, process.memoryUsage().rss);
    if (found.outcome !== expected && expected !== "either")
      wrong.push(`${name}: ${found.outcome}, not ${expected}`);
    for (const { bytes: drawn } of found.sizes) {
      if (drawn.includes(MARK.slice(0, 12))) wrong.push(`${name}: serves what was sent`);
      const strange = partsOf(drawn).filter((part) => !["VP8X", "ALPH", "VP8 ", "VP8L"].includes(part));
      if (strange.length > 0) wrong.push(`${name}: holds ${strange.join()}`);
    }
  }
  expect(wrong).toEqual([]);
  expect((most - before) / 1e6).toBeLessThan(100);
});

test("a picture is upright, at most as wide as before, and available in each smaller width", async () => {
  const wide = await reencode(await made.jpeg(2000, 1000));
  expect(wide.map(({ width, height }) => `${width}x${height}`)).toEqual([
    "160x80",
    "480x240",
    "960x480",
    "1920x960",
  ]);
  const small = await reencode(made.png(500, 300));
  expect(small.map(({ width, height }) => `${width}x${height}`)).toEqual(["160x96", "480x288", "500x300"]);
  const tall = await reencode(made.png(20, 9000));
  expect(tall.map(({ width, height }) => `${width}x${height}`)).toEqual(["18x8192"]);
  const turned = made.withSegment(await made.jpeg(320, 200), 0xe1, made.exif(6));
  expect((await reencode(turned)).map(({ width, height }) => `${width}x${height}`)).toEqual([
    "160x256",
    "200x320",
  ]);
});

test("ends an encoder that hangs, refuses a picture whose encoder crashes, and encodes the next", async () => {
  const hanging = createEncoder({
    command: [
      "sh",
      "-c",
      'case $0 in *hang) exec sleep 60;; *crash) kill -SEGV $$;; esac; printf \'{"width":1,"height":1,"bytes":1,"hash":"a"}\'',
    ],
    withinMs: 300,
  });
  const drawn = await Promise.all(
    ["a.hang", "b.crash", "c.png"].map((file) => hanging.draw(file, "/tmp", "ada")),
  );
  expect(drawn).toEqual([
    { fault: "picture_too_costly" },
    { fault: "picture_damaged" },
    { width: 1, height: 1, bytes: 1, hash: "a" },
  ]);
  expect(hanging.waiting()).toBe(0);
});

test("alternates between members who send several pictures at once", async () => {
  const encoder = createEncoder({
    command: ["sh", "-c", 'printf \'{"width":1,"height":1,"bytes":1,"hash":"a"}\''],
  });
  const order: string[] = [];
  const send = (owner: string, i: number) =>
    encoder.draw("f", "/tmp", owner).then(() => void order.push(`${owner}${i}`));
  await Promise.all([
    ...[1, 2, 3, 4].map((i) => send("ada", i)),
    send("bob", 1),
    send("cy", 1),
    send("bob", 2),
  ]);
  expect(order).toEqual(["ada1", "ada2", "bob1", "cy1", "ada3", "bob2", "ada4"]);
  expect(encoder.waiting()).toBe(0);
});

const canMount =
  process.getuid?.() === 0 && Bun.spawnSync(["unshare", "-m", "true"], { stderr: "ignore" }).exitCode === 0;

test.skipIf(!canMount)("does not report a picture as damaged when the disk is full", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-pictures-"));
  try {
    writeFileSync(join(folder, "sent"), made.png(300, 200));
    const script = join(import.meta.dir, "../../src/cli/guildhall.ts");
    const full = `mount -t tmpfs -o size=4k tmpfs "$1" && exec "${process.execPath}" "${script}" re-encode "$0" "$1"`;
    const encoder = createEncoder({ command: [Bun.which("unshare") ?? "", "-m", "sh", "-c", full] });
    mkdirSync(join(folder, "drawn"));
    const drawn = await encoder.draw(join(folder, "sent"), join(folder, "drawn"), "ada");
    expect(drawn).toEqual({ fault: "media_full" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("re-encodes a picture in a separate process without any secrets", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-pictures-"));
  try {
    writeFileSync(join(folder, "sent"), made.png(300, 200));
    const encoder = createEncoder();
    const first = await encoder.draw(join(folder, "sent"), folder, "ada");
    expect(first).toMatchObject({ width: 300, height: 200, hash: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(readdirSync(folder).sort()).toEqual(["160.webp", "300.webp", "sent"]);
    writeFileSync(join(folder, "sent"), "no picture");
    expect(await encoder.draw(join(folder, "sent"), folder, "ada")).toEqual({ fault: "picture_unknown" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
