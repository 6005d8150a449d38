import { builder } from "../builder.ts";
import type { GraphContext } from "../context.ts";

const RateLimit = builder.objectRef<GraphContext>("RateLimit").implement({
  description: "What this request costs, and what is left of the same bucket that REST draws on.",
  fields: (t) => ({
    cost: t.exposeInt("cost", {
      description:
        "What was counted before it ran. A request takes a token of the bucket for each 100, at least one.",
    }),
    remaining: t.int({
      description: "Whole tokens left: as many requests of REST.",
      resolve: ({ allowance }) => allowance.remaining,
    }),
    resetAt: t.field({
      type: "DateTime",
      description: "When the bucket is full again.",
      resolve: ({ allowance }) => allowance.resetAt,
    }),
  }),
});

builder.queryFields((t) => ({
  rateLimit: t.field({
    type: RateLimit,
    description: "What this request costs and what is left.",
    resolve: (_root, _, context) => context,
  }),
}));
