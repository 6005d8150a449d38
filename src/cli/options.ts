import type { Command } from "commander";

export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The settings file of this machine. Used if no other is named. */
  readonly settings: string;
  /** Lowers the priority of the process. Set only in a process that runs one command and ends. */
  readonly lowerPriority?: () => void;
}

/** An error that the operator can fix. The message says how. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Options of every command that uses a community. */
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

export function wholeNumber(option: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
    if (value >= min && value <= max) return value;
    throw new UsageError(`${option} must be a whole number between ${min} and ${max}.`);
  };
}
