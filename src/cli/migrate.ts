import type { Command } from "commander";
import { SCHEMA_VERSION } from "../core/base/db/migrate.ts";
import { readDataFolder } from "../app/data-folder.ts";
import { rehearse, type ReportStep } from "../operate/backup/upgrade.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { upgradeFolder, secondsOf } from "./upgrade.ts";
import { configOf } from "./with-core.ts";

const HELP = `
\`guildhall serve\` also upgrades when it starts. Other commands refuse to work on an older database.

The database is first copied to before-upgrade-FROM-to-TO-TIME in the data folder. The copies of the last two
upgrades are kept. If the upgrade fails or is killed, the database is unchanged.

--rehearse upgrades a copy, even while a server runs. It reports the time of each step and the row counts, and
changes nothing.`;

export function addMigrateCommand(program: Command, environment: Environment): void {
  dataOption(program.command("migrate"))
    .description("Upgrade the database to this version; the server must be stopped")
    .option("--rehearse", "Try the upgrade on a copy")
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

const UP_TO_DATE = `the database is up to date (schema ${SCHEMA_VERSION})`;

async function rehearsal(older: Parameters<typeof rehearse>[0]): Promise<string> {
  const done = await rehearse(older, reportStep());
  const lines = done.steps.map(({ name, ms }) => `${(ms / 1000).toFixed(2).padStart(9)} s  ${name}`);
  const tables = [...new Set([...Object.keys(done.before.rows), ...Object.keys(done.after.rows)])].sort();
  const changed = tables.filter((table) => done.before.rows[table] !== done.after.rows[table]);
  for (const table of changed)
    lines.push(
      `${String(done.after.rows[table] ?? "none").padStart(9)}    rows in ${table}, before: ${done.before.rows[table] ?? "none"}`,
    );
  lines.push(
    `${total(done.before.rows)} rows in ${megabytes(done.before.bytes)} become ${total(done.after.rows)} rows in ${megabytes(done.after.bytes)}`,
    `schema ${done.from} to ${done.to} took ${secondsOf(done)} s on a copy. Nothing was changed.`,
  );
  return lines.join("\n");
}

function total(rows: Readonly<Record<string, number>>): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * Returns a function that prints a line per step. A large database takes minutes, so the operator needs to
 * see progress.
 */
function reportStep(): ReportStep {
  let last: string | undefined;
  return (name, done, count) => {
    // Progress of the copy, in steps of 10 %.
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
