import type { Command } from "commander";
import { SCHEMA_VERSION } from "../core/base/db/migrate.ts";
import { readDataFolder } from "../app/data-folder.ts";
import { rehearse, type TellStep } from "../operate/backup/upgrade.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { upgradeFolder, secondsOf } from "./upgrade.ts";
import { configOf } from "./with-core.ts";

const HELP = `
\`guildhall serve\` does the same when it starts. All other commands say that a database is older, and leave
it as it is.

First the database is copied to before-upgrade-FROM-to-TO-TIME in the data folder; the copies of the last two
upgrades are kept. Where the upgrade fails, or is killed, the database is as it was.

--rehearse does all of it on a copy, beside a running server too, tells how long each step takes and how
many rows there are, and changes nothing.`;

export function addMigrateCommand(program: Command, environment: Environment): void {
  dataOption(program.command("migrate"))
    .description("bring the database of an older Guildhall up to this one; no server may run on the folder")
    .option("--rehearse", "only try it, on a copy")
    .addHelpText("after", HELP)
    .action(async (flags: DataFlags & { rehearse?: boolean }) => {
      const config = configOf(environment, flags);
      if (flags.rehearse) {
        const found = readDataFolder(config);
        print(found.version < SCHEMA_VERSION ? await rehearsal({ data: config.data, ...found }) : UP_TO_DATE);
        return;
      }
      const done = await upgradeFolder(config, reportStep());
      if (!done) return print(UP_TO_DATE);
      print(`copied to ${done.copy}`);
      print(`upgraded from schema ${done.from} to ${done.to} in ${secondsOf(done)} s`);
    });
}

const UP_TO_DATE = `the database is up to date: schema ${SCHEMA_VERSION}`;

async function rehearsal(older: Parameters<typeof rehearse>[0]): Promise<string> {
  const done = await rehearse(older, reportStep());
  const lines = done.steps.map(({ name, ms }) => `${(ms / 1000).toFixed(2).padStart(9)} s  ${name}`);
  const tables = [...new Set([...Object.keys(done.before.rows), ...Object.keys(done.after.rows)])].sort();
  const changed = tables.filter((table) => done.before.rows[table] !== done.after.rows[table]);
  for (const table of changed)
    lines.push(
      `${String(done.after.rows[table] ?? "none").padStart(9)}    rows of ${table}, instead of ${done.before.rows[table] ?? "none"}`,
    );
  lines.push(
    `${total(done.before.rows)} rows in ${megabytes(done.before.bytes)} become ${total(done.after.rows)} rows in ${megabytes(done.after.bytes)}`,
    `schema ${done.from} to ${done.to} took ${secondsOf(done)} s on a copy; nothing was changed`,
  );
  return lines.join("\n");
}

function total(rows: Readonly<Record<string, number>>): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A line for each: a large database takes minutes, and who waits wants to see that it goes on. */
function reportStep(): TellStep {
  let last: string | undefined;
  return (name, done, count) => {
    // The copy is told in tenths.
    const at =
      name === "copy"
        ? `copying, ${Math.floor((10 * done) / count) * 10} %`
        : `${name} (${done} of ${count} done)`;
    if (at !== last) process.stderr.write(`  ${at}\n`);
    last = at;
  };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
