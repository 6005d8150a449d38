import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { spendLinks } from "../../identity/newcomers/newcomers.ts";
import { spendPost } from "../../identity/quotas/quotas.ts";
import { HOUR, SECOND } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse, refuseFor } from "../../base/errors.ts";
import { type Page, type PageRequest, pagesOf } from "../../base/page.ts";
import { Id, Timestamp } from "../../base/view.ts";
import { recordPublicEvent } from "../../outbox/events/events.ts";
import { storedMedia, type Picture, shownMedia } from "../media/media.ts";
import { deleteTags, insertTags, updatePost } from "./feed-store.ts";
import { storeMentions } from "../mentions/mentions.ts";
import {
  getPosts,
  linkTextsOf,
  Media,
  mentioning,
  type Post,
  postFact,
  PostText,
  PostView,
  Tags,
  visiblePost,
} from "./feed.ts";
import {
  findCurrent,
  findTime,
  insertRevision,
  type RevisionRow,
  selectRevisions,
  selectRevisionsById,
} from "./revisions-store.ts";

const { text, tags, media } = PostView.properties;

/** What a post said at one time, or says. */
export const RevisionView = Type.Object(
  {
    id: Id("rev_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the revision."),
    text,
    tags,
    media,
    at: Timestamp({ description: "The time at which this revision was written." }),
  },
  { $id: "Revision" },
);
export interface Revision extends Static<typeof RevisionView> {
  /** Those of its media that its author has sent. */
  pictures?: Picture[];
}

function shown(core: Core, { media: kept, ...row }: RevisionRow): Revision & { number: number } {
  return { ...row, ...shownMedia(core, kept) };
}

/** What is left out stays. */
export const PostChange = Type.Object({
  text: Type.Optional(PostText),
  tags: Tags,
  media: Media,
  revision: Type.Optional(
    Type.String({
      description:
        "The revision that your edit is based on. If it is no longer the current revision, the edit is refused. Without this field, the current revision is edited. Unlike the ETag, the revision does not change with likes and replies.",
      examples: ["rev_01kafzq8e5f2r8v0j3n6s1t4wx"],
    }),
  ),
});
export type PostChange = Static<typeof PostChange>;

/** What was said a hundred times in other words is another post by now. */
export const EDITS_MAX = 100;

/** Each edit of a post is told to all who listen to the feed. */
export const EDITS_PER_HOUR = 10;

/**
 * Changes a post or reply of the caller's and returns it; what it said before stays among its revisions. An
 * edit that changes nothing is none. `post.updated` is recorded in the same transaction for a post that
 * stands on the feed. One that moderators hide may be edited, too, and stays hidden. A reply has no tags.
 * Needs `feed:write`. Throws not_found; forbidden for somebody else's; conflict where `revision` is not the
 * current one any more, and for the hundred and first edit; rate_limited for too many within an hour, and
 * where the operator's quota is used up, for which an edit counts as a post; for somebody new as
 * `spendLinks`.
 */
export function editPost(core: Core, caller: Caller, id: string, change: PostChange): Post {
  const { builderId } = requireBuilder(caller, "feed:write");
  return core.db.transact(() => {
    const post = visiblePost(core, caller, id);
    if (post.authorId !== builderId) throw refuse("post_not_yours");
    if (change.revision !== undefined && change.revision !== post.revision) throw refuse("post_edited");
    const current = findCurrent(core, id) as RevisionRow;
    const next = merged(core, post, current, change);
    if (isSame(current, next)) return post;
    refuseTooMany(core, current);
    spendPost(core, caller, builderId);
    spendLinks(core, caller, linkTextsOf(next), linkTextsOf(current));
    insertRevision(core, current);
    const edited = { ...post, ...next, ...shownMedia(core, next.media), ...moment(core, current) };
    updatePost(core, id, { ...next, editedAt: edited.editedAt, revisionId: edited.revision });
    storeMentions(core, mentioning(edited));
    if (post.rootId === null && post.hiddenAt === null) {
      deleteTags(core, id);
      insertTags(core, edited);
      recordPublicEvent(core, "post.updated", postFact(core, edited), id);
    }
    return edited;
  });
}

/**
 * What a post or reply has said, the current revision first: one for what was never edited. Whoever may read
 * the post may read them, and they go with it. Needs `feed:read`. Throws not_found, bad_request for a cursor
 * of another list.
 */
export function listRevisions(
  core: Core,
  caller: Caller,
  postId: string,
  request: PageRequest,
): Page<Revision> {
  requireScope(caller, "feed:read");
  const { id } = visiblePost(core, caller, postId);
  return revisionsOf(core, [id], request).get(id) as Page<Revision>;
}

/** The same for many posts at once; those that the caller cannot see are left out. */
export function listRevisionsOf(
  core: Core,
  caller: Caller,
  postIds: readonly string[],
  request: PageRequest,
): ReadonlyMap<string, Page<Revision>> {
  const ids = getPosts(core, caller, postIds).map(({ id }) => id);
  return revisionsOf(core, ids, request);
}

/**
 * Of these ids of revisions those that are not current any more, by their ids. Asks no right: what calls it
 * has.
 */
export function formerRevisions(core: Core, ids: readonly string[]): ReadonlyMap<string, Revision> {
  return new Map(selectRevisionsById(core, ids).map((row) => [row.id, shown(core, row)]));
}

function revisionsOf(core: Core, ids: readonly string[], request: PageRequest) {
  return pagesOf<Revision & { number: number }, number>(ids, request, {
    scopeOf: (id) => ({ list: "revisions", filters: { id } }),
    isKey: (parts): parts is [number] => parts.length === 1 && Number.isSafeInteger(parts[0]),
    select: (walks) =>
      new Map(
        [...selectRevisions(core, walks, request)].map(([id, rows]) => [
          id,
          rows.map((row) => shown(core, row)),
        ]),
      ),
    keyOf: ({ number }) => number,
  });
}

type RevisionContent = Pick<RevisionRow, "text" | "tags" | "media">;

function merged(
  core: Core,
  post: Post,
  current: RevisionRow,
  { text, tags, media }: PostChange,
): RevisionContent {
  return {
    text: text ?? post.text,
    tags: tags === undefined || post.rootId !== null ? post.tags : [...new Set(tags)],
    media: media ? storedMedia(core, post.authorId, media, current.media) : current.media,
  };
}

function isSame(one: RevisionContent, other: RevisionContent): boolean {
  const parts = ({ text, tags, media }: RevisionContent) => JSON.stringify([text, tags, media]);
  return parts(one) === parts(other);
}

/**
 * By the time at which each was written, which runs ahead of the clock by a millisecond for each edit within
 * one. Where it is further ahead, the clock was set back: that holds nobody up.
 */
function refuseTooMany(core: Core, { postId, number, at }: RevisionRow): void {
  if (number >= EDITS_MAX) throw refuse("edits_too_many", { max: EDITS_MAX });
  const first = number - EDITS_PER_HOUR + 1;
  if (first < 1) return;
  const since = core.clock.now() - (first === number ? at : (findTime(core, postId, first) ?? 0));
  if (since > -SECOND && since < HOUR)
    throw refuseFor("edits_too_fast", HOUR - since, { max: EDITS_PER_HOUR });
}

/**
 * Later than what it said before, whatever the clock says, so that no two states of a post have the same
 * ETag.
 */
function moment(core: Core, { at }: RevisionRow): { editedAt: number; revision: string } {
  const now = core.clock.now();
  return { editedAt: Math.max(now, at + 1), revision: core.makeId("rev", now) };
}
