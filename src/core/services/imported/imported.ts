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
  hasImportedMembers,
  insertImported,
  selectImported,
  selectOrigin,
  selectUnclaimed,
  updateBio,
  updateComments,
} from "./imported-store.ts";

/*
 * What comes from another community, once each (docs/contract.md#12.7, docs/adr/0042-forem-import.md). People
 * come as placeholders: accounts without a password or passkey, which a one-time link makes theirs.
 */

export type ImportedKind = "person" | "article" | "comment";

/** What is known of something that came before. */
export interface ImportedItem {
  /** Null for an account that was deleted here. */
  ourId: string | null;
  /** Of a person: what they are called here by now. */
  username: string | null;
  /** Of an article: so many comments were told of when all of them had been brought. */
  comments: number | null;
}

/** An item of another community, by its permanent id there. */
export interface ForeignItem {
  host: string;
  kind: ImportedKind;
  id: string;
}

/** A person of another community. */
export interface ImportedAuthor {
  /** Their username there. */
  username: string;
  name: string;
  bio: string;
}

/**
 * Somebody from elsewhere who cannot sign in yet: a placeholder, or a member of a community that moved here.
 */
export interface Unclaimed {
  username: string;
  host: string;
  /** Their username there. */
  name: string;
}

/**
 * What came before under that name; undefined where nothing has. Needs an admin in person, or the operator.
 */
export function findImported(
  core: Core,
  caller: Caller,
  { host, kind, id }: ForeignItem,
): ImportedItem | undefined {
  requireAdmin(caller);
  return selectImported(core, host, kind, markOf(id));
}

/** The earliest time that anything is dated: what claims to be older was not written in such a community. */
const EARLIEST = Date.parse("1990-01-01T00:00:00Z");

/**
 * Why a post could not be taken in, in words; undefined for one that can. Its form alone is looked at. Needs
 * an admin in person, or the operator.
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
 * Takes in a post or reply at its own time, and returns its id here. Its form was looked at
 * (`faultOfImported`). Fires nothing and gives no XP. Needs an admin in person, or the operator. Call it in a
 * transaction.
 */
export function importPost(core: Core, caller: Caller, foreign: ForeignItem, post: ImportedPost): string {
  requireAdmin(caller);
  const id = insertImportedPost(core, post);
  arrive(core, foreign, { ourId: id });
  return id;
}

/** Notes that all comments of an article have come. Needs an admin in person, or the operator. */
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
 * The member here whose username a person of `host` would get; undefined where there is none, or where the
 * member came from `host`. Needs an admin in person, or the operator.
 */
export function findNamesake(core: Core, caller: Caller, host: string, there: string): string | undefined {
  requireAdmin(caller);
  const builder = findBuilder(core, plainName(there));
  return builder && !isImportedFrom(core, host, builder.id) ? builder.username : undefined;
}

/** Whether anybody is here who did not come from `host`. The same right. */
export function hasOthers(core: Core, caller: Caller, host: string): boolean {
  requireAdmin(caller);
  return hasImportedMembers(core, host);
}

/** The member with that current or former username. The same right. */
export function findMemberByUsername(
  core: Core,
  caller: Caller,
  called: string,
): { id: string; username: string } | undefined {
  requireAdmin(caller);
  const builder = findBuilder(core, called);
  return builder && { id: builder.id, username: builder.username };
}

/** Whether a new account can have that username. The same right. */
export function isFreeName(core: Core, caller: Caller, username: string): boolean {
  requireAdmin(caller);
  return Value.Check(Username, username) && isFreeUsername(core, username);
}

/**
 * Attributes what a person of `host` writes to a member. Needs an admin in person, or the operator. Call it
 * in a transaction.
 */
export function matchPerson(
  core: Core,
  caller: Caller,
  { host, name }: { host: string; name: string },
  builderId: string,
): void {
  requireAdmin(caller);
  // Without a name, which marks an account that came along.
  arrive(core, { host, kind: "person", id: foldUsername(name) }, { ourId: builderId });
  recordBy(core, caller, "account.matched", builderId, { name, host });
}

/**
 * Takes in a person as a placeholder, called `wanted` where that is given, and returns its id and username
 * here. Needs an admin in person, or the operator. Call it in a transaction.
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
  const name = fitting(BuilderDraft.properties.name, person.name, 100) ?? username;
  const bio = fitting(ProfileChange.properties.bio, person.bio, 500) ?? "";
  const id = addBuilder(core, { username, name, role: "member" }, { isVouchedFor: true });
  if (bio !== "") updateBio(core, id, bio);
  arrive(
    core,
    { host, kind: "person", id: foldUsername(person.username) },
    { ourId: id, name: person.username },
  );
  recordBy(core, caller, "account.imported", id, { name: person.username, host });
  return { id, username };
}

/**
 * The username that somebody of that name gets here: theirs in lower case where our rules take it and nobody
 * has it, else the next like it with a number. `isTaken` knows of others that are to be taken.
 */
export function usernameFor(core: Core, there: string, isTaken: (name: string) => boolean = () => false) {
  const base = plainName(there);
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!isTaken(name) && isFreeUsername(core, name)) return name;
  }
}

/** A name of elsewhere in letters that a username takes. */
function plainName(there: string): string {
  const plain = foldUsername(there)
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .slice(0, USERNAME_ROOM)
    .replaceAll(/^[_-]+|[_-]+$/g, "");
  return plain === "" ? "member" : plain;
}

/** Of 32 letters, some stay for a number. */
const USERNAME_ROOM = 26;

/**
 * What a post or reply of another's may hang on: a post of the feed that everybody sees. Undefined for one
 * that is deleted or hidden here. Needs an admin in person, or the operator.
 */
export function isOpenPost(core: Core, caller: Caller, id: string): boolean {
  requireAdmin(caller);
  const post = findPost(core, id);
  return post !== undefined && post.hiddenAt === null && post.parentId === null;
}

/** Whether a builder may write here: there is one, and they are not suspended. The same right. */
export function mayWrite(core: Core, caller: Caller, builderId: string): boolean {
  requireAdmin(caller);
  return findStanding(core, builderId)?.suspendedAt === null;
}

/** Where a builder came from, and whether they can sign in by now; undefined for one who did not. */
export function originOf(
  core: Core,
  builderId: string,
): { host: string; name: string; isClaimed: boolean } | undefined {
  const origin = selectOrigin(core, builderId);
  return origin && { ...origin, isClaimed: origin.isClaimed === 1 };
}

/**
 * What a deleted account was called elsewhere goes with it; that it came stays, or the next import would
 * bring it again. Asks no right: what calls it has.
 */
export function forgetOrigin(core: Core, builderId: string): void {
  forgetPerson(core, builderId);
}

/** A link that is passed on by hand, to many at once. */
const CLAIM_LIFETIME_MS = 7 * DAY;

/**
 * Placeholders that nobody has claimed, by their usernames from `after` on. For admins in person and the
 * operator. Throws forbidden.
 */
export function listUnclaimed(core: Core, caller: Caller, after: string, limit: number): Unclaimed[] {
  requireAdmin(caller);
  return selectUnclaimed(core, after, limit);
}

/**
 * Makes the link by which a person claims their placeholder within seven days: they set a password. It is a
 * recovery link (`makeRecovery`), and takes the place of any before.
 */
export function makeClaim(core: Core, caller: Caller, username: string): { url: string; expiresAt: number } {
  return makeRecovery(core, caller, username, CLAIM_LIFETIME_MS);
}

function arrive(core: Core, { host, kind, id }: ForeignItem, ours: { ourId: string; name?: string }): void {
  insertImported(core, { host, kind, mark: markOf(id), ...ours, arrivedAt: core.clock.now() });
}

/** 128 bits of a hash: nobody reads a name out of the table, and no two meet. */
function markOf(id: string): string {
  return createHash("sha256").update(id).digest("base64url").slice(0, 22);
}

/** What a text that is somebody's own may be cut to; undefined where it is not what the schema takes. */
function fitting(schema: Parameters<typeof check>[0], text: string, max: number): string | undefined {
  const cut = [...text.trim()].slice(0, max).join("").trim();
  try {
    check(schema, cut);
    return cut;
  } catch (error) {
    if (error instanceof CoreError) return undefined;
    throw error;
  }
}
