import type { Refusals } from "./refusals.ts";

/** What is refused at the command line alone. */
export const OPERATOR = {
  demo_half_way: {
    error: "conflict",
    says: "An earlier demo was stopped half way; delete the data folder and start again.",
  },
  demo_needs_empty: {
    error: "conflict",
    says: "The demo needs an empty database, and this one has builders; choose another --data folder.",
  },
} as const satisfies Refusals;
