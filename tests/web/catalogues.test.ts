// docs/contract.md#9.13: what a sentence tells, it tells in every language.
import { expect, test } from "bun:test";
import { FAULTS } from "../../src/core/ground/refusals/faults.ts";
import { REFUSALS } from "../../src/core/ground/refusals/refusals.ts";
import type { Params } from "../../src/core/ground/refusals/say.ts";
import { ACTS } from "../../src/core/identity/audit/acts.ts";
import { FAILURES } from "../../src/core/outbox/deliveries/failures.ts";
import { de } from "../../src/web/words/de.ts";
import { en } from "../../src/web/words/en.ts";
import { es } from "../../src/web/words/es.ts";
import { type Sentence, sayIn } from "../../src/web/words/sentence.ts";
import type { Words } from "../../src/web/words/words.ts";

const OTHERS: readonly Words[] = [de, es];

/** What is told as a text; all else is a number. */
const TEXTS =
  /^(?:message|until|scopes?|types|names|days|username|name|host|from|to|url|kind|title|role|means)$/;

/** For every place of the English sentence something to tell. */
function toldTo(sentence: string): Params {
  const places = [...sentence.matchAll(/\{(\w+)(:[^}]+)?\}/g)];
  return Object.fromEntries(
    places.map(([, place = "", noun]) => [
      place,
      noun === undefined && TEXTS.test(place) ? "2026-11-20T09:30:00Z" : 7,
    ]),
  );
}

const HOLES = /\{|\}|\bundefined\b|\bNaN\b|Invalid Date|\[object/;

test("a refusal, a field and a failure are said with what the core tells of them, in every language", () => {
  const holes: string[] = [];
  for (const words of [en, ...OTHERS]) {
    const { refusals, codes, forms } = words;
    const look = (code: string, sentence: Sentence, english: string): void => {
      const said = sayIn(forms, sentence, toldTo(english));
      if (HOLES.test(said) || said.trim() === "") holes.push(`${words.language} ${code}: ${said}`);
    };
    for (const [code, { says }] of Object.entries(REFUSALS))
      look(code, refusals.of[code as keyof typeof REFUSALS], says);
    for (const [code, says] of Object.entries(FAULTS))
      look(code, refusals.fields[code as keyof typeof FAULTS], says);
    for (const [code, says] of Object.entries(FAILURES))
      look(code, codes.failures[code as keyof typeof FAILURES], says);
  }
  expect(holes).toEqual([]);
});

test("an act of the log names in every language what it was done to", () => {
  const holes: string[] = [];
  for (const { language, codes } of OTHERS) {
    for (const [act, english] of Object.entries(ACTS)) {
      const detail = Object.fromEntries(
        Object.entries(toldTo(english)).map(([part, value]) => [
          part,
          typeof value === "number" ? value : "zz",
        ]),
      );
      const said = codes.acts[act as keyof typeof ACTS];
      const whole =
        typeof said === "function"
          ? said(detail)
          : said.replace(/\{(\w+)\}/g, (_, part: string) => String(detail[part] ?? "…"));
      if (HOLES.test(whole) || whole.includes("…")) holes.push(`${language} ${act}: ${whole}`);
    }
  }
  expect(holes).toEqual([]);
});

/** Its places and the addresses of its links, each as often as it stands there. */
const tellsOf = (said: string): string[] =>
  [...said.matchAll(/\{\w+\}|\]\([^)]+\)/g)].map(([found]) => found).sort();

type Told = Record<string, string[]>;

/** Read above, the same in every language, or made of parts that no number stands for. */
const BESIDE = new Set([".forms", ".refusals", ".codes", ".told", ".health.charts"]);

/** What each word tells; a function is asked with ones and with sevens, of what it takes. */
function tells(words: unknown, path: string, into: Told): Told {
  if (BESIDE.has(path)) return into;
  if (typeof words === "string") into[path] = tellsOf(words);
  else if (typeof words === "function") {
    for (const value of [1, 7]) {
      const said: unknown = words(...Array.from({ length: words.length }, () => value));
      if (typeof said === "string") into[`${path}(${value})`] = tellsOf(said);
    }
  } else if (typeof words === "object" && words !== null)
    for (const [key, value] of Object.entries(words)) tells(value, `${path}.${key}`, into);
  return into;
}

test("every sentence has the places and the links of the English one", () => {
  const wanted = tells(en, "", {});
  expect(Object.keys(wanted).length).toBeGreaterThan(1000);
  for (const words of OTHERS) {
    const found = tells(words, "", {});
    const other = Object.keys(wanted)
      .filter((path) => String(wanted[path]) !== String(found[path]))
      .map((path) => `${words.language}${path}: ${String(wanted[path])} is ${String(found[path])}`);
    expect(other).toEqual([]);
  }
});

test("a form of counting that English lacks is filled in", () => {
  expect([1, 2, 1_000_000].map(es.feed.card.replies)).toEqual([
    "1 respuesta",
    "2 respuestas",
    "1.000.000 de respuestas",
  ]);
});

/** Every text of it, by its path; what a function says is looked at above. */
function textsOf(words: object, path = ""): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === "string"
      ? [[`${path}.${key}`, value]]
      : typeof value === "object" && value !== null
        ? textsOf(value, `${path}.${key}`)
        : [],
  );
}

test("nothing of three words is left in English", () => {
  const english = new Map(textsOf(en));
  const left = OTHERS.flatMap((words) =>
    textsOf(words)
      .filter(([path, text]) => english.get(path) === text && /(?:\p{L}{2,}[.,:;]? ){2}\p{L}/u.test(text))
      .map(([path]) => `${words.language}${path}`),
  );
  expect(left).toEqual([]);
});
