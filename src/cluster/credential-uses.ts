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
 * Takes what followers have noted of the credentials that were used there. For nodes of this community alone:
 * to anybody else there is nothing here. What is signed names the digest of the body.
 */
export function usesTransport(core: Core): Transport {
  return {
    prefix: PREFIX,
    way: "ops",
    isCounted: false,
    // Who goes on reading stays signed in, however long a maintenance lasts.
    changes: () => false,
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

/** Sends what was noted on a core that only reads; keeps it for the next time where nobody takes it. */
export async function sendUses(core: Core, leader: Pick<Leader, "send">): Promise<void> {
  const uses = takeUses(core);
  if (!uses) return;
  const text = JSON.stringify(uses);
  if (!(await leader.send(`${PREFIX}?${digestOf(text)}`, text))) addUses(core, uses);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
