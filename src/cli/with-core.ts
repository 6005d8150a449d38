import { readConfig } from "../config.ts";
import { SECOND } from "../core/clock.ts";
import type { Core } from "../core/core.ts";
import { coreOn, openGround } from "../ground.ts";
import type { Environment } from "./program.ts";

/** A tool may wait for the server's lock; its own transactions are short, so that the server never waits long. */
const BUSY_MS = 5 * SECOND;

/** Opens the data folder for one command and closes it whatever happens. */
export async function withCore<Result>(
  environment: Environment,
  flags: { data?: string },
  work: (core: Core) => Result | Promise<Result>,
): Promise<Result> {
  const config = readConfig(environment.variables, flags);
  const ground = openGround(config, { busyMs: BUSY_MS });
  try {
    return await work(coreOn(ground, config, config.origin ?? `http://${config.host}:${config.port}`));
  } finally {
    ground.db.close();
  }
}
