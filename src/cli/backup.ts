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
The server may keep running: the backup contains everything committed before it started. The finished backup
is read back and verified before it gets its final name. An interrupted backup leaves at most FILE.partial.

FILE is a file, a folder, or s3://bucket/key (with GUILDHALL_S3_… or AWS_… variables). The default is the folder
backups in the data folder. In a folder, the file is named after the time. To schedule backups, set GUILDHALL_BACKUP.

A backup without its key (DATA/guildhall.key) is useless: no server starts on it, and its secrets stay sealed. Keep a
copy of the key elsewhere, or include it with --with-key and encrypt the backup.

Standard tools can open a backup: [age -d FILE |] zstd -d | tar x`;

export function addBackupCommand(program: Command, environment: Environment): void {
  passphraseOptions(
    dataOption(program.command("backup [file]"))
      .description("Back up the community and print the file's name; the server may run")
      .option("--with-key", "Include the key that seals the community's secrets")
      .option(
        "--scheduled",
        "Write to GUILDHALL_BACKUP, then delete the scheduled backups that GUILDHALL_BACKUP_KEEP does not keep",
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
    process.stderr.write(
      "guildhall: There is no key file, so the backup does not record which key it needs.\n",
    );
  if (key?.former !== undefined && flags.withKey !== true)
    process.stderr.write(
      `guildhall: A key rotation is unfinished, so this backup needs two keys, ${key.fingerprint} and ${key.former}. Keep a copy of both.\n`,
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
  if (file !== undefined) throw new UsageError("--scheduled takes no file. It writes to GUILDHALL_BACKUP.");
  if (config.backup === undefined)
    throw new UsageError("--scheduled needs GUILDHALL_BACKUP. Set it to a folder or s3://bucket/prefix.");
  const store = openBackupStore(config.backup, accessOf(config), options.now);
  const { elapsed } = systemClock;
  const { name } = await backUpOnSchedule(store, { ...options, keep: config.backupKeep, elapsed });
  return `${config.backup.replace(/\/$/, "")}/${name}`;
}

/** Start and end of each step in the progress bar, in percent. */
const PERCENT_RANGES: Readonly<Record<Step, readonly [number, number]>> = {
  copying: [0, 30],
  checking: [30, 60],
  writing: [60, 85],
  verifying: [85, 100],
};

function percent(step: Step, done: number, total: number): number {
  const [from, to] = PERCENT_RANGES[step];
  return Math.floor(from + (to - from) * (total > 0 ? done / total : 1));
}

function placeOf(file: string | undefined, config: Config, name: string): BackupFile {
  if (file === undefined) return localBackupFile(join(config.data, BACKUPS, name));
  if (file === "") throw new UsageError("The file name is empty. Give a name, or omit it.");
  const address = bucketAddress(file);
  if (address) {
    const { bucket, key } = address;
    const isFolder = key === "" || key.endsWith("/");
    return bucketBackupFile(openBucket(bucket, accessOf(config)), bucket, isFolder ? key + name : key);
  }
  const path = existsSync(file) && statSync(file).isDirectory() ? join(file, name) : file;
  const folder = dirname(resolve(path));
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new BackupRefused(`The folder ${folder} does not exist. Create it, or choose another.`);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && !existsSync(path))
    throw new BackupRefused(`${path} is a broken symbolic link. Choose another name.`);
  if (found) throw new BackupRefused(`${path} already exists. Choose another name.`);
  refuseDataFolder(path, config.data);
  return localBackupFile(path);
}

/**
 * Returns the bucket and key of an S3 address, or undefined for a file. Throws UsageError for an invalid
 * address.
 */
export function bucketAddress(text: string): ReturnType<typeof readAddress> {
  const address = readAddress(text);
  if (address || !text.startsWith("s3://")) return address;
  throw new UsageError(`${text} is not a valid S3 URL. Write it like s3://bucket/key.`);
}

/**
 * Throws for a path in the data folder outside its backups folder. Also throws for a name that is reserved
 * for unfinished backups.
 */
function refuseDataFolder(path: string, data: string): void {
  if (!existsSync(data)) return;
  const inside = relative(realpathSync(data), realpathSync(dirname(resolve(path))));
  if (isAbsolute(inside) || inside.split(sep)[0] === "..") return;
  const [first, second = basename(path)] = inside.split(sep);
  if (first !== BACKUPS)
    throw new BackupRefused(
      `${path} is inside the data folder, where backups belong in ${join(data, BACKUPS)}. Choose that folder, or one elsewhere.`,
    );
  if (second.startsWith(".") || second.endsWith(".partial"))
    throw new BackupRefused(`${path} has a name that is reserved for unfinished files. Choose another name.`);
}
