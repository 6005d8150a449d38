import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../access/caller.ts";
import { foldUsername } from "../builders/username.ts";
import { HttpsUrl, Slug, Text } from "../check.ts";
import type { Core } from "../core.ts";
import { recordPublicEvent } from "../events/events.ts";
import { isId } from "../ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../page.ts";
import { findProfileName } from "../profiles/profiles-store.ts";
import { insertPost, selectFeed } from "./feed-store.ts";
import { titleOf } from "./title.ts";

export interface Post {
  id: string;
  author: { username: string; name: string };
  /** Markdown, as it was sent. */
  text: string;
  tags: string[];
  /** Milliseconds since the epoch. */
  createdAt: number;
  metrics: { likes: number; replies: number };
}

export interface FeedFilter {
  tag?: string | undefined;
  /** A username in any case. */
  author?: string | undefined;
  /** Only posts created after this moment, in ms since the epoch. */
  since?: number | undefined;
}

/** §8: text of at most 2,000 characters, up to 5 tags. «Not shown: media limits»: up to 4, as CONTRACT decides. */
export const PostDraft = Type.Object({
  text: Text({
    max: 2000,
    visible: true,
    description: "Markdown. Counted in Unicode code points.",
    examples: ["# Shipped\n\nThe first release of our **queue** is out."],
  }),
  tags: Type.Optional(
    Type.Array(Slug(), {
      maxItems: 5,
      description: "Tag slugs; repeated ones count once.",
      examples: [["rust", "shipped"]],
    }),
  ),
  media: Type.Optional(
    Type.Array(HttpsUrl(), {
      maxItems: 4,
      description: "Addresses of images or short videos.",
      examples: [["https://images.example.com/queue.png"]],
    }),
  ),
});
export type PostDraft = Static<typeof PostDraft>;

/** Newest first (§4); replies are not in it. Needs `feed:read`. Throws bad_request for a cursor of another list. */
export function listFeed(core: Core, caller: Caller, asked: FeedFilter, request: PageRequest): Page<Post> {
  requireScope(caller, "feed:read");
  const filter = { ...asked, author: asked.author && foldUsername(asked.author) };
  const scope = { list: "feed", filters: { ...filter } };
  const key = cursorKey(request, scope, isPostKey);
  const rows = selectFeed(core, filter, key?.[0], request.limit + 1);
  return pageOf(rows, request, scope, (post) => [post.id]);
}

/**
 * Publishes a post as the caller (§4) and returns it; `post.created` is recorded in the same transaction.
 * Needs `feed:write`.
 */
export function createPost(core: Core, caller: Caller, draft: PostDraft): Post {
  const author = requireBuilder(caller, "feed:write");
  const createdAt = core.clock.now();
  const post: Post = {
    id: core.makeId("post", createdAt),
    author: { username: author.username, name: findProfileName(core, author.builderId) },
    text: draft.text,
    tags: [...new Set(draft.tags)],
    createdAt,
    metrics: { likes: 0, replies: 0 },
  };
  core.db.transact(() => {
    insertPost(core, {
      id: post.id,
      authorId: author.builderId,
      parentId: null,
      text: post.text,
      tags: post.tags,
      media: draft.media ?? [],
      ...post.metrics,
      createdAt,
    });
    recordPublicEvent(core, "post.created", {
      post: {
        id: post.id,
        author_id: author.builderId,
        title: titleOf(post.text),
        url: `${core.origin}/posts/${post.id}`,
      },
    });
  });
  return post;
}

function isPostKey(key: readonly (string | number)[]): key is [string] {
  return key.length === 1 && isId("post", key[0]);
}
