import type { Core } from "../../base/core.ts";
import { refuse, refuseFor } from "../../base/errors.ts";
import type { RefusalCode } from "../../base/refusals/refusals.ts";

/*
 * The core does not re-encode or store picture files. A separate module does both. This interface connects
 * the core to this module.
 */

/** An upload in progress. Its file is not visible to anyone else. */
export interface IncomingFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Number of bytes received. */
  length(): number;
  /** SHA-256 of the bytes received, in hex. */
  digest(): string;
  /** Deletes the temporary file. Call this method also after `encode`. */
  discard(): Promise<void>;
}

/** A re-encoded picture. */
export interface EncodedSizes {
  /** Hash of the content. The names of the files contain this hash. */
  hash: string;
  /** Width of the largest size, in pixels. */
  width: number;
  height: number;
  /** Total size of all files, in bytes. */
  bytes: number;
}

export interface PictureStorage {
  receive(): Promise<IncomingFile>;
  /**
   * Waits for the sender's turn in the round-robin queue. Then re-encodes the upload and stores the files on
   * disk. Throws unprocessable.
   */
  encode(sent: IncomingFile, builderId: string): Promise<EncodedSizes>;
  /** Returns the file of one size, or undefined if it does not exist. */
  find(hash: string, width: number): Promise<Blob | undefined>;
  /**
   * Deletes the files of a hash if `isNamed` returns false for the hash. Keeps recent files, because the rows
   * of recent files may not be committed yet.
   */
  sweep(isNamed: (hash: string) => boolean, now: number): Promise<void>;
}

/**
 * Maximum number of uploads in progress, per member and in total. Uploads that wait for re-encoding count
 * too.
 */
const UPLOADS_PER_MEMBER_MAX = 8;
const UPLOADS_MAX = 64;
/** Retry delay suggested to clients, in ms. */
const RETRY_AFTER_MS = 5000;

interface Counter {
  store: PictureStorage | undefined;
  busy: Map<string, number>;
  all: number;
}

function counter(): Counter {
  return { store: undefined, busy: new Map(), all: 0 };
}

/** Registers the picture storage, once at startup. */
export function setPictureStorage(core: Core, store: PictureStorage): void {
  core.memory(counter).store = store;
}

/**
 * Returns the registered picture storage. Throws unavailable if none is registered, for example in CLI
 * commands.
 */
export function pictureStorageOf(core: Core): PictureStorage {
  const { store } = core.memory(counter);
  if (!store) throw refuse("media_unavailable");
  return store;
}

/**
 * Runs an upload within the concurrency limits. Throws rate_limited above a limit, before the upload is read.
 */
export async function withUploadLimit<Result>(
  core: Core,
  builderId: string,
  work: (store: PictureStorage) => Promise<Result>,
): Promise<Result> {
  const store = pictureStorageOf(core);
  const kept = core.memory(counter);
  const own = kept.busy.get(builderId) ?? 0;
  const code: RefusalCode | undefined =
    own >= UPLOADS_PER_MEMBER_MAX
      ? "uploads_too_many"
      : kept.all >= UPLOADS_MAX
        ? "uploads_too_many_of_all"
        : undefined;
  if (code !== undefined) throw refuseFor(code, RETRY_AFTER_MS);
  kept.busy.set(builderId, own + 1);
  kept.all++;
  try {
    return await work(store);
  } finally {
    kept.all--;
    const left = (kept.busy.get(builderId) ?? 1) - 1;
    if (left > 0) kept.busy.set(builderId, left);
    else kept.busy.delete(builderId);
  }
}
