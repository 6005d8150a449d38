import { writeSync } from "node:fs";
import pino, { type DestinationStream, type Logger } from "pino";
import { SECOND } from "../core/base/clock.ts";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

interface LogParts {
  /** The destination of the lines; defaults to stdout. */
  to?: DestinationStream;
  /** Runs something so many milliseconds later. */
  later?: Schedule;
}

export type Schedule = (ms: number, work: () => void) => void;

/**
 * One JSON object a line on stdout, written at once. Nothing secret is ever passed to it: ids, names, paths,
 * times. A fault that repeats is told once a second (docs/contract.md#12.15).
 */
export function createLog(level: LogLevel, { to, later = inTime }: LogParts = {}): Logger {
  const brake = createBrake(later);
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(given, write, weight) {
          if (weight < WARN || weight > ERROR) return write.apply(this, given);
          const [of, words] = given as unknown[];
          const entry = typeof of === "string" ? { msg: of } : { ...(of as object), msg: words };
          brake(`${weight} ${keyOf(entry)}`, (repeated) => {
            if (repeated === 0) return write.apply(this, given);
            const { msg, ...rest } = entry;
            write.call(this, { ...rest, repeated }, typeof msg === "string" ? msg : "");
          });
        },
      },
    },
    to ?? createLogOutput(later),
  );
}

const { warn: WARN = 40, error: ERROR = 50 } = pino.levels.values;

/** How long repeats of a logged fault are only counted. */
const REST_MS = SECOND;
/** Above this number of different faults, the others count as one. */
const DIFFERENT_MAX = 20;

interface Fault {
  /** How many came since it was last logged. */
  untold: number;
  /** Logs the newest, and how many before it were not logged. */
  write(repeated: number): void;
}

/**
 * Tells of the first at once, and of those that come within a second at its end, by the newest of them: a
 * full disk must not be made fuller by a line for each request that it fails.
 */
function createBrake(later: Schedule): (key: string, write: Fault["write"]) => void {
  const faults = new Map<string, Fault>();

  function scheduleFlush(key: string, fault: Fault): void {
    later(REST_MS, () => {
      if (fault.untold === 0) return void faults.delete(key);
      const { write, untold } = fault;
      fault.untold = 0;
      scheduleFlush(key, fault);
      writeSafely(() => write(untold - 1));
    });
  }

  return (key, write) => {
    const known = faults.has(key) || faults.size < DIFFERENT_MAX ? key : "others";
    const fault = faults.get(known);
    if (fault) {
      fault.untold++;
      fault.write = write;
      return;
    }
    const first = { untold: 0, write };
    faults.set(known, first);
    scheduleFlush(known, first);
    write(0);
  };
}

/** What cannot be read cannot be told: its first line has said so, to whoever threw it. */
function writeSafely(work: () => void): void {
  try {
    work();
  } catch {
    // Nobody waits for this one, and an error here would end the program.
  }
}

/**
 * What makes two lines tell of the same fault; not which request, address or id it met, nor which step of
 * deliveries, as a full disk fails all of them each second.
 */
function keyOf(entry: object): string {
  const { msg, err, chore, status, reason } = entry as Record<string, unknown>;
  return JSON.stringify([msg, chore, status, reason, nameOf(err)].map(short));
}

/** Of what was thrown. Whatever it is, to look at it must not throw again. */
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

/** How much is buffered for a slow reader, and when it is tried again. */
const WAITING_MAX_BYTES = 1_000_000;
const AGAIN_MS = 20;
const STDOUT = 1;

/**
 * Writes each line at once. A log that cannot be written (its disk is full, its reader has gone) must end
 * nothing that is served: its lines are lost, and the next one that can be written says in `lost` how many.
 */
export function createLogOutput(
  later: Schedule,
  write: (bytes: Uint8Array) => number = (bytes) => writeSync(STDOUT, bytes),
): DestinationStream {
  /** Lines that a slow reader has not taken yet, in order. */
  const waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let lost = 0;
  /** Whether the last thing written was a part of a line, of which the rest is lost. */
  let isBroken = false;

  /** The rest that could not be written yet; undefined once written or lost. */
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
    if (waiting.push(bytes) === 1) later(AGAIN_MS, drain);
    waitingBytes += bytes.length;
  }

  function drain(): void {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      waitingBytes -= next.length;
      const rest = send(next);
      if (!rest) continue;
      waiting.unshift(rest);
      waitingBytes += rest.length;
      return later(AGAIN_MS, drain);
    }
  }

  return {
    write(line) {
      if (waitingBytes > WAITING_MAX_BYTES) return void lost++;
      const text = lost > 0 ? `${line.slice(0, line.lastIndexOf("}"))},"lost":${lost}}\n` : line;
      const bytes = Buffer.from(text);
      const before = lost;
      lost = 0;
      const rest = waiting.length > 0 ? bytes : send(bytes);
      if (rest) wait(rest);
      else if (lost > 0) lost += before;
    },
  };
}

/** Keeps no program running. */
function inTime(ms: number, work: () => void): void {
  setTimeout(work, ms).unref();
}
