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
Run this on a follower's folder, with or without its server.

1. Asks all nodes in GUILDHALL_FOLLOW and GUILDHALL_PEERS. If the leader answers, it steps down, and this command
   waits for its last commits, so a planned move loses nothing. If the leader does not answer, it counts as gone:
   make sure that it is.
2. Waits until the replication engine has stopped. --stop-engine gives the command, such as
   'systemctl stop guildhall-follow-engine'.
3. Checks the copy and takes a new, higher epoch. A follower server on this folder becomes the leader.

An old leader that comes back refuses writes. \`guildhall demote\` turns it into a follower.

Exit codes: 0 this node leads, 1 refused (the leader is unchanged, unless the message says that it stepped down),
2 wrong usage or setting.`;

const DEMOTE_HELP = `
Run this on the folder of a stopped leader, after another node has become the leader. The database is moved to
before-demote-TIME, with a count of the commits that the new leader never received. The key and the images stay. The
replication engine then creates the new copy.`;

export function addLeadCommands(program: Command, environment: Environment): void {
  dataOption(
    program.command("promote").description("Make this node the leader, in place of the one it follows"),
  )
    .option("--force", "Lead even if another node has commits that this one lacks")
    .option(
      "--wait <seconds>",
      `Seconds to wait for the last commits and for the replication engine to stop (default: ${WAIT_SECONDS})`,
      wholeNumber("--wait", 1, 3600),
    )
    .option(
      "--stop-engine <command>",
      "Shell command that stops the replication engine, run after the last commits have arrived",
    )
    .addHelpText("after", PROMOTE_HELP)
    .action((flags: PromoteFlags) => runPromote(environment, flags));
  dataOption(program.command("demote").description("Turn a former leader's folder into a follower's folder"))
    .option("--force", "Continue even if no other leader is found")
    .addHelpText("after", DEMOTE_HELP)
    .action((flags: DataFlags & { force?: boolean }) => runDemote(environment, flags));
}

async function runPromote(environment: Environment, flags: PromoteFlags): Promise<void> {
  const config = configOf(environment, flags);
  const { stopEngine } = flags;
  await withLockedFolder(config, async ({ file }) => {
    await promote({
      ...partsOf(config, flags),
      file,
      localServer: readAddress(config.data),
      waitMs: (flags.wait ?? WAIT_SECONDS) * SECOND,
      stopEngine: stopEngine === undefined ? undefined : () => runShell(stopEngine),
      aside: freePathFor(config, "before-promote"),
    });
  });
}

async function runDemote(environment: Environment, flags: DataFlags & { force?: boolean }): Promise<void> {
  const config = configOf(environment, flags);
  if (finishBroken(config)) return;
  const aside = freePathFor(config, "before-demote");
  await withLockedFolder(config, async ({ file }) => {
    await demote({ ...partsOf(config, flags), file, aside });
  });
}

/**
 * Completes a demotion that was killed during its last step. After such a kill, the data folder has no
 * database.
 */
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
    "Completed an interrupted demotion. The database is in the newest before-demote-… folder.\n",
  );
  return true;
}

/** Returns a path that does not exist yet, with the current time in its name. */
function freePathFor({ data }: Config, what: string): string {
  return freeName(resolve(data, `${what}-${stampOf(systemClock.now())}`));
}

function partsOf(config: Config, { force }: { force?: boolean }) {
  return {
    data: config.data,
    asker: { secrets: secretsIn(config), clock: systemClock, random: systemRandom },
    peers: [...new Set([...config.follow, ...config.peers])],
    isForced: force === true,
    report: (line: string) => void process.stdout.write(`${line}\n`),
  };
}

async function withLockedFolder(
  config: Config,
  work: (held: LockedDataFolder) => Promise<void>,
): Promise<void> {
  const held = lockDataFolder(config);
  try {
    for (const warning of held.messages) process.stderr.write(`guildhall: ${warning}\n`);
    if (held.version !== SCHEMA_VERSION)
      throw new DataRefused(
        `The database in ${config.data} has schema ${held.version}, and this program needs ${SCHEMA_VERSION}. Use the version that the leader ran.`,
      );
    await work(held);
  } finally {
    held.release();
  }
}

async function runShell(command: string): Promise<void> {
  const child = Bun.spawn(["sh", "-c", command], { stdin: "ignore", stdout: "ignore", stderr: "inherit" });
  const code = await child.exited;
  if (code !== 0) throw new LeadRefused(`--stop-engine failed with exit code ${code}: ${command}`);
}
