import type { Core } from "../../base/core.ts";
import { media, type StoredPicture } from "../../base/db/schema-media.ts";

export function insertMedia(core: Core, row: typeof media.$inferInsert): void {
  core.db.insert(media, row);
}

/**
 * Changes the alternative text of a picture. Does nothing if the picture belongs to another builder or has
 * already been shown.
 */
export function updateAlt(core: Core, builderId: string, id: string, alt: string): void {
  const unused = core.db
    .prepare("SELECT 1 FROM media WHERE id = ? AND builder_id = ? AND is_used = 0")
    .get(id, builderId);
  if (unused) core.db.patch(media, { id }, { alt });
}

/** Selects the pictures among `ids` that belong to the builder. */
export function selectOwn(core: Core, builderId: string, ids: readonly string[]): StoredPicture[] {
  return core.db
    .prepare<StoredPicture>(
      `SELECT m.id, m.hash, m.width, m.height, m.alt
       FROM json_each(?) wanted CROSS JOIN media m ON m.id = wanted.value WHERE m.builder_id = ?`,
    )
    .all(JSON.stringify(ids), builderId);
}

/** Selects the hash and the largest width of each picture, without duplicates. */
export function selectNamed(
  core: Pick<Core, "db">,
  builderId: string | undefined,
): { hash: string; width: number }[] {
  return builderId === undefined
    ? core.db
        .prepare<{ hash: string; width: number }>("SELECT DISTINCT hash, width FROM media ORDER BY hash")
        .all()
    : core.db
        .prepare<{ hash: string; width: number }>(
          "SELECT DISTINCT hash, width FROM media WHERE builder_id = ? ORDER BY hash",
        )
        .all(builderId);
}

/** Selects the avatars of many builders. Leaves out suspended builders. */
export function selectAvatars(
  core: Core,
  builderIds: readonly string[],
): { builderId: string; hash: string; width: number }[] {
  return core.db
    .prepare<{ builderId: string; hash: string; width: number }>(
      `SELECT m.builder_id AS builderId, m.hash, m.width
       FROM json_each(?) wanted CROSS JOIN media m ON m.builder_id = wanted.value AND m.is_avatar = 1
       CROSS JOIN builders b ON b.id = m.builder_id WHERE b.suspended_at IS NULL`,
    )
    .all(JSON.stringify(builderIds));
}

/**
 * Replaces a builder's avatar, or removes the avatar if `mediaId` is null. Deletes the previous avatar unless
 * a post shows it.
 */
export function updateAvatar(core: Core, builderId: string, mediaId: string | null): void {
  core.db
    .prepare(
      `DELETE FROM media WHERE builder_id = ? AND is_avatar = 1 AND id IS NOT ?
         AND NOT EXISTS (SELECT 1 FROM media_posts WHERE media_id = media.id)`,
    )
    .run(builderId, mediaId);
  const left = core.db
    .prepare<{ id: string }>("SELECT id FROM media WHERE builder_id = ? AND is_avatar = 1")
    .get(builderId);
  if (left) core.db.patch(media, { id: left.id }, { isAvatar: false });
  if (mediaId !== null) core.db.patch(media, { id: mediaId }, { isAvatar: true, isUsed: true });
}

export function sumBytesOf(core: Core, builderId: string): number {
  return (
    core.db
      .prepare<{ bytes: number | null }>("SELECT sum(bytes) AS bytes FROM media WHERE builder_id = ?")
      .get(builderId)?.bytes ?? 0
  );
}

export function sumBytes(core: Core): number {
  return core.db.prepare<{ bytes: number | null }>("SELECT sum(bytes) AS bytes FROM media").get()?.bytes ?? 0;
}

/**
 * Whether public content shows the picture: a post or reply that is not hidden, or an avatar. The root post
 * of a reply must not be hidden, and the builder of an avatar must not be suspended.
 */
export function isPublicPicture(core: Core, hash: string): boolean {
  return (
    core.db
      .prepare(
        `SELECT 1 FROM media m WHERE m.hash = ? AND (
           (m.is_avatar = 1 AND EXISTS
             (SELECT 1 FROM builders b WHERE b.id = m.builder_id AND b.suspended_at IS NULL))
           OR EXISTS
             (SELECT 1 FROM media_posts u JOIN posts p ON p.id = u.post_id
              LEFT JOIN posts parent ON parent.id = p.parent_id
              WHERE u.media_id = m.id AND p.hidden_at IS NULL AND parent.hidden_at IS NULL)) LIMIT 1`,
      )
      .get(hash) !== undefined
  );
}

export function isOwnHash(core: Core, builderId: string, hash: string): boolean {
  return (
    core.db.prepare("SELECT 1 FROM media WHERE hash = ? AND builder_id = ? LIMIT 1").get(hash, builderId) !==
    undefined
  );
}

/** Whether a post, an earlier revision of a post or a profile has ever shown the picture. */
export function wasHashShown(core: Core, hash: string): boolean {
  return (
    core.db.prepare("SELECT 1 FROM media WHERE hash = ? AND is_used = 1 LIMIT 1").get(hash) !== undefined
  );
}

export function isHashReferenced(core: Core, hash: string): boolean {
  return core.db.prepare("SELECT 1 FROM media WHERE hash = ? LIMIT 1").get(hash) !== undefined;
}

/** Deletes pictures that were created before the time `before` and never used. */
export function deleteUnused(core: Core, before: number): void {
  core.db.prepare("DELETE FROM media WHERE is_used = 0 AND is_avatar = 0 AND created_at < ?").run(before);
}
