import type { Command } from "commander";
import { check, type Looked } from "../core/services/sealing/sealing.ts";
import { getSetting } from "../core/base/db/settings.ts";
import { namedKeys } from "../core/base/keyring/keyring.ts";
import { DEVICE_MAX_MS } from "../core/identity/accounts/devices.ts";
import { DAY } from "../core/base/clock.ts";
import { findKeys, nameOfPlace, rightsOf } from "../operate/backup/key-files.ts";
import { BackupRefused } from "../operate/backup/refused.ts";
import { rotate } from "../operate/backup/key-rotation.ts";
import { INTERACTION_MS } from "../oauth/provider.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { progressBar } from "./progress.ts";
import { configOf, withCore } from "./with-core.ts";

const ROTATE_HELP = `
Beside a running server, which goes on without a restart: nobody is signed out, and no webhook, app or token
notices. Killed or broken off, it goes on when it is run again.

The old key is kept as KEYFILE.old-TIME: backups from before need it. Delete it when you keep none of those.
Where the key comes from GUILDHALL_KEY or a credential of systemd, the new one waits in DATA/guildhall.key.next
until you have put it there.

What a thief has read already stays read: where key and database are both in wrong hands, make new webhook
secrets and new secrets of apps, too.`;

/** What was signed with a key before counts for as long as whoever has it may show it. */
const LIVES = {
  "known-devices": DEVICE_MAX_MS,
  "oauth-cookies": INTERACTION_MS,
  "mail-unsubscribe": DEVICE_MAX_MS,
  "invited-address": DAY,
  cluster: DAY,
};

export function addKeyCommands(program: Command, environment: Environment): void {
  const key = program.command("key").description("the key that seals what is secret in the database");
  dataOption(key.command("check"))
    .description("tell the key's fingerprint, who may read it, and whether it opens what is sealed")
    .option("--all", "open everything, not some of each kind")
    .action((flags: DataFlags & { all?: boolean }) => checkKey(environment, flags, flags.all === true));
  dataOption(key.command("rotate"))
    .description("make a new key, and seal everything with it")
    .option(
      "--leaked",
      "the old key is in wrong hands: nothing that it signed counts any more (browsers are not known again until somebody signs in with them)",
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
    const columns = new Map<string, Looked>();
    let done = 0;
    for (const looked of check(core, isAll)) {
      columns.set(looked.column, looked);
      bar.show(++done, done, looked.column);
    }
    return {
      found: [...columns.values()],
      fingerprint: core.secrets.fingerprint(),
      isUnfinished: namedKeys(getSetting(core, "keys")).length > 1,
    };
  });
  bar.done();
  print(`key          ${nameOfPlace(config)}`);
  print(`readable     ${rightsOf(config).words}`);
  print(`fingerprint  ${fingerprint}`);
  const [chosen] = findKeys(config);
  if (chosen.fingerprint !== fingerprint)
    print(
      `rotation     ${nameOfPlace(config)} holds the key before it (${chosen.fingerprint}): see \`guildhall key rotate --help\``,
    );
  if (isUnfinished) print("rotation     not finished: run `guildhall key rotate`");
  for (const { column, count, lost } of found)
    print(`${String(count - lost).padStart(11)}  of ${count} in ${column} open`);
  const lost = found.reduce((sum, each) => sum + each.lost, 0);
  if (lost > 0)
    throw new BackupRefused(
      `${lost} sealed values do not open with this key: they are damaged, or sealed with one that is not here`,
    );
}

async function rotateKey(environment: Environment, flags: DataFlags, isLeaked: boolean): Promise<void> {
  const place = configOf(environment, flags);
  const bar = progressBar();
  const { fingerprint, changed, lost, former, waiting } = await withCore(environment, flags, (core) =>
    rotate(core, {
      place,
      lives: isLeaked ? undefined : LIVES,
      progress: ({ column, count }) => bar.show(count, count, column),
    }),
  );
  bar.done();
  print(`sealed ${changed} secrets anew with the key ${fingerprint}`);
  if (lost > 0) print(`${lost} opened with no key that is here, and were left as they are`);
  if (former !== undefined) print(`the key before it lies in ${former}: backups from before need it`);
  if (waiting !== undefined)
    print(
      `put what is in ${waiting} where ${nameOfPlace(place)} has the key from, start again, and delete that file`,
    );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
