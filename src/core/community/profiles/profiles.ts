import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { handleOf } from "../../identity/builders/builders.ts";
import { spendLinks } from "../../identity/newcomers/newcomers.ts";
import { HttpsUrl, ruledOrNull, Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { orNull, pickFields, DisplayText, Timestamp } from "../../base/view.ts";
import { AuthorView, refuseLinkInName } from "../../identity/builders/author.ts";
import { changeTimeZone } from "../xp/streaks.ts";
import { ProjectView } from "./projects.ts";
import { findProject } from "./projects-store.ts";
import { selectProfile, selectProfiles, updateDetails, updateProfile } from "./profiles-store.ts";

export { findProfileName, selectUsernames } from "./profiles-store.ts";

export const ProfileView = Type.Object({
  username: AuthorView.properties.username,
  name: AuthorView.properties.name,
  bio: DisplayText("The bio in Markdown.", "Compilers by day, bread by night."),
  xp: Type.Integer({ description: "The builder's experience points.", examples: [4210] }),
  streakDays: Type.Integer({
    description: "The number of consecutive days with activity, in the builder's own time zone.",
    examples: [37],
  }),
  badges: Type.Array(Type.String(), {
    description: "The badges as slugs, in the order they were earned.",
    examples: [["first-post", "streak-30"]],
  }),
  projects: Type.Array(pickFields("ProfileProject", ProjectView, ["id", "title"]), {
    description: "The projects on the profile, oldest first.",
  }),
  place: DisplayText("The place, as free text. Empty if none was given.", "Enns, Austria"),
  links: Type.Array(Type.String({ format: "uri" }), {
    description: "The URLs of the builder's other sites, in the builder's order.",
    examples: [["https://ada.example.com"]],
  }),
  pinnedProjectId: orNull(Type.String(), {
    description: "The identifier of the project at the top of the profile. `null` if there is none.",
    examples: ["prj_01kafzq8e5f2r8v0j3n6s1t4wx"],
  }),
  joinedAt: Timestamp({ description: "The time at which the builder joined." }),
  followers: Type.Integer({ description: "The number of builders who follow this builder.", examples: [12] }),
});

export interface Profile extends Static<typeof ProfileView> {
  id: string;
}

/** Maximum number of links on a profile. */
const LINKS_MAX = 4;

/** A change of the caller's profile. Omitted fields are unchanged. */
export const ProfileChange = Type.Object({
  name: Type.Optional(
    Text({
      max: 100,
      visible: true,
      line: true,
      description: "Your display name.",
      examples: ["Ada Okafor"],
    }),
  ),
  bio: Type.Optional(
    Text({
      min: 0,
      max: 500,
      description: "The bio in Markdown. Its length is counted in Unicode code points.",
      examples: ["Compilers by day, bread by night."],
    }),
  ),
  place: Type.Optional(
    Text({
      min: 0,
      max: 80,
      line: true,
      description: "Your place, as free text. An empty text removes the place.",
      examples: ["Enns, Austria"],
    }),
  ),
  links: Type.Optional(
    Type.Array(HttpsUrl(), {
      maxItems: LINKS_MAX,
      description: "The `https://` URLs of your other sites, at most four.",
      examples: [["https://ada.example.com"]],
    }),
  ),
  pinned_project: Type.Optional(
    Type.Union([Text({ max: 40, line: true }), Type.Null()], {
      description: "The identifier of one of your projects, which is shown first. `null` unpins the project.",
      examples: ["prj_01kafzq8e5f2r8v0j3n6s1t4wx"],
      ...ruledOrNull("not_text", { min: 1, max: 40 }),
      rule: "must be the identifier of a project, or null",
    }),
  ),
  time_zone: Type.Optional(
    Text({
      max: 64,
      line: true,
      description:
        "Your time zone, as a name in the IANA database. The days of your streak end at midnight in this zone. A change applies from the end of your current day.",
      examples: ["Europe/Berlin"],
    }),
  ),
});
export type ProfileChange = Static<typeof ProfileChange>;

/**
 * Returns a builder's public profile. The username may be in upper or lower case (docs/contract.md#V4.11).
 * Needs `profile:read`. Throws not_found.
 */
export function getProfile(core: Core, caller: Caller, username: string): Profile {
  requireScope(caller, "profile:read");
  const profile = selectProfile(core, handleOf(core, username));
  if (!profile) throw refuse("profile_unknown");
  return profile;
}

/** Returns public profiles by builder id. Leaves out unknown builders. Needs `profile:read`. */
export function getProfiles(core: Core, caller: Caller, ids: readonly string[]): Profile[] {
  requireScope(caller, "profile:read");
  return selectProfiles(core, ids, { alsoRemoved: false });
}

/**
 * Returns profiles for the author lines of content. Includes deleted accounts while some of their content
 * still exists. The name of a deleted account says that the account is deleted. Needs `profile:read`.
 */
export function getCredits(core: Core, caller: Caller, ids: readonly string[]): Profile[] {
  requireScope(caller, "profile:read");
  return selectProfiles(core, ids, { alsoRemoved: true });
}

/**
 * Returns the profile of the token's own account, in the same format as any profile (docs/contract.md#4.11).
 * Needs `profile:read`.
 */
export function getOwnProfile(core: Core, caller: Caller): Profile {
  return getProfile(core, caller, requireBuilder(caller, "profile:read").username);
}

/**
 * Changes the caller's own profile and returns it. Needs `profile:write`. Throws bad_request for a new name
 * with a link, unprocessable for an unknown time zone, and not_found for a project of another member. For a
 * new member, throws the refusals of `spendLinks`.
 */
export function changeProfile(core: Core, caller: Caller, change: ProfileChange): Profile {
  const { builderId, username } = requireBuilder(caller, "profile:write");
  const { time_zone: timeZone, name, bio, place, links, pinned_project: pinned } = change;
  core.db.transact(() => {
    const before = selectProfile(core, username);
    if (name !== undefined && name !== before?.name) refuseLinkInName(name);
    // A profile shows the bio and the links together, so a new member's limit counts both as one text.
    if (bio !== undefined || links !== undefined)
      spendLinks(
        core,
        caller,
        { texts: [bio ?? before?.bio], addresses: links ?? before?.links ?? [] },
        { texts: [before?.bio], addresses: before?.links ?? [] },
      );
    if (pinned && !findProject(core, builderId, pinned)) throw refuse("project_unknown");
    updateProfile(core, builderId, {
      ...(name === undefined ? {} : { name }),
      ...(bio === undefined ? {} : { bio }),
    });
    if (place !== undefined || links !== undefined || pinned !== undefined)
      updateDetails(core, builderId, {
        ...(place === undefined ? {} : { place: place.trim() }),
        ...(links === undefined ? {} : { links: [...new Set(links)] }),
        ...(pinned === undefined ? {} : { pinnedProjectId: pinned }),
      });
    if (timeZone !== undefined) changeTimeZone(core, builderId, timeZone);
  });
  return selectProfile(core, username) as Profile;
}
