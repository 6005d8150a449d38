import { HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuseFor } from "../../base/errors.ts";
import type { Caller } from "../../identity/access/caller.ts";
import { selectTimesBy } from "./decisions-store.ts";

/** Acts within an hour that a moderator can make with tokens. A stolen token does limited damage. */
export const TOKEN_ACTS_AN_HOUR = 300;

/**
 * Throws rate_limited when a moderator has made too many acts within an hour and acts with a token.
 * Decisions, undone decisions, reopened reports and denied appeals count. Call it before each of them.
 */
export function refuseManyActs(core: Core, caller: Caller): void {
  if (caller.builderId === null || caller.means === "session" || caller.means === "operator") return;
  const now = core.clock.now();
  const times = selectTimesBy(core, caller.builderId, now - HOUR, TOKEN_ACTS_AN_HOUR);
  const oldest = times[TOKEN_ACTS_AN_HOUR - 1];
  if (oldest !== undefined)
    throw refuseFor("acts_too_many", Math.min(oldest + HOUR - now, HOUR), { max: TOKEN_ACTS_AN_HOUR });
}
