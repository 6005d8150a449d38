import { type Caller, requireAdmin, requireModerator, requirePerson } from "../access/caller.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { isId, lastIdAt } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { type AuditEvent, eventText, type Detail, MODERATION_EVENTS } from "./audit-events.ts";
import {
  type AuditRow,
  type EntryFilter,
  findIdByUsername,
  insertEntry,
  pruneEntries,
  selectEntries,
} from "./audit-store.ts";

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

/** Filters of a log, as a person chooses them. */
export interface LogFilter {
  /** Username of the actor. */
  actor?: string | undefined;
  /** Username of the member concerned. */
  subject?: string | undefined;
  act?: string | undefined;
  /** A day of UTC, as `2026-11-20`. */
  day?: string | undefined;
}

/**
 * Lists the audit log, newest first. The value `mine` lists the events of the caller's own account and needs
 * a session. The value `all` is for admins and the operator; `about` is the id of a member. Throws forbidden,
 * bad_request for a cursor of another list.
 */
export function listAudit(
  core: Core,
  caller: Caller,
  requested: { of: "mine" } | ({ of: "all"; about?: string | undefined } & LogFilter),
  request: PageRequest,
): Page<AuditEntry> {
  if (requested.of === "mine") {
    const { builderId } = requirePerson(caller);
    return listEntries(core, "audit", { subjectId: builderId }, request, (row) =>
      present(core, row, builderId),
    );
  }
  requireAdmin(caller);
  const { about, act } = requested;
  const filter = { ...entryFilter(core, requested), acts: act === undefined ? undefined : [act] };
  const subjectId = about ?? filter.subjectId;
  return listEntries(core, "audit", { ...filter, subjectId }, request, (row) => present(core, row, null));
}

/**
 * Lists what moderators and admins decided, newest first, without network addresses. Allowed for moderators.
 * Other acts than those of moderation find nothing. Throws bad_request for a cursor of another list.
 */
export function listModerationLog(
  core: Core,
  caller: Caller,
  requested: LogFilter,
  request: PageRequest,
): Page<AuditEntry> {
  requireModerator(caller);
  const { act } = requested;
  const acts = MODERATION_EVENTS.filter((event) => act === undefined || event === act);
  const filter = { ...entryFilter(core, requested), acts };
  return listEntries(core, "moderation", filter, request, (row) => ({
    ...present(core, row, null),
    address: null,
  }));
}

function listEntries(
  core: Core,
  list: string,
  filter: EntryFilter,
  request: PageRequest,
  show: (row: AuditRow) => AuditEntry,
): Page<AuditEntry> {
  const scope = { list, filters: { ...filter } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("aud", parts[0]),
  );
  const isEmpty = filter.acts?.length === 0;
  const entries = isEmpty ? [] : selectEntries(core, filter, request, key?.[0]).map(show);
  return pageOf(entries, request, scope, ({ id }) => [id]);
}

/** A username that no member has finds nothing. */
function entryFilter(core: Core, { actor, subject, day }: LogFilter): EntryFilter {
  const idOf = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : (findIdByUsername(core, name.replace(/^@/, "").toLowerCase()) ?? "");
  return {
    actorId: idOf(actor),
    subjectId: idOf(subject),
    between: day === undefined ? undefined : dayIds(day),
  };
}

/** Returns the ids before the first and up to the last entry of a day. An invalid day finds nothing. */
function dayIds(day: string): { after: string; upTo: string } {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  if (Number.isNaN(start)) return { after: "", upTo: "" };
  return { after: lastIdAt("aud", start - 1), upTo: lastIdAt("aud", start + DAY - 1) };
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
  // A member learns the reason of a decision, and not who decided.
  const isNamed = isTheirs || !(MODERATION_EVENTS as readonly string[]).includes(row.act);
  return {
    id: row.id,
    act: row.act,
    words: eventText(row.act, detail),
    detail,
    actor: isNamed ? row.actorUsername : null,
    subject: row.subjectUsername,
    address: isTheirs && !isPastRetention(core, row.createdAt) ? row.address : null,
    createdAt: row.createdAt,
  };
}
