import { Zip, ZipDeflate } from "fflate";

/** A file of an archive. Its text is read on demand. */
export interface ZipFile {
  name: string;
  text: Iterable<string>;
}

/** Number of characters compressed per event loop turn. Compressing them takes a few ms. */
const CHUNK = 64 * 1024;

/**
 * Returns an archive as a stream. The archive is compressed while the client reads, one piece per event loop
 * turn. Only one piece is in memory. If the texts exceed `most` characters, the archive is cut. The cut
 * archive ends with `extraFile`, which explains that texts are missing.
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

/** Yields the archive's bytes. Yields an empty array when a turn has produced no output. */
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
