import type { Command } from "commander";
import { DataRefused } from "../../app/data-folder.ts";
import { LICENCE_TEXTS } from "./texts.ts";

const RULE = "=".repeat(78);

export function addLicencesCommand(program: Command): void {
  program
    .command("licences")
    .description("Print the licences of all bundled software")
    .action(() => {
      if (LICENCE_TEXTS === undefined)
        throw new DataRefused(
          "Only the built program contains the licences. In a checkout, see docs/licences.md and node_modules.",
        );
      const parts = LICENCE_TEXTS.map(({ of, text }) => `${RULE}\n${of.join("\n")}\n${RULE}\n\n${text}\n`);
      process.stdout.write(parts.join("\n"));
    });
}
