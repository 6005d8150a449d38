import { createHash } from "node:crypto";
import { Value } from "@sinclair/typebox/value";
import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import { makeRecovery } from "../../identity/accounts/passwords.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import {
  addBuilder,
  BuilderDraft,
  findBuilder,
  findStanding,
  isFreeUsername,
} from "../../identity/builders/builders.ts";
import { foldUsername, Username } from "../../identity/builders/username.ts";
import { check } from "../../base/check.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { CoreError } from "../../base/errors.ts";
import { findPost, PostDraft } from "../../community/feed/feed.ts";
import { insertImportedPost, type ImportedPost } from "../../community/feed/imported-posts.ts";
import { ProfileChange } from "../../community/profiles/profiles.ts";
import {
  isImportedFrom,
  forgetPerson,
  hasMembersNotImportedFrom,
  insertImported,
  selectImported,
  selectOrigin,
  selectUnclaimed,
  updateBio,
  updateComments,
} from "./imported-store.ts";

/*
 * Import of content from another community, once per item (docs/contract.md#12.7,
 * docs/adr/0042-forem-import.md). People are imported as placeholders: accounts without a password or
 * passkey. A person claims their placeholder with a one-time link.
 */

export type ImportedKind = "person" | "article" | "comment";

/** The record of an earlier import of an item. */
export interface ImportedItem {
  /** Id of the item in this community; null if the account was deleted here. */
  ourId: string | null;
  /** Current username in this community of an imported person; null for other items. */
  username: string | null;
  /**
   * Number of comments of an article, once all its comments are imported. Null before that, and for other
   * items.
   */
  comments: number | null;
}

/** An item of another community, identified by its permanent id there. */
export interface ForeignItem {
  host: string;
  kind: ImportedKind;
  id: string;
}

/** A person of another community. */
export interface ImportedAuthor {
  /** Username in the other community. */
  username: string;
  name: string;
  bio: string;
}

/** A member who cannot sign in yet: a placeholder, or a member of a community that moved here. */
export interface Unclaimed {
  username: string;
  host: string;
  /** Username in the other community. */
  name: string;
}

/**
 * Returns the record of an imported item; undefined if it was not imported. Allowed for admins in a session,
 * and for the operator.
 */
export function findImported(
  core: Core,
  caller: Caller,
  { host, kind, id }: ForeignItem,
): ImportedItem | undefined {
  requireAdmin(caller);
  return selectImported(core, host, kind, markOf(id));
}

/**
 * Earliest date of an imported item. Items with an earlier date are refused, because online communities did
 * not exist then.
 */
const EARLIEST = Date.parse("1990-01-01T00:00:00Z");

/**
 * Returns why a post cannot be imported, as text; undefined if the post can be imported. Checks only the
 * content of the post. Allowed for admins in a session, and for the operator.
 */
export function faultOfImported(core: Core, caller: Caller, post: ImportedPost): string | undefined {
  requireAdmin(caller);
  const { text, tags, media, createdAt } = post;
  if (!Number.isFinite(createdAt)) return "has no readable date";
  if (createdAt < EARLIEST) return "has a date before 1990";
  if (createdAt > core.clock.now()) return "has a date in the future";
  if (text.trim() === "") return "has no text";
  try {
    check(PostDraft, { text, tags, media });
    return undefined;
  } catch (error) {
    if (error instanceof CoreError) return error.message;
    throw error;
  }
}

/**
 * Imports a post or reply with its original time and returns its id here. Check the post with
 * `faultOfImported` before. The import causes no events and no XP. Allowed for admins in a session, and for
 * the operator. Call it in a transaction.
 */
export function importPost(core: Core, caller: Caller, foreign: ForeignItem, post: ImportedPost): string {
  requireAdmin(caller);
  const id = insertImportedPost(core, post);
  recordImport(core, foreign, { ourId: id });
  return id;
}

/**
 * Records that all comments of an article are imported. Allowed for admins in a session, and for the
 * operator.
 */
export function recordCommentCount(
  core: Core,
  caller: Caller,
  article: Omit<ForeignItem, "kind">,
  comments: number,
): void {
  requireAdmin(caller);
  updateComments(core, article.host, markOf(article.id), comments);
}

/**
 * Finds a member who has the username that a person of `host` would get. Returns undefined if no such member
 * exists or if the member was imported from `host`. Allowed for admins in a session, and for the operator.
 */
export function findNamesake(
  core: Core,
  caller: Caller,
  host: string,
  foreignName: string,
): string | undefined {
  requireAdmin(caller);
  const builder = findBuilder(core, plainName(foreignName));
  return builder && !isImportedFrom(core, host, builder.id) ? builder.username : undefined;
}

/** Whether any member was not imported from `host`. Allowed for admins in a session, and for the operator. */
export function hasMembersNotFrom(core: Core, caller: Caller, host: string): boolean {
  requireAdmin(caller);
  return hasMembersNotImportedFrom(core, host);
}

/**
 * Finds a member by their current or former username. Allowed for admins in a session, and for the operator.
 */
export function findMemberByUsername(
  core: Core,
  caller: Caller,
  called: string,
): { id: string; username: string } | undefined {
  requireAdmin(caller);
  const builder = findBuilder(core, called);
  return builder && { id: builder.id, username: builder.username };
}

/** Whether a new account can have this username. Allowed for admins in a session, and for the operator. */
export function isFreeName(core: Core, caller: Caller, username: string): boolean {
  requireAdmin(caller);
  return Value.Check(Username, username) && isFreeUsername(core, username);
}

/**
 * Maps a person of `host` to an existing member. Content of the person that is imported later then belongs to
 * this member. Allowed for admins in a session, and for the operator. Call it in a transaction.
 */
export function matchPerson(
  core: Core,
  caller: Caller,
  { host, name }: { host: string; name: string },
  builderId: string,
): void {
  requireAdmin(caller);
  // The import is recorded without a name, because a name would mark the account as imported.
  recordImport(core, { host, kind: "person", id: foldUsername(name) }, { ourId: builderId });
  recordBy(core, caller, "account.matched", builderId, { name, host });
}

/**
 * Imports a person as a placeholder account and returns its id and username here. `wanted` sets the username.
 * Allowed for admins in a session, and for the operator. Call it in a transaction.
 */
export function importPerson(
  core: Core,
  caller: Caller,
  host: string,
  person: ImportedAuthor,
  wanted?: string,
): { id: string; username: string } {
  requireAdmin(caller);
  const username = wanted ?? usernameFor(core, person.username);
  const name = truncateToFit(BuilderDraft.properties.name, person.name, 100) ?? username;
  const bio = truncateToFit(ProfileChange.properties.bio, person.bio, 500) ?? "";
  const id = addBuilder(core, { username, name, role: "member" }, { isVouchedFor: true });
  if (bio !== "") updateBio(core, id, bio);
  recordImport(
    core,
    { host, kind: "person", id: foldUsername(person.username) },
    { ourId: id, name: person.username },
  );
  recordBy(core, caller, "account.imported", id, { name: person.username, host });
  return { id, username };
}

/**
 * Returns the username that an imported person gets. This is the person's username in lower case, with
 * invalid characters replaced. If the username is not free, a number is appended. `isTaken` returns true for
 * a username that must not be used although no account has it.
 */
export function usernameFor(
  core: Core,
  foreignName: string,
  isTaken: (name: string) => boolean = () => false,
) {
  const base = plainName(foreignName);
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!isTaken(name) && isFreeUsername(core, name)) return name;
  }
}

/** Replaces the characters that a username cannot have. */
function plainName(foreignName: string): string {
  const plain = foldUsername(foreignName)
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .slice(0, USERNAME_BASE_MAX)
    .replaceAll(/^[_-]+|[_-]+$/g, "");
  return plain === "" ? "member" : plain;
}

/** Maximum length before a number is appended; a username has at most 32 characters. */
const USERNAME_BASE_MAX = 26;

/**
 * Whether imported replies may be added to this post. The post must be a visible post of the feed. Allowed
 * for admins in a session, and for the operator.
 */
export function isOpenPost(core: Core, caller: Caller, id: string): boolean {
  requireAdmin(caller);
  const post = findPost(core, id);
  return post !== undefined && post.hiddenAt === null && post.parentId === null;
}

/**
 * Whether content can be imported for a builder: the builder exists and is not suspended. Allowed for admins
 * in a session, and for the operator.
 */
export function mayWrite(core: Core, caller: Caller, builderId: string): boolean {
  requireAdmin(caller);
  return findStanding(core, builderId)?.suspendedAt === null;
}

/**
 * Returns where a builder was imported from, and whether the builder can sign in now. Returns undefined for a
 * builder who was not imported.
 */
export function originOf(
  core: Core,
  builderId: string,
): { host: string; name: string; isClaimed: boolean } | undefined {
  const origin = selectOrigin(core, builderId);
  return origin && { ...origin, isClaimed: origin.isClaimed === 1 };
}

/**
 * Deletes the name that a deleted account had in another community. The record of the import is kept, so that
 * the next import does not create the account again. Checks no right.
 */
export function forgetOrigin(core: Core, builderId: string): void {
  forgetPerson(core, builderId);
}

/**
 * Lifetime of a claim link. Seven days are needed because an admin sends the links manually to many people.
 */
const CLAIM_LIFETIME_MS = 7 * DAY;

/**
 * Lists accounts that nobody has claimed, with usernames after `after`. Allowed for admins in a session, and
 * for the operator. Throws forbidden.
 */
export function listUnclaimed(core: Core, caller: Caller, after: string, limit: number): Unclaimed[] {
  requireAdmin(caller);
  return selectUnclaimed(core, after, limit);
}

/**
 * Creates a recovery link (`makeRecovery`) with which a person claims their placeholder and sets a password.
 * The link is valid for seven days and replaces earlier links.
 */
export function makeClaim(core: Core, caller: Caller, username: string): { url: string; expiresAt: number } {
  return makeRecovery(core, caller, username, CLAIM_LIFETIME_MS);
}

function recordImport(
  core: Core,
  { host, kind, id }: ForeignItem,
  own: { ourId: string; name?: string },
): void {
  insertImported(core, { host, kind, mark: markOf(id), ...own, arrivedAt: core.clock.now() });
}

/**
 * Returns 132 bits of the hash of an id. The table contains the hash, so that it contains no names. With 132
 * bits, collisions do not occur in practice.
 */
function markOf(id: string): string {
  return createHash("sha256").update(id).digest("base64url").slice(0, 22);
}

/** Cuts a text to `max` characters. Returns undefined if the schema rejects the result. */
function truncateToFit(schema: Parameters<typeof check>[0], text: string, max: number): string | undefined {
  const cut = [...text.trim()].slice(0, max).join("").trim();
  try {
    check(schema, cut);
    return cut;
  } catch (error) {
    if (error instanceof CoreError) return undefined;
    throw error;
  }
}
