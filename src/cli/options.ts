import type { Command } from "commander";

/** What a command sees of the outside. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The settings file of this machine, where no other is named. */
  readonly settings: string;
  /** Lets everything else on the machine go first. Only a process that runs one command and ends has it. */
  readonly lowerPriority?: () => void;
}

/** Something the operator can put right; the message says how. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** What every command that works on a community takes. */
export interface DataFlags {
  data?: string;
  settings?: string;
}

export function dataOption(command: Command): Command {
  return command
    .option("--data <dir>", "Data folder (default: GUILDHALL_DATA or ./data)")
    .option(
      "--settings <file>",
      "Settings file (default: GUILDHALL_SETTINGS or /etc/guildhall/settings.toml)",
    );
}

/** A whole number from an option's text. */
export function wholeNumber(option: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
    if (value >= min && value <= max) return value;
    throw new UsageError(`${option} must be a whole number between ${min} and ${max}.`);
  };
}
