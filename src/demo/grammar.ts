import { wordingIndex } from "./shuffled-deck.ts";
import { between, hashText, type Random } from "./random.ts";

/** Generates the text of one template. */
export type Fill = (draw: Draw) => string;

/** A record of facts that fit together, such as a bug with its symptom, cause and fix. */
export type Entry = Readonly<Record<string, string | readonly string[]>>;

/**
 * Random numbers and records from which the text of one item is generated. Slots that name the same record
 * agree across the text, its title, its tags and its replies.
 */
export interface Draw {
  random: Random;
  seed: number;
  /** How often this template has been used before. Alternative wordings rotate by this number. */
  round: number;
  words: Record<string, string>;
  bound: Map<string, Bound>;
  /** Chooses the record of a pool that the text is about. `nth` counts the records of one pool. */
  choose: (pool: string, size: number, nth: number) => number;
}

export interface Bound {
  index: number;
  entry: Compiled;
  /** Index of the first element to use in fields that are lists. */
  shift: number;
}

/** The compiled pools of records of a grammar. */
export interface Vocabulary {
  pools: ReadonlyMap<string, readonly Compiled[]>;
}

/** A template, the pools that it draws from, and the number of records from each. */
export interface Template {
  fill: Fill;
  uses: ReadonlyMap<string, number>;
}

interface Compiled {
  fields: ReadonlyMap<string, readonly Fill[]>;
  source: Entry;
}

/** Fields with program code, in which braces are literal. */
const verbatim = new Set(["code", "cmd"]);

/** Compiles pools of records. Fields may contain slots, except for references to other pools. */
export function vocabulary(pools: Readonly<Record<string, readonly Entry[]>>): Vocabulary {
  const none: Vocabulary = { pools: new Map() };
  const entry = (source: Entry): Compiled => ({
    source,
    fields: new Map(
      Object.entries(source).map(([field, value]) => {
        const texts: readonly string[] = typeof value === "string" ? [value] : value;
        return [field, texts.map((text) => (verbatim.has(field) ? () => text : template(none, text).fill))];
      }),
    ),
  });
  return { pools: new Map(Object.entries(pools).map(([name, entries]) => [name, entries.map(entry)])) };
}

/**
 * Compiles a template once, so that filling it a million times is cheap. Slots are in braces:
 *
 * - `{bug.cause}`: a field of the record that this text is about
 * - `{done+1.text}`: a field of a second record
 * - `{project.feature+1}`: another element of a field that is a list
 * - `{^bug.topic}`: the same with a capital letter
 * - `{today}`: a word from the caller
 * - `{12..40}`: a number; `{1000..9000,}`: with a thousands separator
 * - `{one wording|another|}`: alternatives, which may contain slots
 *
 * A brace before a space, a line break, a quotation mark or another brace is literal.
 */
export function template(words: Vocabulary, text: string): Template {
  const uses = new Map<string, number>();
  const reader: Reader = { text, at: 0, lexicon: words, uses };
  return { fill: sequence(reader, false), uses };
}

/** Returns the record of a slot. The record is chosen at its first use in the text. */
export function recordOf(draw: Draw, words: Vocabulary, pool: string, nth: number): Bound {
  const key = nth === 0 ? pool : pool + nth;
  const known = draw.bound.get(key);
  if (known !== undefined) return known;
  const entries = words.pools.get(pool) ?? [];
  const index = draw.choose(pool, entries.length, nth);
  const entry = entries[index];
  if (entry === undefined) throw new Error("no record " + index + " in pool " + pool);
  const bound = { index, entry, shift: Math.floor(draw.random() * 64) };
  draw.bound.set(key, bound);
  return bound;
}

interface Reader {
  text: string;
  at: number;
  lexicon: Vocabulary;
  uses: Map<string, number>;
}

/**
 * Compiles up to the end of the text. Inside a slot, it stops at the `|` or `}` that closes the alternative.
 */
function sequence(reader: Reader, inside: boolean): Fill {
  const parts: Fill[] = [];
  let literal = "";
  let depth = 0;
  const flush = () => {
    const text = literal;
    if (text !== "") parts.push(() => text);
    literal = "";
  };
  while (reader.at < reader.text.length) {
    const character = reader.text[reader.at] ?? "";
    if (inside && depth === 0 && (character === "|" || character === "}")) break;
    if (character === "{" && startsSlot(reader.text[reader.at + 1])) {
      flush();
      parts.push(slot(reader));
      continue;
    }
    if (character === "{") depth += 1;
    if (character === "}" && depth > 0) depth -= 1;
    literal += character;
    reader.at += 1;
  }
  flush();
  return joined(parts);
}

function startsSlot(next: string | undefined): boolean {
  return next !== undefined && !" \n{}\"':%".includes(next);
}

function slot(reader: Reader): Fill {
  const start = reader.at + 1;
  const options: Fill[] = [];
  do {
    reader.at += 1;
    options.push(sequence(reader, true));
  } while (reader.text[reader.at] === "|");
  if (reader.text[reader.at] !== "}") throw new Error("unclosed slot in: " + reader.text);
  const source = reader.text.slice(start, reader.at);
  reader.at += 1;
  return options.length > 1 ? choice(options, hashText(source) + start) : reference(reader, source);
}

function choice(options: readonly Fill[], id: number): Fill {
  const size = options.length;
  return (draw) => options[wordingIndex(size, draw.round, draw.seed, id)]?.(draw) ?? "";
}

function reference(reader: Reader, source: string): Fill {
  const range = /^(\d+)\.\.(\d+)(,?)$/.exec(source);
  if (range) return number(Number(range[1]), Number(range[2]), range[3] === ",");
  const decimal = /^(\d+)\.(\d)\.\.(\d+)\.(\d)$/.exec(source);
  if (decimal) throw new Error("ranges are whole numbers: " + source);
  const name = /^(\^?)([a-z]+)(?:\+(\d))?(?:\.([a-z0-9]+)(?:\+(\d))?)?$/.exec(source);
  if (!name) throw new Error("unreadable slot {" + source + "} in: " + reader.text);
  const [, capital, pool = "", nth = "0", field, offset = "0"] = name;
  const fill = field === undefined ? word(pool) : fieldOf(reader, pool, Number(nth), field, Number(offset));
  return capital === "^" ? (draw) => capitalised(fill(draw)) : fill;
}

function word(name: string): Fill {
  return (draw) => {
    const known = draw.words[name];
    if (known === undefined) throw new Error("no word for {" + name + "}");
    return known;
  };
}

function fieldOf(reader: Reader, pool: string, nth: number, field: string, offset: number): Fill {
  const words = reader.lexicon;
  if (!words.pools.get(pool)?.every((entry) => entry.fields.has(field))) {
    throw new Error("no " + pool + "." + field + " for: " + reader.text);
  }
  reader.uses.set(pool, Math.max(reader.uses.get(pool) ?? 0, nth + 1));
  return (draw) => {
    const { entry, shift } = recordOf(draw, words, pool, nth);
    const fills = entry.fields.get(field) ?? [];
    return fills[(shift + offset) % fills.length]?.(draw) ?? "";
  };
}

function number(low: number, high: number, separated: boolean): Fill {
  return (draw) => {
    const digits = String(between(draw.random, low, high));
    return separated && digits.length > 3 ? digits.slice(0, -3) + "," + digits.slice(-3) : digits;
  };
}

function joined(parts: readonly Fill[]): Fill {
  const [only] = parts;
  if (only === undefined) return () => "";
  if (parts.length === 1) return only;
  return (draw) => {
    let text = "";
    for (const part of parts) text += part(draw);
    return text;
  };
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
