import { Type } from "@sinclair/typebox";
import { type Caller, isModerator } from "./caller.ts";

/** What a view says of it. */
export const HiddenView = Type.Boolean({
  description:
    "Whether moderators have hidden the content. Hidden content is visible only to its author and the moderators.",
});

/**
 * Whether the caller is shown, marked, what moderators have hidden from everybody: whose it is, and those who
 * moderate.
 */
export function seesHidden(caller: Caller, authorId: string): boolean {
  if (caller.builderId === authorId) return true;
  if (!isModerator(caller)) return false;
  caller.noteScope?.("admin");
  return true;
}
