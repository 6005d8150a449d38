import type { Command } from "commander";
import { resolve } from "node:path";
import { SCHEMA_VERSION } from "../core/base/db/migrate.ts";
import { systemClock } from "../core/base/clock.ts";
import { loadDriver } from "../app/driver/driver.ts";
import { existsSync } from "node:fs";
import { verifyKey } from "../app/data-folder.ts";
import { findKeys, fingerprintAt, hasKey, isSwappable, nameOfPlace } from "../operate/backup/key-files.ts";
import { KEY_MEMBER, type Manifest } from "../operate/backup/manifest.ts";
import { accessOf, bucketBackupFile, openBucket } from "../operate/backup/bucket.ts";
import { localBackupFile, type BackupFile } from "../operate/backup/backup-file.ts";
import { BackupRefused } from "../operate/backup/refused.ts";
import { noteRehearsal, rehearseRestore } from "../operate/backup/rehearsal.ts";
import { newestBackup } from "../operate/backup/scheduled-backup.ts";
import { openBackupStore } from "../operate/backup/backup-storage.ts";
import { bucketAddress } from "./backup.ts";
import { type KeyAtHand, keyProblem, restore, type RestoreStep, verify } from "../operate/backup/restore.ts";
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
All of the backup is unpacked beside, checked and opened with its key before anything changes; broken off at
any moment, the folder holds the old community or the new one. No server may run on the folder. FILE may be
s3://bucket/key too (GUILDHALL_S3_…, or AWS_…).

The community goes on from the time of the backup. Everybody signs in anew, unused links are void, and apps
ask again; what was revoked, suspended or deleted since then is there again: look through the tokens.`;

export function addRestoreCommand(program: Command, environment: Environment): void {
  passphraseOptions(
    dataOption(program.command("restore [file]"))
      .description("put the community of a backup into a data folder that has none")
      .option("--verify", "only check the backup, and change nothing")
      .option(
        "--rehearse",
        "try it in a folder that is taken away again; without a file, the newest of the schedule",
      )
      .option("--replace", "put the community that is there aside, as before-restore-TIME"),
  )
    .addHelpText("after", HELP)
    .action((file: string | undefined, flags: RestoreFlags) => run(environment, file, flags));
}

async function run(environment: Environment, file: string | undefined, flags: RestoreFlags): Promise<void> {
  const config = configOf(environment, flags);
  if (file === undefined && !flags.rehearse) throw new UsageError("restore needs the file of a backup");
  if (file === undefined) environment.lowerPriority?.();
  const passphraseFile =
    flags.passphraseFile ?? (file === undefined ? config.backupPassphraseFile : undefined);
  const passphrase = readPassphrase({
    ...flags,
    ...(passphraseFile === undefined ? {} : { passphraseFile }),
  });
  const key = keyAtHand(config);
  const from = file === undefined ? await newestOf(config) : placeOf(file, config);
  const bar = progressBar();
  const progress = (step: RestoreStep, done: number, total: number): void =>
    bar.show(total > 0 ? Math.floor((100 * done) / total) : 100, 100, step);
  try {
    if (flags.verify) {
      const manifest = await verify(from, { passphrase, progress });
      bar.done();
      print(`whole: ${inWords(manifest)}`);
      reportSchema(manifest);
      const trouble = keyProblem(manifest, key, true);
      if (trouble !== undefined) note(trouble);
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
      // What the server shows is of its own backups.
      if (file === undefined) noteRehearsal(data, { last: { at: now, name: from.name, ms } });
      print(`a restore works, tried in ${(ms / 1000).toFixed(1)} s: ${inWords(manifest)}`);
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
    print(`restored: ${inWords(manifest)}`);
    if (keptAs !== undefined) print(`what was there before is in ${config.data}/${keptAs}`);
    note(
      `ended ${countWithNoun(ended.sessions, "session")}, ${countWithNoun(ended.links, "unused link")} and ${ended.codes} codes and refresh tokens of apps; what was revoked, suspended or deleted since ${manifest.created_at} is there again`,
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
    throw new UsageError("--rehearse without a file needs GUILDHALL_BACKUP: a folder or s3://bucket/prefix");
  const store = openBackupStore(config.backup, accessOf(config), systemClock.now());
  const name = await newestBackup(store, fingerprintAt(config));
  if (name === undefined) throw new BackupRefused(`there is no backup of this community in ${config.backup}`);
  return store.place(name);
}

function keyAtHand(config: Config): KeyAtHand {
  return {
    fingerprint: fingerprintAt(config),
    others: hasKey(config) ? findKeys(config).map(({ fingerprint }) => fingerprint) : [],
    name: nameOfPlace(config),
    isInFolder: isSwappable(config) && resolve(config.keyFile) === resolve(config.data, KEY_MEMBER),
  };
}

function inWords({ created_at, program, schema, rows, newest_event, key, media }: Manifest): string {
  const count = (noun: string): string => countWithNoun(rows[`${noun}s`] ?? 0, noun);
  return [
    `the community of ${created_at}`,
    `Guildhall ${program} (schema ${schema})`,
    ["builder", "post", "job", "prompt", "event"].map(count).join(", "),
    ...(media && media.files > 0 ? [`${countWithNoun(media.files, "file")} of pictures`] : []),
    `newest event ${newest_event ?? "none"}`,
    `key ${key ?? "unknown"}`,
  ].join("; ");
}

function reportSchema({ schema }: Manifest): void {
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
