import { type Static, Type } from "@sinclair/typebox";
import { type Caller, VISITOR } from "../access/caller.ts";
import { Choice, ruled, Text, WholeNumber, PatternText } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { FRONTS, JOININGS, READINGS } from "../../base/db/schema-community.ts";
import { plainText } from "../../base/title.ts";
import { LANGUAGES } from "../../base/locales.ts";
import { FOOTER_LINKS_MAX, LABEL_MAX } from "./footer-links.ts";
import {
  type CommunitySettingsRow,
  type Logo,
  selectCommunitySettings,
  selectLogo,
} from "./community-settings-store.ts";

export {
  isLogo,
  isShownPost,
  type Logo,
  putCommunitySettings,
  selectLogo,
} from "./community-settings-store.ts";

/**
 * A character of a URL. Excludes blanks, control characters, bidirectional controls, quotes and angle
 * brackets.
 */
const PLAIN = String.raw`[^\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069<>"]`;
/**
 * A character of an email address. Excludes the characters that would add a scheme or more fields to the
 * address.
 */
const PLAIN_NAME = PLAIN.replace("]", "@:?&,;]");
/** A line of the footer's links: a label, a blank and an https URL without a user name. */
const FOOTER_LINK = `${PLAIN}(?: ?${PLAIN}){0,${LABEL_MAX - 1}} https://${PLAIN.replace("]", String.raw`@/?#\\]`)}+(?:[/?#]${PLAIN}*)?`;

/** Maximum length of a legal page, in characters. */
const LEGAL_MAX = 50_000;

/** Maximum length of the list of held words and of held hosts, in characters. */
const HELD_LIST_MAX = 4_000;

/** Default number of days for which a member counts as new. */
export const NEWCOMER_DAYS = 3;

/** The community settings (docs/contract.md#12.22). A setting that is left out has its default. */
export const CommunitySettingsDraft = Type.Object(
  {
    name: Text({ max: 40, visible: true, line: true, description: "The name of the community." }),
    line: Text({ min: 0, max: 160, line: true, description: "The tagline: one line about the community." }),
    welcome: Text({ min: 0, max: 2000, description: "The welcome text for visitors, in Markdown." }),
    rules: Text({ min: 0, max: 10_000, description: "The community rules, in Markdown." }),
    // Pages show this URL or email address as a link. Reject characters that would extend the link or a line
    // of text.
    contact: PatternText(`^(?:$|https://${PLAIN}+|${PLAIN_NAME}+@${PLAIN_NAME}+)$`, ruled("not_contact"), {
      maxLength: 254,
      description: "How to reach the admins: an email address or a URL. Empty for none.",
    }),
    language: Choice(LANGUAGES, "The default language."),
    zone: Text({
      max: 64,
      line: true,
      description: "The time zone of the community, such as Europe/Berlin.",
    }),
    front: Choice(FRONTS, "The front page for visitors."),
    reading: Choice(READINGS, "The audience of the community."),
    joining: Choice(JOININGS, "The way to join."),
    newcomerDays: WholeNumber(0, 90, {
      description: "The number of days for which the limits of newcomers apply.",
    }),
    newcomerPost: PatternText("^(?:|post_[0-9a-z]{26})$", ruled("not_valid"), {
      maxLength: 31,
      description: "The post that newcomers see first. Empty for none.",
    }),
    accent: PatternText("^(?:|#[0-9a-f]{6})$", ruled("not_colour"), {
      maxLength: 7,
      description: "The accent colour, such as #a8322d. Empty for the default colour.",
    }),
    privacy: Text({
      min: 0,
      max: LEGAL_MAX,
      description: "The privacy policy, in Markdown. Empty for the template, which this server writes.",
    }),
    terms: Text({
      min: 0,
      max: LEGAL_MAX,
      description: "The terms of use, in Markdown. Empty for the template, which this server writes.",
    }),
    imprint: Text({ min: 0, max: LEGAL_MAX, description: "The imprint, in Markdown. Empty for none." }),
    links: PatternText(
      `^(?:|${FOOTER_LINK}(?:\\n${FOOTER_LINK}){0,${FOOTER_LINKS_MAX - 1}})$`,
      ruled("not_footer_links", { max: FOOTER_LINKS_MAX }),
      {
        maxLength: 2000,
        description: `Links in the footer of every page, at most ${FOOTER_LINKS_MAX}. Each line is a label, a blank and an https:// URL.`,
      },
    ),
    holdNewcomerLinks: Type.Boolean({
      description:
        "Whether posts of newcomers wait for approval if they link to a host that no established member linked in the last 90 days.",
      ...ruled("not_boolean"),
    }),
    reportsToHide: WholeNumber(0, 50, {
      description:
        "How many members must report a post before it is hidden until a moderator decides. 0 for never.",
    }),
    heldWords: Text({
      min: 0,
      max: HELD_LIST_MAX,
      description: "Words that hold a post for approval, one word or phrase per line.",
    }),
    heldLinkHosts: Text({
      min: 0,
      max: HELD_LIST_MAX,
      description: "Hosts whose links hold a post for approval, one per line.",
    }),
    equalTexts: WholeNumber(0, 50, {
      description: "The how-manieth equal text of newcomers within a day waits for approval. 0 for never.",
    }),
    networkSignUps: WholeNumber(0, 10_000, {
      description: "How many accounts one network can create within a day. 0 for no limit.",
    }),
    hourlySignUps: WholeNumber(0, 10_000, {
      description: "After how many new accounts within an hour the moderators are notified. 0 for never.",
    }),
  },
  { additionalProperties: false },
);
export type CommunitySettingsDraft = Static<typeof CommunitySettingsDraft>;

/** Settings with all texts; an unset text is empty. */
export type CommunitySettings = Readonly<CommunitySettingsDraft>;

/**
 * Returns the current settings: stored values, else the operator's configuration, else defaults. Caches the
 * result until any process changes the database. A page calls this function ten times, and long rules are
 * slow to read. A change applies from the next request on, even if a CLI command made the change.
 */
export function communitySettingsOf(core: Pick<Core, "db" | "policy" | "memory">): CommunitySettings {
  return settingsFrom(core, current(core, settingsCache, selectCommunitySettings));
}

/** Returns the logo, cached in the same way. */
export function findLogo(core: Pick<Core, "db" | "memory">): Logo | undefined {
  return current(core, logoCache, selectLogo);
}

interface Cache<Row> {
  row: Row | undefined;
  version: number | undefined;
}

const settingsCache = (): Cache<CommunitySettingsRow> => ({ row: undefined, version: undefined });
const logoCache = (): Cache<Logo> => ({ row: undefined, version: undefined });

function current<Row>(
  { db, memory }: Pick<Core, "db" | "memory">,
  cache: () => Cache<Row>,
  select: (core: Pick<Core, "db">) => Row | undefined,
): Row | undefined {
  // Skip the cache inside a write transaction, because the database version does not yet cover its changes.
  if (db.transaction() !== undefined) return select({ db });
  const version = db.version();
  const read = memory(cache);
  if (read.version !== version) Object.assign(read, { row: select({ db }), version });
  return read.row;
}

/** Returns the defaults, for error pages while the database does not respond. */
export function defaultCommunitySettings(core: Pick<Core, "policy">): CommunitySettings {
  return settingsFrom(core, undefined);
}

function settingsFrom(
  { policy }: Pick<Core, "policy">,
  stored: CommunitySettingsRow | undefined,
): CommunitySettings {
  return {
    name: stored?.name ?? policy.name ?? "Guildhall",
    line: stored?.line ?? "",
    welcome: stored?.welcome ?? "",
    rules: stored?.rules ?? "",
    contact: stored?.contact ?? "",
    language: stored?.language ?? "en",
    zone: stored?.zone ?? "UTC",
    front: stored?.front ?? "feed",
    reading: stored?.reading ?? "everybody",
    joining: stored?.joining ?? policy.signup,
    newcomerDays: stored?.newcomerDays ?? NEWCOMER_DAYS,
    newcomerPost: stored?.newcomerPost ?? "",
    accent: stored?.accent ?? "",
    privacy: stored?.privacy ?? "",
    terms: stored?.terms ?? "",
    imprint: stored?.imprint ?? "",
    links: stored?.links ?? "",
    ...brakesFrom(stored),
    networkSignUps: stored?.networkSignUps ?? 40,
    hourlySignUps: stored?.hourlySignUps ?? 60,
  };
}

/** The settings that decide which content waits for approval (docs/contract.md#12.39). */
export type BrakeSettings = Pick<
  CommunitySettings,
  "holdNewcomerLinks" | "reportsToHide" | "heldWords" | "heldLinkHosts" | "equalTexts"
>;

/** Returns the brakes of stored settings. A brake that is null has its default. */
export function brakesFrom(
  stored: { [Name in keyof BrakeSettings]?: BrakeSettings[Name] | null } | undefined,
): BrakeSettings {
  return {
    holdNewcomerLinks: stored?.holdNewcomerLinks ?? true,
    reportsToHide: stored?.reportsToHide ?? 3,
    heldWords: stored?.heldWords ?? "",
    heldLinkHosts: stored?.heldLinkHosts ?? "",
    equalTexts: stored?.equalTexts ?? 3,
  };
}

/** Whether only members may read. */
export function isForMembers(core: Pick<Core, "db" | "policy" | "memory">): boolean {
  return communitySettingsOf(core).reading === "members";
}

/** Returns the caller for a guest. In a community for members, a guest may read nothing. */
export function visitorCaller(core: Pick<Core, "db" | "policy" | "memory">): Caller {
  return isForMembers(core) ? { ...VISITOR, scopes: new Set() } : VISITOR;
}

/** Maximum length of a rule that a decision names. */
export const RULE_MAX = 200;

/**
 * Returns the rules that a decision can refer to: the headings and list items of the community's rules.
 * Each is plain text of at most 200 characters.
 */
export function rulesOf(core: Pick<Core, "db" | "policy" | "memory">): string[] {
  const lines = communitySettingsOf(core).rules.split(/\r\n|[\n\r\u2028\u2029]/);
  const rules = lines
    .filter((line) => /^\s*(?:#{1,6}|[-*+]|\d{1,9}[.)])\s+\S/.test(line))
    .map((line) => [...plainText(line)].slice(0, RULE_MAX).join(""));
  return [...new Set(rules.filter((rule) => rule !== ""))];
}
