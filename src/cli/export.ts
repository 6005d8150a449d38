import type { Command } from "commander";
import { foldUsername } from "../core/identity/builders/username.ts";
import { findBuilder } from "../core/identity/builders/builders.ts";
import type { Core } from "../core/base/core.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { countWaitingApplications } from "../core/identity/applications/applications.ts";
import { countWithNoun as inWords } from "../core/base/count-with-noun.ts";
import { withMediaLocked } from "../operate/backup/media-lock.ts";
import { exportTo } from "../transfer/export.ts";
import { PortableRefused } from "../transfer/transfer-refused.ts";
import { VERSION } from "../app/version.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { progressBar } from "./progress.ts";
import { configOf, withCore } from "./with-core.ts";

const HELP = `
One file of NDJSON for each table, a JSON Schema beside each, the files of pictures, and a manifest. Passwords, tokens
and every other credential stay behind: people come into the new place by recovery links. Pending join applications
stay behind too: answer them before, or have their people ask again.
Works on the folder of a running server; all of it is of one moment.`;

export function addExportCommand(program: Command, environment: Environment): void {
  dataOption(program.command("export <dir>"))
    .description("write the community as plain files, which `guildhall import` and other tools read")
    .option("--builder <username>", "what is one builder's, as they may see it themself")
    .addHelpText("after", HELP)
    .action(async (dir: string, flags: DataFlags & { builder?: string }) => {
      const { data } = configOf(environment, flags);
      const manifest = await withCore(environment, flags, async (core) => {
        const builder =
          flags.builder === undefined ? undefined : findBuilder(core, foldUsername(flags.builder));
        if (flags.builder !== undefined && !builder)
          throw new PortableRefused("there is no builder with that username");
        const bar = progressBar();
        const whose = builder && { id: builder.id, username: builder.username };
        const options = { builder: whose, version: VERSION, data, progress: bar.show };
        const done = await withMediaLocked(data, () => exportTo(core, dir, options));
        bar.done();
        if (!builder) warnAboutApplications(core);
        return done;
      });
      const counted = Object.entries(manifest.files).filter(([, { rows }]) => rows > 0);
      for (const [name, { rows }] of counted) process.stdout.write(`${name} ${rows}\n`);
      if (manifest.media && manifest.media.files > 0)
        process.stdout.write(`media/ ${inWords(manifest.media.files, "file")}\n`);
      process.stderr.write(
        `exported to ${dir}; left behind: ${Object.keys(manifest.left_behind).join(", ")}\n`,
      );
    });
}

const COUNTED = 1000;

function warnAboutApplications(core: Core): void {
  const count = countWaitingApplications(core, OPERATOR, COUNTED);
  if (count === 0) return;
  const some =
    count === COUNTED
      ? `${COUNTED} pending join applications or more`
      : inWords(count, "pending join application");
  process.stderr.write(
    `${some} left out: answer with \`guildhall application approve\` or \`decline\` and export again, or have their people ask again\n`,
  );
}
