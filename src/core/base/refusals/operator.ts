import type { Refusals } from "./refusals.ts";

/** Refusals about running the server: settings, maintenance, cluster and demo. */
export const OPERATOR = {
  zone_unknown: {
    error: "unprocessable",
    path: "zone",
    says: "There is no such time zone. Use an IANA name, such as `Europe/Berlin`.",
  },
  newcomer_post_unknown: {
    error: "unprocessable",
    path: "newcomerPost",
    says: "There is no visible post with that id. Use the id at the end of the post's URL.",
  },
  colour_contrast: {
    error: "unprocessable",
    path: "accent",
    says: "Text in this colour is hard to read. Use a darker colour, such as `{near}`.",
  },
  maintenance_length: {
    error: "unprocessable",
    path: "for",
    says: "Maintenance with an end time can last from one minute to 30 days. Leave out the length to end it manually.",
  },
  fenced: {
    error: "unavailable",
    says: "Another node now leads this community, and this one accepts no writes. Wait {seconds:second} and try again.",
  },
  lead_unsure: {
    error: "unavailable",
    says: "This node is checking whether it still leads this community. Wait {seconds:second} and try again.",
  },
  handed_unsigned: {
    error: "forbidden",
    says: "This request claims to be forwarded, but no node of this community has signed it. Send it without the forwarding header.",
  },
  handed_late: {
    error: "forbidden",
    says: "The clock of the forwarding node is off by {seconds:second}. Synchronize the clocks of all nodes.",
  },
  handed_again: {
    error: "forbidden",
    says: "This request was already forwarded once. Send it again as a new request.",
  },
  version_ahead: {
    error: "bad_request",
    says: "`Guildhall-Version` is not valid, or newer than the data of this community. Send the value from an earlier response, or leave out the header.",
  },
  leader_away: {
    error: "unavailable",
    says: "Only the leader can do this, and it does not respond at the moment. Wait {seconds:second} and try again.",
  },
  reads_only: {
    error: "unavailable",
    says: "This server is a read-only copy. Wait {seconds:second} and try again.",
  },
  demo_half_way: {
    error: "conflict",
    says: "An earlier demo was stopped before it was complete. Delete the data folder and start again.",
  },
  demo_needs_empty: {
    error: "conflict",
    says: "The demo needs an empty database, but this one has members. Choose another `--data` folder.",
  },
} as const satisfies Refusals;
