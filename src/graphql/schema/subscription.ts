import {
  type Channel,
  newMatches,
  newMessages,
  newPosts,
  settledDeliveries,
  type Told,
} from "../../core/live/live.ts";
import { builder } from "../builder.ts";
import type { GraphContext } from "../context.ts";
import { JobMatchRef } from "./job-filter.ts";
import { DeliveryRef, MessageRef, PostRef } from "./refs.ts";

/**
 * What a channel tells, one thing after the other, until the caller goes away or may listen no more. The place is taken at once, so
 * that nothing is lost between the subscription and its first event.
 */
function follow<Thing>(
  channel: Channel<Thing>,
  context: GraphContext,
  after: string | null | undefined,
): AsyncIterable<Told<Thing>> {
  const { core, lastEventId, listening } = context;
  const begin = channel.begin(core, context.caller, lastEventId ?? after ?? undefined);
  return (async function* () {
    for (let place = begin; ;) {
      const news = channel.read(core, context.caller, place);
      place = news.place;
      yield* news.told;
      if (!news.isMore && !(await listening.changed())) return;
    }
  })();
}

const AFTER =
  "Begins behind what came with this `id` of the stream, instead of now. The header `Last-Event-ID` says the same and wins.";

builder.subscriptionFields((t) => ({
  postCreated: t.field({
    type: PostRef,
    description: "Posts that land on the feed. Needs `feed:read`.",
    args: { after: t.arg.id({ required: false, description: AFTER }) },
    subscribe: (_root, { after }, context) => follow(newPosts, context, after),
    resolve: ({ thing }) => thing,
  }),
  jobMatched: t.field({
    type: JobMatchRef,
    description: "Jobs that match your saved filters. Needs `jobs:read`.",
    args: { after: t.arg.id({ required: false, description: AFTER }) },
    subscribe: (_root, { after }, context) => follow(newMatches, context, after),
    resolve: ({ thing }) => thing,
  }),
  messageReceived: t.field({
    type: MessageRef,
    description: "Direct messages to you. Needs `messages:read`.",
    args: { after: t.arg.id({ required: false, description: AFTER }) },
    subscribe: (_root, { after }, context) => follow(newMessages, context, after),
    resolve: ({ thing }) => thing,
  }),
  deliverySettled: t.field({
    type: DeliveryRef,
    description:
      "Deliveries to your endpoints that were acknowledged or failed for good. Needs `webhooks:read`.",
    args: { after: t.arg.id({ required: false, description: AFTER }) },
    subscribe: (_root, { after }, context) => follow(settledDeliveries, context, after),
    resolve: ({ thing }) => thing,
  }),
}));
