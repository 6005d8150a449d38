import type { FixableFinding } from "../../core/services/checkup/checkup.ts";
import type { CheckContext } from "./context.ts";

/** Whether the database was given up for another node's (docs/contract.md#12.31). */
export function checkLead({ db, config }: CheckContext): FixableFinding[] {
  const position = db?.position();
  if (!position || position.fencedBy === null) return [];
  return [
    {
      check: "lead",
      severity: "severe",
      says: `another node leads this community by epoch ${position.fencedBy}: ${config.data} was given up at version ${position.epoch}.${position.commits}, and nothing is written to it`,
      mend: "stop this server, guildhall demote, then guildhall serve --follow ADDRESS; where no other node leads, guildhall promote",
    },
  ];
}
