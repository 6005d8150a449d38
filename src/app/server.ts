import type { Logger } from "pino";
import { type Config, createReloadableConfig, type Reloaded, applyConfig } from "../config/config.ts";
import { recordTokenUses } from "../core/delegation/tokens/tokens.ts";
import { recordLastSeen } from "../core/identity/accounts/sessions.ts";
import { HOUR, SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { registerSender } from "../core/services/channels/outgoing.ts";
import { clockMarkOf } from "../core/outbox/deliveries/monotonic-time.ts";
import { outgoingAttempts } from "../core/outbox/deliveries/counters.ts";
import { idCounts } from "../core/base/ids.ts";
import { namedKeys } from "../core/base/keyring/keyring.ts";
import { nameOfLocation, rightsOf } from "../operate/backup/key-files.ts";
import { startBackgroundWork } from "./background-work.ts";
import { nameOfServer } from "../delivery/mail-server.ts";
import { startThread } from "../delivery/thread.ts";
import type { DeliverySetup } from "./delivery-worker.ts";
import { type BackupHealth, setBackups, noteFailedBackup } from "../core/services/backups/backups.ts";
import { setReplica } from "../core/services/backups/replica.ts";
import { sweepMedia } from "../core/community/media/media.ts";
import { type PictureStorage, setPictureStorage } from "../core/community/media/picture-storage.ts";
import { startCheckups } from "../operate/doctor/schedule.ts";
import { unlessMediaLocked } from "../operate/backup/media-lock.ts";
import { createRehearsalSchedule } from "../operate/backup/rehearsal-schedule.ts";
import { accessOf } from "../operate/backup/bucket.ts";
import { openReplica } from "../operate/backup/replica.ts";
import { createReplicaAge, lastWrite, type ReplicaAge } from "../operate/backup/replica-age.ts";
import { startBackupProcess } from "../operate/backup/child-process.ts";
import { createBackupSchedule, type BackupSchedule } from "../operate/backup/backup-schedule.ts";
import { startThread as startKeepThread } from "../operate/backup/checkpoint-thread.ts";
import type { CheckpointSetup } from "./checkpoint-worker.ts";
import { getSetting, setSetting } from "../core/base/db/settings.ts";
import {
  createFolderCore,
  databaseFile,
  DataRefused,
  type DataFolder,
  openDataFolder,
} from "./data-folder.ts";
import { transportsOf } from "./transports.ts";
import { createMetrics, type HttpMetrics } from "../http/metrics.ts";
import { createGate } from "../cluster/request-gate.ts";
import { createHandler } from "../http/preflight.ts";
import type { Certificate } from "../http/server.ts";
import { type Handlers, type Ports, announcePorts, stopListening, takePorts } from "./ports.ts";
import { removeAddress } from "../operate/health/address.ts";
import { gaugeBackups } from "../operate/health/backups.ts";
import { recordDays } from "../operate/health/daily-history.ts";
import { freeBytes } from "../files/disk-space.ts";
import { gaugeDisk } from "../operate/health/disk.ts";
import { gaugeReplica } from "../operate/health/replica.ts";
import { gaugeDelivery } from "../operate/health/endpoints.ts";
import { gaugeOutgoing } from "../operate/health/outgoing.ts";
import { registerReadiness } from "../core/services/checkup/readiness.ts";
import { createReadiness, gaugeReadiness } from "../operate/health/readiness.ts";
import { gaugeWrites } from "../operate/health/writes.ts";
import { watchWriteAhead } from "../operate/health/write-ahead.ts";
import type { StartupCheck } from "../cluster/startup-check.ts";
import { gaugeLead, startLeaderWatch, type LeaderWatch } from "../cluster/leader-watch.ts";
import { createPictureStorage } from "../media/picture-storage.ts";
import { createEncoder } from "../media/encoder.ts";
import { VERSION } from "./version.ts";

export interface Running {
  url: string;
  /** URL of the port that redirects plain HTTP. */
  http: string | undefined;
  core: Core;
  /**
   * Applies the settings that can change while the server runs, and checks the certificate at once
   * (docs/contract.md#12.16).
   */
  reload(next: Config): Reloaded;
  /** Rejects new requests, finishes running ones, writes pending data, and closes the database. */
  stop(): Promise<void>;
}

/**
 * SQLite's busy timeout. Zero, because writes wait in their queue for a lock of another program, so that the
 * event loop never blocks.
 */
const BUSY_MS = 0;
const DELIVERY_MAIN = new URL("./delivery-worker.ts", import.meta.url);
const CHECKPOINT_MAIN = new URL("./checkpoint-worker.ts", import.meta.url);
/** How long running requests may take at a stop. deploy/guildhall.service allows more for the whole stop. */
export const STOP_WITHIN_MS = 30 * SECOND;

/** Hosts that mean every address of the machine. A browser cannot open them. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "::", "0"]);

/** Values that are determined before the server writes any file. */
interface StartInputs {
  certificate: Certificate | undefined;
  startupCheck: StartupCheck | undefined;
}

/**
 * Starts the server: data folder → core → transports → port. Throws if the folder or the port cannot be used.
 * Reloads change one shared configuration object, which is read at each use. `certificate` is the first TLS
 * certificate. `first` is the result of asking the other nodes before the start.
 */
export function start(
  read: Config,
  log: Logger,
  certificate?: Certificate,
  startupCheck?: StartupCheck,
): Running {
  const config = createReloadableConfig(read);
  const answers: Handlers = {};
  // Ports are opened first, so that a port that is in use leaves no folder behind. Requests are answered only
  // after this function returns.
  const ports = takePorts(config, log, answers, certificate);
  return closeOnError(
    () => void stopListening(ports, 0),
    () => run(config, log, ports, answers, { certificate, startupCheck }),
  );
}

function run(config: Config, log: Logger, ports: Ports, answers: Handlers, begins: StartInputs): Running {
  const dataFolder = openDataFolder(config, {
    busyMs: BUSY_MS,
    mayCreate: true,
    lock: true,
    isCheckpointing: false,
    isFollowed: config.peers.length > 0,
  });
  for (const message of dataFolder.messages) log.error(message);
  return closeOnError(dataFolder.close, () => wire(dataFolder, config, log, ports, answers, begins));
}

function wire(
  dataFolder: DataFolder,
  config: Config,
  log: Logger,
  ports: Ports,
  answers: Handlers,
  { certificate, startupCheck }: StartInputs,
): Running {
  const { listening, http } = ports;
  refuseHalfDemo(dataFolder, config);
  warnOf(dataFolder, config, listening.url, log);
  const ids = idCounts();
  const core = createFolderCore(dataFolder, config, config.origin ?? listening.url, ids);
  if (startupCheck?.giveUpFor !== undefined) core.db.fence(startupCheck.giveUpFor);
  if (core.db.position().fencedBy === null) rememberOrigin(core);
  const watch = startLeaderWatch(core, {
    peers: config.peers,
    since: startupCheck?.at,
    url: listening.url,
    log,
  });
  const metrics = createMetrics({ ofProcess: true });
  metrics.number("guildhall_build_info", VERSION, Bun.version).value = 1;
  const loop = startThread(DELIVERY_MAIN, () => deliverySetup(config, core, ids, watch.lead.shared), log);
  const readiness = createReadiness(
    core,
    { sincePassMs: () => loop.health().sincePassMs, freeBytes: () => freeBytes(config.data) },
    log,
  );
  const { transports } = transportsOf(core, config, metrics, VERSION, readiness, watch);
  const gate =
    config.peers.length > 0 ? createGate(core, { isLeading: true, onEpoch: watch.onEpoch }) : undefined;
  answers.handler = createHandler(core, transports, config, log, metrics, gate);
  core.onWake(loop.wake);
  gaugeDelivery(metrics, core, loop);
  gaugeOutgoing(metrics, core, loop);
  registerSender(core, () => ({
    mailServer: config.smtpUrl === undefined ? undefined : nameOfServer(config.smtpUrl),
    attempts: outgoingAttempts(loop.health().tally),
  }));
  gaugeWrites(metrics, core, loop);
  gaugeDisk(metrics, databaseFile(config), config.data);
  gaugeReadiness(metrics, readiness);
  gaugeLead(metrics, watch);
  registerReadiness(core, readiness.refresh);
  const checkpoints = startKeepThread(
    CHECKPOINT_MAIN,
    {
      data: config.data,
      database: databaseFile(config),
      troubles: core.db.storageFaults.shared,
      lockQueue: core.db.lockQueue.shared,
    } satisfies CheckpointSetup,
    log,
  );
  const writeAhead = watchWriteAhead(databaseFile(config), metrics, log);
  const backups = scheduleBackups(config, core, metrics, log);
  const replica = ageOfReplica(config, core, metrics, watch, log);
  const rounds = startCheckups(config, core, metrics, log);
  const pictures = createEncoder();
  const pictureStorage = createPictureStorage(config.data, pictures);
  setPictureStorage(core, pictureStorage);
  const sweeping = pictureSweep(core, pictureStorage, config.data);
  const days = recordDays(core, metrics, databaseFile(config), config.data, (ms) => Bun.sleep(ms));
  const chores = startBackgroundWork(core, log, metrics, {
    "keep the figures of the day": days.tick,
    "look at the write-ahead log": writeAhead.refresh,
    "look whether a backup is due": backups.runIfDue,
    "look at everything": rounds.runIfDue,
    ...(replica && { "look at the replica": replica.refresh }),
    "sweep pictures": sweeping.look,
    "look whether it is ready": async () => void (await readiness.refresh()),
  });
  const keeping = announcePorts(config, log, ports, {
    answers,
    certificate,
    metrics,
    clock: core.clock,
    origin: core.origin,
  });

  return {
    url: listening.url,
    http: http?.url,
    core,
    reload(next) {
      const changed = applyConfig(config, next);
      log.level = config.logLevel;
      loop.change();
      backups.follow();
      void keeping?.renewIfDue(true);
      warnOfSettings(config, log);
      return changed;
    },
    async stop() {
      removeAddress(config.data);
      keeping?.stop();
      watch.stop();
      for (const transport of transports) transport.stop?.();
      await stopListening(ports, STOP_WITHIN_MS);
      chores.stop();
      await loop.stop();
      await Promise.all([checkpoints.stop(), backups.stop(), rounds.stop(), pictures.stop()]);
      await recordTokenUses(core).catch((err: unknown) => log.error({ err }, "could not record token uses"));
      await recordLastSeen(core).catch((err: unknown) => log.error({ err }, "could not record lastSeen"));
      await days.stop().catch((err: unknown) => log.error({ err }, "could not record the day's figures"));
      dataFolder.close();
    },
  };
}

/** Deletes unused picture files, at most once an hour because it reads the whole folder. */
function pictureSweep(core: Core, pictureStorage: PictureStorage, data: string): { look(): Promise<void> } {
  let checkedAt = core.clock.elapsed();
  return {
    async look() {
      if (core.clock.elapsed() - checkedAt < HOUR) return;
      checkedAt = core.clock.elapsed();
      await unlessMediaLocked(data, () => sweepMedia(core, pictureStorage));
    },
  };
}

/** Schedules backups and test restores as configured. Without a backup target, schedules nothing. */
function scheduleBackups(
  config: Config,
  core: Core,
  metrics: HttpMetrics,
  log: Logger,
): Pick<BackupSchedule, "runIfDue" | "stop"> & { follow(): void } {
  const { now } = core.clock;
  let made: ReturnType<typeof startBackups> | undefined;
  const health = (): BackupHealth | undefined => made?.health();
  setBackups(core, health);
  gaugeBackups(metrics, now, health);
  follow();
  return { follow, runIfDue: async () => made?.runIfDue(), stop: async () => made?.stop() };

  function follow(): void {
    if (config.backup === undefined) {
      void made?.stop();
      made = undefined;
    } else made ??= startBackups(config, core, log);
  }
}

/** Returns the age of the Litestream replica, or undefined if none is configured. */
function ageOfReplica(
  config: Config,
  core: Core,
  metrics: HttpMetrics,
  watch: Pick<LeaderWatch, "thisNode">,
  log: Logger,
): ReplicaAge | undefined {
  if (config.replica === undefined) return undefined;
  const file = databaseFile(config);
  const age = createReplicaAge({
    replica: openReplica(config.replica, accessOf(config)),
    now: core.clock.now,
    written() {
      const { role, commits } = watch.thisNode();
      return role === "leader" ? { commits, at: lastWrite(file) } : undefined;
    },
  });
  setReplica(core, age.health);
  gaugeReplica(metrics, age.health);
  age.refresh().catch((err: unknown) => log.error({ err }, "could not check the replica"));
  return age;
}

function startBackups(config: Config, core: Core, log: Logger) {
  const { data } = config;
  const { now } = core.clock;
  const schedule = createBackupSchedule({
    data,
    everyMs: () => config.backupEveryMs,
    now,
    run: () => startBackupProcess(["backup", "--scheduled"], data, config.settingsFile?.path),
    notifyAdmins: (failed) => noteFailedBackup(core, failed),
    log,
  });
  const rehearsals = createRehearsalSchedule({
    data,
    now,
    hasBackup: () => schedule.health().last !== undefined,
    run: () => startBackupProcess(["restore", "--rehearse"], data, config.settingsFile?.path),
    log,
  });
  return {
    health: (): BackupHealth => ({ ...schedule.health(), rehearsal: rehearsals.health() }),
    async runIfDue() {
      await schedule.runIfDue();
      await rehearsals.runIfDue();
    },
    async stop() {
      await Promise.all([schedule.stop(), rehearsals.stop()]);
    },
  };
}

/** Returns the setup of the delivery thread. It contains only values that can be sent to another thread. */
function deliverySetup(
  config: Config,
  { origin, clock, db }: Core,
  ids: SharedArrayBuffer,
  lead: SharedArrayBuffer,
): DeliverySetup {
  const { trustedProxies, graphql, values, ...effective } = config;
  const [troubles, lockQueue] = [db.storageFaults.shared, db.lockQueue.shared];
  return { config: effective, origin, ids, lead, troubles, lockQueue, steady: clockMarkOf(clock) };
}

/** Warns of settings that work but are probably a mistake. */
function warnOf(dataFolder: DataFolder, config: Config, url: string, log: Logger): void {
  if (rightsOf(config).isOpen)
    log.warn(
      { keyFile: nameOfLocation(config) },
      "every user of this machine can read the key file. Run chmod 600 on it",
    );
  if (namedKeys(getSetting(dataFolder, "keys")).length > 1)
    log.warn("a key rotation is unfinished: run guildhall key rotate");
  warnOfSettings(config, log);
  if (config.origin === undefined && EVERY_ADDRESS.has(config.host))
    log.warn({ origin: url }, "links use an address that others cannot open: set GUILDHALL_ORIGIN");
}

function warnOfSettings({ settingsFile }: Config, log: Logger): void {
  if (settingsFile?.isOpenToAll)
    log.warn(
      { settings: settingsFile.path },
      "every user of this machine can read secrets in the settings file. Run chmod 640 on it",
    );
}

/**
 * Throws DataRefused if the folder has an incomplete demo, because the program was killed while it filled the
 * demo.
 */
function refuseHalfDemo(dataFolder: DataFolder, { data }: Config): void {
  if (getSetting(dataFolder, "demo-unfinished") === undefined) return;
  throw new DataRefused(`The demo in ${data} is incomplete. Delete that folder and start again.`);
}

/**
 * Stores the public URL for the command-line tools. These tools also make links, but often run without this
 * setting. Writes at once, so that a read-only database ends the start.
 */
function rememberOrigin(core: Core): void {
  if (getSetting(core, "origin") !== core.origin)
    core.db.transact(() => setSetting(core, "origin", core.origin));
}

function closeOnError<Result>(close: () => void, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    close();
    throw error;
  }
}
