import { damaged } from "./refused.ts";

const HEAD = 12;
/** Number of bytes at the start of an animation frame, before its own chunks: position, size and duration. */
const FRAME_HEAD = 16;
const HAS_ALPHA = 0x10;
const PIXELS: readonly string[] = ["VP8 ", "VP8L"];

interface Chunk {
  type: string;
  content: Buffer;
}

/**
 * Reduces a WebP (RFC 9649) to its pixels and transparency, without colour profile, Exif and XMP. Only the
 * first frame of an animation is kept. Also used for the output of our own encoder, which contains a colour
 * profile. Throws PictureRefused for a malformed chunk.
 */
export function cleanWebp(bytes: Buffer): Buffer {
  const size = bytes.readUInt32LE(4);
  if (size + 8 > bytes.length) throw damaged();
  const chunks = chunksOf(bytes.subarray(HEAD, size + 8));
  const frame = chunks.find(({ type }) => type === "ANMF");
  const parts = frame ? chunksOf(frame.content.subarray(FRAME_HEAD)) : chunks;
  const pixels = parts.find(({ type }) => PIXELS.includes(type));
  if (!pixels) throw damaged();
  const alpha = parts.find(({ type }) => type === "ALPH");
  if (!alpha || pixels.type === "VP8L") return riff([pixels]);
  const extended = frame ? frame.content.subarray(6, 12) : canvasOf(chunks);
  const head = Buffer.concat([Buffer.from([HAS_ALPHA, 0, 0, 0]), extended]);
  return riff([{ type: "VP8X", content: head }, alpha, pixels]);
}

function canvasOf(chunks: readonly Chunk[]): Buffer {
  const head = chunks.find(({ type }) => type === "VP8X");
  if (head?.content.length !== 10) throw damaged();
  return head.content.subarray(4, 10);
}

function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) throw damaged();
    chunks.push({ type: bytes.toString("latin1", at, at + 4), content: bytes.subarray(at + 8, end) });
    // A chunk of odd length is followed by a padding byte.
    at = end + (end & 1);
  }
  return chunks;
}

function riff(chunks: readonly Chunk[]): Buffer {
  const body = chunks.flatMap(({ type, content }) => {
    const head = Buffer.alloc(8);
    head.write(type, "latin1");
    head.writeUInt32LE(content.length, 4);
    return [head, content, Buffer.alloc(content.length & 1)];
  });
  const inside = Buffer.concat(body);
  const head = Buffer.alloc(HEAD);
  head.write("RIFF", "latin1");
  head.writeUInt32LE(inside.length + 4, 4);
  head.write("WEBP", 8, "latin1");
  return Buffer.concat([head, inside]);
}
