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
  lead_unsure: {
    error: "unavailable",
    says: "This machine finds out just now whether it still leads this community; wait {seconds:second} and try again.",
  },
  handed_unsigned: {
    error: "forbidden",
    says: "This request says that another node has handed it on, and no node of this community has signed it; send it without that header.",
  },
  handed_late: {
    error: "forbidden",
    says: "The node that handed this on was {seconds:second} away by its clock; set the clocks of all nodes by the same time.",
  },
  handed_again: {
    error: "forbidden",
    says: "This request was handed on before, and counts once; begin it anew.",
  },
  version_ahead: {
    error: "bad_request",
    says: "`Guildhall-Version` names no version that this community has reached; send one that an answer named, or leave it out.",
  },
  leader_away: {
    error: "unavailable",
    says: "This can be done where the community is led, and that machine does not answer just now; wait {seconds:second} and try again.",
  },
  reads_only: {
    error: "unavailable",
    says: "This node only reads; what changes something is done by the one that leads. Wait {seconds:second} and try again.",
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
