import type { Fault } from "./fault.ts";

/** Faults between several nodes of one community. */
export const CLUSTER: readonly Fault[] = [
  {
    file: "cluster/signature.ts",
    text: 'if (seen.has(id)) throw refuse("handed_again");',
    fault: "",
    tests: ["cluster/signature"],
    why: "what a node has handed on counts as often as somebody sends it",
  },
  {
    file: "cluster/signature.ts",
    text: '.update(["1", method, target, ...signed].join("\\n"))',
    fault: '.update(["1", method, ...signed].join("\\n"))',
    tests: ["cluster/signature"],
    why: "what a node has signed for one address is believed at any",
  },
  {
    file: "cluster/request-gate.ts",
    text: "if (!context.isOfNode) context.peer = context.address = () => signed.address;",
    fault: "",
    tests: ["cluster/gate"],
    why: "a forwarded request counts as its node's, not its client's",
  },
  {
    file: "cluster/version.ts",
    text: "own.epoch > required.epoch || (own.epoch === required.epoch && own.commits >= required.commits)",
    fault: "own.epoch > required.epoch || own.epoch === required.epoch",
    tests: ["cluster/follower"],
    why: "a follower shows less than somebody has seen",
  },
  {
    file: "cluster/follower.ts",
    text: "if (request.headers.has(FORWARDED_HEADER)) return refuse(incoming, leaderAway());",
    fault: "",
    tests: ["cluster/follower"],
    why: "followers forward a request to each other",
  },
  {
    file: "cluster/database-file.ts",
    text: "return hasHolder(file) ?? true;",
    fault: "return true;",
    tests: ["cluster/held"],
    why: "half of an update is shown where the engine of a copy has died",
  },
  {
    file: "core/base/db/copy.ts",
    text: "const isAllowed = statement.readonly || IS_OWN.test(statement.source);",
    fault: "const isAllowed = statement.readonly;",
    tests: ["cluster/follower"],
    why: "a search in the cluster is the leader's where words are taken apart",
  },
  {
    file: "core/base/db/lineage.ts",
    text: "refuseFenced({ fencedBy: () => fencedByBefore });",
    fault: "",
    tests: ["core/leadership"],
    why: "a database that was given up in the cluster is written to",
  },
  {
    file: "cluster/leader-watch.ts",
    text: "if (found) return await stepDown(found.epoch, found.url);",
    fault: "",
    tests: ["cluster/watch"],
    why: "a leader goes on beside one with a later epoch",
  },
];
