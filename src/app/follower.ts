import type { Logger } from "pino";
import { createCopies, type CopyProblem, type Reader } from "../cluster/copies.ts";
import { createFollower } from "../cluster/follower.ts";
import { createGate } from "../cluster/request-gate.ts";
import { followerAmong } from "../cluster/nodes.ts";
import { createLag } from "../cluster/lag.ts";
import { createLeader, type LeaderEvent } from "../cluster/leader.ts";
import { createPositionReader } from "../cluster/position.ts";
import { formatVersion } from "../cluster/version.ts";
import { sendUses } from "../cluster/credential-uses.ts";
import { createVersionWaits } from "../cluster/version-waits.ts";
import { type Config, createReloadableConfig, type Reloaded, applyConfig } from "../config/config.ts";
import { sweepMedia } from "../core/community/media/media.ts";
import { setPictureStorage } from "../core/community/media/picture-storage.ts";
import { HOUR, MINUTE, SECOND, systemClock } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { type Db, openDatabase } from "../core/base/db/open.ts";
import { getSetting } from "../core/base/db/settings.ts";
import { systemRandom } from "../core/base/random.ts";
import { createSecrets, type SealedSecrets } from "../core/base/sealed-secrets.ts";
import { keysOfFollower, openFollowerFolder } from "./follower-data.ts";
import { createFolderCore, databaseFile, DataRefused, isLocked } from "./data-folder.ts";
import { createMetrics, type HttpMetrics } from "../http/metrics.ts";
import { createHandler } from "../http/preflight.ts";
import type { Certificate } from "../http/server.ts";
import { removeAddress } from "../operate/health/address.ts";
import type { Readiness } from "../operate/health/readiness.ts";
import { copyPicture } from "../files/pictures.ts";
import { createPictureStorage } from "../media/picture-storage.ts";
import { createEncoder } from "../media/encoder.ts";
import { type Handlers, announcePorts, stopListening, takePorts } from "./ports.ts";
import { transportsOf } from "./transports.ts";
import { VERSION } from "./version.ts";

export interface Following {
  url: string;
  http: string | undefined;
  /** Applies new settings, as on a leader. */
  reload(next: Config): Reloaded;
  /** Rejects new requests, and gives running requests this long to finish. */
  stop(withinMs?: number): Promise<void>;
}

/** Interval at which the follower checks whether another file has replaced the copy. */
const CHECK_COPY_EVERY_MS = 250;
const CHECK_LEADER_EVERY_MS = SECOND;
/** How long running requests may take at a stop, or after their copy was replaced. */
const WITHIN_MS = 30 * SECOND;

/**
 * Runs a follower (docs/contract.md#12.29): this program on a copy of the database that another program
 * updates. A follower sends no deliveries, runs no chores, migrates nothing and takes no lock. Until a copy
 * exists, the follower uses an empty database in memory. It then answers only requests about the node itself,
 * and forwards all other requests.
 */
export function follow(read: Config, log: Logger, certificate?: Certificate): Following {
  const config = createReloadableConfig(read);
  const answers: Handlers = {};
  const ports = takePorts(config, log, answers, certificate);
  try {
    return run(config, log, ports, answers, certificate);
  } catch (error) {
    void stopListening(ports, 0);
    throw error;
  }
}

function run(
  config: Config,
  log: Logger,
  ports: ReturnType<typeof takePorts>,
  answers: Handlers,
  certificate: Certificate | undefined,
): Following {
  const { listening, http } = ports;
  const [{ key }] = keysOfFollower(config);
  if (isLocked(config))
    throw new DataRefused(
      `A server already uses ${config.data}. A follower needs its own folder, with a copy of the leader's key file.`,
    );
  const metrics = createMetrics({ ofProcess: true });
  metrics.number("guildhall_build_info", VERSION, Bun.version).value = 1;
  const encoder = createEncoder();
  const pictures = createPictureStorage(config.data, encoder);
  const streams = replaceableGauges(metrics);
  let sending = Promise.resolve();
  let isClockWrong = false;

  const leader = createLeader(config.follow, {
    // If the copy is not readable, its key is not available either. In this case the empty database provides
    // the identity.
    identity: () => (versionOf(copies.current()) ? (copies.current() ?? empty) : empty).core,
    onEvent: (event, address) => logLeaderEvent(log, event, address),
    count: (outcome) => void metrics.number("guildhall_handed_on_total", outcome).value++,
  });
  const answering = followerAmong({ url: listening.url, leaderVersion: leader.version, heard: leader.epoch });
  const lag = createLag(systemClock, () => config.stallAfterMs);
  const readiness: Readiness = {
    refresh: async () => readinessFailures(),
    newest: readinessFailures,
    extraStatus: followerStatus,
  };
  const readerOn = (db: Db, secrets: SealedSecrets): Reader => {
    const origin = config.origin ?? getSetting({ db }, "origin") ?? listening.url;
    const core = createFolderCore({ db, secrets }, config, origin);
    setPictureStorage(core, pictures);
    const { transports } = transportsOf(core, config, streams.metrics, VERSION, readiness, answering(core));
    const gate = createGate(core, { isLeading: false, onEpoch: () => {} });
    return {
      core,
      position: createPositionReader(core),
      handler: createHandler(core, transports, config, log, metrics, gate),
      retire() {
        for (const transport of transports) transport.stop?.();
        sendNow(core);
        setTimeout(() => db.close(), WITHIN_MS).unref();
      },
    };
  };
  const empty = readerOn(openDatabase(":memory:", { busyMs: 0 }), createSecrets(key, systemRandom));
  const copies = createCopies({
    file: databaseFile(config),
    open() {
      const { db, secrets } = openFollowerFolder(config);
      return readerOn(db, secrets);
    },
    onChange: (problem, error) => logCopyProblem(log, problem, error),
  });
  const versionWaits = createVersionWaits(() => (copies.current() ?? empty).position(), systemClock);
  metrics.gauges(() => ({
    guildhall_ready: readinessFailures().length === 0 ? 1 : 0,
    guildhall_follower_lag_seconds: lag.seconds(),
    guildhall_follower_waiting: versionWaits.count(),
    guildhall_leader_up: hasLeader() ? 1 : 0,
    guildhall_follower_clock_seconds: clockSeconds(),
  }));

  answers.handler = createFollower({
    reader: copies.current,
    isComplete: copies.isComplete,
    empty,
    async waitForVersion(version) {
      const isReached = await versionWaits.waitFor(version);
      metrics.number("guildhall_follower_waits_total", isReached ? "reached" : "handed_on").value++;
      return isReached;
    },
    isStalled: lag.isStalled,
    isLed: hasLeader,
    storePicture: (path, bytes) => copyPicture(config.data, path, bytes),
    leader,
    rules: config,
    origin: () => (copies.current() ?? empty).core.origin,
  });
  copies.check();
  const checkLeader = async (): Promise<void> => {
    await leader.check();
    lag.record(versionOf(copies.current()), leader.version());
    checkClock();
  };
  void checkLeader();
  const timers = [
    setInterval(copies.check, CHECK_COPY_EVERY_MS),
    setInterval(() => void checkLeader(), CHECK_LEADER_EVERY_MS),
    setInterval(() => sendNow((copies.current() ?? empty).core), MINUTE),
    setInterval(() => void sweep(), HOUR),
  ];
  const keeping = announcePorts(config, log, ports, {
    answers,
    certificate,
    metrics,
    clock: systemClock,
    origin: empty.core.origin,
  });

  return {
    url: listening.url,
    http: http?.url,
    reload(next) {
      const changed = applyConfig(config, next);
      log.level = config.logLevel;
      void keeping?.renewIfDue(true);
      return changed;
    },
    async stop(withinMs = WITHIN_MS) {
      removeAddress(config.data);
      keeping?.stop();
      timers.forEach(clearInterval);
      const last = copies.current();
      copies.stop();
      empty.retire();
      await stopListening(ports, withinMs);
      await encoder.stop();
      if (last) sendNow(last.core);
      await sending;
      leader.close();
      last?.core.db.close();
      empty.core.db.close();
    },
  };

  /**
   * Sends the recorded credential uses to the leader, one call after another. The last call is at the stop,
   * after all requests have ended.
   */
  function sendNow(core: Core): void {
    sending = sending.then(() => sendUses(core, leader));
  }

  /** Deletes pictures that the community no longer has. */
  async function sweep(): Promise<void> {
    const reader = copies.current();
    if (reader)
      await sweepMedia(reader.core, pictures).catch((err: unknown) =>
        log.error({ err }, "could not clean up image files"),
      );
  }

  function readinessFailures() {
    if (copies.problem() !== undefined) return ["copy" as const];
    // A stalled follower stays ready without a leader, because no other node could answer reads.
    return lag.isStalled() && hasLeader() ? ["stalled" as const] : [];
  }

  function clockSeconds(): number | undefined {
    const ms = leader.clockMs();
    return ms === undefined ? undefined : ms / SECOND;
  }

  /** Logs each change of the clock's state once. */
  function checkClock(): void {
    const seconds = clockSeconds() ?? 0;
    const isWrong = Math.abs(seconds) >= CLOCK_NOTICED_MS / SECOND;
    if (isWrong === isClockWrong) return;
    isClockWrong = isWrong;
    if (isWrong) log.error({ seconds }, CLOCK_IS_WRONG);
    else log.info({ seconds }, "clock agrees with the leader again");
  }

  function hasLeader(): boolean {
    return leader.address() !== undefined;
  }

  function followerStatus() {
    const copyVersion = versionOf(copies.current());
    const leaderVersion = leader.version();
    const follower = {
      at: copyVersion && formatVersion(copyVersion),
      leader_at: leaderVersion && formatVersion(leaderVersion),
      lag_seconds: Math.round(lag.seconds() * 1000) / 1000,
      leads: hasLeader(),
    };
    const clock = { clock_seconds: clockSeconds() };
    return { all: { follower }, local: { leader: leader.address(), copy: copies.problem(), ...clock } };
  }
}

/** Returns undefined if there is no copy or the copy cannot be read. */
function versionOf(reader: Reader | undefined) {
  try {
    return reader?.position();
  } catch {
    return undefined;
  }
}

/** Returns metrics in which the gauges of each new copy replace those of the previous copy. */
function replaceableGauges(metrics: HttpMetrics): { metrics: HttpMetrics } {
  let readGauges: Parameters<HttpMetrics["gauges"]>[0] = () => ({});
  metrics.gauges(() => readGauges());
  return { metrics: { ...metrics, gauges: (next) => void (readGauges = next) } };
}

const LEADER_MESSAGES: Readonly<Record<LeaderEvent, string>> = {
  leads: "leader found",
  away: "no leader found, so writes are refused. Check that the leader runs and has GUILDHALL_PEERS",
  refuses_us: "the leader rejects this node's signature: the keys or the clocks differ",
};

function logLeaderEvent(log: Logger, event: LeaderEvent, address: string): void {
  log[event === "leads" ? "info" : "error"]({ address }, LEADER_MESSAGES[event]);
}

/**
 * Smallest clock difference that is logged. The `Date` header has whole seconds, and the response takes time.
 */
const CLOCK_NOTICED_MS = 5 * SECOND;
const CLOCK_IS_WRONG =
  "clock differs from the leader's. At 30 seconds or more, the leader refuses forwarded requests. Synchronize the clock with NTP";

const COPY_MESSAGES: Readonly<Record<CopyProblem, string>> = {
  copy_missing: "there is no copy of the database yet, so all requests are forwarded",
  copy_not_held:
    "the replication engine stopped, perhaps in the middle of an update, so all requests are forwarded",
  copy_not_moving: "all requests are forwarded until the copy of the database is updated",
  copy_unusable: "the copy of the database cannot be used, so all requests are forwarded",
};

function logCopyProblem(log: Logger, problem: CopyProblem | undefined, error: unknown): void {
  if (problem === undefined) log.info("reading from the copy of the database");
  else if (problem === "copy_unusable") log.error({ err: error }, COPY_MESSAGES[problem]);
  else log.warn(COPY_MESSAGES[problem]);
}
