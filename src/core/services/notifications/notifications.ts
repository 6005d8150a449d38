import { type Static, Type } from "@sinclair/typebox";
import { type Caller, isModerator, requireBuilder } from "../../identity/access/caller.ts";
import { AuthorView } from "../../identity/builders/author.ts";
import {
  factsOf,
  NOTIFICATION_KINDS,
  type NotificationKind,
  SUBJECTS,
  type SubjectReader,
  SUBJECT_TYPES,
  type SubjectType,
} from "../../identity/notifications/kinds.ts";
import { Choice, type Filtered, ruled } from "../../base/check.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { fault, refuse, refuseFields } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type CursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { Id, OneOf, Shown, Timestamp } from "../../base/view.ts";
import {
  countUnreadRows,
  countWithMatches,
  findPlaceOf,
  markMatching,
  markThese,
  markUpTo,
  type NotificationRow,
  pruneNotifications,
  type Readable,
  selectById,
  selectNotifications,
  selectUnreadIds,
} from "./notifications-store.ts";

/** What a notification shows, and no more (docs/contract.md#4.15). */
export const NotificationView = Type.Object(
  {
    id: Id("ntf_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the notification."),
    kind: OneOf(NOTIFICATION_KINDS, "The kind of notification."),
    createdAt: Timestamp({
      description: "The time of the event. For a group, the time of its newest event.",
    }),
    read: Type.Boolean({ description: "Whether you have read the notification.", examples: [false] }),
    count: Type.Integer({
      description:
        "The number of events in the notification. More than 1 only if the notification is a group.",
      examples: [4],
    }),
    actors: Type.Array(AuthorView, {
      description:
        "The builders who caused the notification, newest first, at most ten. Empty if no builder caused it, or if nobody is named.",
    }),
    subject: Type.Object(
      {
        type: OneOf(SUBJECT_TYPES, "The type of the subject."),
        id: Shown("The identifier of the subject.", "post_01kafzq8e5f2r8v0j3n6s1t4wx"),
        url: Shown(
          "The URL of the subject's page.",
          "https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx",
        ),
      },
      { $id: "NotificationSubject", description: "The subject of the notification." },
    ),
  },
  { $id: "Notification" },
);

export interface Notification extends Static<typeof NotificationView> {
  actors: { id: string; username: string; name: string }[];
  /** What is told beside that: a reason, a level, a badge, a browser; empty where nothing is. */
  about: string;
  /** Where it stands among all that were told. */
  place: number;
}

export const NotificationFilter = Type.Object({
  unread: Type.Optional(
    Type.Boolean({
      description: "`true` returns only unread notifications, `false` only read notifications.",
      ...ruled("not_boolean"),
    }),
  ),
  kind: Type.Optional(Choice(NOTIFICATION_KINDS, "Return only notifications of this kind.", ["reply"])),
});

export const ReadingDraft = Type.Object({
  ids: Type.Optional(
    Type.Array(Type.String({ ...ruled("not_notification_id") }), {
      maxItems: 100,
      description: "The notifications to mark. Identifiers that do not exist or are not yours are ignored.",
      examples: [["ntf_01kafzq8e5f2r8v0j3n6s1t4wx"]],
    }),
  ),
  up_to: Type.Optional(
    Type.String({
      description: "The newest notification to mark. All earlier notifications are also marked.",
      examples: ["ntf_01kafzq8e5f2r8v0j3n6s1t4wx"],
      ...ruled("not_notification_id"),
    }),
  ),
});
export type ReadingDraft = Static<typeof ReadingDraft>;

export const UnreadView = Type.Object(
  {
    unread: Type.Integer({
      description: "The number of unread notifications, counted up to 1,000.",
      examples: [0],
    }),
  },
  { $id: "Unread" },
);

/** More is not counted: no page shows it, and whoever has so many reads no number. */
const COUNTED = 1_000;

/**
 * What the caller is told, newest first: that of which they may see the subject, by a scope that reads it,
 * and that somebody did who is neither blocked nor locked out. What is of the account itself, such as a
 * sign-in, no token is told. Needs `notifications:read`. Throws bad_request for a cursor of another list.
 */
export function listNotifications(
  core: Core,
  caller: Caller,
  filter: Filtered<typeof NotificationFilter>,
  request: PageRequest,
): Page<Notification> {
  const { builderId } = requireBuilder(caller, "notifications:read");
  const scope = { list: "notifications", filters: { builderId, ...filter } };
  const key = cursorKey(request, scope, isPlace);
  const rows = selectNotifications(core, readableBy(caller, builderId), filter, key?.[0], request);
  return pageOf(presentReadable(core, caller, rows), request, scope, ({ place }) => [place]);
}

/** Some of them by their ids; others are left out. In any order. Needs `notifications:read`. */
export function getNotifications(core: Core, caller: Caller, ids: readonly string[]): Notification[] {
  const { builderId } = requireBuilder(caller, "notifications:read");
  return presentReadable(core, caller, selectById(core, readableBy(caller, builderId), ids));
}

/**
 * The ids of what the caller has not read of some kinds, told behind the place `after` and up to `upTo`,
 * newest first. Other kinds cost nothing, however many there are. Needs `notifications:read`.
 */
export function listUnreadIds(
  core: Core,
  caller: Caller,
  range: { kinds: readonly NotificationKind[]; after: number; upTo: number },
  limit: number,
): string[] {
  const { builderId } = requireBuilder(caller, "notifications:read");
  const reader = readableBy(caller, builderId);
  const kinds = reader.kinds.filter((kind) => range.kinds.includes(kind as NotificationKind));
  return selectUnreadIds(core, { ...reader, kinds }, range, limit);
}

/** How many of them are unread, counted up to a bound, in one statement. Needs `notifications:read`. */
export function countNotifications(core: Core, caller: Caller, upTo: number = COUNTED): number {
  const { builderId } = requireBuilder(caller, "notifications:read");
  return countUnreadRows(core, readableBy(caller, builderId), upTo);
}

/**
 * What every page of somebody tells: how many are unread, and how many of these are matches, each counted up
 * to a hundred, in one statement. Needs `notifications:read`.
 */
export function countForPages(core: Core, caller: Caller): { unread: number; matches: number } {
  const { builderId } = requireBuilder(caller, "notifications:read");
  return countWithMatches(core, readableBy(caller, builderId), COUNTED_ON_PAGES);
}

/** Marks what is about a thing that was just looked at as read. Needs `notifications:write`. */
export function markAbout(core: Core, caller: Caller, subjectId: string): void {
  const { builderId } = requireBuilder(caller, "notifications:write");
  core.db.transact(() => markMatching(core, builderId, { subjectId }));
}

/** The same for all of a kind. */
export function markKind(core: Core, caller: Caller, kind: NotificationKind): void {
  const { builderId } = requireBuilder(caller, "notifications:write");
  core.db.transact(() => markMatching(core, builderId, { kind }));
}

/**
 * Marks some as read, or one and all before it; what the caller's scopes do not read stays as it is. Returns
 * how many are unread then. Needs `notifications:write`. Throws bad_request for what is no notification's id,
 * and for a draft that names none.
 */
export function markNotifications(
  core: Core,
  caller: Caller,
  { ids, up_to: upTo }: ReadingDraft,
): { unread: number } {
  const { builderId } = requireBuilder(caller, "notifications:write");
  if (ids === undefined && upTo === undefined) throw refuse("notifications_unnamed");
  if (upTo !== undefined && !isId("ntf", upTo)) throw refuseFields([fault("up_to", "not_notification_id")]);
  const wrong = (ids ?? []).findIndex((id) => !isId("ntf", id));
  if (wrong >= 0) throw refuseFields([fault(`ids[${wrong}]`, "not_notification_id")]);
  const reader = readableBy(caller, builderId);
  return core.db.transact(() => {
    if (upTo !== undefined) markUpTo(core, reader, findPlaceOf(core, builderId, upTo));
    if (ids !== undefined) markThese(core, reader, ids);
    return { unread: countUnreadRows(core, reader, COUNTED) };
  });
}

/** More than that is «99+» on a page. */
const COUNTED_ON_PAGES = 100;

/** A season: long enough for whoever comes back from a leave. */
export const NOTIFICATIONS_KEPT_MS = 90 * DAY;
const PRUNED_AT_ONCE = 200;

/** Drops what was told long ago, read or not, in small slices. Called now and then. */
export async function forgetOldNotifications(core: Core): Promise<void> {
  const before = core.clock.now() - (core.policy.retentionNotificationsMs ?? NOTIFICATIONS_KEPT_MS);
  while ((await core.db.write(() => pruneNotifications(core, before, PRUNED_AT_ONCE))) > 0);
}

/** A second way to a thing asks what the first asks: the scope of the subject, beside that of the list. */
function readableBy(caller: Caller, builderId: string): Readable {
  const isPerson = caller.means === "session";
  const may = (reader: SubjectReader): boolean => {
    if (reader === "person") return isPerson;
    return reader === "moderator" ? isModerator(caller) : caller.scopes.has(reader);
  };
  const isFor = (kind: NotificationKind): boolean => {
    const { forRole } = factsOf(kind);
    return (
      forRole === undefined || (forRole === "moderator" ? isModerator(caller) : caller.scopes.has(forRole))
    );
  };
  return {
    builderId,
    kinds: NOTIFICATION_KINDS.filter(isFor),
    subjects: SUBJECT_TYPES.filter((type) => may(SUBJECTS[type].reader)),
    workspaceId: isPerson ? null : caller.workspaceId,
  };
}

/** As somebody is told it who is shown these; what was asked of their scopes is noted. */
function presentReadable(core: Core, caller: Caller, rows: readonly NotificationRow[]): Notification[] {
  const notifications = rows.map((row) => presentNotification(core, row));
  for (const type of new Set(notifications.map(({ subject }) => subject.type))) {
    const reader: SubjectReader = SUBJECTS[type].reader;
    if (reader !== "person") caller.noteScope?.(reader === "moderator" ? "admin" : reader);
  }
  return notifications;
}

function presentNotification(core: Core, row: NotificationRow): Notification {
  const { place, id, about, createdAt, readAt, count } = row;
  const type = row.subjectType as SubjectType;
  return {
    place,
    id,
    kind: row.kind as NotificationKind,
    createdAt,
    read: readAt !== null,
    count,
    actors: JSON.parse(row.actors) as Notification["actors"],
    subject: {
      type,
      id: row.subjectId,
      url: core.origin + SUBJECTS[type].page(row.subjectId, row.subjectName ?? ""),
    },
    about,
  };
}

function isPlace(key: CursorKey): key is [number] {
  return key.length === 1 && Number.isSafeInteger(key[0]);
}
