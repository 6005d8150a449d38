import type { Core } from "../core/base/core.ts";
import { isOfThisProgram } from "../core/base/db/write-probe.ts";
import type { Handler } from "../http/preflight.ts";
import type { Version } from "./version.ts";
import { idOfFile, isHeld, isMoving } from "./database-file.ts";

/** Everything that answers from one copy of the database. */
export interface Reader {
  core: Core;
  /** How far the copy is. */
  place(): Version;
  handler: Handler;
  /** Ends its streams at once, and the rest when what it was asked has been answered. */
  retire(): void;
}

/** Why there is no copy to read from. */
export type CopyLack = "copy_missing" | "copy_not_held" | "copy_not_moving" | "copy_unusable";

/** The copy that is read from by now, however often another one takes its place. */
export interface Copies {
  current(): Reader | undefined;
  lack(): CopyLack | undefined;
  /** Whether what was just read from this one was whole; asked after each read. */
  isWhole(of: Reader): boolean;
  /** Looks whether the file is still the same, whole and of this program; opens what is new. */
  look(): void;
  stop(): void;
}

export interface CopiesOptions {
  file: string;
  /** Throws where it cannot be used. */
  open(): Reader;
  /** Hears each change; `error` is what stood in the way. */
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

/** Damaged, not to be read, or of another program by now: its leader was brought up to date. */
function isSpoiled({ core }: Reader): boolean {
  try {
    return !isOfThisProgram(core) || core.db.troubles.open().length > 0;
  } catch {
    return true;
  }
}
