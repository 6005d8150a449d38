import type { Caller } from "./caller.ts";

/** Whether the caller is shown, marked, what moderators have hidden from everybody: whose it is, and those who moderate. */
export function seesHidden(caller: Caller, authorId: string): boolean {
  if (caller.builderId === authorId) return true;
  if (!caller.scopes.has("admin")) return false;
  caller.noteScope?.("admin");
  return true;
}
