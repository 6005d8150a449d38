import { type Config, readConfig } from "../config/config.ts";
import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { getSetting } from "../core/base/db/settings.ts";
import { createFolderCore, openDataFolder } from "../app/data-folder.ts";
import type { DataFlags, Environment } from "./options.ts";

/**
 * Longest time that a command waits for the server's lock on the database. A command's own transactions are
 * short, so that the server never waits long.
 */
const BUSY_MS = 5 * SECOND;

/**
 * Returns the configuration for one command from its flags, the environment and the settings file. Throws
 * ConfigError.
 */
export function configOf(
  environment: Environment,
  flags: DataFlags & { host?: string; port?: string },
): Config {
  return readConfig(environment.variables, flags, environment.settings);
}

/**
 * Opens the data folder for one command, and closes it in every case. `mayCreate` allows creating a
 * community. `lock` locks the folder against servers. `prints: "links"` warns if links would work only on
 * this machine.
 */
export async function withCore<Result>(
  environment: Environment,
  flags: DataFlags & { mayCreate?: boolean; lock?: boolean; prints?: "links" | undefined },
  work: (core: Core) => Result | Promise<Result>,
): Promise<Result> {
  const config = configOf(environment, flags);
  const { mayCreate = false, lock = false } = flags;
  const dataFolder = openDataFolder(config, { busyMs: BUSY_MS, mayCreate, lock });
  for (const message of dataFolder.messages) process.stderr.write(`guildhall: ${message}\n`);
  try {
    // The public URL of the last server that ran here, if there was one.
    const knownOrigin = config.origin ?? getSetting(dataFolder, "origin");
    const origin = knownOrigin ?? `http://${config.host}:${config.port}`;
    const result = await work(createFolderCore(dataFolder, config, origin));
    if (knownOrigin === undefined && flags.prints === "links")
      process.stderr.write(
        `guildhall: No server has run on this folder yet, so links begin with ${origin}. Set GUILDHALL_ORIGIN to the public URL and create them again.\n`,
      );
    return result;
  } finally {
    dataFolder.close();
  }
}
