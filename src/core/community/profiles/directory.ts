import { Type } from "@sinclair/typebox";
import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { foldUsername } from "../../identity/builders/username.ts";
import { Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { cursorKey, type CursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { parseQuestion, termExpression } from "../fulltext/language.ts";
import { limitWords } from "../fulltext/tokenizer.ts";
import {
  type ListedProfile,
  type NamedBuilder,
  selectByUsername,
  selectByXp,
  selectDirectory,
  selectNamesMatching,
  selectTopTags,
  selectUsernamesFrom,
} from "./directory-store.ts";
import type { Profile } from "./profiles.ts";

/** A search of the directory. */
export const BuilderQuery = Type.Object({
  q: Type.Optional(
    Text({
      min: 0,
      max: 100,
      description:
        "Search words. Each must be the beginning of a word in the builder's username, name, or a tag of their posts. Any input is valid: there are no syntax errors.",
      examples: ["ada rust"],
    }),
  ),
});

export interface BuilderQuery {
  q?: string | undefined;
}

/**
 * Maximum number of words of a search. Further words are ignored, because further words narrow the result
 * little and each word costs a lookup.
 */
const WORDS_MAX = 8;

/**
 * Returns the directory of builders as public profiles, newest builders first. Leaves out suspended builders.
 * Only builders may read the directory, because guests must not get a list of all members. Needs
 * `profile:read`. Throws forbidden, and bad_request for a cursor of another search.
 */
export function listProfiles(
  core: Core,
  caller: Caller,
  query: BuilderQuery,
  request: PageRequest,
): Page<ListedProfile> {
  requireBuilder(caller, "profile:read");
  const expression = expressionOf(query.q ?? "");
  // The cursor is bound to the expression, so equivalent queries share cursors.
  const scope = { list: "builders", filters: { expression } };
  const key = cursorKey(request, scope, isSeqKey);
  return pageOf(selectDirectory(core, expression, key?.[0], request), request, scope, ({ seq }) => [seq]);
}

/** The orders of the member list, apart from newest first. */
export type DirectoryOrder = "xp" | "name";

/**
 * Returns the directory by XP, highest first, or by username, from A to Z. Leaves out suspended builders.
 * Needs `profile:read`. Throws forbidden, and bad_request for a cursor of another list.
 */
export function listProfilesBy(
  core: Core,
  caller: Caller,
  order: DirectoryOrder,
  request: PageRequest,
): Page<Profile> {
  requireBuilder(caller, "profile:read");
  const scope = { list: "builders_by", filters: { order } };
  if (order === "xp") {
    const key = cursorKey(request, scope, isXpKey);
    const first = request.backwards ? ([-1, ""] as const) : ([Number.MAX_SAFE_INTEGER, ""] as const);
    return pageOf(selectByXp(core, key ?? first, request), request, scope, ({ xp, id }) => [xp, id]);
  }
  const [after] = cursorKey(request, scope, isNameKey) ?? [request.backwards ? "~" : ""];
  return pageOf(selectByUsername(core, after, request), request, scope, ({ username }) => [username]);
}

/**
 * Returns the tags that each builder posts under most, as their skills. Only builders may read the skills.
 * Needs `profile:read`. Throws forbidden.
 */
export function skillsOf(
  core: Core,
  caller: Caller,
  builderIds: readonly string[],
  limit: number,
): ReadonlyMap<string, string[]> {
  requireBuilder(caller, "profile:read");
  return selectTopTags(core, builderIds, limit);
}

/**
 * Returns builders whose username, or a word of whose name, begins with this text. Usernames come first.
 * Leaves out suspended builders. Needs `profile:read`. Throws forbidden.
 */
export function listNamesFrom(core: Core, caller: Caller, text: string, limit: number): NamedBuilder[] {
  requireBuilder(caller, "profile:read");
  const prefix = foldUsername(text);
  const named = /^[a-z0-9_-]+$/.test(prefix) ? selectUsernamesFrom(core, prefix, limit) : [];
  const expression = named.length < limit ? expressionOf(text) : undefined;
  const others = expression === undefined ? [] : selectNamesMatching(core, `names : (${expression})`, limit);
  const known = new Set(named.map(({ id }) => id));
  return [...named, ...others.filter(({ id }) => !known.has(id))].slice(0, limit);
}

/**
 * Returns the words of a query as one FTS5 expression, or undefined if the query has no words. Punctuation
 * and symbols are ignored, so `@ada` is the word `ada`.
 */
function expressionOf(text: string): string | undefined {
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  const distinct = [...new Set(words)].filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word));
  return distinct.length === 0
    ? undefined
    : distinct
        .slice(0, WORDS_MAX)
        .map((word) => `"${word}"*`)
        .join(" AND ");
}

/**
 * Searches the builders (docs/contract.md#4.19), newest builders first. Words and phrases match as prefixes
 * in usernames, names and tags. `tag:` matches a tag that the builder posts under. A query with an author or
 * a date finds nothing. Only builders may search. Needs `profile:read`. Throws forbidden, and bad_request for
 * a cursor of another search.
 */
export function findBuilders(
  core: Core,
  caller: Caller,
  q: string,
  request: PageRequest,
): Page<ListedProfile> {
  requireBuilder(caller, "profile:read");
  const scope = { list: "directory_search", filters: { q } };
  const key = cursorKey(request, scope, isSeqKey);
  // The text is not folded here, because the directory index folds only case and accents
  // (docs/contract.md#4.1).
  const { terms, tags, authors, from, until } = parseQuestion(q, (text) => text);
  // Replaces `+` and `#` by spaces, because the directory index treats these characters as separators.
  const plain = terms.map((term) => ({ ...term, text: term.text.replaceAll(/[+#]/g, " ") }));
  const parts = [
    ...limitWords(core, plain.slice(0, WORDS_MAX)).map((term) => termExpression({ ...term, isPrefix: true })),
    ...tags.map((tag) => `tags : ${termExpression({ text: tag, isPrefix: false })}`),
  ];
  const isNone = parts.length === 0 || authors.length > 0 || from !== undefined || until !== undefined;
  const rows = isNone ? [] : selectDirectory(core, parts.join(" AND "), key?.[0], request);
  return pageOf(rows, request, scope, ({ seq }) => [seq]);
}

function isSeqKey(key: CursorKey): key is [number] {
  return key.length === 1 && Number.isSafeInteger(key[0]);
}

function isXpKey(key: CursorKey): key is [number, string] {
  return key.length === 2 && Number.isSafeInteger(key[0]) && typeof key[1] === "string";
}

function isNameKey(key: CursorKey): key is [string] {
  return key.length === 1 && typeof key[0] === "string";
}
