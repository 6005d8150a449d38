import type { Command } from "commander";
import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Config } from "../config/config.ts";
import { systemClock } from "../core/base/clock.ts";
import { readKeyFile } from "../app/data-folder.ts";
import { archiveName, BACKUPS, backUp, type BackupOptions, type Step } from "../operate/backup/backup.ts";
import { accessOf, bucketBackupFile, openBucket, readAddress } from "../operate/backup/bucket.ts";
import { localBackupFile, type BackupFile } from "../operate/backup/backup-file.ts";
import { BackupRefused } from "../operate/backup/refused.ts";
import { backUpOnSchedule } from "../operate/backup/scheduled-backup.ts";
import { openBackupStore } from "../operate/backup/backup-storage.ts";
import { VERSION } from "../app/version.ts";
import { type DataFlags, dataOption, type Environment, UsageError } from "./options.ts";
import { type PassphraseFlags, passphraseOptions, readPassphrase } from "./passphrase.ts";
import { progressBar } from "./progress.ts";
import { configOf } from "./with-core.ts";

interface BackupFlags extends DataFlags, PassphraseFlags {
  withKey?: boolean;
  scheduled?: boolean;
}

const HELP = `
The community goes on meanwhile: the backup holds what was written before it began. It is read again and
verified before it has its name; one that was broken off leaves FILE.partial at most. Without FILE it is
put into the folder backups of the data folder, with the time in its name; where FILE is a folder, into that.
FILE may be s3://bucket/key too (GUILDHALL_S3_…, or AWS_…). GUILDHALL_BACKUP has the server make them by itself.

Without the key (DATA/guildhall.key) nobody can open the secrets in it, and no server starts on it: keep a
copy of the key elsewhere, or put it into the backup with --with-key and encrypt that.

Everybody's tools open it: [age -d FILE |] zstd -d | tar x`;

export function addBackupCommand(program: Command, environment: Environment): void {
  passphraseOptions(
    dataOption(program.command("backup [file]"))
      .description("back the community up, served or not; prints where to")
      .option("--with-key", "with the key that its secrets are sealed with")
      .option(
        "--scheduled",
        "to GUILDHALL_BACKUP, and then delete scheduled ones beyond GUILDHALL_BACKUP_KEEP",
      ),
  )
    .addHelpText("after", HELP)
    .action((file: string | undefined, flags: BackupFlags) => backup(environment, file, flags));
}

async function backup(environment: Environment, file: string | undefined, flags: BackupFlags): Promise<void> {
  environment.lowerPriority?.();
  const config = configOf(environment, flags);
  const isScheduled = flags.scheduled === true;
  const passphraseFile = flags.passphraseFile ?? (isScheduled ? config.backupPassphraseFile : undefined);
  const passphrase = readPassphrase({
    ...flags,
    ...(passphraseFile === undefined ? {} : { passphraseFile }),
  });
  const now = systemClock.now();
  const key = readKeyFile(config);
  if (!key)
    process.stderr.write("guildhall: there is no key file; the backup will not say which key it needs\n");
  if (key?.former !== undefined && flags.withKey !== true)
    process.stderr.write(
      `guildhall: a key rotation is unfinished; this backup needs both keys, ${key.fingerprint} and ${key.former}: keep a copy of each\n`,
    );
  const bar = progressBar();
  const options: BackupOptions = {
    data: config.data,
    version: VERSION,
    now,
    key,
    withKey: flags.withKey === true,
    passphrase,
    progress: (step, done, total) => bar.show(percent(step, done, total), 100, step),
  };
  let made: string;
  try {
    if (isScheduled) made = await scheduled(config, file, options);
    else {
      const place = placeOf(file, config, archiveName(now, passphrase !== undefined));
      await backUp(place, options);
      made = place.name;
    }
  } finally {
    bar.done();
  }
  process.stdout.write(`${made}\n`);
}

async function scheduled(config: Config, file: string | undefined, options: BackupOptions): Promise<string> {
  if (file !== undefined) throw new UsageError("--scheduled takes no file; it goes to GUILDHALL_BACKUP");
  if (config.backup === undefined)
    throw new UsageError("--scheduled needs GUILDHALL_BACKUP: a folder or s3://bucket/prefix");
  const store = openBackupStore(config.backup, accessOf(config), options.now);
  const { elapsed } = systemClock;
  const { name } = await backUpOnSchedule(store, { ...options, keep: config.backupKeep, elapsed });
  return `${config.backup.replace(/\/$/, "")}/${name}`;
}

/** Where each step begins and ends, of a hundred. */
const SHARES: Readonly<Record<Step, readonly [number, number]>> = {
  copying: [0, 30],
  checking: [30, 60],
  writing: [60, 85],
  verifying: [85, 100],
};

function percent(step: Step, done: number, total: number): number {
  const [from, to] = SHARES[step];
  return Math.floor(from + (to - from) * (total > 0 ? done / total : 1));
}

function placeOf(file: string | undefined, config: Config, name: string): BackupFile {
  if (file === undefined) return localBackupFile(join(config.data, BACKUPS, name));
  if (file === "") throw new UsageError("the name of the file is empty; leave it away, or name one");
  const address = bucketAddress(file);
  if (address) {
    const { bucket, key } = address;
    const isFolder = key === "" || key.endsWith("/");
    return bucketBackupFile(openBucket(bucket, accessOf(config)), bucket, isFolder ? key + name : key);
  }
  const path = existsSync(file) && statSync(file).isDirectory() ? join(file, name) : file;
  const folder = dirname(resolve(path));
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new BackupRefused(`there is no folder ${folder}; make it first, or choose another`);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && !existsSync(path))
    throw new BackupRefused(`${path} is a link to what is not there; choose another name`);
  if (found) throw new BackupRefused(`there is a file ${path} already; choose another name`);
  refuseOurs(path, config.data);
  return localBackupFile(path);
}

/** The bucket and the key of an address of S3; undefined for a file. Throws UsageError for an address that is none. */
export function bucketAddress(text: string): ReturnType<typeof readAddress> {
  const address = readAddress(text);
  if (address || !text.startsWith("s3://")) return address;
  throw new UsageError(`${text} is no address of S3; write it like s3://bucket/key`);
}

/** What lies in the data folder is the program's, which deletes and renames there by name; so are some backups'. */
function refuseOurs(path: string, data: string): void {
  if (!existsSync(data)) return;
  const inside = relative(realpathSync(data), realpathSync(dirname(resolve(path))));
  if (isAbsolute(inside) || inside.split(sep)[0] === "..") return;
  const [first, second = basename(path)] = inside.split(sep);
  if (first !== BACKUPS)
    throw new BackupRefused(
      `${path} is inside the data folder, where only ${join(data, BACKUPS)} is for backups; choose that, or a place elsewhere`,
    );
  if (second.startsWith(".") || second.endsWith(".partial"))
    throw new BackupRefused(
      `${path} has a name that the program keeps for what is half done; choose another name`,
    );
}
