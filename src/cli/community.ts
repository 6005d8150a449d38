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
It holds from the next request of a running server on. What the community does not say is what the settings
say (GUILDHALL_NAME, GUILDHALL_SIGNUP), else what is usual; \`--unset\` takes a saying back:
  guildhall community set --name "The Beekeepers" --reading members --joining approval
  guildhall community set --unset name --unset accent`;

export function addCommunityCommands(program: Command, environment: Environment): void {
  const community = program
    .command("community")
    .description("what the community says of itself: its name, who reads it, who joins")
    .addHelpText("after", HELP);
  dataOption(community.command("show"))
    .description("tell it, as name, tab and value, or as JSON")
    .option("--json", "as one JSON object")
    .action(async ({ json, ...flags }: DataFlags & { json?: true }) => {
      const settings = await withCore(environment, flags, communitySettingsOf);
      process.stdout.write(json ? `${JSON.stringify(settings, null, 2)}\n` : inLines(settings));
    });
  dataOption(community.command("set"))
    .description("change what is given of it")
    .option("--name <name>", "what it is called (at most 40 characters)")
    .option("--line <text>", "what it is, in one line")
    .option("--welcome <text>", "what a stranger reads first, in Markdown")
    .option("--rules <text>", "how people are with each other here, in Markdown")
    .option("--contact <address>", "a mail address, or one that begins with https://")
    .option("--language <language>", "en, de or es: what it speaks to whoever has chosen nothing else")
    .option("--zone <zone>", "its time zone, such as Europe/Berlin")
    .option("--front <page>", "what a stranger sees first: feed or about")
    .option("--reading <who>", "who reads it: everybody or members")
    .option("--joining <how>", "who joins: open, approval, invite or closed")
    .option("--newcomer-days <days>", "for how many days somebody is new (0 to 90)", Number)
    .option("--newcomer-post <id>", "the post that somebody new is shown first")
    .option("--accent <colour>", "its colour, such as #a8322d")
    .option("--unset <part>", "takes back what it says of that; may be repeated", partsOf, [])
    .addHelpText("after", HELP)
    .action(async ({ data, settings, unset, ...given }: SetFlags) => {
      const changes: CommunitySettingsChange = {
        ...given,
        ...Object.fromEntries(unset.map((part) => [part, null])),
      };
      if (Object.keys(changes).length === 0)
        throw new UsageError(
          "nothing is given to change; `guildhall community set --help` shows what can be",
        );
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

type SetFlags = DataFlags & CommunitySettingsChange & { unset: string[] };

/** One part more, named as its option is. */
function partsOf(word: string, before: string[]): string[] {
  const part = PARTS.find((each) => optionOf(each) === word);
  if (part === undefined)
    throw new UsageError(`--unset is ${JSON.stringify(word)}; name one of ${PARTS.map(optionOf).join(", ")}`);
  return [...before, part];
}

function optionOf(part: string): string {
  return part.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function inLines(settings: CommunitySettings): string {
  return PARTS.map(
    (part) => `${optionOf(part)}\t${String(settings[part]).replaceAll("\n", " ") || "-"}\n`,
  ).join("");
}
