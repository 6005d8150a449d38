import { Type } from "@sinclair/typebox";
import { type Caller, isModerator } from "./caller.ts";

export const HiddenView = Type.Boolean({
  description:
    "Whether moderators have hidden the content. Hidden content is visible only to its author and the moderators.",
});

/**
 * Whether the caller sees content that moderators have hidden. Only the content's author and moderators see
 * it.
 */
export function seesHidden(caller: Caller, authorId: string): boolean {
  if (caller.builderId === authorId) return true;
  if (!isModerator(caller)) return false;
  caller.noteScope?.("moderation");
  return true;
}
