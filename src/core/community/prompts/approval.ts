import type { Core } from "../../base/core.ts";
import { takeHeld } from "../holding/holding.ts";
import { noteKnownHosts } from "../holding/known-hosts.ts";
import { linkHostsIn } from "../../identity/held-hosts/held-hosts.ts";
import { notifyMentioned } from "../mentions/mentions.ts";
import { award, restoreSubject } from "../xp/xp.ts";
import { findPrompt, mentionsOfPrompt } from "./prompts.ts";
import { unhidePrompt } from "./removal.ts";

/**
 * Publishes a held prompt. Its XP and mentions begin now; its ID and time stay. A prompt that was public
 * before it was held is restored. The moderation code calls this function and checks permissions. Returns
 * whether the prompt was held. Call it in a transaction.
 */
export function approvePrompt(core: Core, id: string): boolean {
  const prompt = findPrompt(core, id);
  const held = prompt && takeHeld(core, id);
  if (!prompt || !held) return false;
  noteKnownHosts(core, linkHostsIn(core, [prompt.body]));
  unhidePrompt(core, id);
  if (held.isNew) award(core, held.builderId, "prompt.submitted", id);
  else restoreSubject(core, id);
  notifyMentioned(core, mentionsOfPrompt({ ...prompt, hiddenAt: null }), held.mentioned);
  return true;
}
