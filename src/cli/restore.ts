import type { Command } from "commander";
import { resolve } from "node:path";
import { SCHEMA_VERSION } from "../core/base/db/migrate.ts";
import { systemClock } from "../core/base/clock.ts";
import { loadDriver } from "../app/driver/driver.ts";
import { existsSync } from "node:fs";
import { verifyKey } from "../app/data-folder.ts";
import { findKeys, fingerprintAt, hasKey, isSwappable, nameOfLocation } from "../operate/backup/key-files.ts";
import { KEY_MEMBER, type Manifest } from "../operate/backup/manifest.ts";
import { accessOf, bucketBackupFile, openBucket } from "../operate/backup/bucket.ts";
import { localBackupFile, type BackupFile } from "../operate/backup/backup-file.ts";
import { BackupRefused } from "../operate/backup/refused.ts";
import { storeRehearsal, rehearseRestore } from "../operate/backup/rehearsal.ts";
import { newestBackup } from "../operate/backup/scheduled-backup.ts";
import { openBackupStore } from "../operate/backup/backup-storage.ts";
import { bucketAddress } from "./backup.ts";
import {
  type AvailableKey,
  keyProblem,
  restore,
  type RestoreStep,
  verify,
} from "../operate/backup/restore.ts";
import type { Config } from "../config/read.ts";
import { countWithNoun } from "../core/base/count-with-noun.ts";
import { type DataFlags, dataOption, type Environment, UsageError } from "./options.ts";
import { type PassphraseFlags, passphraseOptions, readPassphrase } from "./passphrase.ts";
import { progressBar } from "./progress.ts";
import { configOf } from "./with-core.ts";

interface RestoreFlags extends DataFlags, PassphraseFlags {
  verify?: boolean;
  rehearse?: boolean;
  replace?: boolean;
}

const HELP = `
The backup is unpacked in a separate folder, checked, and opened with its key before anything changes. After an
interruption, the data folder holds either the old or the new community. The server must be stopped. FILE may be
s3://bucket/key (with GUILDHALL_S3_… or AWS_… variables).

The community continues from the time of the backup. Everyone must sign in again, unused links stop working,
and apps ask for access again. Everything that was revoked, suspended, or deleted since the backup is back: review
the tokens.`;

export function addRestoreCommand(program: Command, environment: Environment): void {
  passphraseOptions(
    dataOption(program.command("restore [file]"))
      .description("Restore a backup into an empty data folder, or replace a community with --replace")
      .option("--verify", "Only check the backup; change nothing")
      .option(
        "--rehearse",
        "Test a restore in a temporary folder (default file: the newest scheduled backup)",
      )
      .option("--replace", "Move the existing community aside to before-restore-TIME"),
  )
    .addHelpText("after", HELP)
    .action((file: string | undefined, flags: RestoreFlags) => run(environment, file, flags));
}

async function run(environment: Environment, file: string | undefined, flags: RestoreFlags): Promise<void> {
  const config = configOf(environment, flags);
  if (file === undefined && !flags.rehearse)
    throw new UsageError("The backup file is missing. Run `guildhall restore FILE`.");
  if (file === undefined) environment.lowerPriority?.();
  const passphraseFile =
    flags.passphraseFile ?? (file === undefined ? config.backupPassphraseFile : undefined);
  const passphrase = readPassphrase({
    ...flags,
    ...(passphraseFile === undefined ? {} : { passphraseFile }),
  });
  const key = availableKey(config);
  const from = file === undefined ? await newestOf(config) : placeOf(file, config);
  const bar = progressBar();
  const progress = (step: RestoreStep, done: number, total: number): void =>
    bar.show(total > 0 ? Math.floor((100 * done) / total) : 100, 100, step);
  try {
    if (flags.verify) {
      const manifest = await verify(from, { passphrase, progress });
      bar.done();
      print(`backup is intact: ${manifestText(manifest)}`);
      reportSchema(manifest);
      const problem = keyProblem(manifest, key, true);
      if (problem !== undefined) printNote(problem);
      return;
    }
    if (existsSync(config.data)) loadDriver(config.data);
    const proving = (database: string, inside: string | undefined): void =>
      verifyKey(database, config, inside);
    if (flags.rehearse) {
      const { data } = config;
      const now = systemClock.now();
      const began = systemClock.elapsed();
      const manifest = await rehearseRestore(from, {
        data,
        now,
        key,
        passphrase,
        proveKey: proving,
        progress,
      });
      bar.done();
      const ms = Math.round(systemClock.elapsed() - began);
      // A test restore is recorded only for the server's own backups, because the server shows the result.
      if (file === undefined) storeRehearsal(data, { last: { at: now, name: from.name, ms } });
      print(`test restore succeeded in ${(ms / 1000).toFixed(1)} s: ${manifestText(manifest)}`);
      return;
    }
    const { manifest, ended, keptAs } = await restore(from, {
      data: config.data,
      now: systemClock.now(),
      key,
      replace: flags.replace === true,
      passphrase,
      proveKey: proving,
      progress,
    });
    bar.done();
    print(`restored: ${manifestText(manifest)}`);
    if (keptAs !== undefined) print(`the previous community is in ${config.data}/${keptAs}`);
    printNote(
      `Ended ${countWithNoun(ended.sessions, "session")}, ${countWithNoun(ended.links, "unused link")}, and ${ended.codes} codes and refresh tokens of apps. Everything that was revoked, suspended, or deleted since ${manifest.created_at} is back.`,
    );
    reportSchema(manifest);
  } finally {
    bar.done();
  }
}

function placeOf(file: string, config: Config): BackupFile {
  const address = bucketAddress(file);
  if (!address) return localBackupFile(file);
  return bucketBackupFile(openBucket(address.bucket, accessOf(config)), address.bucket, address.key);
}

async function newestOf(config: Config): Promise<BackupFile> {
  if (config.backup === undefined)
    throw new UsageError(
      "--rehearse without a file needs GUILDHALL_BACKUP. Set it to a folder or s3://bucket/prefix.",
    );
  const store = openBackupStore(config.backup, accessOf(config), systemClock.now());
  const name = await newestBackup(store, fingerprintAt(config));
  if (name === undefined)
    throw new BackupRefused(`There is no backup of this community in ${config.backup}.`);
  return store.fileNamed(name);
}

function availableKey(config: Config): AvailableKey {
  return {
    fingerprint: fingerprintAt(config),
    others: hasKey(config) ? findKeys(config).map(({ fingerprint }) => fingerprint) : [],
    name: nameOfLocation(config),
    isInFolder: isSwappable(config) && resolve(config.keyFile) === resolve(config.data, KEY_MEMBER),
  };
}

function manifestText({ created_at, program, schema, rows, newest_event, key, media }: Manifest): string {
  const count = (noun: string): string => countWithNoun(rows[`${noun}s`] ?? 0, noun);
  return [
    `community of ${created_at}`,
    `Guildhall ${program} (schema ${schema})`,
    ["builder", "post", "job", "prompt", "event"].map(count).join(", "),
    ...(media && media.files > 0 ? [`${countWithNoun(media.files, "image file")}`] : []),
    `newest event ${newest_event ?? "none"}`,
    `key ${key ?? "unknown"}`,
  ].join("; ");
}

function reportSchema({ schema }: Manifest): void {
  if (schema < SCHEMA_VERSION)
    printNote(
      `The backup has schema ${schema}, and this program uses ${SCHEMA_VERSION}. The next \`guildhall serve\` or \`guildhall migrate\` upgrades it.`,
    );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printNote(line: string): void {
  process.stderr.write(`guildhall: ${line}\n`);
}
