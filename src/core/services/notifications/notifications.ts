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
import { Id, Enum, DisplayText, Timestamp } from "../../base/view.ts";
import {
  countUnreadRows,
  countWithMatches,
  findPosition,
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

/** A notification as clients see it. It contains only these fields (docs/contract.md#4.15). */
export const NotificationView = Type.Object(
  {
    id: Id("ntf_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the notification."),
    kind: Enum(NOTIFICATION_KINDS, "The kind of notification."),
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
        type: Enum(SUBJECT_TYPES, "The type of the subject."),
        id: DisplayText("The identifier of the subject.", "post_01kafzq8e5f2r8v0j3n6s1t4wx"),
        url: DisplayText(
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
  /** Additional text: a reason, level, badge or browser; empty if there is none. */
  about: string;
  /** Position in the order of all notifications. */
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

/** Maximum for the count of unread notifications. No page shows a larger number. */
const COUNTED = 1_000;

/**
 * Lists the caller's notifications, newest first. Contains only notifications whose subject the caller can
 * see with their scopes, and whose actor is neither blocked nor suspended. Notifications about the account
 * itself, such as a sign-in, are not visible to tokens. Needs `notifications:read`. Throws bad_request for a
 * cursor of another list.
 */
export function listNotifications(
  core: Core,
  caller: Caller,
  filter: Filtered<typeof NotificationFilter>,
  request: PageRequest,
): Page<Notification> {
  const { builderId } = requireBuilder(caller, "notifications:read");
  const scope = { list: "notifications", filters: { builderId, ...filter } };
  const key = cursorKey(request, scope, isPositionKey);
  const rows = selectNotifications(core, readableBy(caller, builderId), filter, key?.[0], request);
  return pageOf(presentReadable(core, caller, rows), request, scope, ({ place }) => [place]);
}

/**
 * Returns notifications by id in any order, without those that the caller cannot see. Needs
 * `notifications:read`.
 */
export function getNotifications(core: Core, caller: Caller, ids: readonly string[]): Notification[] {
  const { builderId } = requireBuilder(caller, "notifications:read");
  return presentReadable(core, caller, selectById(core, readableBy(caller, builderId), ids));
}

/**
 * Lists the ids of the caller's unread notifications of some kinds, newest first. Limits the notifications to
 * positions after `after` and up to `upTo`. The query does not load other kinds. Needs
 * `notifications:read`.
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

/** Counts the caller's unread notifications up to `upTo`. Needs `notifications:read`. */
export function countNotifications(core: Core, caller: Caller, upTo: number = COUNTED): number {
  const { builderId } = requireBuilder(caller, "notifications:read");
  return countUnreadRows(core, readableBy(caller, builderId), upTo);
}

/**
 * Returns the counts that every page shows: the number of unread notifications, up to 100, and how many of
 * these are job matches. Needs `notifications:read`.
 */
export function countForPages(core: Core, caller: Caller): { unread: number; matches: number } {
  const { builderId } = requireBuilder(caller, "notifications:read");
  return countWithMatches(core, readableBy(caller, builderId), COUNTED_ON_PAGES);
}

/** Marks notifications about a subject as read. Needs `notifications:write`. */
export function markAbout(core: Core, caller: Caller, subjectId: string): void {
  const { builderId } = requireBuilder(caller, "notifications:write");
  core.db.transact(() => markMatching(core, builderId, { subjectId }));
}

/** Marks all notifications of a kind as read. Needs `notifications:write`. */
export function markKind(core: Core, caller: Caller, kind: NotificationKind): void {
  const { builderId } = requireBuilder(caller, "notifications:write");
  core.db.transact(() => markMatching(core, builderId, { kind }));
}

/**
 * Marks the notifications `ids` as read, and the notification `up_to` with all notifications before it.
 * Notifications that the caller's scopes do not cover are unchanged. Returns the number of unread
 * notifications afterwards. Needs `notifications:write`. Throws bad_request for an invalid id, and if both
 * fields are missing.
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
    if (upTo !== undefined) markUpTo(core, reader, findPosition(core, builderId, upTo));
    if (ids !== undefined) markThese(core, reader, ids);
    return { unread: countUnreadRows(core, reader, COUNTED) };
  });
}

/** Maximum for the count of unread notifications on pages. Pages show “99+” for this number and above. */
const COUNTED_ON_PAGES = 100;

/** Default retention of notifications. Long enough for a member who returns after a long absence. */
export const NOTIFICATIONS_RETENTION_MS = 90 * DAY;
const PRUNED_AT_ONCE = 200;

/** Deletes old notifications, read or not, in small batches. Runs periodically. */
export async function forgetOldNotifications(core: Core): Promise<void> {
  const before = core.clock.now() - (core.policy.retentionNotificationsMs ?? NOTIFICATIONS_RETENTION_MS);
  while ((await core.db.write(() => pruneNotifications(core, before, PRUNED_AT_ONCE))) > 0);
}

/**
 * Returns which notifications the caller may read. A token needs the scope of a notification's subject, in
 * addition to the scope of notifications. Otherwise the token could read data about subjects that it has no
 * scope for.
 */
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

/** Presents notifications for the caller, and records which scopes the caller used to read them. */
function presentReadable(core: Core, caller: Caller, rows: readonly NotificationRow[]): Notification[] {
  const notifications = rows.map((row) => presentNotification(core, row));
  for (const type of new Set(notifications.map(({ subject }) => subject.type))) {
    const reader: SubjectReader = SUBJECTS[type].reader;
    if (reader !== "person") caller.noteScope?.(reader === "moderator" ? "moderation" : reader);
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

function isPositionKey(key: CursorKey): key is [number] {
  return key.length === 1 && Number.isSafeInteger(key[0]);
}
