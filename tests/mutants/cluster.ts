import type { Fault } from "./fault.ts";

/** Faults between several nodes of one community. */
export const CLUSTER: readonly Fault[] = [
  {
    file: "cluster/signature.ts",
    text: 'if (seen.has(id)) throw refuse("handed_again");',
    fault: "",
    tests: ["cluster/signature"],
    why: "a forwarded request can be replayed",
  },
  {
    file: "cluster/signature.ts",
    text: '.update(["1", method, target, ...signed].join("\\n"))',
    fault: '.update(["1", method, ...signed].join("\\n"))',
    tests: ["cluster/signature"],
    why: "a signature for one URL is accepted at any URL",
  },
  {
    file: "cluster/request-gate.ts",
    text: "if (!context.isOfNode) context.peer = context.address = () => signed.address;",
    fault: "",
    tests: ["cluster/gate"],
    why: "a forwarded request counts against the node's address instead of the client's",
  },
  {
    file: "cluster/version.ts",
    text: "own.epoch > required.epoch || (own.epoch === required.epoch && own.commits >= required.commits)",
    fault: "own.epoch > required.epoch || own.epoch === required.epoch",
    tests: ["cluster/follower"],
    why: "a follower returns a version older than the client has seen",
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
    why: "a follower reads a half-written copy after its engine has died",
  },
  {
    file: "core/base/db/copy.ts",
    text: "const isAllowed = statement.readonly || IS_OWN.test(statement.source);",
    fault: "const isAllowed = statement.readonly;",
    tests: ["cluster/follower"],
    why: "a follower cannot tokenize search text and fails",
  },
  {
    file: "core/base/db/lineage.ts",
    text: "refuseFenced({ fencedBy: () => fencedByBefore });",
    fault: "",
    tests: ["core/leadership"],
    why: "a fenced database accepts writes",
  },
  {
    file: "cluster/leader-watch.ts",
    text: "if (found) return await stepDown(found.epoch, found.url);",
    fault: "",
    tests: ["cluster/watch"],
    why: "a leader continues next to a leader with a later epoch",
  },
];
