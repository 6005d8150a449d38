import { Zip, ZipDeflate } from "fflate";

/** A file of an archive, written as it is read. */
export interface ZipFile {
  name: string;
  text: Iterable<string>;
}

/** The characters packed in one turn of the event loop: a few ms. */
const CHUNK = 64 * 1024;

/**
 * An archive as a body: packed while it is read by whoever asked, so that no more than a piece of it is held,
 * and with a turn of the event loop between pieces. After `most` characters it ends with a file that says so,
 * in `extraFile`.
 */
export function zipBody(
  files: Iterable<ZipFile>,
  { at, most, extraFile }: { at: number; most: number; extraFile: ZipFile },
): ReadableStream<Uint8Array> {
  const pieces = packed(files, at, most, extraFile);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { done, value } = pieces.next();
        if (done) return controller.close();
        if (value.length > 0) return controller.enqueue(value);
        await new Promise(setImmediate);
      }
    },
    cancel() {
      pieces.return();
    },
  });
}

/** The archive's bytes, as they come; empty ones where a turn is over and none have come yet. */
function* packed(
  files: Iterable<ZipFile>,
  at: number,
  most: number,
  extraFile: ZipFile,
): Generator<Uint8Array, void> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    ready.push(bytes);
  });
  let left = most;
  for (const file of files) {
    yield* pack(file);
    if (left > 0) continue;
    left = Infinity;
    yield* pack(extraFile);
    break;
  }
  zip.end();
  yield taken();

  function* pack({ name, text }: ZipFile): Generator<Uint8Array, void> {
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = at;
    zip.add(entry);
    let waiting = "";
    for (const piece of text) {
      if ((left -= piece.length) < 0) break;
      waiting += piece;
      if (waiting.length < CHUNK) continue;
      entry.push(Buffer.from(waiting));
      waiting = "";
      yield taken();
    }
    entry.push(Buffer.from(waiting), true);
    yield taken();
  }

  function taken(): Uint8Array {
    const bytes = Buffer.concat(ready);
    ready = [];
    return bytes;
  }
}
