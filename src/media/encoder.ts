import { join } from "node:path";
import { SECOND } from "../core/base/clock.ts";
import type { PictureFault } from "./refused.ts";

/** What a picture came to: its largest size, what all of its sizes weigh, and the name of its content. */
export interface EncodedPicture {
  width: number;
  height: number;
  bytes: number;
  hash: string;
}

/** Or why there is none: because of the picture, or because the disk is full. */
export type Outcome = EncodedPicture | { fault: PictureFault | "media_full" };

/**
 * Pictures are drawn one after the other, each in a process of its own: one of each who waits, then the next
 * of each.
 */
export interface Encoder {
  /**
   * Draws the picture in a file anew into an empty folder, at its turn among those of `whose` and of others.
   */
  draw(file: string, folder: string, whose: string): Promise<Outcome>;
  /** How many wait or are being drawn. */
  waiting(): number;
  /** Ends the one that is being drawn. */
  stop(): Promise<void>;
}

/**
 * Drawing took 2.2 s at most of 40 megapixels (docs/adr/0052-pictures.md); a slow machine may take some times
 * that.
 */
const DRAWN_WITHIN_MS = 20 * SECOND;
/** What one prints is a line. */
const PRINTED_MAX_BYTES = 64 * 1024;

export interface EncoderOptions {
  /** What is called with `FILE FOLDER` behind it. */
  command?: readonly string[];
  withinMs?: number;
}

export function createEncoder({
  command = ownCommand(),
  withinMs = DRAWN_WITHIN_MS,
}: EncoderOptions = {}): Encoder {
  /**
   * Who waits, whose turn is next first: somebody's eight that take long are not before everybody else's one.
   */
  const lines = new Map<string, (() => Promise<void>)[]>();
  let drawing: Promise<void> | undefined;
  let waiting = 0;
  let running: Bun.Subprocess | undefined;
  let isStopping = false;

  async function run(file: string, folder: string): Promise<Outcome> {
    if (isStopping) throw new Error("the server is about to stop");
    const child = Bun.spawn([...command, file, folder], {
      // Nothing of the settings, which hold secrets, where hostile bytes are read.
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
    // One that a decoder crashed over is as good as damaged; one that was ended took too long.
    return { fault: child.signalCode === "SIGKILL" ? "picture_too_costly" : "picture_damaged" };
  }

  async function drawAll(): Promise<void> {
    for (const [whose, line] of lines) {
      const next = line.shift();
      lines.delete(whose);
      // A walk comes to what is put behind, too.
      if (line.length > 0) lines.set(whose, line);
      await next?.();
    }
    drawing = undefined;
  }

  return {
    draw(file, folder, whose) {
      waiting++;
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      const line = lines.get(whose) ?? [];
      line.push(() =>
        run(file, folder)
          .finally(() => waiting--)
          .then(resolve, reject),
      );
      lines.set(whose, line);
      drawing ??= drawAll();
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

/** How to call this program again: the binary brings its script along, a checkout names it. */
function ownCommand(): string[] {
  const isCompiled = Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN");
  const script = isCompiled ? [] : [join(import.meta.dir, "..", "cli", "guildhall.ts")];
  return [process.execPath, ...script, "re-encode"];
}
