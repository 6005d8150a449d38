import { ConfigError } from "./file.ts";
import { type Config, configFrom, type Values } from "./read.ts";
import { type AnySetting, variableOf } from "./setting.ts";
import { SETTINGS } from "./table.ts";

/** What came of reading the settings anew. Both are variables' names, in the table's order. */
export interface Reloaded {
  /** Changed, and in force from now on. */
  readonly taken: readonly string[];
  /** Other than when the server was started, and left as they were then. */
  readonly waiting: readonly string[];
}

type Name = keyof Values;

const ALL = Object.entries(SETTINGS) as [Name, AnySetting][];

/** A configuration that `applyConfig` may change: a running server's own. */
export function createReloadableConfig(config: Config): Config {
  return { ...config, graphql: { ...config.graphql } };
}

/**
 * Puts into `held` what of `next` a running server may take (docs/contract.md#12.16). Whoever reads it at use
 * has it from then on. Throws ConfigError where the file that the settings came from has gone: its secrets
 * and bounds would be, too.
 */
export function applyConfig(held: Config, next: Config): Reloaded {
  if (held.settingsFile && !next.settingsFile)
    throw new ConfigError(
      `The settings file ${held.settingsFile.path} is gone. Put it back, or restart the server to run without it.`,
    );
  const changed = ALL.filter(([name]) => !Bun.deepEquals(held.values[name], next.values[name], true));
  const taken = changed.filter(([, { isReloaded }]) => isReloaded);
  const waiting = changed.filter(([, { isReloaded }]) => !isReloaded);
  const values: Values = {
    ...held.values,
    ...Object.fromEntries(taken.map(([name]) => [name, next.values[name]])),
  };
  const { graphql, ...others } = configFrom(values);
  Object.assign(held.graphql, graphql);
  Object.assign(held, others, { values, settingsFile: next.settingsFile });
  return { taken: taken.map(variableIn), waiting: waiting.map(variableIn) };
}

function variableIn([, setting]: [Name, AnySetting]): string {
  return variableOf(setting);
}
