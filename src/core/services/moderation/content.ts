import type { Core } from "../../base/core.ts";
import { isId, lastIdAt } from "../../base/ids.ts";
import { cursorKey, descending, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { type Caller, requireModerator } from "../../identity/access/caller.ts";
import { memberIn, networkIn } from "../../identity/builders/member-list.ts";
import { hostNamed } from "../../identity/held-hosts/held-hosts.ts";
import {
  type ContentConditions,
  type ContentRow,
  selectContent,
  selectFilterEnds,
  type Span,
} from "./content-store.ts";
import { type Subject, subjectsOf } from "./subjects.ts";

/** Kinds of content that moderators list. */
export const LISTED_KINDS = ["post", "reply", "job", "prompt"] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];

export const CONTENT_STATES = ["visible", "hidden", "held"] as const;
export type ContentState = (typeof CONTENT_STATES)[number];

/** Usernames may begin with `@`. */
export interface ContentFilter {
  kind?: ListedKind | undefined;
  /** Only content from after this moment, in ms since the epoch. */
  newSince?: number | undefined;
  author?: string | undefined;
  /** A host in the text or the address of a job. */
  linkHost?: string | undefined;
  /** Username of the member who invited the author. */
  inviter?: string | undefined;
  /** Username of a member: only content of members who signed up from the same network within 30 days. */
  network?: string | undefined;
  state?: ContentState | undefined;
}

export interface ListedContent {
  subject: Subject;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Whether the content waits for approval. */
  isHeld: boolean;
}

type Kind = Exclude<ListedKind, "reply">;
/** Sorts after every ID without its prefix. */
const LAST = "~";

/**
 * Lists posts, replies, jobs and prompts, newest first, visible or not. Filters other than `author`,
 * `newSince`, and the states `hidden` and `held` read the newest 10,000 entries of each kind. Allowed for
 * moderators. Throws not_found for an unknown member in a filter. Throws bad_request for a cursor of another
 * list.
 */
export function listModeratedContent(
  core: Core,
  caller: Caller,
  filter: ContentFilter,
  request: PageRequest,
): Page<ListedContent> {
  requireModerator(caller);
  const { kind, newSince } = filter;
  const conditions = conditionsOf(core, filter);
  const scope = { list: "content", filters: { kind, newSince, ...conditions } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("post", `post_${parts[0]}`),
  )?.[0];
  const ends = isUnbounded(filter) ? selectFilterEnds(core) : [];
  const spanOf = (prefix: Kind): Span => {
    const since = newSince === undefined ? "" : lastIdAt(prefix, Math.max(0, newSince));
    const end = ends.find((id) => id.startsWith(`${prefix}_`)) ?? "";
    const [from, to] = request.backwards ? [key ?? "", LAST] : ["", key ?? LAST];
    const after = [since, end, `${prefix}_${from}`].reduce((a, b) => (a > b ? a : b));
    return { after, before: `${prefix}_${to}` };
  };
  const kinds: readonly Kind[] =
    kind === undefined ? ["post", "job", "prompt"] : [kind === "reply" ? "post" : kind];
  const isReply = kind === "reply" ? true : kind === "post" ? false : undefined;
  const rows = kinds.flatMap((each) =>
    selectContent(core, each, { ...conditions, isReply }, spanOf(each), request),
  );
  const sign = descending(request).order === "ASC" ? 1 : -1;
  const found = rows.sort((a, b) => sign * (timeIdOf(a) < timeIdOf(b) ? -1 : 1)).slice(0, request.limit + 1);
  return pageOf(withSubjects(core, found), request, scope, ({ subject }) => [timeIdOf(subject)]);
}

/** Whether a filter could read all content to find a page. Authors and hidden content have an index. */
function isUnbounded({ author, kind, linkHost, inviter, network, state }: ContentFilter): boolean {
  if (author !== undefined) return false;
  const isIndexed = state === "hidden" || state === "held";
  return [linkHost, inviter, network, isIndexed ? undefined : (state ?? kind)].some(
    (value) => value !== undefined,
  );
}

/** Returns an ID without its prefix. It begins with the time, so that IDs of all kinds sort by time. */
function timeIdOf({ id }: { id: string }): string {
  return id.slice(id.indexOf("_") + 1);
}

function withSubjects(core: Core, rows: readonly ContentRow[]): ListedContent[] {
  const subjects = subjectsOf(
    core,
    rows.map(({ id }) => id),
  );
  return rows.flatMap(({ id, createdAt, isHeld }) => {
    const subject = subjects.get(id);
    return subject ? [{ subject, createdAt, isHeld: isHeld === 1 }] : [];
  });
}

/** Converts the filter for the statements. */
function conditionsOf(core: Core, filter: ContentFilter): ContentConditions {
  const { author, linkHost, inviter, network, state } = filter;
  return {
    authorId: memberIn(core, "author", author),
    invitedBy: memberIn(core, "inviter", inviter),
    network: networkIn(core, network),
    linkHost: linkHost === undefined ? undefined : hostNamed(linkHost.trim()),
    state,
  };
}
