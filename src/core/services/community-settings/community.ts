import { type Static, Type } from "@sinclair/typebox";
import type { Caller } from "../../identity/access/caller.ts";
import { communitySettingsOf, isForMembers } from "../../identity/community-settings/community-settings.ts";
import { type TeamMember, teamOf } from "../../identity/builders/team.ts";
import { DAY, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { JOININGS, READINGS } from "../../base/db/schema-community.ts";
import { LANGUAGES } from "../../base/locales.ts";
import { Enum, orNull, DisplayText } from "../../base/view.ts";
import { activeWithin } from "../history/history.ts";
import { countContent } from "./community-store.ts";

const counted = (description: string, example: number) => Type.Integer({ description, examples: [example] });

/** Size and activity of the community. */
export const CountsView = Type.Object(
  {
    members: counted("The number of members who can sign in.", 128),
    activeMonth: counted("The number of members who were active in the last 30 days.", 61),
    activeHalfYear: counted("The number of members who were active in the last 180 days.", 97),
    posts: counted("The number of posts in the feed.", 2140),
    replies: counted("The number of replies.", 8205),
    jobs: counted("The number of jobs on the board.", 34),
    prompts: counted("The number of prompts.", 410),
  },
  { $id: "CommunityCounts" },
);
export type Counts = Static<typeof CountsView>;

/** Public description of the community. */
export const CommunityView = Type.Object(
  {
    name: DisplayText("The name of the community.", "The Beekeepers"),
    line: DisplayText(
      "The tagline: one line about the community. Empty if there is none.",
      "Builders who keep bees, and the other way round.",
    ),
    welcome: DisplayText("The welcome text for visitors, in Markdown.", "Come in, and say what you build."),
    rules: DisplayText("The community rules, in Markdown.", "1. Be kind.\n2. Show your work."),
    contact: orNull(Type.String(), {
      description: "How to reach the admins: an email address or a URL. `null` if none is set.",
      examples: ["hello@guild.example"],
    }),
    language: Enum(LANGUAGES, "The default language."),
    timeZone: DisplayText("The time zone of the community.", "Europe/Berlin"),
    reading: Enum(READINGS, "Access to the community's content: for `everybody`, or only for `members`."),
    joining: Enum(
      JOININGS,
      "The way to join: `open` to everyone, by `approval` of the admins, by an `invite` link, or not at all (`closed`).",
    ),
    about: DisplayText("The URL of the about page.", "https://guild.example/about"),
    signUp: orNull(Type.String(), {
      description: "The URL of the sign-up page. `null` if nobody can join.",
      examples: ["https://guild.example/sign-up"],
    }),
    counts: orNull(
      CountsView,
      "The size of the community. The numbers can be a few minutes old. `null` without a token if only members can read the community.",
    ),
  },
  { $id: "Community" },
);
export type Community = Static<typeof CommunityView>;

/**
 * Returns the description of the community. `caller` is undefined for a guest. If only members can read,
 * guests do not get the counts (docs/contract.md#12.25). Needs no scope.
 */
export function getCommunity(core: Core, caller: Caller | undefined): Community {
  const { name, line, welcome, rules, contact, language, zone, reading, joining } = communitySettingsOf(core);
  return {
    name,
    line,
    welcome,
    rules,
    contact: contact === "" ? null : contact,
    language,
    timeZone: zone,
    reading,
    joining,
    about: `${core.origin}/about`,
    signUp: joining === "closed" ? null : `${core.origin}/sign-up`,
    counts: isInside(core, caller) ? countsOf(core) : null,
  };
}

/**
 * Returns the admins and moderators. The list is empty for a guest if only members can read. Needs no scope.
 */
export function listTeam(core: Core, caller: Caller | undefined): TeamMember[] {
  return isInside(core, caller) ? teamOf(core) : [];
}

function isInside(core: Core, caller: Caller | undefined): boolean {
  return caller !== undefined || !isForMembers(core);
}

/** How long counts are cached. Counting scans some indexes. */
const COUNTS_VALID_MS = 10 * MINUTE;

interface CountsCache {
  counts: Counts | undefined;
  at: number;
}

function emptyCountsCache(): CountsCache {
  return { counts: undefined, at: -Infinity };
}

/** Returns counts that are ten minutes old at most. Checks no right. */
export function countsOf(core: Core): Counts {
  const known = core.memory(emptyCountsCache);
  const at = core.clock.elapsed();
  if (known.counts === undefined || at - known.at >= COUNTS_VALID_MS)
    Object.assign(known, {
      at,
      counts: {
        ...countContent(core),
        activeMonth: activeWithin(core, 30 * DAY),
        activeHalfYear: activeWithin(core, 180 * DAY),
      },
    });
  return known.counts as Counts;
}
