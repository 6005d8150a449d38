import type { Command } from "commander";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { demote, finishDemotion } from "../cluster/demotion.ts";
import { isMarkedLeading } from "../cluster/leader-mark.ts";
import { promote } from "../cluster/promotion.ts";
import { LeadRefused } from "../cluster/lead-refused.ts";
import { SECOND, systemClock } from "../core/base/clock.ts";
import { SCHEMA_VERSION } from "../core/base/db/migrate.ts";
import { systemRandom } from "../core/base/random.ts";
import type { Config } from "../config/config.ts";
import {
  databaseFile,
  DataRefused,
  type LockedDataFolder,
  lockEmptyFolder,
  lockDataFolder,
  secretsIn,
} from "../app/data-folder.ts";
import { freeName } from "../operate/backup/free-name.ts";
import { stampOf } from "../operate/backup/restore-swap.ts";
import { readAddress } from "../operate/health/address.ts";
import { type DataFlags, dataOption, type Environment, wholeNumber } from "./options.ts";
import { configOf } from "./with-core.ts";

interface PromoteFlags extends DataFlags {
  force?: boolean;
  wait?: number;
  stopEngine?: string;
}

const WAIT_SECONDS = 30;

const PROMOTE_HELP = `
For a follower's folder, beside its server or without one. All of GUILDHALL_FOLLOW and GUILDHALL_PEERS are asked:
a leader that answers gives up first, and its last commits are waited for, so that a planned move loses nothing;
one that does not answer is taken for gone, which is for you to know. Then what moves the copy has to be stopped
(--stop-engine says how, such as 'systemctl stop guildhall-follow-engine'), the copy is looked through, and leads by an
epoch that is later than any. A server that follows on this folder leads from then on. An old leader that comes back
writes nothing: guildhall demote makes a follower of it.

Exit codes: 0 this node leads, 1 refused (who leads is as it was, but for an old leader that has given up, as is
said), 2 wrong usage or setting.`;

const DEMOTE_HELP = `
For the folder of a leader that is stopped, once another node leads. Its database is moved aside as
before-demote-TIME, with the count of commits in it that the new leader never had; the key and the pictures stay. What
moves the copy puts another one in its place.`;

export function addLeadCommands(program: Command, environment: Environment): void {
  dataOption(
    program
      .command("promote")
      .description("have this node lead the community, in place of the one that it follows"),
  )
    .option("--force", "lead though another node has commits that this one lacks")
    .option(
      "--wait <seconds>",
      `how long to wait for the last commits, and for the engine to let go (${WAIT_SECONDS})`,
      wholeNumber("--wait", 1, 3600),
    )
    .option(
      "--stop-engine <command>",
      "how to stop what moves the copy, run by sh once the last commits are here",
    )
    .addHelpText("after", PROMOTE_HELP)
    .action((flags: PromoteFlags) => runPromote(environment, flags));
  dataOption(
    program
      .command("demote")
      .description("make a follower's folder of one that led, once another node leads"),
  )
    .option("--force", "do so though no other node is seen to lead")
    .addHelpText("after", DEMOTE_HELP)
    .action((flags: DataFlags & { force?: boolean }) => runDemote(environment, flags));
}

async function runPromote(environment: Environment, flags: PromoteFlags): Promise<void> {
  const config = configOf(environment, flags);
  const { stopEngine } = flags;
  await onHeld(config, async ({ file }) => {
    await promote({
      ...partsOf(config, flags),
      file,
      beside: readAddress(config.data),
      waitMs: (flags.wait ?? WAIT_SECONDS) * SECOND,
      stopEngine: stopEngine === undefined ? undefined : () => shell(stopEngine),
      aside: asideOf(config, "before-promote"),
    });
  });
}

async function runDemote(environment: Environment, flags: DataFlags & { force?: boolean }): Promise<void> {
  const config = configOf(environment, flags);
  if (finishBroken(config)) return;
  const aside = asideOf(config, "before-demote");
  await onHeld(config, async ({ file }) => {
    await demote({ ...partsOf(config, flags), file, aside });
  });
}

/** A demotion that was killed at its last step has left no database. */
function finishBroken(config: Config): boolean {
  const file = databaseFile(config);
  if (existsSync(file) || !isMarkedLeading(config.data)) return false;
  const held = lockEmptyFolder(config);
  try {
    if (!finishDemotion({ data: config.data, file })) return false;
  } finally {
    held.release();
  }
  process.stdout.write(
    "a demotion that was broken off is complete: its database is in the newest before-demote-… of the folder\n",
  );
  return true;
}

/** A folder that is not there yet, named for the moment. */
function asideOf({ data }: Config, what: string): string {
  return freeName(resolve(data, `${what}-${stampOf(systemClock.now())}`));
}

function partsOf(config: Config, { force }: { force?: boolean }) {
  return {
    data: config.data,
    asker: { secrets: secretsIn(config), clock: systemClock, random: systemRandom },
    others: [...new Set([...config.follow, ...config.peers])],
    isForced: force === true,
    say: (line: string) => void process.stdout.write(`${line}\n`),
  };
}

async function onHeld(config: Config, work: (held: LockedDataFolder) => Promise<void>): Promise<void> {
  const held = lockDataFolder(config);
  try {
    for (const words of held.messages) process.stderr.write(`guildhall: ${words}\n`);
    if (held.version !== SCHEMA_VERSION)
      throw new DataRefused(
        `the database in ${config.data} is an older Guildhall's (schema ${held.version}, this program works with ${SCHEMA_VERSION}); use the program that its leader ran`,
      );
    await work(held);
  } finally {
    held.release();
  }
}

async function shell(command: string): Promise<void> {
  const child = Bun.spawn(["sh", "-c", command], { stdin: "ignore", stdout: "ignore", stderr: "inherit" });
  const code = await child.exited;
  if (code !== 0) throw new LeadRefused(`--stop-engine ended with ${code}: ${command}`);
}
