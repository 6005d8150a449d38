import type { Command } from "commander";
import { effectiveSettings } from "../config/read.ts";
import { asToml } from "../config/show.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { configOf } from "./with-core.ts";

const HELP = `
What is printed is a settings file: what is given stands as it is, with where it comes from; the rest
is a comment with its default. A wrong setting is one line on stderr and exit code 2, so that this is
also how a file is tried before a restart. Only what is given:
  guildhall settings | grep '^[a-z]'`;

export function addSettingsCommand(program: Command, environment: Environment): void {
  dataOption(program.command("settings"))
    .description("print every setting as it is, with its meaning and where it comes from")
    .addHelpText("after", HELP)
    .action((flags: DataFlags) => {
      // Says what is wrong before anything is shown.
      configOf(environment, flags);
      process.stdout.write(asToml(effectiveSettings(environment.variables, flags, environment.settings)));
    });
}
