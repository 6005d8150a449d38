import { createHash } from "node:crypto";
import { addUses, isUses, takeUses } from "../core/delegation/tokens/follower-uses.ts";
import type { Core } from "../core/base/core.ts";
import { refuse } from "../core/base/errors.ts";
import { noContent } from "../http/answer.ts";
import { readJson } from "../http/body.ts";
import type { Transport } from "../http/transport.ts";
import type { Leader } from "./leader.ts";

const PREFIX = "/cluster/uses";

/**
 * Receives the list of credentials that were used on a follower. Answers only nodes of this community. Other
 * clients get `nothing_here`. Signatures of nodes do not cover the body, so the signed target contains the
 * SHA-256 of the body.
 */
export function usesTransport(core: Core): Transport {
  return {
    prefix: PREFIX,
    transportName: "ops",
    isCounted: false,
    // The list is accepted in maintenance mode too. Otherwise the sessions of members who only read would
    // expire during maintenance mode.
    mayChange: () => false,
    async handle(context) {
      const { isOfNode, method, path, query } = context;
      if (!isOfNode || method !== "POST" || path !== PREFIX) throw refuse("nothing_here");
      context.route = PREFIX;
      const { text, value } = await readJson(context);
      if (query !== digestOf(text)) throw refuse("handed_unsigned");
      if (!isUses(value)) throw refuse("body_not_json");
      addUses(core, value);
      return noContent(context);
    },
  };
}

/**
 * Sends the leader the credential uses that a read-only core recorded. If the leader does not accept the
 * uses, the core keeps them for the next call.
 */
export async function sendUses(core: Core, leader: Pick<Leader, "send">): Promise<void> {
  const uses = takeUses(core);
  if (!uses) return;
  const text = JSON.stringify(uses);
  if (!(await leader.send(`${PREFIX}?${digestOf(text)}`, text))) addUses(core, uses);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
