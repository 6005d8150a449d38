/** Type of a setting's value, as shown to the operator. */
export type SettingType =
  | "address"
  | "duration"
  | "file"
  | "folder"
  | "list"
  | "number"
  | "one of these"
  | "rate"
  | "size"
  | "text"
  | "true or false";

/** Definition of a setting. Parsing, output and documentation all use this definition. */
export interface Setting<Value> {
  /** Name after `GUILDHALL_`. In a settings file, the name is in lower case. */
  readonly name: string;
  readonly type: SettingType;
  /** Parses the setting's text. Returns undefined or throws for an invalid text. */
  readonly parse: (text: string) => Value | undefined;
  /** A valid text. If only a few texts are valid, all of them. */
  readonly example: string | readonly string[];
  /** Constraints on all valid texts, such as the unit and the limits. */
  readonly bounds?: string;
  /** Description: a noun phrase, then more sentences if necessary. The last sentence has no full stop. */
  readonly meaning: string;
  /** The default, as an operator would write it. `DATA` is the data folder. */
  readonly default?: string;
  /** Value of a setting that is not set and has no default. */
  readonly unset?: Value;
  /** Text in the documentation in place of the default. */
  readonly defaultText?: string;
  /**
   * The command-line option for the same setting. The option overrides the variable and the settings file.
   */
  readonly flag?: "data" | "follow" | "host" | "port";
  /**
   * True for a secret, which is never printed. Only the owner should be able to read a file with this
   * setting.
   */
  readonly isSecret?: true;
  /** Whether a reload applies changes. All other settings need a restart. */
  readonly isReloaded?: true;
}

/** Infers the type of the value from the parser. */
export function setting<Value>(definition: Setting<Value>): Setting<Value> {
  return definition;
}

export type AnySetting = Setting<unknown>;

/** Returns a name such as `GUILDHALL_WEBHOOK_CA`. */
export function variableOf({ name }: Pick<AnySetting, "name">): string {
  return `GUILDHALL_${name}`;
}

/** Returns a key such as `webhook_ca`. */
export function keyOf({ name }: Pick<AnySetting, "name">): string {
  return name.toLowerCase();
}

/** Returns a hint such as `Write it like 8787 (0 picks a free one).` or `Use open, invite or closed.` */
export function formatHint({ example, bounds }: Pick<AnySetting, "example" | "bounds">): string {
  const text = typeof example === "string" ? `Write it like ${example}` : `Use ${oneOfThese(example)}`;
  return bounds === undefined ? `${text}.` : `${text} (${bounds}).`;
}

/**
 * Returns sentences such as `Port to listen on (0 picks a free one).` Inserts the bounds after the first
 * sentence.
 */
export function descriptionOf({ meaning, bounds }: Pick<AnySetting, "meaning" | "bounds">): string {
  const [first = "", ...rest] = meaning.split(/(?<=\.) /);
  const boundsText = bounds === undefined ? "" : ` (${bounds})`;
  return (
    [`${first.replace(/\.$/, "")}${boundsText}`, ...rest.map((each) => each.replace(/\.$/, ""))].join(". ") +
    "."
  );
}

function oneOfThese(values: readonly string[]): string {
  return `${values.slice(0, -1).join(", ")} or ${values.at(-1) ?? ""}`;
}
