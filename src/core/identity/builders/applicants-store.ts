import type { Core } from "../../base/core.ts";
import type { APPLICATION_STATES } from "../../base/db/schema-applications.ts";
import { applications } from "../../base/db/schema-applications.ts";
import type { PageRequest } from "../../base/page.ts";
import type { Language } from "../../base/locales.ts";

export type ApplicationState = (typeof APPLICATION_STATES)[number];

export interface ApplicationRow {
  id: string;
  username: string;
  name: string;
  /** Password hash. Null after approval, because the builder's account then has the hash. */
  hash: string | null;
  why: string;
  state: ApplicationState;
  word: string;
  mail: string | null;
  /** 1 when the link that was sent to the email address was followed. */
  mailIsSure: number;
  /** Network address; empty once the request is decided. */
  address: string;
  language: Language;
  createdAt: number;
}

const COLUMNS = `id, username, name, hash, why, state, word, mail, mail_is_sure AS mailIsSure, address, language,
  created_at AS createdAt`;

/** Finds a request that has not expired. Ignores an expired request that is not deleted yet. */
const find =
  (column: "id" | "username" | "seat" | "mail_hash") =>
  ({ db, clock }: Core, value: string | Buffer): ApplicationRow | undefined =>
    db
      .prepare<ApplicationRow>(`SELECT ${COLUMNS} FROM applications WHERE ${column} = ? AND ends_at > ?`)
      .get(value, clock.steady());

export const findApplication = find("id");
export const findApplicant = find("username");
export const findByApplicationSecret = find("seat");
export const findByMailHash = find("mail_hash");

export function insertApplication({ db }: Core, row: typeof applications.$inferInsert): void {
  db.insert(applications, row);
}

export function patchApplication(
  { db }: Core,
  id: string,
  changes: Partial<typeof applications.$inferInsert>,
): void {
  db.patch(applications, { id }, changes);
}

export function deleteApplication({ db }: Core, id: string): void {
  db.prepare("DELETE FROM applications WHERE id = ?").run(id);
}

/** Returns the IDs of requests that no longer reserve a username: decided or expired. */
export function selectSpent({ db, clock }: Core, username: string): string[] {
  const sql = "SELECT id FROM applications WHERE username = ? AND (state <> 'waiting' OR ends_at <= ?)";
  return db
    .prepare<{ id: string }>(sql)
    .all(username, clock.steady())
    .map(({ id }) => id);
}

/** Counts the pending requests, at most `upTo`. */
export function countApplications({ db, clock }: Core, upTo: number): number {
  const sql =
    "SELECT count(*) AS n FROM (SELECT 1 FROM applications WHERE state = 'waiting' AND ends_at > ? LIMIT ?)";
  return db.prepare<{ n: number }>(sql).get(clock.steady(), upTo)?.n ?? 0;
}

/**
 * Returns when the `nth` newest pending request from a network address expires; undefined when fewer exist.
 * Decided requests do not count, because a decision removes the address from the request.
 */
export function findEndFrom({ db }: Core, address: string, nth: number): number | undefined {
  const sql =
    "SELECT ends_at AS endsAt FROM applications WHERE address = ? ORDER BY ends_at DESC LIMIT 1 OFFSET ?";
  return db.prepare<{ endsAt: number }>(sql).get(address, nth - 1)?.endsAt;
}

/** Selects the pending requests, oldest first, or newest first for a backwards request. */
export function selectWaiting(
  { db, clock }: Core,
  request: PageRequest,
  fromId: string | undefined,
): ApplicationRow[] {
  const [beyond, order] = request.backwards ? ["<", "DESC"] : [">", "ASC"];
  return db
    .prepare<ApplicationRow>(
      `SELECT ${COLUMNS} FROM applications
       WHERE state = 'waiting' AND id ${beyond} ? AND ends_at > ? ORDER BY id ${order} LIMIT ?`,
    )
    .all(fromId ?? (request.backwards ? "apl_~" : ""), clock.steady(), request.limit + 1);
}

/** Returns the IDs of expired requests. */
export function selectEnded({ db, clock }: Core, limit: number): string[] {
  return db
    .prepare<{ id: string }>("SELECT id FROM applications WHERE ends_at <= ? LIMIT ?")
    .all(clock.steady(), limit)
    .map(({ id }) => id);
}
