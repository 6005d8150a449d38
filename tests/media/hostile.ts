/** About a hundred files that are sent as pictures, and the expected result of each. */
import { deflateSync } from "node:zlib";
import type { PictureFault } from "../../src/media/refused.ts";
import * as made from "./sample-images.ts";

export interface Sent {
  name: string;
  bytes: Buffer;
  /** The expected fault, or `served` if the picture is re-encoded. */
  expected: PictureFault | "served" | "either";
}

/** Marks the sender's bytes. Served files must not contain them. */
export const MARK = "<script>alert('guild')</script>";

const CUTS = [0.02, 0.1, 0.25, 0.5, 0.75, 0.95];
const MARKED = Buffer.from(MARK.repeat(4));

export async function hostileFiles(): Promise<Sent[]> {
  const jpg = await made.jpeg(320, 200);
  const webp = await made.webp(320, 200);
  const png = made.png(320, 200);
  const gif = made.gif(20, 10, 3);
  const whole = { jpg, png, webp, gif };
  return [
    ...Object.entries(whole).map(([name, bytes]): Sent => ({
      name: `a whole ${name}`,
      bytes,
      expected: "served",
    })),
    ...Object.entries(whole).flatMap(([name, bytes]) =>
      CUTS.map((share): Sent => {
        const cut = bytes.subarray(0, Math.floor(bytes.length * share));
        // A GIF may end anywhere after its first frame.
        return {
          name: `${name} cut at ${share}`,
          bytes: cut,
          expected: name === "gif" || cut.length < 12 ? "either" : "picture_damaged",
        };
      }),
    ),
    ...Object.entries(whole).flatMap(([name, bytes]) =>
      [0.3, 0.6, 0.9].map((share): Sent => {
        const changed = Buffer.from(bytes);
        changed.fill(
          0xff,
          Math.floor(bytes.length * share),
          Math.min(bytes.length, Math.floor(bytes.length * share) + 12),
        );
        return {
          name: `${name} overwritten at ${share}`,
          bytes: changed,
          expected: name === "png" ? "picture_damaged" : "either",
        };
      }),
    ),
    ...polyglots(whole),
    ...bombs(jpg),
    ...foreign(),
    ...brokenPngs(png),
    ...brokenJpegs(jpg),
    ...brokenOthers(webp, gif),
  ];
}

function polyglots({ jpg, png, webp, gif }: Record<"jpg" | "png" | "webp" | "gif", Buffer>): Sent[] {
  const zip = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), MARKED]);
  const profile = Buffer.concat([Buffer.from("ICC_PROFILE\0\x01\x01", "latin1"), MARKED]);
  const comment = Buffer.concat([
    Buffer.from([0x21, 0xfe, MARK.length]),
    Buffer.from(MARK),
    Buffer.from([0]),
  ]);
  const js = Buffer.from(gif);
  js.write("GIF89a/*", 0, "latin1");
  return [
    ["a JPEG with a ZIP behind it", Buffer.concat([jpg, zip])],
    [
      "a JPEG with a page between its segments",
      Buffer.concat([jpg.subarray(0, 20), MARKED, jpg.subarray(20)]),
    ],
    ["a JPEG with a page in its comment", made.withSegment(jpg, 0xfe, MARKED)],
    ["a JPEG with a page for a colour profile", made.withSegment(jpg, 0xe2, profile)],
    ["a JPEG with a place in its Exif", made.withSegment(jpg, 0xe1, made.exif(1, MARK))],
    ["a JPEG with XMP", made.withSegment(jpg, 0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${MARK}`))],
    ["a PNG with a page behind it", Buffer.concat([png, MARKED])],
    ["a PNG with a page in a text", made.png(64, 64, 0, [made.chunk("tEXt", Buffer.from(`a\0${MARK}`))])],
    ["a PNG with a page in a private chunk", made.png(64, 64, 0, [made.chunk("gUiL", MARKED)])],
    ["a PNG with a place in its Exif", made.png(64, 64, 0, [made.chunk("eXIf", MARKED)])],
    ["a WebP with a page behind it", Buffer.concat([webp, MARKED])],
    [
      "a WebP with XMP",
      made.riff(
        ["VP8X", Buffer.from("040000003f01 00c700 00".replaceAll(" ", ""), "hex")],
        made.pixelsOf(webp),
        ["XMP ", MARKED],
      ),
    ],
    ["a GIF with a page in its comment", Buffer.concat([gif.subarray(0, 19), comment, gif.subarray(19)])],
    ["a GIF with a page behind it", Buffer.concat([gif, MARKED])],
  ]
    .map(([name, bytes]): Sent => ({ name: name as string, bytes: bytes as Buffer, expected: "served" }))
    .concat([
      // The first bytes of this file are both script and picture size, so it is a picture of an unexpected
      // size.
      { name: "a GIF that is a script", bytes: js, expected: "either" },
      { name: "a page with a PNG in it", bytes: Buffer.concat([MARKED, png]), expected: "picture_unknown" },
    ]);
}

function bombs(jpg: Buffer): Sent[] {
  const zeros = deflateSync(Buffer.alloc(200 * 1024 * 1024), { level: 9 });
  const text = Buffer.concat([Buffer.from("a\0\0"), zeros]);
  const itext = Buffer.concat([Buffer.from("a\0\x01\0\0\0"), zeros]);
  const scan = jpg.indexOf(Buffer.from([0xff, 0xda]));
  const scans = Array.from({ length: 1000 }, () => jpg.subarray(scan, jpg.length - 2));
  const small = made.png(64, 64).subarray(0);
  return [
    { name: "a PNG of 400 megapixels", bytes: made.claim(20_000, 20_000), expected: "picture_too_large" },
    {
      name: "a PNG of 2^62 pixels",
      bytes: made.claim(0x7fffffff, 0x7fffffff),
      expected: "picture_too_large",
    },
    { name: "a PNG of 40,000,001 pixels", bytes: made.claim(40_000_001, 1), expected: "picture_too_large" },
    { name: "a PNG that is too long", bytes: made.claim(16_384, 10), expected: "picture_too_large" },
    {
      name: "a PNG with 200 MB of text (zTXt)",
      bytes: made.png(64, 64, 0, [made.chunk("zTXt", text)]),
      expected: "served",
    },
    {
      name: "a PNG with 200 MB of text (iTXt)",
      bytes: made.png(64, 64, 0, [made.chunk("iTXt", itext)]),
      expected: "served",
    },
    {
      name: "a PNG with 200 MB of profile (iCCP)",
      bytes: made.png(64, 64, 0, [made.chunk("iCCP", text)]),
      expected: "served",
    },
    { name: "a PNG of 64 pixels with 200 MB of rows", bytes: made.claim(8, 8, zeros), expected: "either" },
    {
      name: "a PNG of ten thousand chunks",
      bytes: made.png(
        64,
        64,
        0,
        Array.from({ length: 10_000 }, () => made.chunk("tEXt", Buffer.from("a\0b"))),
      ),
      expected: "served",
    },
    { name: "a GIF of 10,000 frames", bytes: made.gif(20, 10, 10_000), expected: "served" },
    {
      name: "a GIF of 4,294 megapixels",
      bytes: made.gif(65_535, 65_535, 1, 65_535),
      expected: "picture_too_large",
    },
    {
      name: "a JPEG of a thousand scans",
      bytes: Buffer.concat([jpg.subarray(0, scan), ...scans, Buffer.from([0xff, 0xd9])]),
      expected: "picture_too_costly",
    },
    {
      name: "a JPEG of a claimed 4,225 megapixels",
      bytes: claimed(jpg, 65_000),
      expected: "picture_too_large",
    },
    { name: "a PNG twice", bytes: Buffer.concat([small, small]), expected: "served" },
  ];
}

function claimed(jpg: Buffer, side: number): Buffer {
  const changed = Buffer.from(jpg);
  const frame = changed.indexOf(Buffer.from([0xff, 0xc0]));
  changed.writeUInt16BE(side, frame + 5);
  changed.writeUInt16BE(side, frame + 7);
  return changed;
}

function foreign(): Sent[] {
  const brand = (name: string): Buffer =>
    Buffer.concat([
      Buffer.from([0, 0, 0, 24]),
      Buffer.from(`ftyp${name}\0\0\0\0mif1miaf`),
      Buffer.alloc(200),
    ]);
  const unknown: Readonly<Record<string, Buffer>> = {
    nothing: Buffer.alloc(0),
    "one byte": Buffer.from([0xff]),
    "a text": Buffer.from("Hello, I am a picture."),
    "a page": Buffer.from(`<!doctype html><title>a</title>${MARK}`),
    "a script": Buffer.from("GIF = 1; alert(GIF)"),
    "a PDF": Buffer.from("%PDF-1.7\n%âãÏÓ\n"),
    "a ZIP": Buffer.from("PK\x03\x04\x14\0\0\0", "latin1"),
    "a BMP": Buffer.concat([Buffer.from("BM"), Buffer.alloc(200, 1)]),
    "a TIFF": Buffer.concat([Buffer.from("II*\0", "latin1"), Buffer.alloc(200, 1)]),
    "an icon": Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0]),
    "a film": Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypisom"), Buffer.alloc(100)]),
    "a JPEG XL": Buffer.from([0xff, 0x0a, 1, 2, 3, 4]),
    "a program": Buffer.concat([Buffer.from("\x7fELF"), Buffer.alloc(100)]),
    "a WAV": Buffer.concat([Buffer.from("RIFF\x24\0\0\0WAVEfmt "), Buffer.alloc(40)]),
    zeros: Buffer.alloc(4096),
    "a gzip": Buffer.from(Bun.gzipSync(Buffer.alloc(1_000_000))),
  };
  return [
    ...Object.entries(unknown).map(([name, bytes]): Sent => ({ name, bytes, expected: "picture_unknown" })),
    ...["avif", "avis", "heic", "heix", "hevc", "mif1", "msf1"].map((name): Sent => ({
      name,
      bytes: brand(name),
      expected: "picture_heic",
    })),
    ...[
      `<svg xmlns="http://www.w3.org/2000/svg">${MARK}</svg>`,
      `<?xml version="1.0"?><svg/>`,
      `\ufeff  <!-- a --><svg/>`,
      `<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>`,
    ].map((text, i): Sent => ({ name: `SVG ${i}`, bytes: Buffer.from(text), expected: "picture_svg" })),
  ];
}

function brokenPngs(png: Buffer): Sent[] {
  const { chunk, header, SIGNATURE: head } = made;
  const pixels = chunk("IDAT", deflateSync(made.rows(8, 8)));
  const begin = chunk("IHDR", header(8, 8));
  const end = chunk("IEND");
  const long = Buffer.from(png);
  long.writeUInt32BE(0xffffffff, 33);
  const parts: Readonly<Record<string, readonly Buffer[]>> = {
    "without a header": [head, pixels, end],
    "without pixels": [head, begin, end],
    "without an end": [head, begin, pixels],
    "with two headers": [head, begin, begin, pixels, end],
    "whose header is long": [head, chunk("IHDR", Buffer.alloc(100)), pixels, end],
    "with a wrong sum of its header": [head, chunk("IHDR", header(8, 8), 1), pixels, end],
    "with a wrong sum of its pixels": [head, begin, chunk("IDAT", deflateSync(made.rows(8, 8)), 1), end],
    "with a critical chunk that nobody knows": [head, begin, chunk("EVIL", Buffer.from("a")), pixels, end],
    "with a name of no letters": [head, begin, chunk("\0\0\0\0"), pixels, end],
    "of no width": [head, chunk("IHDR", header(0, 8)), pixels, end],
    "of a depth that there is not": [head, chunk("IHDR", header(8, 8, [3, 2, 0, 0, 0])), pixels, end],
    "of a colour type that there is not": [head, chunk("IHDR", header(8, 8, [8, 7, 0, 0, 0])), pixels, end],
    "of palette colours without a palette": [head, chunk("IHDR", header(8, 8, [8, 3, 0, 0, 0])), pixels, end],
    "whose pixels are no zlib": [head, begin, chunk("IDAT", Buffer.alloc(50, 7)), end],
    "with too few pixels": [head, begin, chunk("IDAT", deflateSync(Buffer.alloc(30))), end],
  };
  return [
    ...Object.entries(parts).map(([name, pieces]): Sent => ({
      name: `a PNG ${name}`,
      bytes: Buffer.concat(pieces),
      expected: "picture_damaged",
    })),
    { name: "a PNG whose chunk is longer than the file", bytes: long, expected: "picture_damaged" },
  ];
}

function brokenJpegs(jpg: Buffer): Sent[] {
  const longer = Buffer.from(jpg);
  longer.writeUInt16BE(0xffff, 4);
  const frame = jpg.indexOf(Buffer.from([0xff, 0xc0]));
  const scan = jpg.indexOf(Buffer.from([0xff, 0xda]));
  const end = Buffer.from([0xff, 0xd9]);
  const files: readonly (readonly [string, Buffer, Sent["expected"]])[] = [
    ["that begins and ends", Buffer.from([0xff, 0xd8, 0xff, 0xd9]), "picture_damaged"],
    [
      "whose segment has no length",
      Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xd9]),
      "picture_damaged",
    ],
    ["whose segment is longer than the file", longer.subarray(0, 300), "picture_damaged"],
    ["without a frame", Buffer.concat([jpg.subarray(0, 2), jpg.subarray(scan)]), "picture_damaged"],
    ["without a scan", Buffer.concat([jpg.subarray(0, scan), end]), "picture_damaged"],
    ["without tables", Buffer.concat([jpg.subarray(0, 2), jpg.subarray(frame)]), "either"],
    ["of no width", claimed(jpg, 0), "picture_damaged"],
    ["with a beginning inside", Buffer.concat([jpg.subarray(0, scan), jpg]), "picture_damaged"],
    [
      "of a megabyte of 0xff",
      Buffer.concat([jpg.subarray(0, 2), Buffer.alloc(1_000_000, 0xff)]),
      "picture_damaged",
    ],
  ];
  return files.map(([name, bytes, expected]) => ({ name: `a JPEG ${name}`, bytes, expected }));
}

function brokenOthers(webp: Buffer, gif: Buffer): Sent[] {
  const size = Buffer.from(webp);
  size.writeUInt32LE(0xffffffff, 4);
  const inner = Buffer.from(webp);
  inner.writeUInt32LE(0xfffffff0, 16);
  const animated = (frame: Buffer): Buffer =>
    made.riff(
      ["VP8X", Buffer.from("020000003f0100c70000", "hex")],
      ["ANIM", Buffer.alloc(6)],
      ["ANMF", frame],
      ["ANMF", frame],
    );
  const [type, pixels] = made.pixelsOf(webp);
  const place = Buffer.from("00000000000000003f0100c70000640000".slice(0, 32), "hex");
  const lossless = Buffer.alloc(20);
  // The first bits claim 16,384 × 16,384 pixels.
  lossless.set([0x2f, 0xff, 0xff, 0xff, 0x0f]);
  return [
    { name: "a WebP longer than the file", bytes: size, expected: "picture_damaged" },
    { name: "a WebP whose chunk is longer than itself", bytes: inner, expected: "picture_damaged" },
    { name: "a WebP of nothing", bytes: made.riff(), expected: "picture_damaged" },
    { name: "a WebP of 268 megapixels", bytes: made.riff(["VP8L", lossless]), expected: "picture_too_large" },
    {
      name: "a WebP that moves",
      bytes: animated(
        Buffer.concat([
          Buffer.from("0000000000003f0100c7000064000000", "hex"),
          made.riff([type, pixels]).subarray(12),
        ]),
      ),
      expected: "served",
    },
    { name: "a WebP whose frame is empty", bytes: animated(place), expected: "picture_damaged" },
    { name: "a GIF of its head alone", bytes: gif.subarray(0, 13), expected: "picture_damaged" },
    {
      name: "a GIF of a wrong block",
      bytes: Buffer.concat([gif.subarray(0, 19), Buffer.from([0x99])]),
      expected: "picture_damaged",
    },
    { name: "a GIF of no size", bytes: made.gif(0, 0), expected: "either" },
  ];
}
