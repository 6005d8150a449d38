/** What a setting's value is, as an operator would say it. */
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

/**
 * One thing that the operator decides, said once: whoever reads, shows or documents it takes it from here.
 */
export interface Setting<Value> {
  /** What follows `GUILDHALL_`; in a settings file it stands in small letters. */
  readonly name: string;
  readonly type: SettingType;
  /** Reads its text; gives undefined, or throws, for one that it does not take. */
  readonly parse: (text: string) => Value | undefined;
  /** A text that the parser takes. Where there are few, all of them. */
  readonly example: string | readonly string[];
  /** What holds for all texts that it takes, such as the unit and the bounds. */
  readonly bounds?: string;
  /** A noun phrase, and sentences after it where it needs them. Without the last full stop. */
  readonly meaning: string;
  /** As one would write it. `DATA` in it is the data folder. */
  readonly default?: string;
  /** What it is without a default. */
  readonly none?: Value;
  /** What the documents say in place of the default. */
  readonly otherwise?: string;
  /** The option of the command line that is the same. It wins. */
  readonly flag?: "data" | "follow" | "host" | "port";
  /** Never shown, and nobody else should be able to read a file that holds it. */
  readonly isSecret?: true;
  /** A running server takes a change. All others want a restart. */
  readonly isReloaded?: true;
}

/** For the table: takes the type of the value from the parser. */
export function setting<Value>(said: Setting<Value>): Setting<Value> {
  return said;
}

export type AnySetting = Setting<unknown>;

/** `GUILDHALL_WEBHOOK_CA` */
export function variableOf({ name }: Pick<AnySetting, "name">): string {
  return `GUILDHALL_${name}`;
}

/** `webhook_ca` */
export function keyOf({ name }: Pick<AnySetting, "name">): string {
  return name.toLowerCase();
}

/** `Write it like 8787 (0 picks a free one).`, `Use open, invite or closed.` */
export function howToWrite({ example, bounds }: Pick<AnySetting, "example" | "bounds">): string {
  const text = typeof example === "string" ? `Write it like ${example}` : `Use ${oneOfThese(example)}`;
  return bounds === undefined ? `${text}.` : `${text} (${bounds}).`;
}

/** `Port to listen on (0 picks a free one).` The bounds follow the first sentence. */
export function sentencesOf({ meaning, bounds }: Pick<AnySetting, "meaning" | "bounds">): string {
  const [first = "", ...rest] = meaning.split(/(?<=\.) /);
  const held = bounds === undefined ? "" : ` (${bounds})`;
  return (
    [`${first.replace(/\.$/, "")}${held}`, ...rest.map((each) => each.replace(/\.$/, ""))].join(". ") + "."
  );
}

function oneOfThese(values: readonly string[]): string {
  return `${values.slice(0, -1).join(", ")} or ${values.at(-1) ?? ""}`;
}
