import { builder } from "../builder.ts";
import type { GraphContext } from "../context.ts";

const RateLimit = builder.objectRef<GraphContext>("RateLimit").implement({
  description:
    "The cost of this request, and the state of the rate limit bucket that REST and GraphQL share.",
  fields: (t) => ({
    cost: t.exposeInt("cost", {
      description:
        "The cost of this request, computed before the request ran. Every 100 points of cost take one token from the bucket. A request takes at least one token.",
    }),
    remaining: t.int({
      description: "The number of tokens left in the bucket. A REST request takes one token.",
      resolve: ({ allowance }) => allowance.remaining,
    }),
    resetAt: t.field({
      type: "DateTime",
      description: "The time at which the bucket is full again.",
      resolve: ({ allowance }) => allowance.resetAt,
    }),
  }),
});

builder.queryFields((t) => ({
  rateLimit: t.field({
    type: RateLimit,
    description: "The cost of this request, and what is left of your rate limit.",
    resolve: (_root, _, context) => context,
  }),
}));
