import { ConfigError } from "./file.ts";
import { type Config, configFrom, type Values } from "./read.ts";
import { type AnySetting, variableOf } from "./setting.ts";
import { SETTINGS } from "./table.ts";

/** Result of a reload. Both lists contain names of variables, in the table's order. */
export interface Reloaded {
  /** Changed settings that are now in effect. */
  readonly applied: readonly string[];
  /** Changed settings that take effect only after a restart. */
  readonly waiting: readonly string[];
}

type Name = keyof Values;

const ALL = Object.entries(SETTINGS) as [Name, AnySetting][];

/** Returns the configuration of a running server, which `applyConfig` may change. */
export function createReloadableConfig(config: Config): Config {
  return { ...config, graphql: { ...config.graphql } };
}

/**
 * Copies the reloadable settings of `next` into `current` (docs/contract.md#12.16). Code that reads a setting
 * at each use gets the new value. Throws ConfigError if the settings file is gone, because its secrets and
 * limits would be lost.
 */
export function applyConfig(current: Config, next: Config): Reloaded {
  if (current.settingsFile && !next.settingsFile)
    throw new ConfigError(
      `The settings file ${current.settingsFile.path} is gone. Put it back, or restart the server to run without it.`,
    );
  const changed = ALL.filter(([name]) => !Bun.deepEquals(current.values[name], next.values[name], true));
  const applied = changed.filter(([, { isReloaded }]) => isReloaded);
  const waiting = changed.filter(([, { isReloaded }]) => !isReloaded);
  const values: Values = {
    ...current.values,
    ...Object.fromEntries(applied.map(([name]) => [name, next.values[name]])),
  };
  const { graphql, ...others } = configFrom(values);
  Object.assign(current.graphql, graphql);
  Object.assign(current, others, { values, settingsFile: next.settingsFile });
  return { applied: applied.map(variableIn), waiting: waiting.map(variableIn) };
}

function variableIn([, setting]: [Name, AnySetting]): string {
  return variableOf(setting);
}
