import { each, positiveDuration, replicaTarget, webOrigin } from "./parsers.ts";
import { setting } from "./setting.ts";

/** Settings for a community that runs on several machines (docs/contract.md#12.28). */
export const CLUSTER = {
  follow: setting({
    name: "FOLLOW",
    flag: "follow",
    type: "list",
    parse: each(webOrigin),
    unset: [],
    example: "https://one.example,https://two.example",
    meaning:
      "URLs of the leader, and of nodes that may become the leader. With this setting, the server is a follower: it reads from a replicated copy of the database and forwards writes to the leader",
  }),
  stallAfterMs: setting({
    name: "STALL_AFTER",
    type: "duration",
    parse: positiveDuration,
    default: "5s",
    example: "10m",
    meaning:
      "Longest time without an update of a follower's database copy while the leader writes. After this time, the follower also forwards reads, and the log reports it. If the copy comes from snapshots, the time must be longer than the time between two snapshots",
  }),
  peers: setting({
    name: "PEERS",
    type: "list",
    parse: each(webOrigin),
    unset: [],
    example: "https://two.example,https://three.example",
    meaning:
      "URLs of the other nodes. Before its first write, and then every second, a leader asks them whether another node is now the leader",
  }),
  replica: setting({
    name: "REPLICA",
    type: "address",
    parse: replicaTarget,
    unset: undefined,
    example: "file:///mnt/guild",
    bounds: "file:///folder, an absolute path, or s3://bucket/prefix?endpoint=…&region=…",
    meaning:
      "Target to which Litestream replicates this node's database. The server does not write there. Once a minute, it measures how far the replica is behind",
  }),
};
