import { Type } from "@sinclair/typebox";
import { isoTime } from "../core/ground/clock.ts";
import { BuilderQuery, listProfiles } from "../core/community/profiles/directory.ts";
import {
  changeProfile,
  getOwnProfile,
  getProfile,
  type Profile,
  ProfileChange,
} from "../core/community/profiles/profiles.ts";
import { getStreak, type Streak } from "../core/community/xp/streaks.ts";
import { listXp, type XpEntry } from "../core/community/xp/xp.ts";
import { operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";
import { ProfileProject } from "./parts.ts";

const ProfileAnswer = Type.Object(
  {
    username: Type.String(),
    name: Type.String(),
    bio: Type.String(),
    xp: Type.Integer(),
    streak_days: Type.Integer({
      description: "Days in a row with activity, as of now, by the builder's own time zone.",
    }),
    badges: Type.Array(Type.String()),
    projects: Type.Array(ProfileProject),
  },
  { $id: "Profile" },
);

const XpAnswer = Type.Object(
  {
    id: Type.String(),
    reason: Type.String({ description: "The rule that gave the points." }),
    words: Type.String({ description: "The same for people." }),
    subject_id: Type.String({ description: "What it was for: a post, a prompt, a job; or a day." }),
    points: Type.Integer({ description: "Negative where something is taken back." }),
    created_at: Type.String({ format: "date-time" }),
  },
  { $id: "XpEntry" },
);

const StreakAnswer = Type.Object(
  {
    streak_days: Type.Integer(),
    longest: Type.Integer({ description: "The most days in a row that there ever were." }),
    active_today: Type.Boolean(),
    time_zone: Type.String({ description: "Your days end at midnight there." }),
    next_time_zone: Type.Union(
      [Type.Object({ name: Type.String(), since: Type.String({ format: "date-time" }) }), Type.Null()],
      { description: "The zone you have chosen since, and from when it holds; null without one." },
    ),
  },
  { $id: "Streak" },
);

const answer = {
  status: 200 as const,
  description: "The profile",
  schema: ProfileAnswer,
  example: {
    username: "ada",
    name: "Ada Okafor",
    bio: "Compilers by day, bread by night.",
    xp: 4210,
    streak_days: 37,
    badges: ["first-post", "streak-30"],
    projects: [{ id: "prj_01kafzq8e5f2r8v0j3n6s1t4wx", title: "tinyqueue" }],
  },
};

export const profileOperations = [
  operation({
    id: "listProfiles",
    method: "GET",
    path: "/profiles",
    group: "Profiles",
    summary: "List builders, or find them by name or tag",
    description:
      "The directory of the community, whoever came last first, each as their public profile. Nobody is in it who is suspended.",
    scope: "profile:read",
    query: Type.Object({ ...BuilderQuery.properties, ...pageParameters }),
    answer: {
      status: 200,
      description: "One page of the directory",
      schema: PageOf("ProfilePage", ProfileAnswer),
      example: { data: [answer.example], next: null },
    },
    refusals: [400],
    handle: ({ core, caller, query }) =>
      presentPage(listProfiles(core, caller, { q: query.q }, pageRequest(query)), presentProfile),
  }),
  operation({
    id: "getOwnProfile",
    method: "GET",
    path: "/profiles/me",
    group: "Profiles",
    summary: "Retrieve your own profile",
    description: "The account behind the token, in the shape of any profile.",
    scope: "profile:read",
    answer,
    refusals: [],
    handle: ({ core, caller }) => ({ status: 200, body: presentProfile(getOwnProfile(core, caller)) }),
  }),
  operation({
    id: "changeProfile",
    method: "PATCH",
    path: "/profiles/me",
    group: "Profiles",
    summary: "Change your own profile",
    description:
      "Fields that are left out stay as they are. An unknown time zone is 422. Answers with the profile as it is now; `GET /profiles/me/streak` shows the time zone.",
    scope: "profile:write",
    body: ProfileChange,
    answer,
    refusals: [400, 422],
    handle: ({ core, caller, body, commit }) =>
      commit(() => ({ status: 200, body: presentProfile(changeProfile(core, caller, body)) })),
  }),
  operation({
    id: "getStreak",
    method: "GET",
    path: "/profiles/me/streak",
    group: "Profiles",
    summary: "Retrieve your streak and the time zone it is counted by",
    description:
      "A post, a reply, a prompt, a rating or a job makes a day count. A new time zone holds from the end of your day under way, so that moving neither loses a day nor gains one.",
    scope: "profile:read",
    answer: {
      status: 200,
      description: "The streak",
      schema: StreakAnswer,
      example: {
        streak_days: 37,
        longest: 41,
        active_today: false,
        time_zone: "Europe/Berlin",
        next_time_zone: { name: "Pacific/Auckland", since: "2026-11-20T23:00:00.000Z" },
      },
    },
    refusals: [],
    handle: ({ core, caller }) => ({ status: 200, body: presentStreak(getStreak(core, caller)) }),
  }),
  operation({
    id: "listXp",
    method: "GET",
    path: "/profiles/me/xp",
    group: "Profiles",
    summary: "List what your XP is made of, newest first",
    description:
      "A ledger that is only added to: their sum is your `xp`. An unlike or a deletion is an entry of its own.",
    scope: "profile:read",
    query: Type.Object(pageParameters),
    answer: {
      status: 200,
      description: "One page of the ledger",
      schema: PageOf("XpPage", XpAnswer),
      example: {
        data: [
          {
            id: "xp_01kafzq8e5f2r8v0j3n6s1t4wx",
            reason: "post.published",
            words: "Published a post",
            subject_id: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
            points: 10,
            created_at: "2026-11-20T09:30:00.000Z",
          },
        ],
        next: null,
      },
    },
    refusals: [400],
    handle: ({ core, caller, query }) => presentPage(listXp(core, caller, pageRequest(query)), presentXp),
  }),
  operation({
    id: "getProfile",
    method: "GET",
    path: "/profiles/{username}",
    group: "Profiles",
    summary: "Retrieve a builder's public profile",
    scope: "profile:read",
    param: {
      name: "username",
      description: "The builder's handle without a leading @, in any case.",
      example: "ada",
    },
    answer,
    refusals: [404],
    handle: ({ core, caller, id }) => ({ status: 200, body: presentProfile(getProfile(core, caller, id)) }),
  }),
];

function presentProfile(profile: Profile) {
  return {
    username: profile.username,
    name: profile.name,
    bio: profile.bio,
    xp: profile.xp,
    streak_days: profile.streakDays,
    badges: profile.badges,
    projects: profile.projects,
  };
}

function presentStreak(streak: Streak) {
  const { nextTimeZone } = streak;
  return {
    streak_days: streak.days,
    longest: streak.longest,
    active_today: streak.isActiveToday,
    time_zone: streak.timeZone,
    next_time_zone: nextTimeZone && { name: nextTimeZone.name, since: isoTime(nextTimeZone.since) },
  };
}

function presentXp(entry: XpEntry) {
  return {
    id: entry.id,
    reason: entry.rule,
    words: entry.words,
    subject_id: entry.subjectId,
    points: entry.points,
    created_at: isoTime(entry.createdAt),
  };
}
