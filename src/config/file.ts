import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import { readRegularFile } from "../files/regular-file.ts";
import { nearest } from "./nearest.ts";
import { type AnySetting, keyOf, type SettingType } from "./setting.ts";
import { SETTINGS } from "./table.ts";

/** A setting that cannot be used. The message names the setting, the problem and a valid value. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** The content of a settings file. Each value is a text in the format of an environment variable. */
export interface SettingsFile {
  readonly path: string;
  /** Settings by key. `where` names a setting in messages. */
  readonly entries: ReadonlyMap<string, { readonly text: string; readonly where: string }>;
  /** Whether the file contains a secret that every user of the machine can read. */
  readonly isOpenToAll: boolean;
}

const BY_KEY: ReadonlyMap<string, AnySetting> = new Map(
  Object.values<AnySetting>(SETTINGS).map((setting) => [keyOf(setting), setting]),
);

/**
 * Reads a TOML file whose keys are settings. Paths in the file are relative to its folder. Throws ConfigError
 * with one line that includes the line number.
 */
export function readSettingsFile(path: string): SettingsFile {
  const text = textOf(path);
  const entries = new Map<string, { text: string; where: string }>();
  for (const [key, value] of Object.entries(tomlOf(path, text))) {
    const where = `${key} in ${path} line ${lineOf(text, key)}`;
    const setting = BY_KEY.get(key);
    if (!setting) {
      throw new ConfigError(
        `${where} is not a setting. The nearest is ${nearest(suggestionFor(key, value), BY_KEY.keys())}. Correct or remove it.`,
      );
    }
    const written = textOfValue(value, setting.type);
    if (written === undefined)
      throw new ConfigError(`${where} must be ${kindOf(setting)}. Write it like ${tomlLineOf(setting)}.`);
    // An empty text counts as not set, as in an environment variable.
    if (written.trim() === "") continue;
    entries.set(key, {
      text: isPath(setting) ? resolve(dirname(resolve(path)), written) : written.trim(),
      where,
    });
  }
  return { path, entries, isOpenToAll: holdsSecret(entries.keys()) && isReadByAll(path) };
}

/**
 * Returns the text for which the nearest setting is suggested. Removes the prefix of an environment variable.
 * For a TOML table, appends its first key.
 */
function suggestionFor(key: string, value: unknown): string {
  const [inner] = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return `${key}${inner === undefined ? "" : `_${inner}`}`.replace(/^GUILDHALL_/i, "");
}

function textOf(path: string): string {
  try {
    return readRegularFile(path).toString("utf8");
  } catch (error) {
    if (reasonOf(error) === "ENOENT")
      throw new ConfigError(
        `There is no settings file ${path}. Correct --settings or GUILDHALL_SETTINGS (/dev/null means no settings).`,
      );
    throw new ConfigError(
      `The settings file ${path} cannot be read (${reasonOf(error)}). Give this user read access, or name another file with --settings (/dev/null means no settings).`,
    );
  }
}

function tomlOf(path: string, text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Uses only the first line of the parser's message. The rest is an excerpt of the file, which may contain
    // secrets.
    const [detail = ""] = error.message.replace("Invalid TOML document: ", "").split("\n");
    throw new ConfigError(`${path} line ${error.line} is not valid TOML: ${detail}`);
  }
}

/** Finds the line of a key, because the parser does not report it. */
function lineOf(text: string, key: string): number {
  const lines = text.split("\n").map((line) =>
    line
      .trimStart()
      .replace(/^\[+\s*/, "")
      .replaceAll(/["']/g, ""),
  );
  const at = lines.findIndex((line) => line.startsWith(key) && /^\s*[=.\]]/.test(line.slice(key.length)));
  return at + 1;
}

/**
 * Returns undefined for a value that no setting of this type can have: a table, a date, a number in a list.
 */
function textOfValue(value: unknown, type: SettingType): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return type === "true or false" ? String(value) : undefined;
  if (typeof value === "number") return type === "number" ? String(value) : undefined;
  const isList =
    Array.isArray(value) && value.every((each) => typeof each === "string" && !each.includes(","));
  return isList && type === "list" ? value.join(",") : undefined;
}

/** Formats a value for a settings file: `8787`, `["a", "b"]`, `"text"`. */
export function tomlValue({ type }: Pick<AnySetting, "type">, text: string): string {
  if (type === "number" || type === "true or false") return text;
  return JSON.stringify(type === "list" ? text.split(",") : text).replaceAll('","', '", "');
}

function tomlLineOf(setting: AnySetting): string {
  const [example = ""] = typeof setting.example === "string" ? [setting.example] : setting.example;
  return `${keyOf(setting)} = ${tomlValue(setting, example)}`;
}

function kindOf({ type }: AnySetting): string {
  if (type === "list") return "a list of strings";
  if (type === "number") return "a number";
  return type === "true or false" ? type : "a string";
}

function isPath({ type }: AnySetting): boolean {
  return type === "file" || type === "folder";
}

function holdsSecret(keys: Iterable<string>): boolean {
  return [...keys].some((key) => BY_KEY.get(key)?.isSecret);
}

/** Always false on Windows, where files have no such permission bits. */
function isReadByAll(path: string): boolean {
  return process.platform !== "win32" && (statSync(path).mode & 0o004) !== 0;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
