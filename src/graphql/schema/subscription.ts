import { Type } from "@sinclair/typebox";
import { Slug } from "../../core/base/check.ts";
import { FeedFilter } from "../../core/community/feed/feed.ts";
import { JobQuery } from "../../core/community/jobs/job.ts";
import {
  type LiveSource,
  newJobs,
  newLevels,
  newMatches,
  newMessages,
  newNotifications,
  newPosts,
  newReplies,
  settledDeliveries,
  type LiveEvent,
} from "../../core/services/live/live.ts";
import { builder } from "../builder.ts";
import type { GraphContext } from "../context.ts";
import { POSITION } from "../event-frames.ts";
import { fieldsOf, readFilter } from "../inputs.ts";
import { LevelUpRef } from "./event.ts";
import { JobMatchRef } from "./saved-filter.ts";
import { DeliveryRef, JobRef, MessageRef, NotificationRef, PostRef } from "./refs.ts";

/**
 * Assumed size of one event in characters, for the cache of shared results. The longest object is a job with
 * its description.
 */
const ITEM_CHARACTERS = 20_000;

/**
 * Yields the events of a channel until the client disconnects or loses its permission. The start position is
 * read immediately, so that no event is lost before the first read.
 */
function follow<Item>(
  channel: LiveSource<Item>,
  context: GraphContext,
  after: string | null | undefined,
): AsyncIterable<LiveEvent<Item>> {
  const { core, lastEventId, listening } = context;
  const begin = channel.begin(core, context.caller, lastEventId ?? after ?? undefined);
  context.http.headers[POSITION] = begin.id;
  return (async function* () {
    for (let startPosition = begin; ;) {
      const read = `behind ${startPosition.row} ${startPosition.id}`;
      const update = await listening.share(
        read,
        (caller) => channel.read(core, caller, startPosition),
        ({ events }) => events.length * ITEM_CHARACTERS,
      );
      if (!update) return;
      startPosition = update.position;
      yield* update.events;
      if (!update.isMore && !(await listening.changed())) return;
    }
  })();
}

const OfPosts = Type.Pick(FeedFilter, ["tag", "author"]);
const OfJobs = Type.Object({
  stack: JobQuery.properties.stack,
  company: Type.Optional(Slug({ description: "The slug of a company." })),
});

builder.subscriptionFields((t) => {
  const after = t.arg.id({
    required: false,
    description:
      "The position to resume from: the last `id` that you received in an earlier stream. Without `after`, the stream starts now. A `Last-Event-ID` header takes precedence over `after`.",
  });
  const only = (description: string) => t.arg.id({ required: false, description });
  return {
    postCreated: t.field({
      type: PostRef,
      description:
        "New posts in the feed. Use `tag` and `author` to filter them. Requires the `feed:read` scope.",
      args: { after, ...fieldsOf(t.arg, OfPosts, "PostCreated") },
      subscribe: (_root, args, context) => follow(newPosts(readFilter(OfPosts, args)), context, args.after),
      resolve: ({ item }) => item,
    }),
    replyAdded: t.field({
      type: PostRef,
      description: "New public replies, to all posts or to the one you name. Requires the `feed:read` scope.",
      args: {
        after,
        post: only(
          "Return only replies to this post. Returns a `not_found` error if the post does not exist or you may not see it.",
        ),
      },
      subscribe: (_root, { after, post }, context) =>
        follow(newReplies(post == null ? {} : { post }), context, after),
      resolve: ({ item }) => item,
    }),
    jobPublished: t.field({
      type: JobRef,
      description:
        "New jobs on the board. Use `stack` and `company` to filter them. Requires the `jobs:read` scope.",
      args: { after, ...fieldsOf(t.arg, OfJobs, "JobPublished") },
      subscribe: (_root, args, context) => follow(newJobs(readFilter(OfJobs, args)), context, args.after),
      resolve: ({ item }) => item,
    }),
    jobMatched: t.field({
      type: JobMatchRef,
      description: "New matches of your job filters. Requires the `jobs:read` scope.",
      args: {
        after,
        filter: only(
          "Return only matches for which this filter fits best. Returns a `not_found` error if the filter is not yours.",
        ),
      },
      subscribe: (_root, { after, filter }, context) =>
        follow(newMatches(filter == null ? {} : { filter }), context, after),
      resolve: ({ item }) => item,
    }),
    messageReceived: t.field({
      type: MessageRef,
      description: "New direct messages to you. Requires the `messages:read` scope.",
      args: {
        after,
        thread: only(
          "Return only messages in this conversation. Returns a `not_found` error if the conversation is not yours.",
        ),
      },
      subscribe: (_root, { after, thread }, context) =>
        follow(newMessages(thread == null ? {} : { thread }), context, after),
      resolve: ({ item }) => item,
    }),
    notificationAdded: t.field({
      type: NotificationRef,
      description:
        "New notifications. A group is sent again each time it grows. Requires the `notifications:read` scope.",
      args: { after },
      subscribe: (_root, { after }, context) => follow(newNotifications(), context, after),
      resolve: ({ item }) => item,
    }),
    deliverySettled: t.field({
      type: DeliveryRef,
      description:
        "Deliveries to your endpoints that were acknowledged or failed for good. Requires the `webhooks:read` scope.",
      args: {
        after,
        webhook: only(
          "Return only deliveries to this endpoint. Returns a `not_found` error if the endpoint is not yours.",
        ),
      },
      subscribe: (_root, { after, webhook }, context) =>
        follow(settledDeliveries(webhook == null ? {} : { webhook }), context, after),
      resolve: ({ item }) => item,
    }),
    xpLeveledUp: t.field({
      type: LevelUpRef,
      description:
        "Builders who reach a new level, or only the builder you name. Requires the `profile:read` scope.",
      args: {
        after,
        username: t.arg.string({
          required: false,
          description:
            "The username of a builder. You get only this builder's new levels. Returns a `not_found` error if no builder has this username.",
        }),
      },
      subscribe: (_root, { after, username }, context) =>
        follow(newLevels(username == null ? {} : { username }), context, after),
      resolve: ({ item }) => item,
    }),
  };
});
