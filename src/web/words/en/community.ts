import { number, plural } from "./forms.ts";

/** The community's own face: what it says of itself, and where that is changed. */
export const community = {
  about: {
    title: "About",
    rules: "Rules",
    joinTitle: "How to join",
    join: {
      open: "Anybody may join: [make an account](/sign-up).",
      approval: "[Ask to join](/sign-up): those who run this community look at who asks, and let them in.",
      invite: "By invitation: ask a member for a link. It leads to where you make your account.",
      closed: "Nobody can join at the moment.",
    },
    forMembers: "What is written here is for members. [Sign in](/sign-in) if you are one.",
    stewards: "Who runs it",
    roles: { owner: "Owner", admin: "Admin", moderator: "Moderator", member: "Member" },
    contactTitle: "Contact",
    counts: {
      members: (count: number) => plural(count, { one: "1 member", other: "{n} members" }),
      active: (count: number) => `${number(count)} here within the last month`,
      posts: (count: number) => plural(count, { one: "1 post", other: "{n} posts" }),
      replies: (count: number) => plural(count, { one: "1 reply", other: "{n} replies" }),
      jobs: (count: number) => plural(count, { one: "1 job", other: "{n} jobs" }),
      prompts: (count: number) => plural(count, { one: "1 prompt", other: "{n} prompts" }),
    },
  },
};
