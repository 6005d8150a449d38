import type { Core } from "../../base/core.ts";
import { DAY } from "../../base/clock.ts";
import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import { backlog } from "../../outbox/deliveries/deliveries.ts";
import { listFailing } from "../../outbox/webhooks/health.ts";
import { countActive } from "./history-store.ts";
import { listDays } from "./history.ts";
import { countMembers, selectWeeks } from "./weeks-store.ts";
import { weekOf } from "./weeks.ts";

/** Figures of the community and the server at a glance. */
export interface Overview {
  members: number;
  /**
   * Builders who used a session, a token or an app in the last seven days. Counts of a day or of this week
   * include sessions that ended since, so the largest of these counts is returned.
   */
  active: number;
  /** Posts and replies of the last seven days, including today. */
  posts: number;
  replies: number;
  /** Webhook deliveries that wait to be sent, and endpoints that fail or were disabled automatically. */
  waiting: number;
  failing: number;
  /** The last measured sizes; null if none was measured. */
  databaseBytes: number | null;
  freeBytes: number | null;
  /** The version of the running server; undefined outside of a server. */
  version: string | undefined;
}

const SHOWN_DAYS = 7;

/** Returns the figures of the admin overview. Only for admins. */
export function getOverview(core: Core, caller: Caller): Overview {
  requireAdmin(caller);
  const now = core.clock.now();
  const days = listDays(core, caller, SHOWN_DAYS);
  const sumOf = (figure: "posts" | "replies"): number => days.reduce((sum, day) => sum + day[figure], 0);
  const measured = days.findLast(({ databaseBytes }) => databaseBytes !== null);
  return {
    members: countMembers(core),
    active: Math.max(
      countActive(core, now - SHOWN_DAYS * DAY, now + 1),
      ...days.map(({ active }) => active ?? 0),
      ...selectWeeks(core, weekOf(now)).map(({ active }) => active),
    ),
    posts: sumOf("posts"),
    replies: sumOf("replies"),
    waiting: backlog(core).waiting,
    failing: listFailing(core, caller).length,
    databaseBytes: measured?.databaseBytes ?? null,
    freeBytes: measured?.freeBytes ?? null,
    version: core.memory(registered).version,
  };
}

/** Registers the version of the running server. */
export function registerVersion(core: Core, version: string): void {
  core.memory(registered).version = version;
}

function registered(): { version?: string } {
  return {};
}
