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

// What the specification shows gains no field (docs/contract.md#1.1).
const PublicProfile = pickFields("Profile", ProfileView, [
  "username",
  "name",
  "bio",
  "xp",
  "streakDays",
  "badges",
  "projects",
]);
const gives = "The profile";

export const profileOperations = area("Profiles", {
  listProfiles: list({
    at: "GET /profiles",
    summary: "List builders, or find them by name or tag",
    description:
      "The directory of the community, whoever came last first, each as their public profile. Nobody is in it who is suspended.",
    scope: "profile:read",
    filter: BuilderQuery,
    view: PublicProfile,
    page: "ProfilePage",
    gives: "One page of the directory",
    run: ({ core, caller, filter, page }) => listProfiles(core, caller, filter, page),
  }),
  getOwnProfile: read({
    at: "GET /profiles/me",
    summary: "Retrieve your own profile",
    description: "The account behind the token, in the shape of any profile.",
    scope: "profile:read",
    view: PublicProfile,
    gives,
    run: ({ core, caller }) => getOwnProfile(core, caller),
  }),
  changeProfile: write({
    at: "PATCH /profiles/me",
    summary: "Change your own profile",
    description:
      "Fields that are left out stay as they are. An unknown time zone is refused as `unprocessable`.",
    restDescription: "Answers with the profile as it is now; `GET /profiles/me/streak` shows the time zone.",
    scope: "profile:write",
    effect: "changes",
    draft: ProfileChange,
    view: PublicProfile,
    refusals: [422],
    gives,
    run: ({ core, caller, draft }) => changeProfile(core, caller, draft),
  }),
  setAvatar: write({
    at: "PUT /profiles/me/avatar",
    summary: "Show a picture of your own beside your name",
    description: "One that you have sent, by its id; the one before goes where no post shows it.",
    scope: "profile:write",
    effect: "changes",
    draft: AvatarDraft,
    view: AvatarView,
    refusals: [422],
    gives: "What you look like",
    run: ({ core, caller, draft }) => setAvatar(core, caller, draft),
  }),
  removeAvatar: write({
    at: "DELETE /profiles/me/avatar",
    summary: "Show your crest again",
    description: "Once however often it is asked. A crest is made of your username.",
    scope: "profile:write",
    effect: "changes",
    view: AvatarView,
    example: { avatar: null },
    gives: "What you look like",
    run: ({ core, caller }) => removeAvatar(core, caller),
  }),
  getStreak: read({
    at: "GET /profiles/me/streak",
    summary: "Retrieve your streak and the time zone it is counted by",
    description:
      "A post, a reply, a prompt, a rating or a job makes a day count. A new time zone holds from the end of your day under way, so that moving neither loses a day nor gains one.",
    scope: "profile:read",
    view: StreakView,
    gives: "The streak",
    run: ({ core, caller }) => getStreak(core, caller),
  }),
  listXp: list({
    at: "GET /profiles/me/xp",
    summary: "List what your XP is made of, newest first",
    description:
      "A ledger that is only added to: their sum is your `xp`. An unlike or a deletion is an entry of its own.",
    scope: "profile:read",
    view: XpEntryView,
    page: "XpPage",
    gives: "One page of the ledger",
    run: ({ core, caller, page }) => listXp(core, caller, page),
  }),
  getProfile: read({
    at: "GET /profiles/{username}",
    summary: "Retrieve a builder's public profile",
    scope: "profile:read",
    param: USERNAME,
    view: PublicProfile,
    gives,
    run: ({ core, caller, id }) => getProfile(core, caller, id),
  }),
});
