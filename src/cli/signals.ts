import type { Logger } from "pino";
import { type Config, ConfigError, type Reloaded } from "../config/config.ts";
import { SECOND, systemClock } from "../core/base/clock.ts";

/** Signal handling of a server, from the start of the process. */
export interface Signals {
  /**
   * Resolves with the first stop signal after the first call. Before that call, a stop signal ends the
   * process.
   */
  stop(log: Logger): Promise<NodeJS.Signals>;
  /** From now on, SIGHUP reloads the settings through `by`. A SIGHUP that arrived earlier is handled now. */
  reload(log: Logger, by: Reloads): void;
}

export interface Reloads {
  read(): Config;
  /** Applies settings to the running server. Throws ConfigError, and then changes nothing. */
  apply(config: Config): Reloaded;
}

/** Shortest time between two reloads. A burst of signals causes at most two reloads. */
const RELOADS_EVERY_MS = SECOND;
/** Signals that the program does not use, but that would end the process. Log rotation tools send them. */
const IGNORED = ["SIGUSR1", "SIGUSR2"] as const;
/** Repeats of an ignored signal within this time are logged only once. */
const IGNORED_EVERY_MS = SECOND;

/** Handles signals that end a process by default, such as SIGHUP, also during start and stop. */
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
      // A second signal stops at once: all acknowledged writes are already on disk.
      function onSignal(signal: NodeJS.Signals): void {
        if (isStopping) {
          log.info({ signal }, "second stop signal, stopped at once: all acknowledged writes are on disk");
          process.exit(1);
        }
        isStopping = true;
        resolve(signal);
      }
      // These handlers are never removed. Between their removal and the exit, a signal would end the process
      // with the default action.
      process.on("SIGTERM", onSignal);
      process.on("SIGINT", onSignal);
    });
  }

  function reload(log: Logger, by: Reloads): void {
    let pause: ReturnType<typeof setTimeout> | undefined;
    reloadNow = () => {
      isAsked = true;
      if (pause !== undefined || isStopping) return;
      isAsked = false;
      reloadSettings(log, by);
      pause = setTimeout(() => {
        pause = undefined;
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

/** Reads and applies the settings. Invalid settings change nothing (docs/contract.md#12.16). */
function reloadSettings(log: Logger, { read, apply }: Reloads): void {
  let changed: Reloaded;
  try {
    changed = apply(read());
  } catch (error) {
    if (error instanceof ConfigError)
      log.error({ reason: error.message }, "reload failed, settings unchanged: a setting is invalid");
    else log.error({ err: error }, "reload failed, settings unchanged: the settings cannot be read");
    return;
  }
  const { applied, waiting } = changed;
  if (waiting.length > 0)
    log.warn({ taken: applied, restart: waiting }, "settings reloaded, some changes need a restart");
  else if (applied.length > 0) log.info({ taken: applied }, "settings reloaded");
  else log.info("settings reloaded, nothing changed");
}
