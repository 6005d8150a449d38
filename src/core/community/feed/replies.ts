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
  mentioning,
  type Post,
  publicPost,
  type ReplyDraft,
  visiblePost,
  writePost,
} from "./feed.ts";

/**
 * Of a post of the feed all that was said under it, at whatever depth; of a reply what answers it. Oldest
 * first: a conversation is read from its beginning. Needs `feed:read`. Throws not_found, bad_request for a
 * cursor of another list.
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

/** A post that answers another. */
export type Reply = Post & { parentId: string; rootId: string };

/**
 * Answers a post or a reply as the caller and returns the reply. It joins the conversation of what it
 * answers, so that one list shows all of that, in order; what it answers is kept, and looked up nowhere else,
 * so depth costs nothing. Fires no event: a reply is not on the feed. Needs `feed:write`. Throws not_found,
 * and rate_limited as `createPost`.
 */
export function replyTo(core: Core, caller: Caller, postId: string, draft: ReplyDraft): Reply {
  const { builderId } = requireBuilder(caller, "feed:write");
  return core.db.transact(() => {
    const asked = publicPost(core, postId);
    const { text, media = [] } = draft;
    const reply = writePost(core, caller, { text, media, authorId: builderId, answers: asked });
    addReply(core, reply, 1);
    award(core, builderId, "reply.published", reply.id);
    const notified = notifyOfReply(core, reply, asked);
    storeMentions(core, { ...mentioning(reply), isLeftOut: (to) => notified.has(to) });
    return { ...reply, parentId: asked.id, rootId: asked.rootId ?? asked.id };
  });
}

/** Whoever wrote what was answered, and whoever began the conversation: each once. Returns them. */
function notifyOfReply(core: Core, reply: Post, asked: Post): ReadonlySet<string> {
  const first = asked.rootId === null ? undefined : findPost(core, asked.rootId);
  const recipients = new Set([asked.authorId, first?.authorId ?? asked.authorId]);
  for (const to of recipients)
    notify(core, { to, kind: "reply", by: reply.authorId, subject: { type: "post", id: reply.id } });
  return recipients;
}
