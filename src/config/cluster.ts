import { each, positiveDuration, replicaTarget, webOrigin } from "./parsers.ts";
import { setting } from "./setting.ts";

/** Several machines with one community (docs/contract.md#12.28). */
export const CLUSTER = {
  follow: setting({
    name: "FOLLOW",
    flag: "follow",
    type: "list",
    parse: each(webOrigin),
    none: [],
    example: "https://one.example,https://two.example",
    meaning:
      "whom this node follows: where the leader answers, and others that may come to lead. It reads from a copy of the database that something else keeps moving, and hands on to the leader what would write",
  }),
  stallAfterMs: setting({
    name: "STALL_AFTER",
    type: "duration",
    parse: positiveDuration,
    default: "5s",
    example: "10m",
    meaning:
      "how long a follower's copy may stand still while the leader goes on: after that it is told, and reads are handed on, too. Longer than the time between two snapshots, where these are what moves it",
  }),
  peers: setting({
    name: "PEERS",
    type: "list",
    parse: each(webOrigin),
    none: [],
    example: "https://two.example,https://three.example",
    meaning:
      "where the other nodes answer: a leader asks them, before it writes and every second, whether another one leads by now",
  }),
  replica: setting({
    name: "REPLICA",
    type: "address",
    parse: replicaTarget,
    none: undefined,
    example: "file:///mnt/guild",
    bounds: "file:///folder, a whole path, or s3://bucket/prefix?endpoint=…&region=…",
    meaning:
      "where Litestream replicates this node's database to; the server only measures the age of the replica there, once a minute",
  }),
};
