import type { Core } from "../../base/core.ts";
import { recordPublicEvent } from "../../outbox/events/events.ts";
import { takeHeld } from "../holding/holding.ts";
import { noteKnownHosts } from "../holding/known-hosts.ts";
import { linkHostsIn } from "../../identity/held-hosts/held-hosts.ts";
import { notifyMentioned } from "../mentions/mentions.ts";
import { award, restoreSubject } from "../xp/xp.ts";
import { addReply, insertTags, updateHidden } from "./feed-store.ts";
import { findPost, mentionsOfPost, type Post, postPayload } from "./feed.ts";
import { unhidePost } from "./removal.ts";
import { notifyOfReply } from "./replies.ts";

/**
 * Publishes a held post or reply. Its XP, mentions, notifications and event begin now; its id and time stay.
 * Content that was public before it was held is restored. The moderation code calls this function and checks
 * permissions. Returns whether the post was held. Call it in a transaction.
 */
export function approvePost(core: Core, id: string): boolean {
  const post = findPost(core, id);
  const held = post && takeHeld(core, id);
  if (!post || !held) return false;
  noteKnownHosts(core, linkHostsIn(core, [post.text], post.media));
  const shown: Post = { ...post, hiddenAt: null };
  let notified: ReadonlySet<string> = new Set();
  if (held.isNew) notified = publish(core, shown);
  else {
    unhidePost(core, id);
    restoreSubject(core, id);
  }
  notifyMentioned(core, { ...mentionsOfPost(shown), isExcluded: (to) => notified.has(to) }, held.mentioned);
  return true;
}

/** Publishes a post that was never public. Returns the builders who were notified of a reply. */
function publish(core: Core, post: Post): ReadonlySet<string> {
  updateHidden(core, post.id, null);
  if (post.rootId === null) {
    insertTags(core, post);
    recordPublicEvent(core, "post.created", postPayload(core, post), post.id);
    award(core, post.authorId, "post.published", post.id);
    return new Set();
  }
  addReply(core, post, 1);
  award(core, post.authorId, "reply.published", post.id);
  const parent = findPost(core, post.answeredId ?? post.rootId);
  return parent ? notifyOfReply(core, post, parent) : new Set();
}
