import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { handleOf } from "../../identity/builders/builders.ts";
import { spendLinks } from "../../identity/newcomers/newcomers.ts";
import { Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { pickFields, Shown, Timestamp } from "../../base/view.ts";
import { AuthorView, refuseLinkInName } from "../../identity/builders/author.ts";
import { changeTimeZone } from "../xp/streaks.ts";
import { ProjectView } from "./projects.ts";
import { selectProfile, selectProfiles, updateProfile } from "./profiles-store.ts";

export { findProfileName, selectUsernames } from "./profiles-store.ts";

/** What a builder's profile shows. */
export const ProfileView = Type.Object({
  username: AuthorView.properties.username,
  name: AuthorView.properties.name,
  bio: Shown("Markdown.", "Compilers by day, bread by night."),
  xp: Type.Integer({ description: "Experience points.", examples: [4210] }),
  streakDays: Type.Integer({
    description: "Days in a row with activity, as of now, by the builder's own time zone.",
    examples: [37],
  }),
  badges: Type.Array(Type.String(), {
    description: "Slugs, in the order in which they were earned.",
    examples: [["first-post", "streak-30"]],
  }),
  projects: Type.Array(pickFields("ProfileProject", ProjectView, ["id", "title"]), {
    description: "What they show on their profile, oldest first.",
  }),
  joinedAt: Timestamp({ description: "When they came." }),
  followers: Type.Integer({ description: "How many builders follow them.", examples: [12] }),
});

export interface Profile extends Static<typeof ProfileView> {
  id: string;
}

/** What a builder may say about themself. What is left out stays as it is. */
export const ProfileChange = Type.Object({
  name: Type.Optional(Text({ max: 100, visible: true, line: true, examples: ["Ada Okafor"] })),
  bio: Type.Optional(
    Text({
      min: 0,
      max: 500,
      description: "Markdown. Counted in Unicode code points.",
      examples: ["Compilers by day, bread by night."],
    }),
  ),
  time_zone: Type.Optional(
    Text({
      max: 64,
      line: true,
      description:
        "A name of the IANA database. Your days, which the streak counts, end at midnight there; a change holds from the end of your day under way.",
      examples: ["Europe/Berlin"],
    }),
  ),
});
export type ProfileChange = Static<typeof ProfileChange>;

/**
 * A builder's public profile, by handle in any case (docs/contract.md#V4.11). Needs `profile:read`. Throws
 * not_found.
 */
export function getProfile(core: Core, caller: Caller, username: string): Profile {
  requireScope(caller, "profile:read");
  const profile = selectProfile(core, handleOf(core, username));
  if (!profile) throw refuse("profile_unknown");
  return profile;
}

/**
 * Public profiles of many builders at once, by their ids; unknown ones are left out. Needs `profile:read`.
 */
export function getProfiles(core: Core, caller: Caller, ids: readonly string[]): Profile[] {
  requireScope(caller, "profile:read");
  return selectProfiles(core, ids, { alsoRemoved: false });
}

/**
 * The same for those who stand beside something, as authors do: until the last thing of a deleted account is
 * gone, it stands under a name that says so. Needs `profile:read`.
 */
export function getCredits(core: Core, caller: Caller, ids: readonly string[]): Profile[] {
  requireScope(caller, "profile:read");
  return selectProfiles(core, ids, { alsoRemoved: true });
}

/**
 * The profile of the token's own account in the shape of any profile (docs/contract.md#4.11). Needs
 * `profile:read`.
 */
export function getOwnProfile(core: Core, caller: Caller): Profile {
  return getProfile(core, caller, requireBuilder(caller, "profile:read").username);
}

/**
 * Changes the caller's own profile and returns it. Needs `profile:write`. Throws bad_request for a new name with a link,
 * unprocessable for a time zone that nobody knows; for somebody new as `spendLinks`.
 */
export function changeProfile(core: Core, caller: Caller, change: ProfileChange): Profile {
  const { builderId, username } = requireBuilder(caller, "profile:write");
  const { time_zone: timeZone, name, bio } = change;
  core.db.transact(() => {
    const before = selectProfile(core, username);
    if (name !== undefined && name !== before?.name) refuseLinkInName(name);
    if (bio !== undefined) spendLinks(core, caller, { texts: [bio] }, { texts: [before?.bio] });
    updateProfile(core, builderId, {
      ...(name === undefined ? {} : { name }),
      ...(bio === undefined ? {} : { bio }),
    });
    if (timeZone !== undefined) changeTimeZone(core, builderId, timeZone);
  });
  return selectProfile(core, username) as Profile;
}
