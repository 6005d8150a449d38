import type { Core } from "../core/base/core.ts";
import { isOfThisProgram } from "../core/base/db/write-probe.ts";
import type { Handler } from "../http/preflight.ts";
import type { Version } from "./version.ts";
import { idOfFile, isHeld, isMoving } from "./database-file.ts";

/** Core and request handler on one opened copy of the database. */
export interface Reader {
  core: Core;
  position(): Version;
  handler: Handler;
  /** Ends open streams at once. Closes the database when all requests in progress are answered. */
  retire(): void;
}

/** Reason why the follower cannot read from the copy. */
export type CopyProblem = "copy_missing" | "copy_not_held" | "copy_not_moving" | "copy_unusable";

/**
 * The follower's current copy of the database. The replication engine may replace the copy's file at any
 * time.
 */
export interface Copies {
  current(): Reader | undefined;
  problem(): CopyProblem | undefined;
  /**
   * Whether the copy's file was complete during the caller's last read. Callers check this after each read.
   */
  isComplete(of: Reader): boolean;
  /**
   * Drops the open copy if its file was replaced, is incomplete or damaged, or belongs to another program
   * version. Then opens the current file.
   */
  check(): void;
  stop(): void;
}

export interface CopiesOptions {
  file: string;
  /** Throws if the copy cannot be used. */
  open(): Reader;
  /** Called when the problem or its error changes. `error` is the cause of the problem. */
  onChange(problem: CopyProblem | undefined, error?: unknown): void;
}

export function createCopies({ file, open, onChange }: CopiesOptions): Copies {
  let reader: Reader | undefined;
  let openedId: string | undefined;
  let problem: CopyProblem | undefined;
  let reported: string | undefined;
  return {
    current: () => reader,
    problem: () => problem,
    isComplete(of) {
      if (of === reader && idOfFile(file) === openedId && isHeld(file)) return true;
      checkFile();
      return false;
    },
    check: checkFile,
    stop: drop,
  };

  function checkFile(): void {
    const id = idOfFile(file);
    if (reader && (id !== openedId || !isHeld(file) || isUnusable(reader))) drop();
    if (reader) return;
    const { found, reason, error } = tryOpen(id);
    reader = found;
    openedId = found && id;
    problem = reason;
    reportChange(error);
  }

  function tryOpen(id: string | undefined): { found?: Reader; reason?: CopyProblem; error?: unknown } {
    if (id === undefined) return { reason: "copy_missing" };
    if (!isHeld(file)) return { reason: "copy_not_held" };
    try {
      return isMoving(file) ? { found: open() } : { reason: "copy_not_moving" };
    } catch (error) {
      return { reason: "copy_unusable", error };
    }
  }

  function drop(): void {
    reader?.retire();
    reader = undefined;
    openedId = undefined;
  }

  function reportChange(error: unknown): void {
    const report = `${problem ?? ""} ${error instanceof Error ? error.message : ""}`;
    if (report === reported) return;
    reported = report;
    onChange(problem, error);
  }
}

/** Whether the copy is damaged, unreadable, or migrated by a leader that runs another program version. */
function isUnusable({ core }: Reader): boolean {
  try {
    return !isOfThisProgram(core) || core.db.storageFaults.open().length > 0;
  } catch {
    return true;
  }
}
