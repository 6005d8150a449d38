import type { Core } from "../../base/core.ts";
import { mailAddresses } from "../../base/db/schema-channels.ts";
import type { ResumePoint } from "../../base/queue-limits.ts";

export type MailAddressRow = typeof mailAddresses.$inferSelect;

const COLUMNS = `builder_id AS builderId, address, pending, pending_hash AS pendingHash, pending_until AS pendingUntil,
  mails, digest_at AS digestAt, digest_place AS digestPlace,
  mailed_from AS mailedFrom, mailed_count AS mailedCount, resume_place AS resumePlace, resume_at AS resumeAt,
  urgent_from AS urgentFrom, urgent_count AS urgentCount, bounced_at AS bouncedAt,
  confirmed_at AS confirmedAt, recovers_at AS recoversAt, former, former_until AS formerUntil, former_since AS formerSince,
  digest_retried AS digestRetried`;

export function findMailAddress(core: Core, builderId: string): MailAddressRow | undefined {
  return core.db
    .prepare<MailAddressRow>(`SELECT ${COLUMNS} FROM mail_addresses WHERE builder_id = ?`)
    .get(builderId);
}

export function findByPending(core: Core, hash: Buffer, now: number): MailAddressRow | undefined {
  return core.db
    .prepare<MailAddressRow>(
      `SELECT ${COLUMNS} FROM mail_addresses WHERE pending_hash = ? AND pending_until > ?`,
    )
    .get(hash, now);
}

/** Selects members who were skipped because their queue was full and whose retry is due. */
export function selectAddressesBehind(core: Core, now: number, limit: number): MailAddressRow[] {
  return core.db
    .prepare<MailAddressRow>(
      `SELECT ${COLUMNS} FROM mail_addresses WHERE resume_at <= ? ORDER BY resume_at LIMIT ?`,
    )
    .all(now, limit);
}

export function setAddressResume(core: Core, builderId: string, resume: ResumePoint | null): void {
  core.db.patch(
    mailAddresses,
    { builderId },
    { resumePlace: resume?.place ?? null, resumeAt: resume?.at ?? null },
  );
}

/** Selects the owners of an address, in any letter case. */
export function selectByAddress(core: Core, address: string, most: number): MailAddressRow[] {
  return core.db
    .prepare<MailAddressRow>(
      `SELECT ${COLUMNS} FROM mail_addresses WHERE address = ? COLLATE NOCASE ORDER BY builder_id LIMIT ?`,
    )
    .all(address, most);
}

export function putMailAddress(core: Core, row: typeof mailAddresses.$inferInsert): void {
  core.db.upsert(mailAddresses, row);
}

export function clearPending(core: Core, builderId: string): void {
  const none = { pending: null, pendingHash: null, pendingUntil: null };
  core.db.patch(mailAddresses, { builderId }, none);
}

/**
 * Deletes former addresses that no longer get security notices, at most `limit`. Returns how many it deleted.
 */
export function dropFormerAddresses(core: Core, now: number, limit: number): number {
  return core.db
    .prepare(
      `UPDATE mail_addresses SET former = NULL, former_until = NULL, former_since = NULL WHERE builder_id IN
         (SELECT builder_id FROM mail_addresses WHERE former_until <= ? LIMIT ?)`,
    )
    .run(now, limit).changes;
}

/** Deletes a member's address. Returns whether the member had a confirmed address. */
export function deleteMailAddress(core: Core, builderId: string): boolean {
  const sql = "DELETE FROM mail_addresses WHERE builder_id = ? RETURNING address";
  return (core.db.prepare<{ address: string | null }>(sql).get(builderId)?.address ?? null) !== null;
}
