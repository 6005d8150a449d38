import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";

/** The gravest first, as people see them. */
export const SEVERITIES = ["severe", "warning", "note", "ok"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What one check found. */
export interface Finding {
  /** Stable, for scripts: `disk`, `full_text`, `backup`. */
  check: string;
  severity: Severity;
  /** One sentence with its figures. Nothing private: counts, names of files, times. */
  says: string;
  /**
   * The command, setting or act that fixes it, as one would type or do it; undefined where nothing is to be
   * done.
   */
  mend?: string;
}

/** A finding, and what `--fix` does about it, which returns a sentence of what it did. */
export interface FixableFinding extends Finding {
  fix?: () => string | Promise<string>;
}

/** All findings of one run of the doctor. */
export interface Checkup {
  at: number;
  checked: readonly Finding[];
}

/** What a check returns: findings, single or in lists, and nothing where a condition did not hold. */
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
 * The server registers its newest checkup here, for `newestCheckup`, and `start`, which begins another one
 * unless one runs, for `startCheckup`.
 */
export function registerCheckup(core: Core, newest: () => Checkup | undefined, start?: () => boolean): void {
  Object.assign(core.memory(registered), { newest, start });
}

/** The newest checkup of the server; undefined where there is none yet. For admins. */
export function newestCheckup(core: Core, caller: Caller): Checkup | undefined {
  requireAdmin(caller);
  return core.memory(registered).newest?.();
}

/**
 * Begins another checkup, which takes a while: `newestCheckup` shows it when it has ended. False where one
 * runs already, or the server makes none. For admins.
 */
export function startCheckup(core: Core, caller: Caller): boolean {
  requireAdmin(caller);
  return core.memory(registered).start?.() ?? false;
}

function registered(): { newest?: () => Checkup | undefined; start?: () => boolean } {
  return {};
}
