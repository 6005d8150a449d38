import { foldText } from "../../base/text-folding.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { communitySettingsOf } from "../community-settings/community-settings.ts";
import { publicName } from "./author.ts";
import { type MemberListRow, selectTeam } from "./builders-store.ts";

/*
 * Impersonation (docs/threats.md#F05): new usernames that look like those of staff are refused, and display
 * names that do are marked. Staff is everyone with a role above member who is not suspended.
 */

/**
 * Cyrillic and Greek letters that look like ASCII letters, in both cases. The whole table of Unicode's
 * confusables (UTS #39) has 6,000 rows, most of them in scripts in which a name that equals a Latin one
 * cannot be written.
 */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [
    "aАаΑα bВΒ cСсϹϲ eЕеΕ gԌԍ hНһΗ iІіΙι jЈјϳ kКкΚκ lӀӏ mМΜ nΝ oОоΟο pРрΡρ qԚԛ sЅѕ tТΤ uυ vѴѵν wԜԝ",
    "xХхΧχ yУуΥ zΖ dԁ hӊ nп",
  ]
    .join(" ")
    .split(" ")
    .flatMap(([letter = "", ...others]) => others.map((other): [string, string] => [other, letter])),
);

/** Pairs that look like one letter, and signs of ASCII that look like a letter, in this order. */
const ASCII: readonly [RegExp, string][] = [
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/0/g, "o"],
  [/[1i|]/g, "l"],
  [/5/g, "s"],
];

/** The usernames that speak for the community, and that nobody may come near. */
const OFFICES = ["admin", "administrator", "moderator", "operator", "staff", "support", "system"];
const OFFICE_LIKENESSES: ReadonlySet<string> = new Set(OFFICES.map(lookAlikeKey));

/**
 * What is left of a name when everything is gone that a reader overlooks: case, accents, separators, and the
 * difference between letters that look alike. Two names with one likeness are confusable.
 */
export function lookAlikeKey(name: string): string {
  const plain = foldText(name.normalize("NFKD"))
    .replace(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, (letter) => LOOK_ALIKES.get(letter) ?? letter)
    .toLowerCase();
  const letters = plain.replace(/[^\p{L}\p{N}|]+/gu, "");
  const likeness = ASCII.reduce((text, [signs, letter]) => text.replace(signs, letter), letters);
  // A name of signs alone, such as emoji, is compared as it is.
  return likeness === "" ? plain.trim() : likeness;
}

/**
 * Whether a username is confusable with that of a member of staff, with the community's name or with a name
 * of an office.
 */
export function looksLikeStaff(core: Core, username: string): boolean {
  const likeness = lookAlikeKey(username);
  return (
    OFFICE_LIKENESSES.has(likeness) ||
    lookAlikeKey(communitySettingsOf(core).name) === likeness ||
    selectTeam(core).some((steward) => lookAlikeKey(steward.username) === likeness)
  );
}

/** Throws unprocessable for a username that `looksLikeStaff`. */
export function refuseLookAlike(core: Core, username: string): void {
  if (looksLikeStaff(core, username)) throw refuse("username_looks_alike");
}

/** The names of staff, as `staffNamesOf` reads them. */
export interface StaffNames {
  usernames: ReadonlySet<string>;
  /** Of their display names and usernames. */
  likenesses: ReadonlySet<string>;
}

/** Whether the display name of this member looks like a name of staff, and they are not staff. */
export function isNamedLikeStaff(
  { usernames, likenesses }: StaffNames,
  { username, name }: { username: string; name: string },
): boolean {
  return !usernames.has(username) && likenesses.has(lookAlikeKey(name));
}

/**
 * A display name where no mark fits, such as in a feed: one that looks like a name of staff comes with its
 * username.
 */
export function nameInText(staff: StaffNames, who: { username: string; name: string }): string {
  return isNamedLikeStaff(staff, who) ? publicName(who) : who.name;
}

function nothingRead(): { staff: StaffNames | undefined; version: number | undefined } {
  return { staff: undefined, version: undefined };
}

/**
 * The names of staff now. Reads them again only after a change, but asks the database whether there was one:
 * a page asks once for all its bylines.
 */
export function staffNamesOf(core: Core): StaffNames {
  // A transaction that writes has no version yet.
  if (core.db.transaction() !== undefined) return staffAmong(selectTeam(core));
  const read = core.memory(nothingRead);
  const version = core.db.version();
  if (read.version !== version || read.staff === undefined)
    Object.assign(read, { staff: staffAmong(selectTeam(core)), version });
  return read.staff ?? staffAmong([]);
}

function staffAmong(stewards: readonly MemberListRow[]): StaffNames {
  return {
    usernames: new Set(stewards.map(({ username }) => username)),
    likenesses: new Set(
      stewards.flatMap(({ username, name }) => [lookAlikeKey(username), lookAlikeKey(name)]),
    ),
  };
}
