import type { Logger } from "pino";
import { type Config, ConfigError, type Reloaded } from "../config/config.ts";
import { SECOND, systemClock } from "../core/base/clock.ts";

/** What a server does when it is signalled, from its first line on. */
export interface Signals {
  /** Resolves with the first signal to stop, from the first call on. Before, one ends the process. */
  stop(log: Logger): Promise<NodeJS.Signals>;
  /** SIGHUP reloads by this from now on; one that came before is made up for. */
  reload(log: Logger, by: Reloads): void;
}

export interface Reloads {
  /** Reads the settings anew. */
  read(): Config;
  /** Has the running server take them. Throws ConfigError, and then nothing is changed. */
  take(config: Config): Reloaded;
}

/** A thousand signals in a second are two reloads. */
const RELOADS_EVERY_MS = SECOND;
/** Signals that have no purpose here and would end the process. Tools that rotate logs send them. */
const IGNORED = ["SIGUSR1", "SIGUSR2"] as const;
/** Ignored signals of the same kind within this time are one line of the log. */
const IGNORED_EVERY_MS = SECOND;

/** Catches what would end the process by itself, as SIGHUP does, also while it starts and stops. */
export function catchSignals(): Signals {
  let reloadNow = (): void => void (isAsked = true);
  let isAsked = false;
  let isStopping = false;
  process.on("SIGHUP", () => reloadNow());
  process.on("SIGQUIT", () => {
    process.stderr.write(
      "guildhall: SIGQUIT received, stopped at once. All acknowledged writes are on disk.\n",
    );
    process.exit(1);
  });
  let noteIgnored = (_signal: NodeJS.Signals): void => {};
  for (const signal of IGNORED) process.on(signal, () => noteIgnored(signal));
  let stopping: Promise<NodeJS.Signals> | undefined;
  return { stop: (log) => (stopping ??= stop(log)), reload };

  function stop(log: Logger): Promise<NodeJS.Signals> {
    noteIgnored = ignoredLog(log);
    return new Promise((resolve) => {
      // The second one means now: whatever was promised is on disk already.
      function onSignal(signal: NodeJS.Signals): void {
        if (isStopping) {
          log.info({ signal }, "second stop signal, stopped at once: all acknowledged writes are on disk");
          process.exit(1);
        }
        isStopping = true;
        resolve(signal);
      }
      // Never taken off: in between, a signal would end the process by itself.
      process.on("SIGTERM", onSignal);
      process.on("SIGINT", onSignal);
    });
  }

  function reload(log: Logger, by: Reloads): void {
    let resting: ReturnType<typeof setTimeout> | undefined;
    reloadNow = () => {
      isAsked = true;
      if (resting !== undefined || isStopping) return;
      isAsked = false;
      reloadAgain(log, by);
      resting = setTimeout(() => {
        resting = undefined;
        if (isAsked) reloadNow();
      }, RELOADS_EVERY_MS);
    };
    if (isAsked) reloadNow();
  }
}

function ignoredLog(log: Logger): (signal: NodeJS.Signals) => void {
  const notedAt = new Map<NodeJS.Signals, number>();
  return (signal) => {
    const now = systemClock.elapsed();
    if (now - (notedAt.get(signal) ?? -Infinity) < IGNORED_EVERY_MS) return;
    notedAt.set(signal, now);
    log.info({ signal }, "signal ignored: SIGHUP reloads the settings, SIGTERM stops the server");
  };
}

/** Reads the settings and has them taken; what cannot be used changes nothing (docs/contract.md#12.16). */
function reloadAgain(log: Logger, { read, take }: Reloads): void {
  let changed: Reloaded;
  try {
    changed = take(read());
  } catch (error) {
    if (error instanceof ConfigError)
      log.error({ reason: error.message }, "reload failed, settings unchanged: a setting is invalid");
    else log.error({ err: error }, "reload failed, settings unchanged: the settings cannot be read");
    return;
  }
  const { taken, waiting } = changed;
  if (waiting.length > 0)
    log.warn({ taken, restart: waiting }, "settings reloaded, some changes need a restart");
  else if (taken.length > 0) log.info({ taken }, "settings reloaded");
  else log.info("settings reloaded, nothing changed");
}
