import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";

/** From the gravest on, as people are shown them. */
export const SEVERITIES = ["severe", "warning", "note", "ok"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What came of one look at one thing. */
export interface Finding {
  /** Stable, for scripts: `disk`, `full_text`, `backup`. */
  check: string;
  severity: Severity;
  /** What was found, one sentence with its figures. Nothing private: counts, names of files, times. */
  says: string;
  /** The command, setting or act that mends it, as one would type or do it; undefined where nothing is to be done. */
  mend?: string;
}

/** What all looks of one moment came to. */
export interface Checkup {
  at: number;
  checked: readonly Finding[];
}

/** Of the same look: what is safe to do about it at once, and a sentence of what was done. */
export interface FixableFinding extends Finding {
  fix?: () => string | Promise<string>;
}

/**
 * The server tells of its newest look here, and `newestCheckup` shows it; `again` has another one begin, unless one is
 * under way, for `startCheckup`.
 */
export function registerCheckup(core: Core, newest: () => Checkup | undefined, again?: () => boolean): void {
  Object.assign(core.memory(teller), { newest, again });
}

/** What `registerCheckup` was told of; undefined where nothing was looked at yet. For admins. */
export function newestCheckup(core: Core, caller: Caller): Checkup | undefined {
  requireAdmin(caller);
  return core.memory(teller).newest?.();
}

/**
 * Has another look begin, which takes a while: `newestCheckup` shows it when it has ended. False where one is under
 * way, or nobody looks. For admins.
 */
export function startCheckup(core: Core, caller: Caller): boolean {
  requireAdmin(caller);
  return core.memory(teller).again?.() ?? false;
}

function teller(): { newest?: () => Checkup | undefined; again?: () => boolean } {
  return {};
}
