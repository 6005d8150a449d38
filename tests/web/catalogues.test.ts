// docs/contract.md#9.13 and docs/contract.md#9.19: what a sentence tells, it tells in every language, and none lacks a word.
import { expect, test } from "bun:test";
import { join } from "node:path";
import ts from "typescript";
import { FAULTS } from "../../src/core/base/refusals/faults.ts";
import { REFUSALS } from "../../src/core/base/refusals/refusals.ts";
import type { Params } from "../../src/core/base/refusals/sentence.ts";
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
const BESIDE = new Set([".forms", ".refusals", ".codes", ".told", ".health.charts", ".statistics.charts"]);

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

/** What a language may share with English: names, words that it has taken over, and what nobody translates. */
const SHARED = new Set(
  `Feed Logo Prompts prompts Prompt prompt GraphQL Webhooks Junior Senior Staff Principal Lead Remote remote Name Passkeys Personal
   Apps Admin Token Code XP Version ms byte bytes In rust berlin WDJB-MJHT claude-sonnet code-review postgres guildhall doctor`.split(
    /\s+/,
  ),
);

/** Each word as it is said, without its places and addresses. */
function saidIn(words: unknown, path: string, into: Record<string, string>): Record<string, string> {
  if (typeof words === "string") into[path] = words;
  else if (typeof words === "function" && !path.startsWith(".forms.") && !BESIDE.has(path)) {
    const said = tried(() => words(...Array.from({ length: words.length }, () => 7)));
    if (typeof said === "string") into[path] = said;
  } else if (typeof words === "object" && words !== null && path !== ".forms")
    for (const [key, value] of Object.entries(words)) saidIn(value, `${path}.${key}`, into);
  return into;
}

/** A function that takes no numbers says nothing here. */
function tried(say: () => unknown): unknown {
  try {
    return say();
  } catch {
    return undefined;
  }
}

/** What is left in English in `words`, but what both languages share. */
function left(words: Words): string[] {
  const [english, said] = [saidIn(en, "", {}), saidIn(words, "", {})];
  return Object.entries(english)
    .filter(([path, text]) => said[path] === text)
    .filter(([, text]) =>
      (text.replace(/https?:\S+|\{\w+\}|\]\([^)]+\)/g, "").match(/\p{L}[\p{L}-]+/gu) ?? []).some(
        (word) => !SHARED.has(word),
      ),
    )
    .map(([path, text]) => `${words.language}${path}: ${text}`);
}

test("no sentence is left in English", () => {
  expect(Object.keys(saidIn(en, "", {})).length).toBeGreaterThan(1400);
  for (const words of OTHERS) expect(left(words)).toEqual([]);
  const { search, refusals } = en;
  expect(
    left({ ...de, search, refusals: { ...de.refusals, fields: refusals.fields } }).length,
  ).toBeGreaterThan(20);
});

test("a zone is never said by a sentence, and a noun with an s by English alone", () => {
  for (const words of [en, ...OTHERS])
    for (const [path, text] of Object.entries(saidIn(words, "", {}))) {
      expect([words.language, path, text]).not.toEqual([
        words.language,
        path,
        expect.stringMatching(/\} UTC/),
      ]);
      if (words !== en)
        expect([words.language, path, text]).not.toEqual([
          words.language,
          path,
          expect.stringMatching(/\{\w+:/),
        ]);
    }
});

/** What the compiler says of a catalogue. Nothing is read but the words and what the core says. */
function faultsOf(source: string): string[] {
  const root = join(import.meta.dir, "../..");
  const path = join(root, "src/web/words/planted.ts");
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, language) =>
    name === path ? ts.createSourceFile(name, source, language) : read(name, language);
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) => {
      const found = join(from, "..", text);
      const isRead = /\/src\/(?:web\/words|core\/base\/refusals|core\/identity\/audit\/acts)\b/.test(found);
      return {
        resolvedModule:
          isRead && text.startsWith(".")
            ? { resolvedFileName: found, extension: ts.Extension.Ts }
            : undefined,
      };
    });
  const program = ts.createProgram([path], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(path))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

test("a word that a language lacks, or that is told other things, does not compile", () => {
  const faults = faultsOf(`
    import { en } from "./en.ts";
    import type { Words } from "./words.ts";
    export const whole: Words = { ...en, search: { ...en.search, title: "Suche" } };
    const { title, ...search } = en.search;
    export const word: Words = { ...en, search };
    const { text_empty, ...fields } = en.refusals.fields;
    export const rule: Words = { ...en, refusals: { ...en.refusals, fields } };
    const { "account.created": created, ...acts } = en.codes.acts;
    export const act: Words = { ...en, codes: { ...en.codes, acts } };
    const by = (name: string, other: string) => name + other;
    export const told: Words = { ...en, search: { ...en.search, by } };
  `);
  expect(faults).toHaveLength(4);
  for (const [index, lacking] of [
    "'title'",
    "'text_empty'",
    "account.created",
    "too few arguments",
  ].entries())
    expect(faults[index]).toContain(lacking);
});
