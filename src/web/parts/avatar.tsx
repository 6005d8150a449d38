/** @jsxImportSource @kitajs/html */
import { avatarsOf } from "../../core/community/media/avatars.ts";
import type { Core } from "../../core/base/core.ts";
import { crestOf } from "../identicon.ts";

/** Of these builders the pictures that they show, by their ids: one look for all of a page. */
export function facesOf(core: Core, builderIds: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    [...avatarsOf(core, [...new Set(builderIds)])].map(([id, url]) => [id, url.replace(core.origin, "")]),
  );
}

/** What a builder looks like beside their name: their picture, or the crest of it. Their name stands there anyway. */
export function Face({
  username,
  picture,
  isLarge = false,
}: {
  username: string;
  picture: string | undefined;
  isLarge?: boolean;
}) {
  const look = ["face", isLarge && "face-large"];
  if (picture !== undefined)
    return <img class={look} src={picture} alt="" width="32" height="32" loading="lazy" decoding="async" />;
  return (
    <svg class={look} viewBox="0 0 32 32" aria-hidden="true">
      {/* Drawn from a list of ours. */}
      {crestOf(username)}
    </svg>
  );
}
