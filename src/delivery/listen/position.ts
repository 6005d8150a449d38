import { randomBytes } from "node:crypto";
import { readPlain } from "../../files/plain-file.ts";
import { Refused } from "./listen.ts";
import { existsSync, renameSync, writeFileSync } from "node:fs";

/** The last forwarded event and the signing secret. */
export interface ListenPosition {
  readonly secret: string;
  after: string | undefined;
  /** Stores the position that the next run continues from. */
  keep(after: string): void;
}

/**
 * Reads the position that the last run stored in a file. Values in `said` take precedence. Without a file,
 * nothing is stored.
 */
export function openPosition(
  file: string | undefined,
  said: { after: string | undefined; secret: string | undefined },
): ListenPosition {
  const left = file !== undefined && existsSync(file) ? parse(file) : {};
  const place: ListenPosition = {
    secret: said.secret ?? left.secret ?? `whsec_${randomBytes(32).toString("base64")}`,
    after: said.after ?? left.after,
    keep(after) {
      place.after = after;
      if (file === undefined) return;
      // Replaces the file atomically, because the process may be stopped at any moment.
      writeFileSync(`${file}.new`, `${JSON.stringify({ after, secret: place.secret })}\n`, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
  return place;
}

function parse(file: string): { after?: string; secret?: string } {
  try {
    const { after, secret } = JSON.parse(readPlain(file).toString("utf8"));
    return {
      ...(typeof after === "string" ? { after } : {}),
      ...(typeof secret === "string" ? { secret } : {}),
    };
  } catch {
    throw new Refused(
      `${file} is not a state file of \`guildhall listen\`. Name another file, or delete it.`,
    );
  }
}
