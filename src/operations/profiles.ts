import { AvatarDraft, AvatarView, removeAvatar, setAvatar } from "../core/community/media/avatars.ts";
import { BuilderQuery, listProfiles } from "../core/community/profiles/directory.ts";
import {
  changeProfile,
  getOwnProfile,
  getProfile,
  ProfileChange,
  ProfileView,
} from "../core/community/profiles/profiles.ts";
import { getStreak, StreakView } from "../core/community/xp/streaks.ts";
import { listXp, XpEntryView } from "../core/community/xp/xp.ts";
import { pickFields } from "../core/base/view.ts";
import { USERNAME } from "../core/identity/builders/author.ts";
import { area, list, read, write } from "./operation.ts";

// Views of the specification must not gain fields (docs/contract.md#1.1).
const PublicProfile = pickFields("Profile", ProfileView, [
  "username",
  "name",
  "bio",
  "xp",
  "streakDays",
  "badges",
  "projects",
]);
const responseDescription = "The profile";

export const profileOperations = area("Profiles", {
  listProfiles: list({
    route: "GET /profiles",
    summary: "List or search builders",
    description:
      "Returns the member directory as public profiles, newest members first. Suspended builders are left out.",
    scope: "profile:read",
    filter: BuilderQuery,
    view: PublicProfile,
    page: "ProfilePage",
    responseDescription: "One page of builders",
    run: ({ core, caller, filter, page }) => listProfiles(core, caller, filter, page),
  }),
  getOwnProfile: read({
    route: "GET /profiles/me",
    summary: "Retrieve your own profile",
    description: "Returns the public profile of the account behind the token.",
    scope: "profile:read",
    view: PublicProfile,
    responseDescription,
    run: ({ core, caller }) => getOwnProfile(core, caller),
  }),
  changeProfile: write({
    route: "PATCH /profiles/me",
    summary: "Change your own profile",
    description:
      "Changes the fields you send and keeps the others. An unknown time zone is refused as `unprocessable`.",
    restDescription: "Returns the changed profile. `GET /profiles/me/streak` shows the time zone.",
    scope: "profile:write",
    effect: "changes",
    draft: ProfileChange,
    view: PublicProfile,
    refusals: [404, 422],
    responseDescription,
    run: ({ core, caller, draft }) => changeProfile(core, caller, draft),
  }),
  setAvatar: write({
    route: "PUT /profiles/me/avatar",
    summary: "Set your profile picture",
    description:
      "Shows one of your uploaded images next to your name. The previous picture is deleted unless a post shows it.",
    scope: "profile:write",
    effect: "changes",
    draft: AvatarDraft,
    view: AvatarView,
    refusals: [422],
    responseDescription: "Your profile picture and identicon",
    run: ({ core, caller, draft }) => setAvatar(core, caller, draft),
  }),
  removeAvatar: write({
    route: "DELETE /profiles/me/avatar",
    summary: "Remove your profile picture",
    description:
      "The identicon made from your username is shown instead. If you have no profile picture, nothing changes.",
    scope: "profile:write",
    effect: "changes",
    view: AvatarView,
    example: { avatar: null },
    responseDescription: "Your profile picture and identicon",
    run: ({ core, caller }) => removeAvatar(core, caller),
  }),
  getStreak: read({
    route: "GET /profiles/me/streak",
    summary: "Retrieve your streak",
    description:
      "Returns your streak and the time zone in which your days are counted. A day counts if you publish a post, reply, prompt, or job, or rate a prompt. A new time zone applies at the end of your current day, so that no day is lost or gained.",
    scope: "profile:read",
    view: StreakView,
    responseDescription: "The streak",
    run: ({ core, caller }) => getStreak(core, caller),
  }),
  listXp: list({
    route: "GET /profiles/me/xp",
    summary: "List your XP entries",
    description:
      "Returns your XP history, newest first. The sum of all entries is your `xp`. Entries are never changed or removed. When a like is removed or content is deleted, a new entry withdraws the points.",
    scope: "profile:read",
    view: XpEntryView,
    page: "XpPage",
    responseDescription: "One page of XP entries",
    run: ({ core, caller, page }) => listXp(core, caller, page),
  }),
  getProfile: read({
    route: "GET /profiles/{username}",
    summary: "Retrieve a builder's public profile",
    description: "Returns the profile of any builder. Every caller gets the same profile.",
    scope: "profile:read",
    param: USERNAME,
    view: PublicProfile,
    responseDescription,
    run: ({ core, caller, id }) => getProfile(core, caller, id),
  }),
});
