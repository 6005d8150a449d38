import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { forgetSubject } from "../../identity/notifications/notify.ts";
import type { Core } from "../../base/core.ts";
import { forgetHeld } from "../holding/holding.ts";
import { withdrawSubject } from "../xp/xp.ts";
import { deletePromptRow, findPromptOf, indexPrompt, selectRemoved, updatePrompt } from "./prompts-store.ts";
import { findPrompt, ownPrompt } from "./prompts.ts";
import { deleteSomeRatings } from "./ratings-store.ts";

/** Number of rows deleted per transaction. A batch takes a few ms. */
const BATCH = 200;

/**
 * Deletes the caller's own prompt, hidden or not, with its versions and ratings. The prompt becomes invisible
 * at once. This call deletes the first batch of rows, and `dropRemovedPrompts` deletes the other rows later.
 * Needs `prompts:write`. Throws not_found, and forbidden for another member's prompt.
 */
export function deletePrompt(core: Core, caller: Caller, id: string): void {
  const author = requireBuilder(caller, "prompts:write");
  core.db.transact(() => {
    discard(core, ownPrompt(core, author, id));
    withdrawSubject(core, id, "undone");
    deleteBatch(core, id, BATCH);
  });
}

/**
 * Deletes at most `limit` rows of the prompts of a builder whose account is being deleted. Returns the number
 * of deleted rows. Leaves the ledger unchanged, because the ledger is deleted with the account. The calling
 * operation must check permissions. Call it in a transaction.
 */
export function dropPromptsOf(core: Core, authorId: string, limit: number): number {
  let deleted = 0;
  while (deleted < limit) {
    const prompt = findPromptOf(core, authorId);
    if (!prompt) break;
    if (prompt.removedAt === null) discard(core, prompt);
    deleted += deleteBatch(core, prompt.id, limit - deleted);
  }
  return deleted;
}

/** Makes a prompt invisible at once. The rows of the prompt are deleted later. */
function discard(core: Core, { id, hiddenAt }: { id: string; hiddenAt: number | null }): void {
  const now = core.clock.now();
  if (hiddenAt !== null) forgetHeld(core, id);
  updatePrompt(core, id, { hiddenAt: hiddenAt ?? now, removedAt: now });
}

/** Deletes the remaining rows of deleted prompts in batches. A periodic task calls this function. */
export async function dropRemovedPrompts(core: Core): Promise<void> {
  while (await core.db.write(() => continueRemoval(core)));
}

/**
 * Hides a prompt from everyone except its author and moderators. The moderation code calls this function and
 * checks permissions. Returns whether the prompt exists. Call it in a transaction.
 */
export function hidePrompt(core: Core, id: string): boolean {
  const prompt = findPrompt(core, id);
  if (prompt?.hiddenAt === null) updatePrompt(core, id, { hiddenAt: core.clock.now() });
  return prompt !== undefined;
}

/**
 * Makes a hidden prompt public again. The moderation code calls this function and checks permissions. Returns
 * whether the prompt exists. Call it in a transaction.
 */
export function unhidePrompt(core: Core, id: string): boolean {
  const prompt = findPrompt(core, id);
  if (prompt) {
    updatePrompt(core, id, { hiddenAt: null });
    indexPrompt(core, id);
  }
  return prompt !== undefined;
}

/** Deletes one batch of rows of a deleted prompt. Returns false if no deleted prompt has rows left. */
function continueRemoval(core: Core): boolean {
  const id = selectRemoved(core);
  if (id !== undefined) deleteBatch(core, id, BATCH);
  return id !== undefined;
}

/** Deletes at most `limit` rows that belong to a prompt. Returns the number of deleted rows. */
function deleteBatch(core: Core, id: string, limit: number): number {
  const ratings = deleteSomeRatings(core, id, limit);
  const deleted = ratings + forgetSubject(core, id, limit - ratings);
  if (deleted >= limit) return deleted;
  deletePromptRow(core, id);
  return deleted + 1;
}
