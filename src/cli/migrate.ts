import type { Command } from "commander";
import { SCHEMA_VERSION } from "../core/ground/db/migrate.ts";
import { holdGround } from "../ground.ts";
import { upgrade } from "../keep/upgrade.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { configOf } from "./with-core.ts";

const HELP = `
\`guildhall serve\` does the same when it starts. All other commands say that a database is older,
and leave it as it is.`;

export function addMigrateCommand(program: Command, environment: Environment): void {
  dataOption(program.command("migrate"))
    .description("bring the database of an older Guildhall up to this one; no server may run on the folder")
    .addHelpText("after", HELP)
    .action((flags: DataFlags) => {
      const config = configOf(environment, flags);
      const held = holdGround(config);
      try {
        if (held.version === SCHEMA_VERSION) {
          process.stdout.write(`the database is up to date: schema ${SCHEMA_VERSION}\n`);
          return;
        }
        const { from, to, steps } = upgrade(held.file, held.version, tellStep);
        const ms = steps.reduce((sum, step) => sum + step.ms, 0);
        process.stdout.write(`upgraded from schema ${from} to ${to} in ${(ms / 1000).toFixed(1)} s\n`);
      } finally {
        held.release();
      }
    });
}

/** A line for each: a large database takes minutes, and who waits wants to see that it goes on. */
function tellStep(name: string, done: number, total: number): void {
  process.stderr.write(`  ${done} of ${total} done; now ${name}\n`);
}
