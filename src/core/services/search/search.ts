import { type Static, Type } from "@sinclair/typebox";
import { findJobs } from "../../community/jobs/search.ts";
import type { Job } from "../../community/jobs/job.ts";
import { getJobs } from "../../community/jobs/jobs.ts";
import { getPosts, type Post } from "../../community/feed/feed.ts";
import { searchPosts } from "../../community/feed/search.ts";
import { parseQuestion, type Term } from "../../community/fulltext/language.ts";
import { markedHtml, snippetOf } from "../../community/fulltext/snippets.ts";
import { findBuilders } from "../../community/profiles/directory.ts";
import { getProfiles, type Profile } from "../../community/profiles/profiles.ts";
import { getPrompts, type Prompt } from "../../community/prompts/prompts.ts";
import { searchPrompts } from "../../community/prompts/search.ts";
import { Choice, type Filtered, Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { type IdKind, isId } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { titleOf } from "../../base/title.ts";
import { orNull, DisplayText, Timestamp } from "../../base/view.ts";
import { type Caller, requireScope } from "../../identity/access/caller.ts";
import type { Scope } from "../../identity/access/scopes.ts";

/** Kinds of results in display order. A search of a kind needs the scope for the list of that kind. */
export const SEARCH_KINDS = ["post", "job", "prompt", "builder"] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

const SCOPE_OF: Readonly<Record<SearchKind, Scope>> = {
  post: "feed:read",
  job: "jobs:read",
  prompt: "prompts:read",
  builder: "profile:read",
};

/** Searching needs at least one of these scopes. */
export const SEARCH_SCOPES: readonly Scope[] = Object.values(SCOPE_OF);

/** Number of results per kind in a search of all kinds. */
export const PREVIEW_COUNT = 3;

/** Maximum length of a query, in characters. */
const Q_MAX = 1000;

export const SearchQuery = Type.Object({
  q: Type.Optional(
    Text({
      min: 0,
      max: Q_MAX,
      description:
        'Search words, "phrases", and word beginnings with `*`. The operators are `tag:rust`, `author:ada`, `before:2026-01-01`, and `after:2026-01-01`. All conditions must match. Any input is valid: there are no syntax errors.',
      examples: ["queue tag:rust"],
    }),
  ),
  kind: Type.Optional(
    Choice(
      SEARCH_KINDS,
      "Return only results of this kind. Without `kind`, you get the first three results of each kind, on one page.",
      ["post"],
    ),
  ),
});
export type SearchQuery = Filtered<typeof SearchQuery>;

/** A search result of any kind. */
export const SearchResultView = Type.Object(
  {
    kind: Choice(SEARCH_KINDS, "The kind of result. A reply also has the kind `post`.", ["post"]),
    id: DisplayText(
      "The identifier of the result. For a builder, the username.",
      "post_01kafzq8e5f2r8v0j3n6s1t4wx",
    ),
    title: DisplayText("The title of the result. For a post, its first line.", "Shipped"),
    snippet: DisplayText(
      "The matching part of the text, as HTML. The text is escaped, and matches are in `<mark>`.",
      "The first release of our <mark>queue</mark> is out.",
    ),
    url: DisplayText(
      "The URL of the web page.",
      "https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx",
    ),
    author: orNull(Type.String(), {
      description: "The username of the author. `null` for a job or a builder.",
      examples: ["ada"],
    }),
    rootId: orNull(Type.String(), {
      description:
        "For a reply, the identifier of the post that started the conversation. `null` for anything else.",
      examples: [null],
    }),
    createdAt: Timestamp({
      description: "The time of publication. For a builder, the time at which they joined.",
    }),
  },
  { $id: "Found" },
);
/**
 * A result with its query and its node id. The node id of a builder differs from `id`, which is the username.
 */
export interface SearchResult extends Static<typeof SearchResultView> {
  q: string;
  nodeId: string;
}

/** A result and the text that its snippet is cut from. */
type ResultWithText = Omit<SearchResult, "q" | "snippet"> & { text: string };

/**
 * Searches posts, replies, jobs, prompts and builders (docs/contract.md#4.19). With a kind, returns pages of
 * that kind and needs the scope of its list. Without a kind, returns the first three results of each kind
 * that the caller may read, without a cursor. Throws forbidden if the caller may read no kind. Throws
 * bad_request as the search of each kind does.
 */
export function searchEverything(
  core: Core,
  caller: Caller,
  { q = "", kind }: SearchQuery,
  request: PageRequest,
): Page<SearchResult> {
  if (kind !== undefined) return KINDS[kind].search(core, caller, q, request);
  // Results of several kinds have no common position, so every cursor is refused.
  const scope = { list: "search", filters: { q } };
  cursorKey(request, scope, (_key): _key is never => false);
  const kinds = SEARCH_KINDS.filter((one) => maySearch(caller, one));
  if (kinds.length === 0) requireScope(caller, "feed:read");
  const found = kinds.flatMap((one) => KINDS[one].search(core, caller, q, { limit: PREVIEW_COUNT }).nodes);
  return pageOf(found, { limit: found.length }, scope, () => []);
}

/** Whether the caller may search this kind. Guests cannot search the directory. */
export function maySearch(caller: Caller, kind: SearchKind): boolean {
  return caller.scopes.has(SCOPE_OF[kind]) && (kind !== "builder" || caller.builderId !== null);
}

/**
 * Returns results by id, as a search for `q` shows them, without those that the caller cannot see. Needs the
 * scope of at least one requested kind.
 */
export function getSearchResults(
  core: Core,
  caller: Caller,
  q: string,
  ids: readonly string[],
): SearchResult[] {
  if (q.length > Q_MAX) return [];
  const { terms } = parseQuestion(q);
  const ofKind = (kind: SearchKind): string[] => ids.filter((id) => isId(KINDS[kind].idKind, id));
  const usedKinds = SEARCH_KINDS.filter((kind) => ofKind(kind).length > 0);
  const kinds = usedKinds.filter((kind) => maySearch(caller, kind));
  const [first] = usedKinds;
  if (first && kinds.length === 0) requireScope(caller, SCOPE_OF[first]);
  return kinds.flatMap((kind) =>
    KINDS[kind].get(core, caller, ofKind(kind)).map((result) => withSnippet(result, q, terms)),
  );
}

interface Kind {
  idKind: IdKind;
  search(core: Core, caller: Caller, q: string, request: PageRequest): Page<SearchResult>;
  get(core: Core, caller: Caller, ids: readonly string[]): ResultWithText[];
}

const KINDS: Readonly<Record<SearchKind, Kind>> = {
  post: {
    idKind: "post",
    search: (core, caller, q, request) =>
      shown(searchPosts(core, caller, q, request), q, (post) => postResult(core, post)),
    get: (core, caller, ids) => getPosts(core, caller, ids).map((post) => postResult(core, post)),
  },
  job: {
    idKind: "job",
    search(core, caller, q, request) {
      const page = findJobs(core, caller, q, request);
      const texts = new Map(
        getJobs(
          core,
          caller,
          page.nodes.map(({ id }) => id),
        ).map(({ id, description }) => [id, description]),
      );
      return shown(page, q, (job) => jobResult(core, { ...job, description: texts.get(job.id) ?? "" }));
    },
    get: (core, caller, ids) => getJobs(core, caller, ids).map((job) => jobResult(core, job)),
  },
  prompt: {
    idKind: "prompt",
    search: (core, caller, q, request) =>
      shown(searchPrompts(core, caller, q, request), q, (prompt) => promptResult(core, prompt)),
    get: (core, caller, ids) => getPrompts(core, caller, ids).map((prompt) => promptResult(core, prompt)),
  },
  builder: {
    idKind: "builder",
    search: (core, caller, q, request) =>
      shown(findBuilders(core, caller, q, request), q, (builder) => builderResult(core, builder)),
    get: (core, caller, ids) => getProfiles(core, caller, ids).map((builder) => builderResult(core, builder)),
  },
};

const postResult = (core: Core, { id, text, author, rootId, createdAt }: Post): ResultWithText => ({
  kind: "post",
  id,
  nodeId: id,
  title: titleOf(text),
  text,
  url: `${core.origin}/posts/${id}`,
  author: author.username,
  rootId,
  createdAt,
});

const jobResult = (
  core: Core,
  { id, title, description, postedAt }: Pick<Job, "id" | "title" | "description" | "postedAt">,
): ResultWithText => ({
  kind: "job",
  id,
  nodeId: id,
  title,
  text: description,
  url: `${core.origin}/jobs/${id}`,
  author: null,
  rootId: null,
  createdAt: postedAt,
});

const promptResult = (
  core: Core,
  { id, title, body, author, createdAt }: Pick<Prompt, "id" | "title" | "body" | "author" | "createdAt">,
): ResultWithText => ({
  kind: "prompt",
  id,
  nodeId: id,
  title,
  text: body,
  url: `${core.origin}/prompts/${id}`,
  author: author.username,
  rootId: null,
  createdAt,
});

const builderResult = (
  core: Core,
  { id, username, name, bio, joinedAt }: Pick<Profile, "id" | "username" | "name" | "bio" | "joinedAt">,
): ResultWithText => ({
  kind: "builder",
  id: username,
  nodeId: id,
  title: name,
  text: bio,
  url: `${core.origin}/@${username}`,
  author: null,
  rootId: null,
  createdAt: joinedAt,
});

/** Converts a page of items to a page of results with the same cursors. */
function shown<Node>(
  page: Page<Node>,
  q: string,
  toResult: (node: Node) => ResultWithText,
): Page<SearchResult> {
  const { terms } = parseQuestion(q);
  const nodes = new Map<SearchResult, Node>();
  for (const node of page.nodes) nodes.set(withSnippet(toResult(node), q, terms), node);
  return {
    ...page,
    nodes: [...nodes.keys()],
    cursorOf: (found) => page.cursorOf(nodes.get(found) as Node),
  };
}

function withSnippet({ text, ...found }: ResultWithText, q: string, terms: readonly Term[]): SearchResult {
  return { ...found, q, snippet: markedHtml(snippetOf(text, terms)) };
}
