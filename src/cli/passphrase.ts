import type { Command } from "commander";
import { readFileSync } from "node:fs";
import { readRegularFile } from "../files/regular-file.ts";
import { UsageError } from "./options.ts";

export interface PassphraseFlags {
  passphrase?: boolean;
  passphraseFile?: string;
}

/**
 * Options for a passphrase. The passphrase itself is never an argument, because every user of the machine can
 * read arguments.
 */
export function passphraseOptions(command: Command): Command {
  return command
    .option("--passphrase", "Encrypt or decrypt with the passphrase in the first line of standard input")
    .option(
      "--passphrase-file <file>",
      "Encrypt or decrypt with the passphrase in the first line of this file",
    );
}

/** Returns undefined if no passphrase is used. Throws UsageError if it is empty or cannot be read. */
export function readPassphrase({ passphrase, passphraseFile }: PassphraseFlags): string | undefined {
  if (passphraseFile !== undefined) return firstLine(passphraseFile, passphraseFile);
  return passphrase ? firstLine(0, "stdin") : undefined;
}

function firstLine(from: string | number, name: string): string {
  let bytes: Buffer;
  try {
    bytes = typeof from === "number" ? readFileSync(from) : readRegularFile(from, { mayBePipe: true });
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`${name} cannot be read (${reason}). Its first line must be the passphrase.`);
  }
  const end = bytes.indexOf("\n");
  const line = textOf(end < 0 ? bytes : bytes.subarray(0, end), name).replace(/\r$/, "");
  if (line === "")
    throw new UsageError(`${name} begins with an empty line. Its first line must be the passphrase.`);
  return line;
}

/**
 * Rejects invalid UTF-8. Otherwise all invalid bytes would decode to one character, and different passphrases
 * would open the same backup.
 */
function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`The first line of ${name} is not UTF-8. Write the passphrase in UTF-8.`);
  }
}
