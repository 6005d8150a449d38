import { tomlValue } from "./file.ts";
import type { EffectiveSetting } from "./read.ts";
import { type AnySetting, keyOf, descriptionOf, variableOf } from "./setting.ts";

const WIDTH = 100;

/**
 * Formats every setting as TOML. A setting that is not set becomes a TOML comment with the default or an
 * example. Includes secrets only with `hasSecrets`, for output into a file.
 */
export function asToml(settings: readonly EffectiveSetting[], { hasSecrets = false } = {}): string {
  return settings.map((each) => `${describe(each.setting)}\n${line(each, hasSecrets)}\n`).join("\n");
}

function line({ setting, given }: EffectiveSetting, hasSecrets: boolean): string {
  const key = keyOf(setting);
  if (given && setting.isSecret && !hasSecrets)
    return `# ${key} is set, but not shown${sourceComment(given.where)}`;
  if (given) return `${key} = ${tomlValue(setting, given.text)}${sourceComment(given.where)}`;
  const [example = ""] = typeof setting.example === "string" ? [setting.example] : setting.example;
  return `# ${key} = ${tomlValue(setting, setting.default ?? example)}`;
}

function sourceComment(where: string): string {
  return where === "" ? "" : `  # from ${where.replace(/^\w+ in /, "")}`;
}

/** Describes a setting: meaning, names, type, default, and whether a change needs a restart. */
function describe(setting: AnySetting): string {
  const { type, example, flag, isReloaded } = setting;
  const names = `${variableOf(setting)}${flag === undefined ? "" : `, --${flag}`}`;
  const kind = typeof example === "string" ? type : `one of ${example.join(", ")}`;
  const usual = setting.default ?? setting.defaultText ?? "none";
  const change = isReloaded ? "A reload applies changes" : "Changes need a restart";
  const sentences = [descriptionOf(setting), `${names}: ${kind}, default ${usual}. ${change}.`];
  return sentences.map((each) => wrapped(each.replaceAll("`", "").split(" "))).join("\n");
}

function wrapped(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines.join("\n");
}
