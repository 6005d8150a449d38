import { type Caller, requireAdmin, requirePerson } from "../access/caller.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { isId, lastIdAt } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { type AuditEvent, eventText, type Detail } from "./audit-events.ts";
import { type AuditRow, insertEntry, pruneEntries, selectEntries } from "./audit-store.ts";

/** A security event: who did what to whose account, and from which network address. */
export interface AuditEntry {
  id: string;
  act: string;
  /** The event as a sentence. */
  words: string;
  detail: Detail;
  /** Username of the actor. Null for the operator at the command line, and without a sign-in. */
  actor: string | null;
  /** Username of the account concerned; null without one. */
  subject: string | null;
  /** Network address of the actor; null when unknown. Only admins see the address of another person. */
  address: string | null;
  /** Time of the event, in ms since the epoch. */
  createdAt: number;
}

export interface NewAuditEntry {
  act: AuditEvent;
  /** ID of the acting builder. Null for the operator, and without a sign-in. */
  actor: string | null;
  /** ID of the builder whose account is concerned; null without one. */
  subject: string | null;
  detail?: Detail;
  address: string | null;
  /** Time of the event, in ms since the epoch. Defaults to now. */
  at?: number;
}

/**
 * Default retention of entries: one year. A member who returns after a long absence can still see the events.
 * Network addresses, which show where members were, are not kept for longer.
 */
export const AUDIT_RETENTION_MS = 365 * DAY;

export function auditRetentionMs({ policy }: Pick<Core, "policy">): number {
  return policy.retentionAuditMs ?? AUDIT_RETENTION_MS;
}

/**
 * Whether an entry is past its retention, so that nobody may see its network address. The entry itself waits
 * for the next cleanup.
 */
export function isPastRetention(core: Pick<Core, "clock" | "policy">, createdAt: number): boolean {
  return createdAt < core.clock.now() - auditRetentionMs(core);
}

/** Records an entry. Call it in the transaction of the event, so that both are stored or neither. */
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

/** Records an event that a caller causes, with the caller's ID and network address. */
export function recordBy(
  core: Core,
  caller: Caller,
  act: AuditEvent,
  subject: string | null,
  detail: Detail = {},
): void {
  record(core, { act, actor: caller.builderId, subject, detail, address: caller.address });
}

/**
 * Lists the audit log, newest first. The value `mine` lists the events of the caller's own account and needs
 * a session. The value `all` is for admins and the operator. Throws forbidden, bad_request for a cursor of
 * another list.
 */
export function listAudit(
  core: Core,
  caller: Caller,
  requested: { of: "mine" } | { of: "all"; about?: string | undefined },
  request: PageRequest,
): Page<AuditEntry> {
  const mine = requested.of === "mine" ? requirePerson(caller).builderId : null;
  if (mine === null) requireAdmin(caller);
  const subject = mine ?? (requested.of === "all" ? (requested.about ?? null) : null);
  const scope = { list: "audit", filters: { subject } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("aud", parts[0]),
  );
  const entries = selectEntries(core, subject, request, key?.[0]).map((row) => present(core, row, mine));
  return pageOf(entries, request, scope, ({ id }) => [id]);
}

/** Deletes entries past their retention in small batches. Called periodically. */
export async function forgetOldAudit(core: Core): Promise<void> {
  const before = lastIdAt("aud", core.clock.now() - auditRetentionMs(core));
  while ((await core.db.write(() => pruneEntries(core, before, 500))) > 0);
}

function present(core: Core, row: AuditRow, reader: string | null): AuditEntry {
  const detail = JSON.parse(row.detail) as Detail;
  // Hide the network address of another actor, such as an admin, from a member.
  const isTheirs = reader === null || row.actorId === null || row.actorId === reader;
  return {
    id: row.id,
    act: row.act,
    words: eventText(row.act, detail),
    detail,
    actor: row.actorUsername,
    subject: row.subjectUsername,
    address: isTheirs && !isPastRetention(core, row.createdAt) ? row.address : null,
    createdAt: row.createdAt,
  };
}
