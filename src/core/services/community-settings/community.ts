import { type Static, Type } from "@sinclair/typebox";
import type { Caller } from "../../identity/access/caller.ts";
import { communitySettingsOf, isForMembers } from "../../identity/community-settings/community-settings.ts";
import { type TeamMember, teamOf } from "../../identity/builders/team.ts";
import { DAY, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { JOININGS, READINGS } from "../../base/db/schema-community.ts";
import { LANGUAGES } from "../../base/locales.ts";
import { OneOf, orNull, Shown } from "../../base/view.ts";
import { activeWithin } from "../history/history.ts";
import { countThings } from "./community-store.ts";

const counted = (description: string, example: number) => Type.Integer({ description, examples: [example] });

/** How large it is. */
export const CountsView = Type.Object(
  {
    members: counted("Who has an account and may come in.", 128),
    activeMonth: counted("Of them, who was here within the last 30 days.", 61),
    activeHalfYear: counted("Within the last 180 days.", 97),
    posts: counted("Posts of the feed.", 2140),
    replies: counted("Replies to them.", 8205),
    jobs: counted("Jobs on the board.", 34),
    prompts: counted("Prompts.", 410),
  },
  { $id: "CommunityCounts" },
);
export type Counts = Static<typeof CountsView>;

/** What a community says of itself to whoever asks. */
export const CommunityView = Type.Object(
  {
    name: Shown("What it is called.", "The Beekeepers"),
    line: Shown(
      "What it is, in one line; empty where it says nothing.",
      "Builders who keep bees, and the other way round.",
    ),
    welcome: Shown("What a stranger reads first, in Markdown.", "Come in, and say what you build."),
    rules: Shown("How people are with each other here, in Markdown.", "1. Be kind.\n2. Show your work."),
    contact: orNull(Type.String(), {
      description: "Where to reach those who run it: a mail address, or an address of the web.",
      examples: ["hello@guild.example"],
    }),
    language: OneOf(LANGUAGES, "What it speaks to whoever has chosen nothing else."),
    timeZone: Shown("Its time zone.", "Europe/Berlin"),
    reading: OneOf(READINGS, "Who reads it: `everybody`, or `members` alone."),
    joining: OneOf(
      JOININGS,
      "How one joins: `open` to anybody, by the `approval` of those who run it, by an `invite` link, or not at all (`closed`).",
    ),
    about: Shown("The page that says the same to people.", "https://guild.example/about"),
    signUp: orNull(Type.String(), {
      description: "The page where one joins; null where nobody can.",
      examples: ["https://guild.example/sign-up"],
    }),
    counts: orNull(
      CountsView,
      "How large it is, as of some minutes ago; null for strangers where the members alone read.",
    ),
  },
  { $id: "Community" },
);
export type Community = Static<typeof CommunityView>;

/**
 * What is said to whoever asks: all of it but how large it is, which strangers are not told where the members alone
 * read (docs/contract.md#12.25). `caller` is undefined for a stranger. Needs nothing.
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

/** Who runs it; nobody, to a stranger where the members alone read. Needs nothing. */
export function listTeam(core: Core, caller: Caller | undefined): TeamMember[] {
  return isInside(core, caller) ? teamOf(core) : [];
}

function isInside(core: Core, caller: Caller | undefined): boolean {
  return caller !== undefined || !isForMembers(core);
}

/** Counting walks some indexes: whoever asks often is told the same for so long. */
const COUNTED_EVERY_MS = 10 * MINUTE;

interface Known {
  counts: Counts | undefined;
  at: number;
}

function nothingKnown(): Known {
  return { counts: undefined, at: -Infinity };
}

/** How large it is, as of ten minutes ago at most. Asks no right. */
export function countsOf(core: Core): Counts {
  const known = core.memory(nothingKnown);
  const at = core.clock.elapsed();
  if (known.counts === undefined || at - known.at >= COUNTED_EVERY_MS)
    Object.assign(known, {
      at,
      counts: {
        ...countThings(core),
        activeMonth: activeWithin(core, 30 * DAY),
        activeHalfYear: activeWithin(core, 180 * DAY),
      },
    });
  return known.counts as Counts;
}
