import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { forgetSubject } from "../../identity/notifications/notify.ts";
import type { Core } from "../../base/core.ts";
import { withdrawSubject } from "../xp/xp.ts";
import { deletePromptRow, findPromptOf, indexPrompt, selectRemoved, updatePrompt } from "./prompts-store.ts";
import { findPrompt, ownPrompt } from "./prompts.ts";
import { deleteSomeRatings } from "./ratings-store.ts";

/** So many rows are deleted at once, in a few ms. */
const SLICE = 200;

/**
 * Deletes the caller's own prompt, a hidden one too, with its versions and ratings: from now on nobody finds
 * it. Where they are many, `dropRemovedPrompts` deletes the rest. Needs `prompts:write`. Throws not_found,
 * forbidden for somebody else's.
 */
export function deletePrompt(core: Core, caller: Caller, id: string): void {
  const author = requireBuilder(caller, "prompts:write");
  core.db.transact(() => {
    discard(core, ownPrompt(core, author, id));
    withdrawSubject(core, id, "undone");
    deleteSlice(core, id, SLICE);
  });
}

/**
 * The same for some of the prompts of a builder whose account is being deleted: their ledger goes with it, so
 * nothing is withdrawn from it. Deletes at most `limit` rows and returns how many. Asks no right: what calls
 * it has. Call it in a transaction.
 */
export function dropPromptsOf(core: Core, authorId: string, limit: number): number {
  let gone = 0;
  while (gone < limit) {
    const prompt = findPromptOf(core, authorId);
    if (!prompt) break;
    if (prompt.removedAt === null) discard(core, prompt);
    gone += deleteSlice(core, prompt.id, limit - gone);
  }
  return gone;
}

/** From now on nobody finds it. Its rows are deleted afterwards. */
function discard(core: Core, { id, hiddenAt }: { id: string; hiddenAt: number | null }): void {
  const now = core.clock.now();
  updatePrompt(core, id, { hiddenAt: hiddenAt ?? now, removedAt: now });
}

/** Deletes what is left of deleted prompts, a slice at a time. Called now and then. */
export async function dropRemovedPrompts(core: Core): Promise<void> {
  while (await core.db.write(() => continueRemoval(core)));
}

/**
 * Hides a prompt: nobody but its author and moderators finds it any more. For moderation, which has asked the
 * right. Returns whether there is such a prompt. Call it in a transaction.
 */
export function hidePrompt(core: Core, id: string): boolean {
  const prompt = findPrompt(core, id);
  if (prompt?.hiddenAt === null) updatePrompt(core, id, { hiddenAt: core.clock.now() });
  return prompt !== undefined;
}

/** Takes that back. Otherwise the same. */
export function unhidePrompt(core: Core, id: string): boolean {
  const prompt = findPrompt(core, id);
  if (prompt) {
    updatePrompt(core, id, { hiddenAt: null });
    indexPrompt(core, id);
  }
  return prompt !== undefined;
}

/** Returns whether there was something to delete. */
function continueRemoval(core: Core): boolean {
  const id = selectRemoved(core);
  if (id !== undefined) deleteSlice(core, id, SLICE);
  return id !== undefined;
}

/** Returns how many rows went. */
function deleteSlice(core: Core, id: string, limit: number): number {
  const ratings = deleteSomeRatings(core, id, limit);
  const gone = ratings + forgetSubject(core, id, limit - ratings);
  if (gone >= limit) return gone;
  deletePromptRow(core, id);
  return gone + 1;
}
