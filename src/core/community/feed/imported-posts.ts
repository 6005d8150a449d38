import type { Core } from "../../base/core.ts";
import { isHttpsUrl } from "../../base/check.ts";
import { addReply, insertPost } from "./feed-store.ts";
import type { PostDraft } from "./feed.ts";

/** A post from another platform. `createdAt` is in ms since the epoch. */
export interface ImportedPost extends PostDraft {
  authorId: string;
  /** Id of the public feed post that this reply belongs to. Null for a feed post. */
  parentId: string | null;
  createdAt: number;
}

/**
 * Stores a post or reply with its original time. Returns an id that sorts by this time. Records no event,
 * grants no XP and does not count for streaks (docs/adr/0042-forem-import.md). The calling operation must
 * check permissions and validate the draft. Call it in a transaction.
 */
export function insertImportedPost(core: Core, post: ImportedPost): string {
  const { authorId, parentId, text, tags = [], media = [], createdAt } = post;
  const id = core.makeId("post", createdAt);
  insertPost(core, {
    id,
    authorId,
    rootId: parentId,
    text,
    tags: parentId === null ? [...new Set(tags)] : [],
    // Drops ids of pictures that were uploaded to the other platform.
    media: media.filter((item) => isHttpsUrl(item)),
    likes: 0,
    replies: 0,
    createdAt,
  });
  if (parentId !== null) addReply(core, { rootId: parentId, answeredId: null }, 1);
  return id;
}
