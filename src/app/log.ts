import { writeSync } from "node:fs";
import pino, { type DestinationStream, type Logger } from "pino";
import { SECOND } from "../core/base/clock.ts";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

interface LogParts {
  /** Destination of the lines. Default: stdout. */
  to?: DestinationStream;
  /** Calls `work` after this many milliseconds. */
  schedule?: Schedule;
}

export type Schedule = (ms: number, work: () => void) => void;

/**
 * Creates the log: one JSON object per line on stdout, written at once. Callers pass only ids, names, paths
 * and times, never secrets. Repeats of a fault are logged once a second (docs/contract.md#12.15).
 */
export function createLog(level: LogLevel, { to, schedule = scheduleUnreferenced }: LogParts = {}): Logger {
  const brake = createBrake(schedule);
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(given, write, weight) {
          if (weight < WARN || weight > ERROR) return write.apply(this, given);
          const [of, message] = given as unknown[];
          const entry = typeof of === "string" ? { msg: of } : { ...(of as object), msg: message };
          brake(`${weight} ${keyOf(entry)}`, (repeated) => {
            if (repeated === 0) return write.apply(this, given);
            const { msg, ...rest } = entry;
            write.call(this, { ...rest, repeated }, typeof msg === "string" ? msg : "");
          });
        },
      },
    },
    to ?? createLogOutput(schedule),
  );
}

const { warn: WARN = 40, error: ERROR = 50 } = pino.levels.values;

/** How long further occurrences of a logged fault are only counted. */
const BRAKE_MS = SECOND;
/** Number of different faults that are tracked. Further faults share one entry. */
const DIFFERENT_MAX = 20;

interface Fault {
  /** Number of occurrences since the last log line. */
  repeats: number;
  /** Logs the newest occurrence, and how many before it were not logged. */
  write(repeated: number): void;
}

/**
 * Logs the first occurrence of a fault at once. Repeats within a second are logged together at the end of
 * that second, with the newest as example. Otherwise each request that fails on a full disk would fill the
 * disk further.
 */
function createBrake(schedule: Schedule): (key: string, write: Fault["write"]) => void {
  const faults = new Map<string, Fault>();

  function scheduleFlush(key: string, fault: Fault): void {
    schedule(BRAKE_MS, () => {
      if (fault.repeats === 0) return void faults.delete(key);
      const { write, repeats } = fault;
      fault.repeats = 0;
      scheduleFlush(key, fault);
      writeSafely(() => write(repeats - 1));
    });
  }

  return (key, write) => {
    const faultKey = faults.has(key) || faults.size < DIFFERENT_MAX ? key : "others";
    const fault = faults.get(faultKey);
    if (fault) {
      fault.repeats++;
      fault.write = write;
      return;
    }
    const first = { repeats: 0, write };
    faults.set(faultKey, first);
    scheduleFlush(faultKey, first);
    write(0);
  };
}

/**
 * Ignores an entry that cannot be serialized. The first entry with this fault was written directly, so its
 * caller already got the error.
 */
function writeSafely(work: () => void): void {
  try {
    work();
  } catch {
    // Runs in a timer without a caller, so an error here would end the program.
  }
}

/**
 * Returns the key by which two lines report the same fault. The key ignores the request, address and id. It
 * also ignores the delivery step, because a full disk fails every step each second.
 */
function keyOf(entry: object): string {
  const { msg, err, chore, status, reason } = entry as Record<string, unknown>;
  return JSON.stringify([msg, chore, status, reason, nameOf(err)].map(short));
}

/** Describes a thrown value. Never throws, whatever the value is. */
function nameOf(err: unknown): string {
  try {
    if (!(err instanceof Error)) return typeof err;
    return `${err.name} ${"code" in err ? String(err.code) : ""} ${err.message}`;
  } catch {
    return "unreadable";
  }
}

function short(part: unknown): unknown {
  return typeof part === "string" ? part.slice(0, 200) : typeof part === "number" ? part : undefined;
}

/** Size of the buffer for a slow reader in bytes, and the interval between write attempts in ms. */
const WAITING_MAX_BYTES = 1_000_000;
const RETRY_MS = 20;
const STDOUT = 1;

/**
 * Writes each line at once. A write error (the disk is full, the reader is gone) must not stop the server.
 * Such lines are dropped, and the next line that can be written counts them in `lost`.
 */
export function createLogOutput(
  schedule: Schedule,
  write: (bytes: Uint8Array) => number = (bytes) => writeSync(STDOUT, bytes),
): DestinationStream {
  /** Lines that a slow reader has not accepted yet, in order. */
  const waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let lost = 0;
  /** Whether the last write stopped in the middle of a line and the remaining bytes are lost. */
  let isBroken = false;

  /** Returns the bytes that could not be written yet, or undefined if the line is written or lost. */
  function send(line: Uint8Array): Uint8Array | undefined {
    const wasBroken = isBroken;
    const bytes = wasBroken ? Buffer.concat([Buffer.from("\n"), line]) : line;
    isBroken = false;
    let done = 0;
    try {
      while (done < bytes.length) done += write(bytes.subarray(done));
      return undefined;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EAGAIN") return bytes.subarray(done);
      lost++;
      isBroken = done > 0 || wasBroken;
      return undefined;
    }
  }

  function wait(bytes: Uint8Array): void {
    if (waiting.push(bytes) === 1) schedule(RETRY_MS, drain);
    waitingBytes += bytes.length;
  }

  function drain(): void {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      waitingBytes -= next.length;
      const unsent = send(next);
      if (!unsent) continue;
      waiting.unshift(unsent);
      waitingBytes += unsent.length;
      return schedule(RETRY_MS, drain);
    }
  }

  return {
    write(line) {
      if (waitingBytes > WAITING_MAX_BYTES) return void lost++;
      const text = lost > 0 ? `${line.slice(0, line.lastIndexOf("}"))},"lost":${lost}}\n` : line;
      const bytes = Buffer.from(text);
      const before = lost;
      lost = 0;
      const unsent = waiting.length > 0 ? bytes : send(bytes);
      if (unsent) wait(unsent);
      else if (lost > 0) lost += before;
    },
  };
}

/** The timer does not keep the process alive. */
function scheduleUnreferenced(ms: number, work: () => void): void {
  setTimeout(work, ms).unref();
}
