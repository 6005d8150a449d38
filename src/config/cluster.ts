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
      "URLs of the leader, and of nodes that may become the leader. This node reads from a copy of the database, which replication keeps current, and forwards writes to the leader",
  }),
  stallAfterMs: setting({
    name: "STALL_AFTER",
    type: "duration",
    parse: positiveDuration,
    default: "5s",
    example: "10m",
    meaning:
      "Time that a follower's copy may stand still while the leader writes. After that the follower logs it and also forwards reads. Must be longer than the time between two snapshots, if snapshots feed the copy",
  }),
  peers: setting({
    name: "PEERS",
    type: "list",
    parse: each(webOrigin),
    none: [],
    example: "https://two.example,https://three.example",
    meaning:
      "URLs of the other nodes. A leader asks them, before its first write and every second, whether another node has become the leader",
  }),
  replica: setting({
    name: "REPLICA",
    type: "address",
    parse: replicaTarget,
    none: undefined,
    example: "file:///mnt/guild",
    bounds: "file:///folder, an absolute path, or s3://bucket/prefix?endpoint=…&region=…",
    meaning:
      "Target to which Litestream replicates this node's database. The server only measures the age of the replica there, once a minute",
  }),
};
