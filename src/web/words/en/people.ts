import type { BadgeName, TierBadge } from "../../../core/community/xp/rules.ts";
import { number, plural } from "./forms.ts";

const days = (count: number): string => plural(count, { one: "1 day", other: "{n} days" });

/** Why somebody has it. */
const badges: Readonly<Record<BadgeName, string>> = {
  "first-post": "Published a first post",
  helper: "Replied to fifty posts",
  "prompt-smith": "Shared ten prompts",
  "streak-7": "Seven days in a row",
  "streak-30": "Thirty days in a row",
  "streak-100": "A hundred days in a row",
  "streak-365": "A year without a day left out",
};

/** What it is called. */
const names: Readonly<Record<BadgeName | TierBadge, string>> = {
  apprentice: "Apprentice",
  journeyman: "Journeyman",
  artisan: "Artisan",
  master: "Master",
  grandmaster: "Grandmaster",
  "first-post": "First post",
  helper: "Helper",
  "prompt-smith": "Prompt smith",
  "streak-7": "7 days",
  "streak-30": "30 days",
  "streak-100": "100 days",
  "streak-365": "365 days",
};

/** The builders, and what a profile says of one. */
export const people = {
  directory: {
    title: "Builders",
    lead: "Who is here, the newest first.",
    search: "A name, or a tag they post under",
    find: "Find",
    nobody: "Nobody fits that",
    nobodyLead: "Every word has to begin one of a name, or a tag. [Everybody](/builders)",
    more: "More",
    xp: (points: number) => `${number(points)} XP`,
    streak: (count: number) => plural(count, { one: "1 day in a row", other: "{n} days in a row" }),
    projects: (count: number) => plural(count, { one: "1 project", other: "{n} projects" }),
  },
  level: {
    level: (level: number) => `Level ${number(level)}`,
    levelWith: (level: number, badge: string) => `Level ${number(level)}, ${badge}`,
    highest: "the highest there is",
    next: (points: number, level: number) => `${number(points)} XP to level ${number(level)}`,
    progress: (level: number) => `Progress to level ${number(level)}`,
  },
  badges: {
    title: "Badges",
    ofLevel: (level: number) => `Reached level ${number(level)}`,
    names,
    earned: badges,
    given: "Given by the community",
  },
  profile: {
    imported: "Imported from {origin}.",
    unclaimed: "Imported from {origin}. Nobody has claimed this account yet.",
    since: "Here since {when}",
    edit: "Edit your profile",
    message: "Send a message",
    posts: "Posts",
    noPostOfYours: "You have posted nothing yet.",
    noPost: "Nothing posted yet.",
    xp: "XP",
    longest: "Longest",
    days,
    countsAlready: "Today counts already. [Why these points](/settings/xp)",
    nothingToday: "Nothing yet today. [Why these points](/settings/xp)",
    projects: "Projects",
    hidden: "Hidden",
    hiddenLead: "Moderators have taken these out of sight. Only you and they see them.",
  },
  prompts: {
    title: "Prompts",
    of: (name: string) => `Prompts of ${name}`,
    all: "All prompts",
    none: "None yet.",
  },
  distance: {
    title: "Keep your distance",
    lead: "Who is blocked cannot write to you or follow you, and is not told. A report goes to the moderators alone.",
    blockedTitle: "You have blocked this builder",
    blockedLead: "They cannot write to you, and are not told.",
    block: "Block",
    unblock: "Unblock",
    report: "Report",
  },
};
