import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { notify } from "../../identity/notifications/notify.ts";
import type { Core } from "../../ground/core.ts";
import { type Page, type PageRequest, pagesOf } from "../../ground/page.ts";
import { award } from "../xp/xp.ts";
import { addReplies, selectReplies } from "./feed-store.ts";
import {
  findPost,
  getPosts,
  isPostKey,
  type Post,
  publicPost,
  type ReplyDraft,
  visiblePost,
  writePost,
} from "./feed.ts";

/**
 * The replies to a post, oldest first: a conversation is read from its beginning. A reply has none of its
 * own. Needs `feed:read`. Throws not_found, bad_request for a cursor of another list.
 */
export function listReplies(core: Core, caller: Caller, postId: string, request: PageRequest): Page<Post> {
  requireScope(caller, "feed:read");
  const { id } = visiblePost(core, caller, postId);
  return repliesOf(core, [id], request).get(id) as Page<Post>;
}

/** The same for many posts at once; those that the caller cannot see are left out. */
export function listRepliesOf(
  core: Core,
  caller: Caller,
  postIds: readonly string[],
  request: PageRequest,
): ReadonlyMap<string, Page<Post>> {
  const ids = getPosts(core, caller, postIds).map(({ id }) => id);
  return repliesOf(core, ids, request);
}

function repliesOf(core: Core, ids: readonly string[], request: PageRequest) {
  return pagesOf<Post, string>(ids, request, {
    scopeOf: (id) => ({ list: "replies", filters: { id } }),
    isKey: isPostKey,
    select: (walks) => selectReplies(core, walks, request),
    keyOf: ({ id }) => id,
  });
}

/** A post that replies to one. */
export type Reply = Post & { parentId: string };

/**
 * Replies to a post as the caller and returns the reply. A conversation is one level deep: a reply to a reply
 * joins the conversation that it is in, so that one list shows all of it, in order. Fires no event: a reply
 * is not on the feed. Needs `feed:write`. Throws not_found, and rate_limited as `createPost`.
 */
export function replyTo(core: Core, caller: Caller, postId: string, draft: ReplyDraft): Reply {
  const { builderId } = requireBuilder(caller, "feed:write");
  return core.db.transact(() => {
    const asked = publicPost(core, postId);
    const parentId = asked.parentId ?? asked.id;
    const { text, media = [] } = draft;
    const reply = writePost(core, caller, { text, media, authorId: builderId, parentId });
    addReplies(core, parentId, 1);
    award(core, builderId, "reply.published", reply.id);
    tellOfReply(core, reply, asked);
    return { ...reply, parentId };
  });
}

/** Whoever wrote what was answered, and whoever began the conversation: each once. */
function tellOfReply(core: Core, reply: Post, asked: Post): void {
  const first = asked.parentId === null ? undefined : findPost(core, asked.parentId);
  for (const to of new Set([asked.authorId, first?.authorId ?? asked.authorId]))
    notify(core, { to, kind: "reply", by: reply.authorId, subject: { type: "post", id: reply.id } });
}
