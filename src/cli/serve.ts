import type { Command } from "commander";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { makeSetupLink } from "../core/identity/accounts/accounts.ts";
import { SECOND, systemClock } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { SCHEMA_VERSION } from "../core/base/db/migrate.ts";
import { positionIn } from "../core/base/db/leadership.ts";
import { makeRecovery } from "../core/identity/accounts/passwords.ts";
import { ensureDemo, demoToken } from "../demo/demo.ts";
import { createEncoder } from "../media/encoder.ts";
import { createPictureStorage } from "../media/picture-storage.ts";
import { type StartupCheck, checkOtherNodes } from "../cluster/startup-check.ts";
import { isMarkedLeading, markedLeading } from "../cluster/leader-mark.ts";
import { systemRandom } from "../core/base/random.ts";
import { follow, type Following } from "../app/follower.ts";
import {
  DataRefused,
  finishRestore,
  hasDatabase,
  isOlder,
  readDataFolder,
  secretsIn,
} from "../app/data-folder.ts";
import { tryPort } from "../http/server.ts";
import { createLog } from "../app/log.ts";
import { start } from "../app/server.ts";
import { firstCertificate } from "../operate/tls/tls.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { progressBar } from "./progress.ts";
import { catchSignals, type Signals } from "./signals.ts";
import { upgradeFolder, secondsOf } from "./upgrade.ts";
import { configOf, withCore } from "./with-core.ts";

/** How long a follower that becomes leader still answers requests or forwards them to the old leader. */
const LAST_ANSWERS_MS = SECOND;

interface ServeFlags extends DataFlags {
  host?: string;
  port?: string;
  demo?: boolean;
  follow?: string;
}

export function addServeCommand(program: Command, environment: Environment): void {
  dataOption(
    program
      .command("serve")
      .description("Run the server until SIGTERM or SIGINT; upgrades the database first")
      .option("--host <host>", "Address to listen on (default: GUILDHALL_HOST or 127.0.0.1)")
      .option("--port <n>", "Port to listen on; 0 picks a free one (default: GUILDHALL_PORT or 8787)")
      .option(
        "--follow <addresses>",
        "Follow a leader: read from a copy of its database and forward writes to these URLs (default: GUILDHALL_FOLLOW)",
      ),
  )
    .option("--demo", "Fill an empty database with a demo community and print a token for it")
    .action((flags: ServeFlags) => serve(environment, flags));
}

async function serve(environment: Environment, flags: ServeFlags): Promise<void> {
  const signals = catchSignals();
  const read = configOf(environment, flags);
  const log = createLog(read.logLevel);
  const certificate = read.tls && (await firstCertificate(read.tls, systemClock.now()));
  let port = read.port;
  if (read.follow.length > 0) {
    if (flags.demo) throw new DataRefused("A follower serves its leader's community. Omit --demo.");
    if (!isMarkedLeading(read.data)) {
      const following = follow(read, log, certificate);
      await runUntilSignal(following, read, log, {
        environment,
        flags,
        signals,
        until: markedLeading(read.data),
      });
      log.info("promoted: this node is the leader now");
      await following.stop(LAST_ANSWERS_MS);
      port = Number(new URL(following.url).port);
    }
  }
  // Any node in the `follow` setting can become leader, so these nodes count as peers too.
  const config = { ...read, port, peers: [...new Set([...read.peers, ...read.follow])] };
  // Finishes an interrupted restore, before any check for a database.
  for (const message of finishRestore(config)) log.warn(message);
  // Fails early if the port is in use, before a community is created or upgraded.
  if (flags.demo || isOlder(config)) await tryPort(config.host, config.port);
  await upgradeDatabase(config, log);
  if (flags.demo) {
    await withCore(environment, { ...flags, mayCreate: true, lock: true }, async (core) => {
      const bar = progressBar();
      await ensureDemo(core, createPictureStorage(config.data, createEncoder()), bar.show);
      bar.done();
    });
  }
  const running = start(config, log, certificate, await checkPeersAtStart(config, log));
  await runUntilSignal(running, config, log, { environment, flags, signals }, async () => {
    const setup = await showSetup(running.core, log).catch((err: unknown) => {
      log.error({ err }, "could not create the set-up link");
      return undefined;
    });
    if (flags.demo)
      printStart(running.url, await running.core.db.write(() => demoAccess(running.core)), setup);
    else if (setup !== undefined) invite(setup);
  });
}

/**
 * Runs until a stop signal, and then ends the program. If `until` resolves first, the program continues with
 * that result. `greeting` is printed once the server listens.
 */
async function runUntilSignal(
  running: Pick<Following, "url" | "http" | "reload"> & { stop(): Promise<void> },
  config: Config,
  log: Logger,
  {
    environment,
    flags,
    signals,
    until,
  }: { environment: Environment; flags: ServeFlags; signals: Signals; until?: Promise<undefined> },
  greeting: () => Promise<void> = async () => {},
): Promise<void> {
  // Signals are handled before the next line is logged. A process that waits for this line may stop the
  // server as soon as the line appears.
  const signalled = signals.stop(log);
  signals.reload(log, { read: () => configOf(environment, flags), apply: running.reload });
  const { url, http } = running;
  log.info({ url, http, data: config.data, settings: config.settingsFile?.path }, "listening");
  await greeting();
  const signal = await Promise.race([signalled, ...(until ? [until] : [])]);
  if (signal === undefined) return;
  log.info({ signal }, "stopping");
  await running.stop();
  log.info("stopped");
  // Ends the process even if a client keeps a connection open.
  process.exit(0);
}

/**
 * Asks the peers at start, before anything is written. Another node may have become leader while this node
 * was stopped.
 */
async function checkPeersAtStart(config: Config, log: Logger): Promise<StartupCheck | undefined> {
  if (config.peers.length === 0 || !hasDatabase(config)) return undefined;
  const { file } = readDataFolder(config);
  const asker = { secrets: secretsIn(config), clock: systemClock, random: systemRandom };
  const startupCheck = await checkOtherNodes(asker, positionIn(file), config.peers, log);
  if (startupCheck.copiedFrom === undefined) return startupCheck;
  const way = isMarkedLeading(config.data)
    ? "run `guildhall demote`, then follow"
    : `add --follow ${startupCheck.copiedFrom}`;
  throw new DataRefused(
    `${startupCheck.copiedFrom} already leads this database in the same epoch, so ${config.data} is a copy of that database. To follow, ${way}. To lead, run \`guildhall promote\`.`,
  );
}

/** Upgrades the database of an older version before anything reads it. */
async function upgradeDatabase(config: Config, log: Logger): Promise<void> {
  if (!isOlder(config)) return;
  log.info({ to: SCHEMA_VERSION }, "upgrading the database");
  let last: string | undefined;
  const done = await upgradeFolder(config, (step) => {
    if (step !== last) log.info({ step }, "upgrading");
    last = step;
  });
  if (!done) return;
  const { from, to, copy } = done;
  log.info({ from, to, copy, seconds: Number(secondsOf(done)) }, "database upgraded");
}

/**
 * Makes a new link for the first admin at each start, until the community has one. The log contains one line
 * for the operator of a service, and the terminal shows a sentence. The link is the only secret that the log
 * ever contains. Its first use makes it invalid.
 */
async function showSetup(core: Core, log: Logger): Promise<string | undefined> {
  if (core.db.fencedBy() !== undefined) return undefined;
  const setup = await core.db.write(() => makeSetupLink(core, OPERATOR));
  if (setup)
    log.info({ setup: setup.url }, "there is no admin yet, open the set-up link to create the first one");
  return setup?.url;
}

function invite(setup: string): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\n  This community has no admin yet. Create the first one here:\n\n    ${setup}\n\n`);
}

/** Creates a token and a sign-in link for the demo's member. */
function demoAccess(core: Core): DemoAccess | undefined {
  const demo = demoToken(core);
  return demo && { ...demo, signIn: makeRecovery(core, OPERATOR, demo.username).url };
}

interface DemoAccess {
  token: string;
  username: string;
  signIn: string;
}

function printStart(url: string, demo: DemoAccess | undefined, setup: string | undefined): void {
  const lines = demo
    ? [
        "",
        `  The demo community is ready. Token of @${demo.username}, valid for 7 days:`,
        "",
        `    ${demo.token}`,
        "",
        "  Try it:",
        "",
        `    curl -H 'Authorization: Bearer ${demo.token}' '${url}/v1/feed?limit=3'`,
        "",
        `  Community:      ${url}`,
        `  API reference:  ${url}/docs`,
        "",
        `  Sign in as @${demo.username} (works once, within 24 hours):`,
        "",
        `    ${demo.signIn}`,
        ...(setup === undefined ? [] : ["", "  Create the admin account (works once):", "", `    ${setup}`]),
        "",
      ]
    : ["", "  This database already holds a community, so --demo changed nothing.", ""];
  process.stdout.write(`${lines.join("\n")}\n`);
}
