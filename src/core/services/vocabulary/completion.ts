import type { Core } from "../../base/core.ts";
import { slugOf } from "../../base/slugs.ts";
import { blockedAmong } from "../../community/messages/blocks.ts";
import { listNamesFrom } from "../../community/profiles/directory.ts";
import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { selectTagsFrom } from "./vocabulary-store.ts";

/** Maximum number of suggestions. */
const SUGGESTIONS_MAX = 8;

/**
 * Returns the members whose username, or a word of whose name, begins with this text. Usernames come first.
 * Leaves out suspended members and members whom the caller has blocked. Needs `profile:read` and
 * `messages:read`. Throws forbidden for a caller that is not a builder.
 */
export function completeMember(
  core: Core,
  caller: Caller,
  text: string,
): { username: string; name: string }[] {
  const found = listNamesFrom(core, caller, text, SUGGESTIONS_MAX * 2);
  const blocked = blockedAmong(
    core,
    caller,
    found.map(({ id }) => id),
  );
  return found.filter(({ id }) => !blocked.has(id)).slice(0, SUGGESTIONS_MAX);
}

/**
 * Returns the tags of posts in the feed that begin with the slug of this text, in alphabetical order. Needs
 * `feed:read`. Throws forbidden for a caller that is not a builder.
 */
export function completeTag(core: Core, caller: Caller, text: string): string[] {
  requireBuilder(caller, "feed:read");
  const prefix = slugOf(text);
  return prefix === "" ? [] : selectTagsFrom(core, prefix, SUGGESTIONS_MAX);
}
