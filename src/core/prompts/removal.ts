import { type Caller, requireBuilder } from "../access/caller.ts";
import type { Core } from "../core.ts";
import { settleReports } from "../moderation/reports-store.ts";
import { withdrawSubject } from "../xp/xp.ts";
import { deletePromptRow, selectRemoved, updatePrompt } from "./prompts-store.ts";
import { findPrompt, ownPrompt } from "./prompts.ts";
import { deleteSomeRatings } from "./ratings-store.ts";

/** So many rows are deleted at once, in a few ms. */
const SLICE = 200;

/**
 * Deletes the caller's own prompt, a hidden one too, with its versions and ratings: from now on nobody finds it. Where they are many,
 * `dropRemovedPrompts` deletes the rest. Needs `prompts:write`. Throws not_found, forbidden for somebody else's.
 */
export function deletePrompt(core: Core, caller: Caller, id: string): void {
  const author = requireBuilder(caller, "prompts:write");
  core.db.transact(() => {
    const prompt = ownPrompt(core, author, id);
    const now = core.clock.now();
    updatePrompt(core, id, { hiddenAt: prompt.hiddenAt ?? now, removedAt: now });
    settleReports(core, id, { outcome: "gone", by: null });
    withdrawSubject(core, id, "undone");
    deleteSlice(core, id);
  });
}

/** Deletes what is left of deleted prompts, a slice at a time. Called now and then. */
export async function dropRemovedPrompts(core: Core): Promise<void> {
  while (await core.db.write(() => continueRemoval(core)));
}

/**
 * Hides a prompt: nobody but its author and moderators finds it any more. For moderation, which has asked the right. Returns whether there
 * is such a prompt. Call it in a transaction.
 */
export function takeDown(core: Core, id: string): boolean {
  const prompt = findPrompt(core, id);
  if (prompt?.hiddenAt === null) updatePrompt(core, id, { hiddenAt: core.clock.now() });
  return prompt !== undefined;
}

/** Takes that back. Otherwise the same. */
export function putBack(core: Core, id: string): boolean {
  const prompt = findPrompt(core, id);
  if (prompt) updatePrompt(core, id, { hiddenAt: null });
  return prompt !== undefined;
}

/** Returns whether there was something to delete. */
function continueRemoval(core: Core): boolean {
  const id = selectRemoved(core);
  if (id !== undefined) deleteSlice(core, id);
  return id !== undefined;
}

function deleteSlice(core: Core, id: string): void {
  if (deleteSomeRatings(core, id, SLICE) < SLICE) deletePromptRow(core, id);
}
