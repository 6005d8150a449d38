import type { Core } from "../../base/core.ts";
import { refuse, refuseFor } from "../../base/errors.ts";
import type { RefusalCode } from "../../base/refusals/refusals.ts";

/* Whoever draws pictures anew and keeps their files is another room's: the core asks it by this. */

/** What somebody sends, while it comes in: a file that nobody else sees. */
export interface IncomingFile {
  write(bytes: Uint8Array): Promise<void>;
  /** So many bytes have come. */
  length(): number;
  /** The SHA-256 of what has come. */
  digest(): string;
  /** Takes it away; also after it was drawn. */
  drop(): Promise<void>;
}

/** A picture as it was drawn anew. */
export interface EncodedSizes {
  /** The name of its content. */
  hash: string;
  /** Of its largest size. */
  width: number;
  height: number;
  /** What all of its sizes weigh. */
  bytes: number;
}

export interface PictureStorage {
  receive(): Promise<IncomingFile>;
  /** Draws it at the turn of whoever sends it, and has its files on disk then. Throws unprocessable. */
  draw(sent: IncomingFile, builderId: string): Promise<EncodedSizes>;
  /** The file of one size; undefined where there is none. */
  find(hash: string, width: number): Promise<Blob | undefined>;
  /** Deletes files of which `isNamed` knows nothing, where they are old enough that no row is on its way. */
  sweep(isNamed: (hash: string) => boolean, now: number): Promise<void>;
}

/** So many somebody may send at once, and all together: as many wait for their turn at most. */
const AT_ONCE = 8;
const AT_ONCE_ALL = 64;
/** About so long it takes until there is room again. */
const TRY_AGAIN_MS = 5000;

interface Counter {
  shop: PictureStorage | undefined;
  busy: Map<string, number>;
  all: number;
}

function counter(): Counter {
  return { shop: undefined, busy: new Map(), all: 0 };
}

/** Whoever keeps pictures says so here, once. */
export function setPictureStorage(core: Core, shop: PictureStorage): void {
  core.memory(counter).shop = shop;
}

/** Throws unavailable where nobody keeps pictures, as beside a command. */
export function pictureStorageOf(core: Core): PictureStorage {
  const { shop } = core.memory(counter);
  if (!shop) throw refuse("media_unavailable");
  return shop;
}

/**
 * Receives and draws what somebody sends, counted with whatever else they are sending. Throws rate_limited
 * where that is too much, before anything is read.
 */
export async function withUploadLimit<Result>(
  core: Core,
  builderId: string,
  work: (shop: PictureStorage) => Promise<Result>,
): Promise<Result> {
  const shop = pictureStorageOf(core);
  const kept = core.memory(counter);
  const own = kept.busy.get(builderId) ?? 0;
  const code: RefusalCode | undefined =
    own >= AT_ONCE ? "uploads_too_many" : kept.all >= AT_ONCE_ALL ? "uploads_too_many_of_all" : undefined;
  if (code !== undefined) throw refuseFor(code, TRY_AGAIN_MS);
  kept.busy.set(builderId, own + 1);
  kept.all++;
  try {
    return await work(shop);
  } finally {
    kept.all--;
    const left = (kept.busy.get(builderId) ?? 1) - 1;
    if (left > 0) kept.busy.set(builderId, left);
    else kept.busy.delete(builderId);
  }
}
