import type { Command } from "commander";
import { readFileSync } from "node:fs";
import { UsageError } from "./options.ts";

export interface PassphraseFlags {
  passphrase?: boolean;
  passphraseFile?: string;
}

/** A passphrase never stands on the command line, where every user of the machine can read it. */
export function passphraseOptions(command: Command): Command {
  return command
    .option("--passphrase", "encrypted with the passphrase that is the first line of stdin")
    .option("--passphrase-file <file>", "encrypted with the passphrase that is the first line of this file");
}

/** Undefined where none is asked for. Throws UsageError for one that is empty or cannot be read. */
export function readPassphrase({ passphrase, passphraseFile }: PassphraseFlags): string | undefined {
  if (passphraseFile !== undefined) return firstLine(passphraseFile, `the file ${passphraseFile}`);
  return passphrase ? firstLine(0, "stdin") : undefined;
}

function firstLine(from: string | number, name: string): string {
  let text: string;
  try {
    text = readFileSync(from, "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`${name} cannot be read (${reason}); its first line should be a passphrase`);
  }
  const [line = ""] = text.split(/\r?\n/, 1);
  if (line === "")
    throw new UsageError(`${name} begins with an empty line; its first line should be a passphrase`);
  return line;
}
