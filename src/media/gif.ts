import { damaged } from "./refused.ts";

const HEAD = 13;
const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];
/**
 * Label of the graphic control extension. Of all extensions, only this one affects the picture: it defines
 * the transparent colour.
 */
const GRAPHIC_CONTROL = 0xf9;

/**
 * Reduces a GIF (89a) to its first picture, without comments. Throws PictureRefused if the file is cut off.
 */
export function cleanGif(bytes: Buffer): Buffer {
  let at = HEAD + tableBytes(bytes[10]);
  const kept: Buffer[] = [bytes.subarray(0, at)];
  for (;;) {
    const begin = at;
    switch (bytes[at]) {
      case EXTENSION:
        at = endOfBlocks(bytes, at + 2);
        if (bytes[begin + 1] === GRAPHIC_CONTROL) kept.push(bytes.subarray(begin, at));
        break;
      case IMAGE:
        // Skips the position, the colour table and the code size.
        at = endOfBlocks(bytes, at + 10 + tableBytes(bytes[at + 9]) + 1);
        return Buffer.concat([...kept, bytes.subarray(begin, at), Buffer.from([TRAILER])]);
      default:
        throw damaged();
    }
  }
}

/** Returns the size of the colour table, or 0 if the flags declare none. */
function tableBytes(flags: number | undefined): number {
  if (flags === undefined) throw damaged();
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function endOfBlocks(bytes: Buffer, from: number): number {
  for (let at = from; ;) {
    const length = bytes[at];
    if (length === undefined || at + 1 + length > bytes.length) throw damaged();
    at += 1 + length;
    if (length === 0) return at;
  }
}
