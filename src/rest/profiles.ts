import { Type } from "@sinclair/typebox";
import { getOwnProfile, getProfile, type Profile } from "../core/profiles/profiles.ts";
import { operation } from "./operation.ts";

const ProfileAnswer = Type.Object(
  {
    username: Type.String(),
    name: Type.String(),
    bio: Type.String(),
    xp: Type.Integer(),
    streak_days: Type.Integer(),
    badges: Type.Array(Type.String()),
    projects: Type.Array(Type.Object({ id: Type.String(), title: Type.String() })),
  },
  { $id: "Profile" },
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
