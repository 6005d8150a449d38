import { Type } from "@sinclair/typebox";
import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { cursorKey, type CursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { parseQuestion, termExpression } from "../fulltext/language.ts";
import { firstWords } from "../fulltext/tokenizer.ts";
import { type ListedProfile, selectDirectory, type NewMember, selectNewest } from "./directory-store.ts";

/** What the directory can be asked for. */
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
 * More words than this are left out: they narrow nothing that eight have not narrowed, and each costs a
 * look-up.
 */
const WORDS_MAX = 8;

/**
 * The directory of builders, whoever came last first, as their profiles: what everybody may see of them and
 * nothing else. Nobody is in it who is suspended. For builders, not for visitors: a list of everybody is not
 * for whoever passes by. Needs `profile:read`. Throws forbidden, bad_request for a cursor of another search.
 */
export function listProfiles(
  core: Core,
  caller: Caller,
  query: BuilderQuery,
  request: PageRequest,
): Page<ListedProfile> {
  requireBuilder(caller, "profile:read");
  const expression = expressionOf(query.q ?? "");
  // Searches that mean the same are the same list.
  const scope = { list: "builders", filters: { expression } };
  const key = cursorKey(request, scope, isSeqKey);
  return pageOf(selectDirectory(core, expression, key?.[0], request), request, scope, ({ seq }) => [seq]);
}

/** Those who came last, by name alone. For builders as the directory is. Needs `profile:read`. */
export function listNewest(core: Core, caller: Caller, limit: number): NewMember[] {
  requireBuilder(caller, "profile:read");
  return selectNewest(core, limit);
}

/**
 * The words of a query as one FTS5 expression, undefined where there are none; `@ada` and `#rust` are words
 * with a sign before them.
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
 * The builders that a question finds (docs/contract.md#4.19), whoever came last first: words and phrases in
 * usernames, names and tags, each by its beginning; `tag:` is one that they post under. What is asked of
 * authors and days finds none. For builders as the directory is. Needs `profile:read`. Throws forbidden,
 * bad_request for a cursor of another search.
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
  // The directory's own index folds case and accents alone (docs/contract.md#4.1).
  const { terms, tags, authors, from, until } = parseQuestion(q, (text) => text);
  // `+` and `#` stand between words there.
  const plain = terms.map((term) => ({ ...term, text: term.text.replaceAll(/[+#]/g, " ") }));
  const parts = [
    ...firstWords(core, plain.slice(0, WORDS_MAX)).map((term) => termExpression({ ...term, isPrefix: true })),
    ...tags.map((tag) => `tags : ${termExpression({ text: tag, isPrefix: false })}`),
  ];
  const isNone = parts.length === 0 || authors.length > 0 || from !== undefined || until !== undefined;
  const rows = isNone ? [] : selectDirectory(core, parts.join(" AND "), key?.[0], request);
  return pageOf(rows, request, scope, ({ seq }) => [seq]);
}

function isSeqKey(key: CursorKey): key is [number] {
  return key.length === 1 && Number.isSafeInteger(key[0]);
}
