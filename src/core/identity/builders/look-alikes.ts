import { foldLookAlikes } from "../../base/text-folding.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { communitySettingsOf } from "../community-settings/community-settings.ts";
import type { Role } from "../access/roles.ts";
import { publicName } from "./author.ts";
import { type MemberListRow, selectTeam } from "./builders-store.ts";

/*
 * Impersonation (docs/threats.md#F05). New usernames that look like the name of a staff member are refused.
 * Display names that look like such a name are marked. Staff is everyone with a role above member who is not
 * suspended.
 */

/**
 * Pairs of letters that look like one letter, and ASCII symbols that look like a letter. Applied in this
 * order.
 */
const ASCII: readonly [RegExp, string][] = [
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/0/g, "o"],
  [/[1i|]/g, "l"],
  [/5/g, "s"],
];

/** Usernames that speak for the community. No similar username is allowed. */
const STAFF_USERNAMES = ["admin", "administrator", "moderator", "operator", "staff", "support", "system"];
const STAFF_KEYS: ReadonlySet<string> = new Set(STAFF_USERNAMES.map(lookAlikeKey));

/**
 * Reduces a name to what readers notice: removes case, accents, separators, and differences between similar
 * letters. Two names with the same key are confusable.
 */
export function lookAlikeKey(name: string): string {
  const plain = foldLookAlikes(name);
  const letters = plain.replace(/[^\p{L}\p{N}|]+/gu, "");
  const likeness = ASCII.reduce((text, [signs, letter]) => text.replace(signs, letter), letters);
  // A name of symbols only, such as emoji, has no letters to compare. Compare such a name unchanged.
  return likeness === "" ? plain.trim() : likeness;
}

/**
 * Whether a username is confusable with a staff member's name, the community's name or one of
 * `STAFF_USERNAMES`.
 */
export function looksLikeStaff(core: Core, username: string): boolean {
  const likeness = lookAlikeKey(username);
  return (
    STAFF_KEYS.has(likeness) ||
    lookAlikeKey(communitySettingsOf(core).name) === likeness ||
    selectTeam(core).some((steward) => lookAlikeKey(steward.username) === likeness)
  );
}

export function refuseLookAlike(core: Core, username: string): void {
  if (looksLikeStaff(core, username)) throw refuse("username_looks_alike");
}

/** Names of staff, as `staffNamesOf` reads them. */
export interface StaffNames {
  usernames: ReadonlySet<string>;
  /** The roles of staff by username. */
  roles: ReadonlyMap<string, Role>;
  /** Look-alike keys of the staff's display names and usernames. */
  likenesses: ReadonlySet<string>;
  /** `lookAlikeKey`, with a cache. */
  keyOf(name: string): string;
}

/** Whether the display name of a member who is not staff looks like a staff name. */
export function isNamedLikeStaff(
  { usernames, likenesses, keyOf }: StaffNames,
  { username, name }: { username: string; name: string },
): boolean {
  return !usernames.has(username) && likenesses.has(keyOf(name));
}

/**
 * Returns a display name for places without room for a mark, such as a feed. A name that looks like a staff
 * name gets its username appended.
 */
export function nameInText(staff: StaffNames, member: { username: string; name: string }): string {
  return isNamedLikeStaff(staff, member) ? publicName(member) : member.name;
}

function emptyCache(): {
  staff: StaffNames | undefined;
  version: number | undefined;
  keyOf: StaffNames["keyOf"];
} {
  return { staff: undefined, version: undefined, keyOf: keyCache() };
}

/** Maximum number of cached keys. Pages show the same names again and again. */
const KEYS_MAX = 2_000;

function keyCache(): StaffNames["keyOf"] {
  const keys = new Map<string, string>();
  return (name) => {
    const cached = keys.get(name);
    if (cached !== undefined) return cached;
    if (keys.size >= KEYS_MAX) keys.clear();
    const key = lookAlikeKey(name);
    keys.set(name, key);
    return key;
  };
}

/**
 * Returns the current names of staff. Queries the names again only after the database version has changed. A
 * page calls this function once for all its bylines.
 */
export function staffNamesOf(core: Core): StaffNames {
  // Skip the cache inside a write transaction, because the database version does not yet cover its changes.
  if (core.db.transaction() !== undefined) return staffAmong(selectTeam(core), lookAlikeKey);
  const read = core.memory(emptyCache);
  const version = core.db.version();
  if (read.version !== version || read.staff === undefined)
    Object.assign(read, { staff: staffAmong(selectTeam(core), read.keyOf), version });
  return read.staff ?? staffAmong([], read.keyOf);
}

function staffAmong(stewards: readonly MemberListRow[], keyOf: StaffNames["keyOf"]): StaffNames {
  return {
    keyOf,
    usernames: new Set(stewards.map(({ username }) => username)),
    roles: new Map(stewards.map(({ username, role }) => [username, role])),
    likenesses: new Set(
      stewards.flatMap(({ username, name }) => [lookAlikeKey(username), lookAlikeKey(name)]),
    ),
  };
}
