import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { notify } from "../../identity/notifications/notify.ts";
import type { Core } from "../../base/core.ts";
import { type Page, type PageRequest, pagesOf } from "../../base/page.ts";
import { award } from "../xp/xp.ts";
import { storeMentions } from "../mentions/mentions.ts";
import { addReply, selectReplies } from "./feed-store.ts";
import {
  findPost,
  getPosts,
  isPostKey,
  mentionsOfPost,
  type Post,
  publicPost,
  type ReplyDraft,
  visiblePost,
  writePost,
} from "./feed.ts";
import { refuseInLocked } from "./locks.ts";

/**
 * Returns all replies in the conversation of a feed post, or the direct answers to a reply. Oldest first.
 * Needs `feed:read`. Throws not_found, and bad_request for a cursor of another list.
 */
export function listReplies(core: Core, caller: Caller, postId: string, request: PageRequest): Page<Post> {
  requireScope(caller, "feed:read");
  const { id } = visiblePost(core, caller, postId);
  return repliesOf(core, [id], request).get(id) as Page<Post>;
}

/**
 * Returns the replies to many posts at once. Leaves out posts that the caller may not see. Needs `feed:read`.
 */
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

export type Reply = Post & { parentId: string; rootId: string };

/**
 * Publishes a reply to a post or reply as the caller and returns it. The reply joins the conversation of the
 * root post, so one query reads a conversation of any depth. Records no feed event, because replies are not
 * in the feed. Needs `feed:write`. Throws not_found, and rate_limited like `createPost`.
 * Throws forbidden in a locked thread.
 */
export function replyTo(core: Core, caller: Caller, postId: string, draft: ReplyDraft): Reply {
  const { builderId } = requireBuilder(caller, "feed:write");
  return core.db.transact(() => {
    const parent = publicPost(core, postId);
    refuseInLocked(core, caller, parent.rootId ?? parent.id);
    const { text, media = [] } = draft;
    const reply = writePost(core, caller, { text, media, authorId: builderId, answers: parent });
    if (reply.hiddenAt === null) {
      addReply(core, reply, 1);
      award(core, builderId, "reply.published", reply.id);
      const notified = notifyOfReply(core, reply, parent);
      storeMentions(core, { ...mentionsOfPost(reply), isExcluded: (to) => notified.has(to) });
    } else storeMentions(core, mentionsOfPost(reply));
    return { ...reply, parentId: parent.id, rootId: parent.rootId ?? parent.id };
  });
}

/**
 * Notifies the author of the answered post and the author of the root post. If both are the same builder,
 * sends one notification. Returns the notified builders.
 */
export function notifyOfReply(
  core: Core,
  reply: Post,
  parent: Pick<Post, "authorId" | "rootId">,
): ReadonlySet<string> {
  const first = parent.rootId === null ? undefined : findPost(core, parent.rootId);
  const recipients = new Set([parent.authorId, first?.authorId ?? parent.authorId]);
  for (const to of recipients)
    notify(core, { to, kind: "reply", by: reply.authorId, subject: { type: "post", id: reply.id } });
  return recipients;
}
