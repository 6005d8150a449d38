import { Type } from "@sinclair/typebox";
import { Username } from "../core/builders/username.ts";
import { Slug } from "../core/check.ts";
import { isoTime } from "../core/clock.ts";
import { createPost, listFeed, type Post, PostDraft } from "../core/feed/feed.ts";
import { Moment, parseMoment } from "../core/moment.ts";
import { operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";

const Author = Type.Object({ username: Type.String(), name: Type.String() });

const created = {
  id: Type.String({ examples: ["post_01kafzq8e5f2r8v0j3n6s1t4wx"] }),
  author: Author,
  text: Type.String({ description: "Markdown, as it was sent." }),
  tags: Type.Array(Type.String()),
  created_at: Type.String({ format: "date-time" }),
};

const CreatedPost = Type.Object(created, { $id: "CreatedPost" });
const FeedPost = Type.Object(
  { ...created, metrics: Type.Object({ likes: Type.Integer(), replies: Type.Integer() }) },
  { $id: "Post" },
);

const FeedQuery = Type.Object({
  ...pageParameters,
  tag: Type.Optional(Slug({ description: "Only posts with this tag.", examples: ["rust"] })),
  author: Type.Optional(
    Type.String({
      description: "Only posts of this builder: a username without @, in any case.",
      examples: ["ada"],
      pattern: Username.pattern?.replaceAll("a-z", "A-Za-z") ?? "",
      rule: Username["rule"],
    }),
  ),
  since: Type.Optional(
    Moment({ description: "Only posts created after this moment.", examples: ["2026-11-20T09:30:00Z"] }),
  ),
});

const examplePost = {
  id: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
  author: { username: "ada", name: "Ada Okafor" },
  text: "# Shipped\n\nThe first release of our **queue** is out.",
  tags: ["rust", "shipped"],
  created_at: "2026-11-20T09:30:00.000Z",
};

export const feedOperations = [
  operation({
    id: "listFeed",
    method: "GET",
    path: "/feed",
    group: "Feed",
    summary: "List public feed posts, newest first",
    description:
      "Replies are not in the feed. A tag or builder that nobody knows gives an empty page. Posts published while you page through neither shift nor repeat anything.",
    scope: "feed:read",
    query: FeedQuery,
    answer: {
      status: 200,
      description: "One page of the feed",
      schema: PageOf("PostPage", FeedPost),
      example: { data: [{ ...examplePost, metrics: { likes: 12, replies: 3 } }], next: null },
    },
    refusals: [400],
    handle: ({ core, caller, query }) =>
      presentPage(
        listFeed(
          core,
          caller,
          {
            tag: query.tag,
            author: query.author,
            since: query.since === undefined ? undefined : parseMoment(query.since),
          },
          pageRequest(query),
        ),
        (post) => ({ ...presentPost(post), metrics: post.metrics }),
      ),
  }),
  operation({
    id: "createPost",
    method: "POST",
    path: "/feed",
    group: "Feed",
    summary: "Publish a post as yourself",
    description: "Fires `post.created`. The post is on disk when the answer arrives.",
    scope: "feed:write",
    body: PostDraft,
    answer: { status: 201, description: "The post", schema: CreatedPost, example: examplePost },
    refusals: [400, 409, 422],
    handle: ({ core, caller, body, commit }) =>
      commit(() => ({ status: 201, body: presentPost(createPost(core, caller, body)) })),
  }),
];

/** A post as POST answers it; the feed adds `metrics` (§2). */
function presentPost(post: Post) {
  return {
    id: post.id,
    author: post.author,
    text: post.text,
    tags: post.tags,
    created_at: isoTime(post.createdAt),
  };
}
