import type { Command } from "commander";
import {
  type CommunitySettingsChange,
  changeCommunitySettings,
} from "../core/services/community-settings/community-settings.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import {
  type CommunitySettings,
  CommunitySettingsDraft,
  communitySettingsOf,
} from "../core/identity/community-settings/community-settings.ts";
import { type DataFlags, dataOption, type Environment, UsageError } from "./options.ts";
import { withCore } from "./with-core.ts";

const HELP = `
Changes apply from the next request on a running server. If a value is not set, the server's settings
(GUILDHALL_NAME, GUILDHALL_SIGNUP) or the defaults apply. \`--unset\` removes a value:
  guildhall community set --name "The Beekeepers" --reading members --joining approval
  guildhall community set --unset name --unset accent`;

export function addCommunityCommands(program: Command, environment: Environment): void {
  const community = program
    .command("community")
    .description("Change the community's name, texts, look, and rules for reading and joining")
    .addHelpText("after", HELP);
  dataOption(community.command("show"))
    .description("Print the community settings as name, tab, value")
    .option("--json", "Print one JSON object")
    .action(async ({ json, ...flags }: DataFlags & { json?: true }) => {
      const settings = await withCore(environment, flags, communitySettingsOf);
      process.stdout.write(json ? `${JSON.stringify(settings, null, 2)}\n` : inLines(settings));
    });
  dataOption(community.command("set"))
    .description("Change community settings")
    .option("--name <name>", "Name, at most 40 characters")
    .option("--line <text>", "Tagline, in one line")
    .option("--welcome <text>", "Welcome text for visitors, in Markdown")
    .option("--rules <text>", "Community rules, in Markdown")
    .option("--contact <address>", "Contact: an email address or an https:// URL")
    .option("--language <language>", "Default language: en, de, or es")
    .option("--zone <zone>", "Default time zone, such as Europe/Berlin")
    .option("--front <page>", "First page for visitors: feed or about")
    .option("--reading <who>", "Reading access: everybody or members")
    .option("--joining <how>", "Way to join: open, approval, invite, or closed")
    .option(
      "--newcomer-days <days>",
      "Number of days for which a member counts as a newcomer, 0 to 90",
      Number,
    )
    .option("--newcomer-post <id>", "Id of the post that newcomers see first")
    .option("--accent <colour>", "Accent colour, such as #a8322d")
    .option("--privacy <text>", "Privacy policy, in Markdown")
    .option("--terms <text>", "Terms of use, in Markdown")
    .option("--imprint <text>", "Imprint, in Markdown")
    .option("--links <lines>", "Links in the footer: at most 5 lines, each a label and an https:// URL")
    .option("--hold-newcomer-links <yes|no>", "Whether newcomers' posts with unknown links wait", yesOrNo)
    .option(
      "--reports-to-hide <count>",
      "Reports that hide a post until a moderator decides, 0 for never",
      Number,
    )
    .option("--held-words <words>", "Words that hold a post for approval, one per line")
    .option("--held-link-hosts <hosts>", "Link hosts that hold a post for approval, one per line")
    .option("--equal-texts <count>", "The how-manieth equal text of newcomers waits, 0 for never", Number)
    .option("--network-sign-ups <count>", "Accounts that a network can create a day, 0 for no limit", Number)
    .option("--hourly-sign-ups <count>", "New accounts an hour that alert the team, 0 for never", Number)
    .option("--unset <part>", "Setting to reset to its default; repeatable", partsOf)
    .addHelpText("after", HELP)
    .action(async ({ data, settings, unset = [], ...given }: SetFlags) => {
      const changes: CommunitySettingsChange = {
        ...given,
        ...Object.fromEntries(unset.map((part) => [part, null])),
      };
      if (Object.keys(changes).length === 0)
        throw new UsageError("Nothing to change. `guildhall community set --help` lists the options.");
      const flags = {
        ...(data === undefined ? {} : { data }),
        ...(settings === undefined ? {} : { settings }),
      };
      const changed = await withCore(environment, flags, (core) =>
        changeCommunitySettings(core, OPERATOR, changes),
      );
      process.stdout.write(inLines(changed));
    });
}

const PARTS = Object.keys(CommunitySettingsDraft.properties) as (keyof CommunitySettings)[];

type SetFlags = DataFlags & CommunitySettingsChange & { unset?: string[] };

/**
 * Parses the value of --unset and adds it to the earlier values. Throws UsageError for an unknown setting.
 */
function partsOf(word: string, before: string[] = []): string[] {
  const part = PARTS.find((each) => optionOf(each) === word);
  if (part === undefined)
    throw new UsageError(
      `--unset ${JSON.stringify(word)} is not a setting. Use one of ${PARTS.map(optionOf).join(", ")}.`,
    );
  return [...before, part];
}

function yesOrNo(word: string): boolean {
  if (word !== "yes" && word !== "no")
    throw new UsageError(`--hold-newcomer-links ${JSON.stringify(word)} is neither yes nor no.`);
  return word === "yes";
}

function optionOf(part: string): string {
  return part.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function inLines(settings: CommunitySettings): string {
  return PARTS.map((part) => `${optionOf(part)}\t${inOneLine(settings[part]) || "-"}\n`).join("");
}

function inOneLine(value: string | number | boolean): string {
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value).replaceAll("\n", " ");
}
