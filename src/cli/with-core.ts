import { type Config, readConfig } from "../config/config.ts";
import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { getSetting } from "../core/base/db/settings.ts";
import { createFolderCore, openDataFolder } from "../app/data-folder.ts";
import type { DataFlags, Environment } from "./options.ts";

/**
 * A tool may wait for the server's lock; its own transactions are short, so that the server never waits long.
 */
const BUSY_MS = 5 * SECOND;

/** What holds for one command: its flags, the environment and the settings file. Throws ConfigError. */
export function configOf(
  environment: Environment,
  flags: DataFlags & { host?: string; port?: string },
): Config {
  return readConfig(environment.variables, flags, environment.settings);
}

/**
 * Opens the data folder for one command and closes it whatever happens. Only what founds a community may make
 * one; with `holds`, no server may work on it meanwhile; with `prints: "links"`, it is told where they would
 * lead to nobody but this machine.
 */
export async function withCore<Result>(
  environment: Environment,
  flags: DataFlags & { mayCreate?: boolean; holds?: boolean; prints?: "links" | undefined },
  work: (core: Core) => Result | Promise<Result>,
): Promise<Result> {
  const config = configOf(environment, flags);
  const { mayCreate = false, holds = false } = flags;
  const dataFolder = openDataFolder(config, { busyMs: BUSY_MS, mayCreate, holds });
  for (const words of dataFolder.messages) process.stderr.write(`guildhall: ${words}\n`);
  try {
    // The server's own address, where it has run here before.
    const known = config.origin ?? getSetting(dataFolder, "origin");
    const origin = known ?? `http://${config.host}:${config.port}`;
    const result = await work(createFolderCore(dataFolder, config, origin));
    if (known === undefined && flags.prints === "links")
      process.stderr.write(
        `guildhall: No server has run on this folder yet, so links begin with ${origin}. Set GUILDHALL_ORIGIN to the public URL and create them again.\n`,
      );
    return result;
  } finally {
    dataFolder.close();
  }
}
