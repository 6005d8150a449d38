import { type Caller, isModerator, requireScope } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { isVisible } from "./feed.ts";
import { selectPosts } from "./feed-store.ts";

/**
 * Operations that a caller may perform on a post. The operations enforce the same rules. A test compares
 * these permissions with the operations.
 */
export interface PostPermissions {
  like: boolean;
  reply: boolean;
  edit: boolean;
  delete: boolean;
  moderate: boolean;
}

/**
 * Returns the permissions for many posts at once. Leaves out posts that the caller may not see. Needs
 * `feed:read`.
 */
export function postPermissions(
  core: Core,
  caller: Caller,
  ids: readonly string[],
): ReadonlyMap<string, PostPermissions> {
  requireScope(caller, "feed:read");
  const writes = caller.builderId !== null && caller.scopes.has("feed:write");
  return new Map(
    selectPosts(core, ids)
      .filter((post) => isVisible(caller, post))
      .map((post) => {
        const isPublic = post.hiddenAt === null && (post.root === null || post.root.hiddenAt === null);
        return [
          post.id,
          {
            like: writes && isPublic,
            reply: writes && isPublic,
            edit: writes && post.authorId === caller.builderId,
            delete: writes && post.authorId === caller.builderId,
            moderate: isModerator(caller),
          },
        ];
      }),
  );
}
