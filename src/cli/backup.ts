import type { Command } from "commander";
import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { systemClock } from "../core/ground/clock.ts";
import { readKeyFile } from "../ground.ts";
import { archiveName, BACKUPS, backUp, type Step } from "../keep/backup.ts";
import { filePlace } from "../keep/places.ts";
import { KeepRefused } from "../keep/refused.ts";
import { VERSION } from "../version.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { type PassphraseFlags, passphraseOptions, readPassphrase } from "./passphrase.ts";
import { progressBar } from "./progress.ts";
import { configOf } from "./with-core.ts";

interface BackupFlags extends DataFlags, PassphraseFlags {
  withKey?: boolean;
}

const HELP = `
The community goes on meanwhile: the backup holds what was written before it began. It is read again and
verified before it has its name; one that was broken off leaves FILE.partial at most. Without FILE it is
put into the folder backups of the data folder, with the time in its name; where FILE is a folder, into that.

Without the key (DATA/guildhall.key) nobody can open the secrets in it, and no server starts on it: keep a
copy of the key elsewhere, or put it into the backup with --with-key and encrypt that.

Everybody's tools open it: [age -d FILE |] zstd -d | tar x`;

export function addBackupCommand(program: Command, environment: Environment): void {
  passphraseOptions(
    dataOption(program.command("backup [file]"))
      .description("back the community up, served or not; prints where to")
      .option("--with-key", "with the key that its secrets are sealed with"),
  )
    .addHelpText("after", HELP)
    .action((file: string | undefined, flags: BackupFlags) => backup(environment, file, flags));
}

async function backup(environment: Environment, file: string | undefined, flags: BackupFlags): Promise<void> {
  const config = configOf(environment, flags);
  const passphrase = readPassphrase(flags);
  const now = systemClock.now();
  const path = pathOf(file, config.data, archiveName(now, passphrase !== undefined));
  const key = readKeyFile(config);
  if (!key)
    process.stderr.write("guildhall: there is no key file; the backup will not say which key it needs\n");
  const bar = progressBar();
  try {
    await backUp(filePlace(path), {
      data: config.data,
      version: VERSION,
      now,
      key,
      withKey: flags.withKey === true,
      passphrase,
      progress: (step, done, total) => bar.show(percent(step, done, total), 100, step),
    });
  } finally {
    bar.done();
  }
  process.stdout.write(`${path}\n`);
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

function pathOf(file: string | undefined, data: string, name: string): string {
  if (file === undefined) return join(data, BACKUPS, name);
  const path = statSync(file, { throwIfNoEntry: false })?.isDirectory() ? join(file, name) : file;
  if (existsSync(path)) throw new KeepRefused(`there is a file ${path} already; choose another name`);
  if (!existsSync(dirname(resolve(path))))
    throw new KeepRefused(`there is no folder ${dirname(resolve(path))}; make it first, or choose another`);
  return path;
}
