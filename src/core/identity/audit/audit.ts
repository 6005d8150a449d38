import { type Caller, requireAdmin, requirePerson } from "../access/caller.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { isId, lastIdAt } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { type Act, actInWords, type Detail } from "./acts.ts";
import { type AuditRow, insertEntry, pruneEntries, selectEntries } from "./audit-store.ts";

/** One security act: who did what to whose account, and from where. */
export interface AuditEntry {
  id: string;
  act: string;
  /** The act as a sentence for people. */
  words: string;
  detail: Detail;
  /** Who did it; null for the operator at the command line, and where nobody had signed in. */
  actor: string | null;
  /** Whose account it is about; null for what is about no account. */
  subject: string | null;
  /**
   * Where from; null where no address is known, and for others than admins the address of whoever else did
   * it.
   */
  address: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

export interface NewAuditEntry {
  act: Act;
  /** The builder who did it; null for the operator, and where nobody had signed in. */
  actor: string | null;
  /** The builder whose account it is about; null for what is about no account. */
  subject: string | null;
  detail?: Detail;
  address: string | null;
  /** When; now, where it is left out. */
  at?: number;
}

/**
 * For a year, unless the operator says otherwise: long enough for whoever comes back from a long absence, and
 * for no longer a trace of where people were.
 */
export const AUDIT_KEPT_MS = 365 * DAY;

/** How long entries are kept. */
export function auditRetentionMs({ policy }: Core): number {
  return policy.retentionAuditMs ?? AUDIT_KEPT_MS;
}

/** Writes an entry. Call it in the transaction of the act itself: both are stored or neither. */
export function record(
  core: Core,
  { act, actor, subject, detail = {}, address, at = core.clock.now() }: NewAuditEntry,
): void {
  insertEntry(core, {
    id: core.makeId("aud", at),
    actorId: actor,
    subjectId: subject,
    act,
    detail,
    address,
    createdAt: at,
  });
}

/** The same for what a caller does. */
export function recordBy(
  core: Core,
  caller: Caller,
  act: Act,
  subject: string | null,
  detail: Detail = {},
): void {
  record(core, { act, actor: caller.builderId, subject, detail, address: caller.address });
}

/**
 * The audit log, newest first: «mine» is what is about the caller's own account, for a person who has signed
 * in; «all» is for admins and the operator. Throws forbidden, bad_request for a cursor of another list.
 */
export function listAudit(
  core: Core,
  caller: Caller,
  asked: { of: "mine" } | { of: "all"; about?: string | undefined },
  request: PageRequest,
): Page<AuditEntry> {
  const mine = asked.of === "mine" ? requirePerson(caller).builderId : null;
  if (mine === null) requireAdmin(caller);
  const subject = mine ?? (asked.of === "all" ? (asked.about ?? null) : null);
  const scope = { list: "audit", filters: { subject } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("aud", parts[0]),
  );
  const entries = selectEntries(core, subject, request, key?.[0]).map((row) => present(row, mine));
  return pageOf(entries, request, scope, ({ id }) => [id]);
}

/** Drops entries that have been kept for long enough, in small slices. Called now and then. */
export async function forgetOldAudit(core: Core): Promise<void> {
  const before = lastIdAt("aud", core.clock.now() - auditRetentionMs(core));
  while ((await core.db.write(() => pruneEntries(core, before, 500))) > 0);
}

function present(row: AuditRow, reader: string | null): AuditEntry {
  const detail = JSON.parse(row.detail) as Detail;
  // Where an admin sits is not for those whose account they look after.
  const isTheirs = reader === null || row.actorId === null || row.actorId === reader;
  return {
    id: row.id,
    act: row.act,
    words: actInWords(row.act, detail),
    detail,
    actor: row.actorUsername,
    subject: row.subjectUsername,
    address: isTheirs ? row.address : null,
    createdAt: row.createdAt,
  };
}
