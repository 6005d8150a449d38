import type { Command } from "commander";
import { effectiveSettings } from "../config/read.ts";
import { asToml } from "../config/show.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { configOf } from "./with-core.ts";

const HELP = `
The output is a valid settings file. Settings that you set have their value and source. All others are comments with
their defaults. If a setting is invalid, the command prints one line on stderr and exits with code 2. Use it to check a
file before a restart. To see only the settings that you set:
  guildhall settings | grep '^[a-z]'`;

export function addSettingsCommand(program: Command, environment: Environment): void {
  dataOption(program.command("settings"))
    .description("Print every setting with its value, meaning, and source")
    .addHelpText("after", HELP)
    .action((flags: DataFlags) => {
      // Throws for an invalid setting before anything is printed.
      configOf(environment, flags);
      process.stdout.write(asToml(effectiveSettings(environment.variables, flags, environment.settings)));
    });
}
