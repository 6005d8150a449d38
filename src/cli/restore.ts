import type { Command } from "commander";
import { resolve } from "node:path";
import { SCHEMA_VERSION } from "../core/ground/db/migrate.ts";
import { systemClock } from "../core/ground/clock.ts";
import { loadDriver } from "../driver/driver.ts";
import { existsSync } from "node:fs";
import { proveKey } from "../ground.ts";
import { fingerprintAt, isSwappable, nameOfPlace } from "../keep/key-files.ts";
import { KEY_MEMBER, type Manifest } from "../keep/manifest.ts";
import { filePlace } from "../keep/places.ts";
import { type KeyAtHand, keyTrouble, restore, type RestoreStep, verify } from "../keep/restore.ts";
import type { Config } from "../settings/read.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { type PassphraseFlags, passphraseOptions, readPassphrase } from "./passphrase.ts";
import { progressBar } from "./progress.ts";
import { configOf } from "./with-core.ts";

interface RestoreFlags extends DataFlags, PassphraseFlags {
  verify?: boolean;
  replace?: boolean;
}

const HELP = `
All of the backup is unpacked beside, checked and opened with its key before anything changes; broken off at
any moment, the folder holds the old community or the new one. No server may run on the folder.

The community goes on from the time of the backup. Everybody signs in anew, unused links are void, and apps
ask again; what was revoked, suspended or deleted since then is there again: look through the tokens.`;

export function addRestoreCommand(program: Command, environment: Environment): void {
  passphraseOptions(
    dataOption(program.command("restore <file>"))
      .description("put the community of a backup into a data folder that has none")
      .option("--verify", "only check the backup, and change nothing")
      .option("--replace", "put the community that is there aside, as before-restore-TIME"),
  )
    .addHelpText("after", HELP)
    .action((file: string, flags: RestoreFlags) => run(environment, file, flags));
}

async function run(environment: Environment, file: string, flags: RestoreFlags): Promise<void> {
  const config = configOf(environment, flags);
  const passphrase = readPassphrase(flags);
  const key = keyAtHand(config);
  const from = filePlace(file);
  const bar = progressBar();
  const progress = (step: RestoreStep, done: number, total: number): void =>
    bar.show(total > 0 ? Math.floor((100 * done) / total) : 100, 100, step);
  try {
    if (flags.verify) {
      const manifest = await verify(from, { passphrase, progress });
      bar.done();
      print(`whole: ${inWords(manifest)}`);
      tellSchema(manifest);
      const trouble = keyTrouble(manifest, key, true);
      if (trouble !== undefined) note(trouble);
      return;
    }
    if (existsSync(config.data)) loadDriver(config.data);
    const { manifest, ended, keptAs } = await restore(from, {
      data: config.data,
      now: systemClock.now(),
      key,
      replace: flags.replace === true,
      passphrase,
      proveKey: (database, inside) => proveKey(database, config, inside),
      progress,
    });
    bar.done();
    print(`restored: ${inWords(manifest)}`);
    if (keptAs !== undefined) print(`what was there before is in ${config.data}/${keptAs}`);
    note(
      `ended ${ended.sessions} sessions, ${ended.links} unused links and ${ended.codes} codes and refresh tokens of apps; what was revoked, suspended or deleted since ${manifest.created_at} is there again`,
    );
    tellSchema(manifest);
  } finally {
    bar.done();
  }
}

function keyAtHand(config: Config): KeyAtHand {
  return {
    fingerprint: fingerprintAt(config),
    name: nameOfPlace(config),
    isInFolder: isSwappable(config) && resolve(config.keyFile) === resolve(config.data, KEY_MEMBER),
  };
}

function inWords({ created_at, program, schema, rows, newest_event, key }: Manifest): string {
  const count = (table: string): string => `${rows[table] ?? 0} ${table}`;
  return [
    `the community of ${created_at}`,
    `Guildhall ${program} (schema ${schema})`,
    ["builders", "posts", "jobs", "prompts", "events"].map(count).join(", "),
    `newest event ${newest_event ?? "none"}`,
    `key ${key ?? "unknown"}`,
  ].join("; ");
}

function tellSchema({ schema }: Manifest): void {
  if (schema < SCHEMA_VERSION)
    note(
      `the backup is of an older Guildhall (schema ${schema}, this program works with ${SCHEMA_VERSION}); the next \`guildhall serve\` or \`guildhall migrate\` brings it up to date`,
    );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function note(line: string): void {
  process.stderr.write(`guildhall: ${line}\n`);
}
