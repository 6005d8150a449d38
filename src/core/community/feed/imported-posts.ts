import type { Core } from "../../base/core.ts";
import { isHttpsUrl } from "../../base/check.ts";
import { addReply, insertPost } from "./feed-store.ts";
import type { PostDraft } from "./feed.ts";

/** What was published elsewhere, as it is to stand here. `createdAt` in ms since the epoch. */
export interface ImportedPost extends PostDraft {
  authorId: string;
  /** A post of the feed that everybody sees; null for one. */
  parentId: string | null;
  createdAt: number;
}

/**
 * Stores a post or reply at the time at which it was published elsewhere, and returns its id, which sorts by
 * that time. It is nobody's act of today: no event tells of it, no XP is given and no streak counts it
 * (docs/adr/0042-forem-import.md). Asks no right, and checks no draft: what calls it has. Call it in a
 * transaction.
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
    // What was a picture elsewhere is none here.
    media: media.filter((item) => isHttpsUrl(item)),
    likes: 0,
    replies: 0,
    createdAt,
  });
  if (parentId !== null) addReply(core, { rootId: parentId, answeredId: null }, 1);
  return id;
}
