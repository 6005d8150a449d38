import { join } from "node:path";
import { SECOND } from "../core/base/clock.ts";
import type { PictureFault } from "./refused.ts";

/**
 * A re-encoded picture: the width and height of its largest size in pixels, the total bytes of all sizes, and
 * its content hash.
 */
export interface EncodedPicture {
  width: number;
  height: number;
  bytes: number;
  hash: string;
}

/**
 * The re-encoded picture, or a fault. A fault means that the picture is not acceptable or that the disk is
 * full.
 */
export type Outcome = EncodedPicture | { fault: PictureFault | "media_full" };

/** Re-encodes pictures one at a time, each in its own process. Members are served round-robin. */
export interface Encoder {
  /**
   * Re-encodes the picture in `file` into the empty folder `folder`. The picture waits in the queue of the
   * member `account`.
   */
  draw(file: string, folder: string, account: string): Promise<Outcome>;
  /** Returns the number of waiting and running pictures. */
  waiting(): number;
  /** Kills the running process and fails the waiting pictures. */
  stop(): Promise<void>;
}

/**
 * Maximum duration of re-encoding one picture, in ms. 40 megapixels take at most 2.2 s
 * (docs/adr/0052-pictures.md). A slow machine may take several times as long.
 */
const REENCODE_MAX_MS = 20 * SECOND;
/** Maximum output of a process in bytes. The expected output is one line. */
const PRINTED_MAX_BYTES = 64 * 1024;

export interface EncoderOptions {
  /** Command line. `FILE FOLDER` is appended to it. */
  command?: readonly string[];
  withinMs?: number;
}

export function createEncoder({
  command = ownCommand(),
  withinMs = REENCODE_MAX_MS,
}: EncoderOptions = {}): Encoder {
  /**
   * Queues by member. The order of the members in this map is the order of service. A member with eight slow
   * pictures does not delay the one picture of another member.
   */
  const lines = new Map<string, (() => Promise<void>)[]>();
  let drawing: Promise<void> | undefined;
  let waiting = 0;
  let running: Bun.Subprocess | undefined;
  let isStopping = false;

  async function run(file: string, folder: string): Promise<Outcome> {
    if (isStopping) throw new Error("the server is about to stop");
    const child = Bun.spawn([...command, file, folder], {
      // The environment holds secrets. The process reads hostile bytes, so it gets an empty environment.
      env: {},
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: withinMs,
      killSignal: "SIGKILL",
      maxBuffer: PRINTED_MAX_BYTES,
    });
    running = child;
    const printed = await Bun.readableStreamToText(child.stdout);
    await child.exited;
    running = undefined;
    if (child.exitCode === 0) return JSON.parse(printed) as Outcome;
    if (isStopping) throw new Error("the server is about to stop");
    // If the process was killed, it has taken too long. If the process crashed, the picture is damaged.
    return { fault: child.signalCode === "SIGKILL" ? "picture_too_costly" : "picture_damaged" };
  }

  async function runQueue(): Promise<void> {
    for (const [account, line] of lines) {
      const next = line.shift();
      lines.delete(account);
      // Moves the member to the end. The iteration also visits entries that are added at the end.
      if (line.length > 0) lines.set(account, line);
      await next?.();
    }
    drawing = undefined;
  }

  return {
    draw(file, folder, account) {
      waiting++;
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      const line = lines.get(account) ?? [];
      line.push(() =>
        run(file, folder)
          .finally(() => waiting--)
          .then(resolve, reject),
      );
      lines.set(account, line);
      drawing ??= runQueue();
      return promise;
    },
    waiting: () => waiting,
    async stop() {
      isStopping = true;
      running?.kill("SIGKILL");
      await drawing;
    },
  };
}

/** Returns the command line that starts this program again. A compiled binary contains its script. */
function ownCommand(): string[] {
  const isCompiled = Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN");
  const script = isCompiled ? [] : [join(import.meta.dir, "..", "cli", "guildhall.ts")];
  return [process.execPath, ...script, "re-encode"];
}
