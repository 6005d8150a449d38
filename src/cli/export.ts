import type { Command } from "commander";
import { foldUsername } from "../core/identity/builders/username.ts";
import { findBuilder } from "../core/identity/builders/builders.ts";
import type { Core } from "../core/base/core.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { countWaitingApplications } from "../core/identity/applications/applications.ts";
import { countWithNoun as inWords } from "../core/base/count-with-noun.ts";
import { withMediaLocked } from "../operate/backup/media-lock.ts";
import { exportTo } from "../transfer/export.ts";
import { TransferRefused } from "../transfer/transfer-refused.ts";
import { VERSION } from "../app/version.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { progressBar } from "./progress.ts";
import { configOf, withCore } from "./with-core.ts";

const HELP = `
Writes an NDJSON file and a JSON Schema for each table, the image files, and a manifest, all from the same
moment. The server may keep running. Passwords, tokens, and other credentials are left out: members get into
the new community with recovery links. Pending join requests are left out too: answer them first, or applicants must
ask again.`;

export function addExportCommand(program: Command, environment: Environment): void {
  dataOption(program.command("export <dir>"))
    .description("Export the community as plain files for `guildhall import` and other tools")
    .option("--builder <username>", "Export only this member's data, as they can see it themselves")
    .addHelpText("after", HELP)
    .action(async (dir: string, flags: DataFlags & { builder?: string }) => {
      const { data } = configOf(environment, flags);
      const manifest = await withCore(environment, flags, async (core) => {
        const builder =
          flags.builder === undefined ? undefined : findBuilder(core, foldUsername(flags.builder));
        if (flags.builder !== undefined && !builder)
          throw new TransferRefused("There is no builder with that username.");
        const bar = progressBar();
        const builderFilter = builder && { id: builder.id, username: builder.username };
        const options = { builder: builderFilter, version: VERSION, data, progress: bar.show };
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
        `Exported to ${dir}. Left out: ${Object.keys(manifest.left_behind).join(", ")}.\n`,
      );
    });
}

const COUNT_MAX = 1000;

function warnAboutApplications(core: Core): void {
  const count = countWaitingApplications(core, OPERATOR, COUNT_MAX);
  if (count === 0) return;
  const some =
    count === COUNT_MAX
      ? `${COUNT_MAX} or more pending join requests`
      : inWords(count, "pending join request");
  process.stderr.write(
    `${some} left out. Answer with \`guildhall application approve\` or \`decline\` and export again, or let the applicants ask again.\n`,
  );
}
