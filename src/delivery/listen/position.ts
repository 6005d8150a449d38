import { randomBytes } from "node:crypto";
import { readRegularFile } from "../../files/regular-file.ts";
import { ListenRefused } from "./listen.ts";
import { existsSync, renameSync, writeFileSync } from "node:fs";

/** ID of the last forwarded event, and the signing secret. */
export interface ListenPosition {
  readonly secret: string;
  after: string | undefined;
  /** Stores the position that the next run continues from. */
  save(after: string): void;
}

/**
 * Reads the position and the secret that the last run stored in `file`. Values in `options` take precedence
 * over the file. If `file` is `undefined`, nothing is stored.
 */
export function openPosition(
  file: string | undefined,
  options: { after: string | undefined; secret: string | undefined },
): ListenPosition {
  const stored = file !== undefined && existsSync(file) ? parse(file) : {};
  const position: ListenPosition = {
    secret: options.secret ?? stored.secret ?? `whsec_${randomBytes(32).toString("base64")}`,
    after: options.after ?? stored.after,
    save(after) {
      position.after = after;
      if (file === undefined) return;
      // Replaces the file atomically, because the process may be stopped at any moment.
      writeFileSync(`${file}.new`, `${JSON.stringify({ after, secret: position.secret })}\n`, {
        mode: 0o600,
      });
      renameSync(`${file}.new`, file);
    },
  };
  return position;
}

function parse(file: string): { after?: string; secret?: string } {
  try {
    const { after, secret } = JSON.parse(readRegularFile(file).toString("utf8"));
    return {
      ...(typeof after === "string" ? { after } : {}),
      ...(typeof secret === "string" ? { secret } : {}),
    };
  } catch {
    throw new ListenRefused(
      `${file} is not a state file of \`guildhall listen\`. Name another file, or delete it.`,
    );
  }
}
