import type { Core } from "../core/base/core.ts";
import { isOfThisProgram } from "../core/base/db/write-probe.ts";
import type { Handler } from "../http/preflight.ts";
import type { Version } from "./version.ts";
import { idOfFile, isHeld, isMoving } from "./database-file.ts";

/** Core and request handler on one opened copy of the database. */
export interface Reader {
  core: Core;
  place(): Version;
  handler: Handler;
  /** Ends open streams at once. Closes the rest after the requests in progress are answered. */
  retire(): void;
}

/** Reason why the follower cannot read from the copy. */
export type CopyLack = "copy_missing" | "copy_not_held" | "copy_not_moving" | "copy_unusable";

/** Gives access to the current copy. The replication engine may replace the file at any time. */
export interface Copies {
  current(): Reader | undefined;
  lack(): CopyLack | undefined;
  /** Whether the file was complete during the read that just ended. Callers check this after each read. */
  isWhole(of: Reader): boolean;
  /**
   * Drops a copy that was replaced, is incomplete, damaged or of another program version. Then opens the
   * current file.
   */
  look(): void;
  stop(): void;
}

export interface CopiesOptions {
  file: string;
  /** Throws if the copy cannot be used. */
  open(): Reader;
  /** Called after each change. `error` is the cause. */
  tell(lack: CopyLack | undefined, error?: unknown): void;
}

export function createCopies({ file, open, tell }: CopiesOptions): Copies {
  let reader: Reader | undefined;
  let openedId: string | undefined;
  let lack: CopyLack | undefined;
  let told: string | undefined;
  return {
    current: () => reader,
    lack: () => lack,
    isWhole(of) {
      if (of === reader && idOfFile(file) === openedId && isHeld(file)) return true;
      look();
      return false;
    },
    look,
    stop: drop,
  };

  function look(): void {
    const id = idOfFile(file);
    if (reader && (id !== openedId || !isHeld(file) || isSpoiled(reader))) drop();
    if (reader) return;
    const { found, why, error } = tryOpen(id);
    reader = found;
    openedId = found && id;
    lack = why;
    say(error);
  }

  function tryOpen(id: string | undefined): { found?: Reader; why?: CopyLack; error?: unknown } {
    if (id === undefined) return { why: "copy_missing" };
    if (!isHeld(file)) return { why: "copy_not_held" };
    try {
      return isMoving(file) ? { found: open() } : { why: "copy_not_moving" };
    } catch (error) {
      return { why: "copy_unusable", error };
    }
  }

  function drop(): void {
    reader?.retire();
    reader = undefined;
    openedId = undefined;
  }

  function say(error: unknown): void {
    const words = `${lack ?? ""} ${error instanceof Error ? error.message : ""}`;
    if (words === told) return;
    told = words;
    tell(lack, error);
  }
}

/** Whether the copy is damaged, unreadable, or migrated by a leader that runs another program version. */
function isSpoiled({ core }: Reader): boolean {
  try {
    return !isOfThisProgram(core) || core.db.troubles.open().length > 0;
  } catch {
    return true;
  }
}
