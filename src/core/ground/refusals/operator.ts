import type { Refusals } from "./refusals.ts";

/** What is refused to whoever runs the community. */
export const OPERATOR = {
  zone_unknown: {
    error: "unprocessable",
    path: "zone",
    says: "There is no such time zone; name one of the IANA database, such as Europe/Berlin.",
  },
  newcomer_post_unknown: {
    error: "unprocessable",
    path: "newcomerPost",
    says: "There is no such post that everybody sees; give the id of one, which its address ends with.",
  },
  colour_contrast: {
    error: "unprocessable",
    path: "accent",
    says: "Letters in that colour are hard to read on these pages; {near} is near it, and dark enough.",
  },
  maintenance_length: {
    error: "unprocessable",
    path: "for",
    says: "Maintenance that ends by itself lasts from a minute to thirty days; leave its length out to end it by hand.",
  },
  fenced: {
    error: "unavailable",
    says: "Another machine leads this community by now, and this one writes no more; wait {seconds:second} and try again.",
  },
  demo_half_way: {
    error: "conflict",
    says: "An earlier demo was stopped half way; delete the data folder and start again.",
  },
  demo_needs_empty: {
    error: "conflict",
    says: "The demo needs an empty database, and this one has builders; choose another --data folder.",
  },
} as const satisfies Refusals;
