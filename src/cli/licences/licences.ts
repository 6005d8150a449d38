import type { Command } from "commander";
import { DataRefused } from "../../app/data-folder.ts";
import { LICENCE_TEXTS } from "./texts.ts";

const RULE = "=".repeat(78);

export function addLicencesCommand(program: Command): void {
  program
    .command("licences")
    .description("print the licences of all that is in this program")
    .action(() => {
      if (LICENCE_TEXTS === undefined)
        throw new DataRefused(
          "the licences are in the binary; of a checkout they stand in node_modules, and docs/licences.md lists them",
        );
      const parts = LICENCE_TEXTS.map(({ of, text }) => `${RULE}\n${of.join("\n")}\n${RULE}\n\n${text}\n`);
      process.stdout.write(parts.join("\n"));
    });
}
