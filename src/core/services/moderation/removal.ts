import { DAY } from "../../base/clock.ts";
import { dismissHeld, reopenHeld, waitingOf } from "../../community/holding/holding.ts";
import { forgetKnownHosts } from "../../community/holding/known-hosts.ts";
import type { Core } from "../../base/core.ts";
import { closeOpenCase } from "../../community/reports/cases.ts";
import { reopenReports, settleReports } from "../../community/reports/reports.ts";
import { restoreSubject, withdrawSubject } from "../../community/xp/xp.ts";
import { selectSessions } from "../../identity/accounts/sessions.ts";
import { holdHosts, releaseHosts } from "../../identity/held-hosts/held-hosts.ts";
import { networkOf } from "../../identity/sign-ups/networks.ts";
import { holdNetwork, releaseNetworks, signUpNetworkOf } from "../../identity/sign-ups/sign-ups.ts";
import { recordPublicEvent } from "../../outbox/events/events.ts";
import { BATCH, deleteSomeHidden, hideSomeOf, noteHidden, showSomeOf } from "../hiding/hiding.ts";
import { storeMissingCopies } from "./reports.ts";
import {
  deleteRemoval,
  deleteSomeCaused,
  findEndedRemoval,
  findRemoval,
  findRemovalIn,
  putRemoval,
  putRemovalState,
  type RemovalRow,
} from "./removal-store.ts";

/*
 * The removal of spammers (docs/contract.md#12.38). The decision suspends the account and ends its access.
 * This module hides the content in batches, withdraws notifications, and holds networks and link hosts. Call
 * each function in a transaction.
 */

/** How long a removal can be undone, in steady time. */
export const UNDO_REMOVAL_WITHIN_MS = 7 * DAY;

/** An account that a decision removes. */
export interface RemovedAccount {
  builderId: string;
  username: string;
  decisionId: string;
  /** Hosts whose links hold posts for 30 days. */
  hosts: readonly string[];
}

/** Returns the networks that a member signed up from and is signed in from. Call it before access ends. */
export function networksOfMember(core: Core, builderId: string): string[] {
  const sessions = selectSessions(core, builderId, core.clock.now()).map(({ address }) => networkOf(address));
  const all = [signUpNetworkOf(core, builderId), ...sessions];
  return [...new Set(all.filter((network) => network !== undefined))];
}

/**
 * Begins the removal: holds the hosts and the networks, fires `builder.removed`, and queues the account,
 * whose content `continueRemovals` hides. `networks` are those of `networksOfMember`. The decision must be
 * stored. Checks no right.
 */
export function beginRemoval(
  core: Core,
  { builderId, username, decisionId, hosts }: RemovedAccount,
  networks: readonly string[],
): void {
  const endsAt = core.clock.steady() + UNDO_REMOVAL_WITHIN_MS;
  putRemoval(core, { builderId, decisionId, state: "hiding", endsAt });
  holdHosts(core, hosts, decisionId);
  forgetKnownHosts(core, hosts);
  for (const network of networks) holdNetwork(core, network, decisionId);
  recordPublicEvent(core, "builder.removed", { builder: { id: builderId, username } });
  core.wake();
}

/** Whether the account is removed, and the removal can still be undone. */
export function isRemoved(core: Core, builderId: string): boolean {
  const row = findRemoval(core, builderId);
  return row !== undefined && row.state !== "restoring";
}

/** Whether a decision is a removal that can still be undone. */
export function canUndoRemoval(core: Core, decisionId: string, builderId: string): boolean {
  const row = findRemoval(core, builderId);
  return row?.decisionId === decisionId && row.state !== "restoring" && row.endsAt > core.clock.steady();
}

/**
 * Undoes the removal of a decision within seven days: releases its hosts and networks, and queues the
 * content, which `continueRemovals` shows again. Content that a moderator decided about since stays as it is.
 * Returns false if it is too late, and changes nothing then. The decision restores the standing. Checks no
 * right.
 */
export function undoRemoval(core: Core, { id, builderId }: { id: string; builderId: string }): boolean {
  if (!canUndoRemoval(core, id, builderId)) return false;
  releaseHosts(core, id);
  releaseNetworks(core, id);
  putRemovalState(core, builderId, "restoring");
  core.wake();
  return true;
}

/**
 * Hides the next batch of a removed account's content, or shows the next batch after an undo. Otherwise
 * forgets a removal that can no longer be undone. Returns whether any work was done. Call it repeatedly, each
 * time in a transaction.
 */
export function continueRemovals(core: Core): boolean {
  const hiding = findRemovalIn(core, "hiding");
  if (hiding) hideBatch(core, hiding);
  const restoring = findRemovalIn(core, "restoring");
  if (restoring) showBatch(core, restoring.builderId);
  return hiding !== undefined || restoring !== undefined || forgetBatch(core);
}

function hideBatch(core: Core, { builderId, moderatorId }: RemovalRow): void {
  let left = BATCH;
  const hidden = (subjectId: string): void => {
    withdrawSubject(core, subjectId, "hidden");
    settleReports(core, subjectId, { outcome: "upheld", by: moderatorId });
    closeOpenCase(core, subjectId);
  };
  left -= hideSomeOf(core, "removal", builderId, left, { isSilent: true, hidden });
  if (left <= 0) return;
  // Content that waits for approval waits no longer.
  for (const { subjectId, kind } of waitingOf(core, builderId, left)) {
    noteHidden(core, "removal", { subjectId, builderId, kind });
    dismissHeld(core, subjectId);
    closeOpenCase(core, subjectId);
    left--;
  }
  if (left <= 0) return;
  left -= deleteSomeCaused(core, builderId, left);
  if (left > 0) putRemovalState(core, builderId, "hidden");
}

function showBatch(core: Core, builderId: string): void {
  const shown = showSomeOf(core, "removal", builderId, BATCH, ({ kind, subjectId }) => {
    if (kind === "thread") return false;
    if (reopenHeld(core, subjectId)) return true;
    restoreSubject(core, subjectId);
    storeMissingCopies(core, reopenReports(core, subjectId, "upheld"));
    return false;
  });
  if (shown < BATCH) deleteRemoval(core, builderId);
}

/** After seven days, the content stays hidden, and a moderator can restore single posts. */
function forgetBatch(core: Core): boolean {
  const builderId = findEndedRemoval(core, core.clock.steady());
  if (builderId === undefined) return false;
  if (deleteSomeHidden(core, "removal", builderId, BATCH) < BATCH) deleteRemoval(core, builderId);
  return true;
}
