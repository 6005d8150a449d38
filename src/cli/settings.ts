import type { Command } from "commander";
import { effectiveSettings } from "../config/read.ts";
import { asToml } from "../config/show.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { configOf } from "./with-core.ts";

const HELP = `
The output is a settings file: a setting that is given has its value and source, and the others are comments with
their defaults. An invalid setting is one line on stderr and exit code 2, so this command also checks a file before a
restart. To see only what is given:
  guildhall settings | grep '^[a-z]'`;

export function addSettingsCommand(program: Command, environment: Environment): void {
  dataOption(program.command("settings"))
    .description("Print every setting with its value, meaning and source")
    .addHelpText("after", HELP)
    .action((flags: DataFlags) => {
      // Says what is wrong before anything is shown.
      configOf(environment, flags);
      process.stdout.write(asToml(effectiveSettings(environment.variables, flags, environment.settings)));
    });
}
