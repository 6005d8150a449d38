import type { Command } from "commander";
import { check, type ColumnResult } from "../core/services/sealing/sealing.ts";
import { getSetting } from "../core/base/db/settings.ts";
import { namedKeys } from "../core/base/keyring/keyring.ts";
import { DEVICE_MAX_MS } from "../core/identity/accounts/devices.ts";
import { DAY } from "../core/base/clock.ts";
import { findKeys, nameOfLocation, rightsOf } from "../operate/backup/key-files.ts";
import { BackupRefused } from "../operate/backup/refused.ts";
import { rotate } from "../operate/backup/key-rotation.ts";
import { INTERACTION_MS } from "../http/oauth-cookies.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { progressBar } from "./progress.ts";
import { configOf, withCore } from "./with-core.ts";

const ROTATE_HELP = `
The server may keep running. Nobody is signed out, and webhooks, apps, and tokens keep working. Run an interrupted
rotation again to continue it.

The old key is kept as KEYFILE.old-TIME, because older backups need it. Delete it together with the last of those backups.
If the key comes from GUILDHALL_KEY or a systemd credential, the new one is written to DATA/guildhall.key.next
until you put it in place.

A rotation does not protect secrets that a thief has already read. If key and database have both leaked, also
create new webhook secrets and app secrets.`;

/** How long a former key stays valid per purpose: the longest lifetime of a value that the key signed. */
const VALID_AFTER_ROTATION = {
  "known-devices": DEVICE_MAX_MS,
  "oauth-cookies": INTERACTION_MS,
  "mail-unsubscribe": DEVICE_MAX_MS,
  "invited-address": DAY,
  cluster: DAY,
};

export function addKeyCommands(program: Command, environment: Environment): void {
  const key = program.command("key").description("Manage the key that seals secrets in the database");
  dataOption(key.command("check"))
    .description("Show the key's fingerprint and who can read the key; test the key on the sealed values")
    .option("--all", "Test every value instead of samples")
    .action((flags: DataFlags & { all?: boolean }) => checkKey(environment, flags, flags.all === true));
  dataOption(key.command("rotate"))
    .description("Create a new key and seal every secret with it")
    .option(
      "--leaked",
      "Use this if the old key has leaked: reject everything that it signed. Browsers are recognised again after the next sign-in",
    )
    .addHelpText("after", ROTATE_HELP)
    .action((flags: DataFlags & { leaked?: boolean }) =>
      rotateKey(environment, flags, flags.leaked === true),
    );
}

async function checkKey(environment: Environment, flags: DataFlags, isAll: boolean): Promise<void> {
  const config = configOf(environment, flags);
  const bar = progressBar();
  const { found, fingerprint, isUnfinished } = await withCore(environment, flags, (core) => {
    const columns = new Map<string, ColumnResult>();
    let done = 0;
    for (const columnResult of check(core, isAll)) {
      columns.set(columnResult.column, columnResult);
      bar.show(++done, done, columnResult.column);
    }
    return {
      found: [...columns.values()],
      fingerprint: core.secrets.fingerprint(),
      isUnfinished: namedKeys(getSetting(core, "keys")).length > 1,
    };
  });
  bar.done();
  print(`key          ${nameOfLocation(config)}`);
  print(`readable     ${rightsOf(config).description}`);
  print(`fingerprint  ${fingerprint}`);
  const [chosen] = findKeys(config);
  if (chosen.fingerprint !== fingerprint)
    print(
      `rotation     ${nameOfLocation(config)} still holds the old key (${chosen.fingerprint}), see \`guildhall key rotate --help\``,
    );
  if (isUnfinished) print("rotation     unfinished, run `guildhall key rotate`");
  for (const { column, count, lost } of found)
    print(`${String(count - lost).padStart(11)}  of ${count} in ${column} can be opened`);
  const lost = found.reduce((sum, each) => sum + each.lost, 0);
  if (lost > 0)
    throw new BackupRefused(
      `${lost} sealed values do not open with this key. They are damaged, or another key sealed them.`,
    );
}

async function rotateKey(environment: Environment, flags: DataFlags, isLeaked: boolean): Promise<void> {
  const location = configOf(environment, flags);
  const bar = progressBar();
  const { fingerprint, changed, lost, former, waiting } = await withCore(environment, flags, (core) =>
    rotate(core, {
      location,
      formerLives: isLeaked ? undefined : VALID_AFTER_ROTATION,
      progress: ({ column, count }) => bar.show(count, count, column),
    }),
  );
  bar.done();
  print(`sealed ${changed} secrets with the new key ${fingerprint}`);
  if (lost > 0) print(`${lost} secrets were left unchanged, because no key found here opens them`);
  if (former !== undefined) print(`the old key is now ${former}; older backups need it`);
  if (waiting !== undefined)
    print(
      `copy ${waiting} to where ${nameOfLocation(location)} gets the key from, restart, then delete that file`,
    );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
