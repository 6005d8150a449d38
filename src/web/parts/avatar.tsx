/** @jsxImportSource @kitajs/html */
import { avatarsOf } from "../../core/community/media/avatars.ts";
import type { Core } from "../../core/base/core.ts";
import { drawIdenticon } from "../identicon.ts";

/** Returns the pictures of builders by id. Reads them with one query for a whole page. */
export function avatarUrls(core: Core, builderIds: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    [...avatarsOf(core, [...new Set(builderIds)])].map(([id, url]) => [id, url.replace(core.origin, "")]),
  );
}

/**
 * A builder's picture or identicon, beside their name. It has no text alternative, because the name is next
 * to it.
 */
export function Avatar({
  username,
  picture,
  isLarge = false,
}: {
  username: string;
  picture: string | undefined;
  isLarge?: boolean;
}) {
  const classes = ["avatar", isLarge && "avatar-large"];
  if (picture !== undefined)
    return (
      <img class={classes} src={picture} alt="" width="32" height="32" loading="lazy" decoding="async" />
    );
  return (
    <svg class={classes} viewBox="0 0 32 32" aria-hidden="true">
      {/* The drawing is safe, because it consists of constants in identicon.ts. */}
      {drawIdenticon(username)}
    </svg>
  );
}
