import { type Static, Type } from "@sinclair/typebox";
import { ruled, PatternText } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { orNull } from "../../base/view.ts";
import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { selectAvatars, selectOwn, updateAvatar } from "./media-store.ts";
import { pathOf } from "./media.ts";
import { widthsOf } from "./widths.ts";

export const AvatarView = Type.Object(
  {
    avatar: orNull(Type.String(), {
      description: "The URL of the profile picture. `null` if the builder shows none.",
      examples: ["https://guild.example/media/9f2c4e1a7b3d5f60819283a4b5c6d7e8f9012345-480.webp"],
    }),
    crest: Type.String({
      description: "The URL of the identicon made from the username, as SVG.",
      examples: ["https://guild.example/crests/ada.svg"],
    }),
  },
  { $id: "Avatar" },
);
export type Avatar = Static<typeof AvatarView>;

export const AvatarDraft = Type.Object({
  media: PatternText(
    "^med_[0-9a-z]{26}$",
    { ...ruled("not_valid"), rule: "must be the id of an image" },
    {
      maxLength: 30,
      description: "The identifier of one of your uploaded images.",
      examples: ["med_01kafzq8e5f2r8v0j3n6s1t4wx"],
    },
  ),
});
export type AvatarDraft = Static<typeof AvatarDraft>;

/**
 * Sets one of the caller's pictures as the avatar, instead of the identicon. Deletes the previous avatar
 * unless a post shows it. Needs `profile:write`. Throws unprocessable for a picture that is not the caller's.
 */
export function setAvatar(core: Core, caller: Caller, { media }: AvatarDraft): Avatar {
  const { builderId } = requireBuilder(caller, "profile:write");
  return core.db.transact(() => {
    if (selectOwn(core, builderId, [media]).length === 0) throw refuse("media_unknown");
    updateAvatar(core, builderId, media);
    return getAvatar(core, builderId, caller.username);
  });
}

/** Removes the avatar, so that the identicon is shown again. Needs `profile:write`. */
export function removeAvatar(core: Core, caller: Caller): Avatar {
  const { builderId } = requireBuilder(caller, "profile:write");
  return core.db.transact(() => {
    updateAvatar(core, builderId, null);
    return getAvatar(core, builderId, caller.username);
  });
}

function getAvatar(core: Core, builderId: string, username: string): Avatar {
  return { avatar: avatarsOf(core, [builderId]).get(builderId) ?? null, crest: identiconUrl(core, username) };
}

/**
 * Returns avatar URLs by builder id. Leaves out suspended builders and builders without an avatar. Checks no
 * permission.
 */
export function avatarsOf(core: Core, builderIds: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    selectAvatars(core, builderIds).map(({ builderId, hash, width }) => [
      builderId,
      core.origin + pathOf(hash, widthsOf(width).findLast((each) => each <= AVATAR_WIDTH) ?? width),
    ]),
  );
}

/** Largest avatar width, in pixels. This width is enough for a profile header on a high-density screen. */
const AVATAR_WIDTH = 480;

export function identiconUrl({ origin }: Pick<Core, "origin">, username: string): string {
  return `${origin}/crests/${username}.svg`;
}
