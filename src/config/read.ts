import { accessSync } from "node:fs";
import { join, resolve } from "node:path";
import { ConfigError, readSettingsFile, reasonOf, type SettingsFile } from "./file.ts";
import { nearest } from "./nearest.ts";
import { webOrigin } from "./parsers.ts";
import { type AnySetting, formatHint, keyOf, type Setting, variableOf } from "./setting.ts";
import { SETTINGS } from "./table.ts";
import { tlsOf } from "./tls.ts";
import type { TlsSettings } from "../operate/tls/tls.ts";

type Settings = typeof SETTINGS;
/** The value of each setting, by its name in the table. */
export type Values = {
  readonly [Name in keyof Settings]: Settings[Name] extends Setting<infer Value> ? Value : never;
};

/**
 * All settings of the operator. No other code reads the environment. Reloads change the configuration of a
 * running server (`createReloadableConfig`), so code reads reloadable settings at each use.
 */
export interface Config extends Omit<
  Values,
  `graphql${string}` | `tls${string}` | `acme${string}` | "httpPort"
> {
  /** Undefined for plain HTTP. */
  readonly tls: TlsSettings | undefined;
  /** Introspection and persisted documents of GraphQL. */
  readonly graphql: {
    readonly introspection: boolean;
    readonly documents: ReadonlyMap<string, string>;
    readonly documentsOnly: boolean;
    readonly answerMaxBytes: number;
  };
  /**
   * The file of systemd's credential `guildhall.key`. Undefined if there is none, or if the operator
   * configured another key file.
   */
  readonly credential: string | undefined;
  /** Number of requests that this process may send at once; see cli/request-limit.ts. */
  readonly requestsAtOnce: number;
  readonly settingsFile: SettingsFile | undefined;
  readonly values: Values;
}

/** Settings from the command line. They override the environment, which overrides the settings file. */
export interface Flags {
  host?: string | undefined;
  port?: string | undefined;
  data?: string | undefined;
  follow?: string | undefined;
  settings?: string | undefined;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** A setting's text, and its source as named in messages. */
interface SourcedValue {
  readonly where: string;
  readonly text: string;
}

export interface EffectiveSetting {
  readonly setting: AnySetting;
  /** Undefined if the default applies. */
  readonly given: SourcedValue | undefined;
}

const ALL: readonly AnySetting[] = Object.values<AnySetting>(SETTINGS);
/**
 * Variables that are not settings: the path of the settings file, and the token of `guildhall listen`. The
 * token may also be set in a shell that starts a server.
 */
const OTHER_VARIABLES = ["GUILDHALL_SETTINGS", "GUILDHALL_TOKEN"];

/**
 * Reads the configuration and changes nothing. `standard` is the settings file of this machine, used if no
 * other file is named. Throws ConfigError for the first setting that is invalid or unknown.
 */
export function readConfig(variables: Variables, flags: Flags = {}, standard?: string): Config {
  const { file, given } = sources(variables, flags, standard);
  const data = valueOf(SETTINGS.data, given(SETTINGS.data), "");
  const values = Object.fromEntries(
    Object.entries<AnySetting>(SETTINGS).map(([name, each]) => [name, valueOf(each, given(each), data)]),
  ) as Values;
  refuseUnknown(variables);
  const made = configFrom(values);
  const { graphql } = made;
  if (graphql.documentsOnly && graphql.documents.size === 0) {
    throw new ConfigError(
      "GUILDHALL_GRAPHQL_DOCUMENTS_ONLY is true, but no documents are set. Set GUILDHALL_GRAPHQL_DOCUMENTS to the file of the documents.",
    );
  }
  if (values.key !== undefined && given(SETTINGS.keyFile))
    throw new ConfigError("GUILDHALL_KEY and GUILDHALL_KEY_FILE both set the key. Remove one of them.");
  if ((values.smtpUrl === undefined) !== (values.mailFrom === undefined))
    throw new ConfigError(
      "GUILDHALL_SMTP_URL and GUILDHALL_MAIL_FROM belong together. Set both, or neither.",
    );
  const isKeyGiven = values.key !== undefined || given(SETTINGS.keyFile) !== undefined;
  const credential = isKeyGiven ? undefined : credentialIn(variables);
  const requestsAtOnce = Number.parseInt(variables["BUN_CONFIG_MAX_HTTP_REQUESTS"] ?? "", 10) || 256;
  return Object.freeze<Config>({
    ...made,
    tls: tlsOf(values),
    credential,
    requestsAtOnce,
    settingsFile: file,
    values,
  });
}

export function configFrom(values: Values) {
  const {
    graphqlIntrospection,
    graphqlDocuments,
    graphqlDocumentsOnly,
    graphqlAnswerMax,
    tlsCert,
    tlsKey,
    acme,
    acmeDirectory,
    acmeCa,
    httpPort,
    ...others
  } = values;
  const graphql = {
    introspection: graphqlIntrospection === "on",
    documents: graphqlDocuments,
    documentsOnly: graphqlDocumentsOnly === "true",
    answerMaxBytes: graphqlAnswerMax,
  };
  return { ...others, graphql };
}

/** Returns every setting with the source of its value. */
export function effectiveSettings(variables: Variables, flags: Flags, standard?: string): EffectiveSetting[] {
  const { given } = sources(variables, flags, standard);
  return ALL.map((setting) => ({ setting, given: given(setting) }));
}

function sources(
  variables: Variables,
  flags: Flags,
  standard: string | undefined,
): { file: SettingsFile | undefined; given(setting: AnySetting): SourcedValue | undefined } {
  const file = fileOf(variables, flags, standard);
  return {
    file,
    given(setting) {
      const flag = setting.flag && flags[setting.flag];
      if (flag !== undefined) return { where: `--${setting.flag}`, text: flag };
      const variable = textIn(variables, variableOf(setting));
      if (variable !== undefined) return { where: variableOf(setting), text: variable };
      return file?.entries.get(keyOf(setting));
    },
  };
}

/** Returns undefined for a variable that is empty. */
function textIn(variables: Variables, name: string): string | undefined {
  return variables[name]?.trim() || undefined;
}

/**
 * Reads the named settings file, or the machine's own. The machine's file belongs to one community, so it is
 * ignored if a command names another data folder.
 */
function fileOf(variables: Variables, flags: Flags, standard: string | undefined): SettingsFile | undefined {
  const named = flags.settings ?? textIn(variables, "GUILDHALL_SETTINGS");
  if (named !== undefined) return readSettingsFile(named);
  if (standard === undefined || !exists(standard)) return undefined;
  const folder = flags.data ?? textIn(variables, "GUILDHALL_DATA");
  const file = readSettingsFile(standard);
  const its = file.entries.get("data");
  if (folder !== undefined && (!its || resolve(its.text) !== resolve(folder))) return undefined;
  if (!its) throw new ConfigError(`${standard} names no data folder. Add data = "/var/lib/guildhall".`);
  return file;
}

/** Returns the credential of a unit with `LoadCredential=guildhall.key:FILE` (systemd.exec(5)). */
function credentialIn(variables: Variables): string | undefined {
  const folder = textIn(variables, "CREDENTIALS_DIRECTORY");
  if (folder === undefined) return undefined;
  const file = join(folder, "guildhall.key");
  return exists(file) ? file : undefined;
}

/**
 * Whether the file exists. Also true for a file that this user may not access. Otherwise a server would start
 * without its settings.
 */
function exists(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes(reasonOf(error));
  }
}

function valueOf<Value>(setting: Setting<Value>, given: SourcedValue | undefined, data: string): Value {
  if (given) return read(setting, given);
  const { default: text, unset } = setting;
  return (text === undefined ? unset : setting.parse(text.replace(/^DATA\b/, data))) as Value;
}

function read<Value>(
  setting: Pick<Setting<Value>, "parse" | "example" | "bounds" | "isSecret">,
  { where, text }: SourcedValue,
): Value {
  let value: Value | undefined;
  try {
    value = setting.parse(text);
  } catch {
    value = undefined;
  }
  if (value !== undefined) return value;
  const shown = setting.isSecret ? "" : ` is ${JSON.stringify(text)}, which`;
  throw new ConfigError(`${where}${shown} is not valid. ${formatHint(setting)}`);
}

/** Reads a public address from the command line. Throws ConfigError. */
export function readOrigin(flag: string, text: string): string {
  return read({ parse: webOrigin, example: "https://guild.example" }, { where: flag, text });
}

/** Names similar to our prefix, which are probably mistyped settings. */
const PREFIX_LIKE = /^guild_?hall?_/i;

/**
 * Throws ConfigError for an unknown variable. A mistyped name, such as `GUILDHALL_SIGNUPS=closed`, would
 * otherwise silently leave a setting at its default.
 */
function refuseUnknown(variables: Variables): void {
  const known = [...ALL.map(variableOf), ...OTHER_VARIABLES];
  for (const [name, text] of Object.entries(variables)) {
    if (!PREFIX_LIKE.test(name) || known.includes(name) || !text?.trim()) continue;
    throw new ConfigError(
      `${name} is not a setting. The nearest is ${nearest(name, known)}. Correct or remove it.`,
    );
  }
}
