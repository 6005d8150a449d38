import { listFeed, type Post } from "../../community/feed/feed.ts";
import type { Core } from "../../base/core.ts";
import type { Scope } from "../../identity/access/scopes.ts";
import { ownerOfFeed } from "../../identity/feed-address/feed-address.ts";
import { listNotifications, type Notification } from "../notifications/notifications.ts";
import { readerOf } from "./reader.ts";

/** Content of a private feed, newest entries first. */
export interface PrivateFeed {
  builderId: string;
  username: string;
  entries: ({ at: number; notification: Notification } | { at: number; post: Post })[];
}

const ENTRIES_MAX = 50;

/**
 * The scopes of a feed reader. Notices about the account, such as sign-ins, are excluded, because anyone who
 * knows the secret URL can read the feed (docs/threats.md#M01).
 */
const SCOPES: ReadonlySet<Scope> = new Set([
  "notifications:read",
  "feed:read",
  "prompts:read",
  "jobs:read",
  "profile:read",
  "messages:read",
  "webhooks:read",
]);

/**
 * Returns the notifications of the member who owns the secret URL, and the posts of members and tags that the
 * owner follows. Returns undefined if the URL is unknown or its owner is suspended.
 */
export function readPrivateFeed(core: Core, secret: string): PrivateFeed | undefined {
  const builderId = ownerOfFeed(core, secret);
  const reader = builderId === undefined ? undefined : readerOf(core, builderId);
  if (!reader) return undefined;
  const caller = { ...reader, means: "token" as const, scopes: SCOPES };
  const notifications = listNotifications(core, caller, {}, { limit: ENTRIES_MAX }).nodes;
  const posts = listFeed(core, caller, { following: true }, { limit: ENTRIES_MAX }).nodes;
  const entries = [
    ...notifications.map((one) => ({ at: one.createdAt, notification: one })),
    ...posts.map((post) => ({ at: post.createdAt, post })),
  ];
  entries.sort((one, other) => other.at - one.at);
  return { builderId: reader.builderId, username: reader.username, entries: entries.slice(0, ENTRIES_MAX) };
}
