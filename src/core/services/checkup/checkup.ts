import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";

/** Severities of findings, most severe first. */
export const SEVERITIES = ["severe", "warning", "note", "ok"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Result of one check. */
export interface Finding {
  /** Stable id for scripts, such as `disk`, `full_text`, `backup`. */
  check: string;
  severity: Severity;
  /** One sentence with figures. Contains only counts, file names and times, nothing private. */
  says: string;
  /** The command, setting or action that fixes the problem; undefined if no action is needed. */
  mend?: string;
}

/** A finding with the action of `--fix`. The action returns a sentence about what it did. */
export interface FixableFinding extends Finding {
  fix?: () => string | Promise<string>;
}

/** All findings of one doctor run. */
export interface Checkup {
  at: number;
  checked: readonly Finding[];
}

/**
 * Result of a check: a finding, or a list of findings that may contain lists. False and undefined mean no
 * finding.
 */
export type CheckResult = FixableFinding | false | undefined | readonly CheckResult[];

export function findingsOf(found: CheckResult): FixableFinding[] {
  if (found === undefined || found === false) return [];
  return "check" in found ? [found] : found.flatMap(findingsOf);
}

export function finding(check: string, severity: Severity, says: string, mend?: string): Finding {
  return { check, severity, says, ...(mend !== undefined && { mend }) };
}

export const ok = (check: string, says: string): Finding => finding(check, "ok", says);
export const note = (check: string, says: string, mend?: string): Finding =>
  finding(check, "note", says, mend);
export const warning = (check: string, says: string, mend?: string): Finding =>
  finding(check, "warning", says, mend);
export const severe = (check: string, says: string, mend?: string): Finding =>
  finding(check, "severe", says, mend);

/**
 * Registers the server's functions for `newestCheckup` and `startCheckup`. `start` does nothing and returns
 * false while a checkup runs.
 */
export function registerCheckup(core: Core, newest: () => Checkup | undefined, start?: () => boolean): void {
  Object.assign(core.memory(registered), { newest, start });
}

/** Returns the newest checkup of the server; undefined if none exists yet. Only for admins. */
export function newestCheckup(core: Core, caller: Caller): Checkup | undefined {
  requireAdmin(caller);
  return core.memory(registered).newest?.();
}

/**
 * Starts a checkup in the background. `newestCheckup` returns the checkup after it has finished. Returns
 * false if a checkup is already running or the server runs none. Only for admins.
 */
export function startCheckup(core: Core, caller: Caller): boolean {
  requireAdmin(caller);
  return core.memory(registered).start?.() ?? false;
}

function registered(): { newest?: () => Checkup | undefined; start?: () => boolean } {
  return {};
}
