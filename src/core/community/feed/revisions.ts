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
import { brakeOf } from "../holding/brakes.ts";
import { hold } from "../holding/holding.ts";
import { mentionedIn, storeMentions } from "../mentions/mentions.ts";
import { withdrawSubject } from "../xp/xp.ts";
import { deleteTags, insertTags, updatePost } from "./feed-store.ts";
import {
  brakedTextsOf,
  getPosts,
  linkTextsOf,
  Media,
  mentionsOfPost,
  type Post,
  postPayload,
  PostText,
  PostView,
  Tags,
  visiblePost,
} from "./feed.ts";
import { hidePost } from "./removal.ts";
import {
  findCurrent,
  findTime,
  insertRevision,
  type RevisionRow,
  selectRevisions,
  selectRevisionsById,
} from "./revisions-store.ts";

const { text, tags, media } = PostView.properties;

/** A current or earlier revision of a post. */
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
  /** Pictures among the revision's `media` that the author uploaded. */
  pictures?: Picture[];
}

function toRevisionView(core: Core, { media: kept, ...row }: RevisionRow): Revision & { number: number } {
  return { ...row, ...shownMedia(core, kept) };
}

/** An edit. Omitted fields are unchanged. */
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

/** Maximum number of edits of one post. */
export const EDITS_MAX = 100;

/**
 * Maximum number of edits of one post within an hour. The limit exists because each edit notifies all
 * subscribers of the feed.
 */
export const EDITS_PER_HOUR = 10;

/**
 * Edits a post or reply of the caller and returns it. The earlier text is kept as a revision. An edit that
 * changes nothing stores no revision. The tags of a reply are ignored.
 * Records `post.updated` in the same transaction if the post is in the feed. A hidden post can be edited and
 * remains hidden.
 * Needs `feed:write`. Throws not_found, and forbidden for another member's post. Throws conflict if
 * `revision` is no longer current, and for the 101st edit. Throws rate_limited for too many edits within an
 * hour, and if the operator's posting quota is used up. Throws the refusals of `spendLinks` for a new member.
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
    const content = { after: brakedTextsOf(next), before: brakedTextsOf(current) };
    const brake =
      post.hiddenAt === null ? brakeOf(core, caller, { ...content.after, before: content.before }) : null;
    if (brake) {
      const mentioned = mentionedIn(core, id);
      hold(core, brake, { subjectId: id, builderId, kind: "post", isNew: false, mentioned });
      hidePost(core, id);
      withdrawSubject(core, id, "hidden");
      post.hiddenAt = core.clock.now();
    }
    insertRevision(core, current);
    const edited = { ...post, ...next, ...shownMedia(core, next.media), ...nextEdit(core, current) };
    const isListed = post.rootId === null && post.hiddenAt === null;
    if (isListed) deleteTags(core, id);
    updatePost(core, id, { ...next, editedAt: edited.editedAt, revisionId: edited.revision });
    storeMentions(core, mentionsOfPost(edited));
    if (isListed) {
      insertTags(core, edited);
      recordPublicEvent(core, "post.updated", postPayload(core, edited), id);
    }
    return edited;
  });
}

/**
 * Returns the revisions of a post or reply, the current revision first. A post that was never edited has one
 * revision. Anyone who may read the post may read its revisions. Needs `feed:read`. Throws not_found, and
 * bad_request for a cursor of another list.
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

/**
 * Returns the revisions of many posts at once. Leaves out posts that the caller may not see. Needs
 * `feed:read`.
 */
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
 * Returns the earlier revisions among these ids, by id. Leaves out current revisions. The calling operation
 * must check permissions.
 */
export function formerRevisions(core: Core, ids: readonly string[]): ReadonlyMap<string, Revision> {
  return new Map(selectRevisionsById(core, ids).map((row) => [row.id, toRevisionView(core, row)]));
}

function revisionsOf(core: Core, ids: readonly string[], request: PageRequest) {
  return pagesOf<Revision & { number: number }, number>(ids, request, {
    scopeOf: (id) => ({ list: "revisions", filters: { id } }),
    isKey: (parts): parts is [number] => parts.length === 1 && Number.isSafeInteger(parts[0]),
    select: (walks) =>
      new Map(
        [...selectRevisions(core, walks, request)].map(([id, rows]) => [
          id,
          rows.map((row) => toRevisionView(core, row)),
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
 * Throws conflict or rate_limited if the post has too many edits, in total or within an hour. Edits are
 * counted by their stored times. Edits within the same ms are stored 1 ms apart, so a stored time can be
 * slightly ahead of the clock. If a stored time is more than a second ahead, the clock was set back. The
 * limit per hour is then not applied.
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
 * Returns the time and the id of the next revision. The new time is later than the previous revision's time,
 * even if the clock was set back. Two revisions of a post therefore never have the same ETag.
 */
function nextEdit(core: Core, { at }: RevisionRow): { editedAt: number; revision: string } {
  const now = core.clock.now();
  return { editedAt: Math.max(now, at + 1), revision: core.makeId("rev", now) };
}
