import { type Static, Type } from "@sinclair/typebox";
import { findJobs } from "../../community/jobs/search.ts";
import { getJobs } from "../../community/jobs/jobs.ts";
import { searchPosts } from "../../community/feed/search.ts";
import { parseQuestion, type Term } from "../../community/fulltext/language.ts";
import { markedHtml, snippetOf } from "../../community/fulltext/marks.ts";
import { findBuilders } from "../../community/profiles/directory.ts";
import { searchPrompts } from "../../community/prompts/search.ts";
import { Choice, type Filtered, Text } from "../../ground/check.ts";
import type { Core } from "../../ground/core.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../ground/page.ts";
import { titleOf } from "../../ground/title.ts";
import { orNull, Shown, Timestamp } from "../../ground/view.ts";
import { type Caller, requireScope } from "../../identity/access/caller.ts";
import type { Scope } from "../../identity/access/scopes.ts";

/** What can be found, in the order in which it is shown, each by the scope of its own list. */
export const FOUND_KINDS = ["post", "job", "prompt", "builder"] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

const SCOPE_OF: Readonly<Record<FoundKind, Scope>> = {
  post: "feed:read",
  job: "jobs:read",
  prompt: "prompts:read",
  builder: "profile:read",
};

/** The scopes that let somebody search anything at all. */
export const SEARCH_SCOPES: readonly Scope[] = Object.values(SCOPE_OF);

/** So many of each kind are shown together. */
export const TOGETHER = 3;

/** What the search can be asked. */
export const SearchQuery = Type.Object({
  q: Type.Optional(
    Text({
      min: 0,
      max: 1000,
      description:
        'Words, "phrases", beginnings with `*`, `tag:rust`, `author:ada`, `before:2026-01-01`, `after:2026-01-01`: all of them. No input is a syntax error.',
      examples: ["queue tag:rust"],
    }),
  ),
  kind: Type.Optional(
    Choice(FOUND_KINDS, "Only things of this kind, page by page; without it the first three of each.", [
      "post",
    ]),
  ),
});
export type SearchQuery = Filtered<typeof SearchQuery>;

/** Something that was found, of whatever kind. */
export const FoundView = Type.Object(
  {
    kind: Choice(FOUND_KINDS, "What it is; `post` also for a reply.", ["post"]),
    id: Shown("Its identifier; a builder's username.", "post_01kafzq8e5f2r8v0j3n6s1t4wx"),
    title: Shown("What it is called; of a post its first line.", "Shipped"),
    snippet: Shown(
      "The part of its text that was found, as HTML: nothing but escaped text, with matches in `<mark>`.",
      "The first release of our <mark>queue</mark> is out.",
    ),
    url: Shown("Its page.", "https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx"),
    author: orNull(Type.String(), {
      description: "The username of whoever wrote it; null for a job and for a builder.",
      examples: ["ada"],
    }),
    rootId: orNull(Type.String(), {
      description: "For a reply the post that its conversation is under; null for everything else.",
      examples: [null],
    }),
    createdAt: Timestamp({ description: "When it was published; of a builder, when they came." }),
  },
  { $id: "Found" },
);
/** With the identifier of what it is, also where that is a builder. */
export interface Found extends Static<typeof FoundView> {
  nodeId: string;
}

/** What is told of a thing, with the text that its snippet is of. */
type Told = Omit<Found, "snippet"> & { text: string };

/**
 * Posts with their replies, jobs, prompts and builders that a question finds (docs/contract.md#4.19): of one
 * kind page by page, by its own list's scope; without a kind the first three of each that the caller may read,
 * without a cursor. Throws forbidden where that is none, bad_request as each kind's own search does.
 */
export function searchEverything(
  core: Core,
  caller: Caller,
  { q = "", kind }: SearchQuery,
  request: PageRequest,
): Page<Found> {
  if (kind !== undefined) return KINDS[kind](core, caller, q, request);
  // A page of several kinds has no place that a cursor could name.
  const scope = { list: "search", filters: { q } };
  cursorKey(request, scope, (_key): _key is never => false);
  const kinds = FOUND_KINDS.filter((one) => mayFind(caller, one));
  if (kinds.length === 0) requireScope(caller, "feed:read");
  const found = kinds.flatMap((one) => KINDS[one](core, caller, q, { limit: TOGETHER }).nodes);
  return pageOf(found, { limit: found.length }, scope, () => []);
}

/** Whether the search shows things of a kind to the caller; the directory is not for visitors. */
export function mayFind(caller: Caller, kind: FoundKind): boolean {
  return caller.scopes.has(SCOPE_OF[kind]) && (kind !== "builder" || caller.builderId !== null);
}

type Search = (core: Core, caller: Caller, q: string, request: PageRequest) => Page<Found>;

const KINDS: Readonly<Record<FoundKind, Search>> = {
  post: (core, caller, q, request) =>
    shown(searchPosts(core, caller, q, request), q, (post) => ({
      kind: "post",
      id: post.id,
      nodeId: post.id,
      title: titleOf(post.text),
      text: post.text,
      url: `${core.origin}/posts/${post.id}`,
      author: post.author.username,
      rootId: post.rootId,
      createdAt: post.createdAt,
    })),
  job(core, caller, q, request) {
    const page = findJobs(core, caller, q, request);
    const texts = new Map(
      getJobs(
        core,
        caller,
        page.nodes.map(({ id }) => id),
      ).map(({ id, description }) => [id, description]),
    );
    return shown(page, q, ({ id, title, postedAt }) => ({
      kind: "job",
      id,
      nodeId: id,
      title,
      text: texts.get(id) ?? "",
      url: `${core.origin}/jobs/${id}`,
      author: null,
      rootId: null,
      createdAt: postedAt,
    }));
  },
  prompt: (core, caller, q, request) =>
    shown(searchPrompts(core, caller, q, request), q, ({ id, title, body, author, createdAt }) => ({
      kind: "prompt",
      id,
      nodeId: id,
      title,
      text: body,
      url: `${core.origin}/prompts/${id}`,
      author: author.username,
      rootId: null,
      createdAt,
    })),
  builder: (core, caller, q, request) =>
    shown(findBuilders(core, caller, q, request), q, ({ id, username, name, bio, joinedAt }) => ({
      kind: "builder",
      id: username,
      nodeId: id,
      title: name,
      text: bio,
      url: `${core.origin}/@${username}`,
      author: null,
      rootId: null,
      createdAt: joinedAt,
    })),
};

/** The same page of what is told of each. */
function shown<Node>(page: Page<Node>, q: string, tell: (node: Node) => Told): Page<Found> {
  const { terms } = parseQuestion(q);
  const places = new Map<Found, Node>();
  for (const node of page.nodes) places.set(withSnippet(tell(node), terms), node);
  return {
    ...page,
    nodes: [...places.keys()],
    cursorOf: (found) => page.cursorOf(places.get(found) as Node),
  };
}

function withSnippet({ text, ...found }: Told, terms: readonly Term[]): Found {
  return { ...found, snippet: markedHtml(snippetOf(text, terms)) };
}
