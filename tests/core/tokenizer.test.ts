// docs/contract.md#4.1: tokens that the core computes must equal the tokens of the index.
import { expect, test } from "bun:test";
import Database from "better-sqlite3";
import fc from "fast-check";
import {
  countMatchingTerms,
  limitWords,
  toSearchTerm,
  tokensOf,
} from "../../src/core/community/fulltext/tokenizer.ts";
import { parseQuery } from "../../src/core/community/fulltext/language.ts";
import { foldText } from "../../src/core/base/text-folding.ts";
import { createTestWorld } from "../support.ts";

/** An index with the same tokenizer: returns its tokens and whether a term matches. */
function openIndex() {
  const sqlite = new Database(":memory:");
  sqlite.exec(`
    CREATE VIRTUAL TABLE told USING fts5 (text, tokenize = "unicode61 remove_diacritics 2 tokenchars '+#'");
    CREATE VIRTUAL TABLE words USING fts5vocab (told, instance)`);
  return {
    [Symbol.dispose]: () => void sqlite.close(),
    put(text: string) {
      sqlite.exec("DELETE FROM told");
      sqlite.prepare("INSERT INTO told (rowid, text) VALUES (1, ?)").run(foldText(text));
    },
    words: () => sqlite.prepare('SELECT term FROM words ORDER BY "offset"').pluck().all() as string[],
    finds: (text: string, isPrefix: boolean) =>
      sqlite
        .prepare("SELECT 1 FROM told WHERE told MATCH ?")
        .get(`"${foldText(text)}"${isPrefix ? "*" : ""}`) !== undefined,
  };
}

const LETTERS = [
  ..."aZ9+#.- ßŁéÉ½²Ⅷ٣日本ǅσςΣİıKﬁ＋Ａ\u0301\u0308\u0345\u200d\u00ad\ue000\u0903\u{1f980}\u{1d400}\u{10ffff}ﷺ\t",
];
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 40 }),
  fc.string({ unit: fc.integer({ min: 1, max: 0xd7ff }).map((code) => String.fromCodePoint(code)) }),
);

test("splits any text into the same tokens as the tokenizer of the index", () => {
  using world = createTestWorld();
  using index = openIndex();
  fc.assert(
    fc.property(text, (content) => {
      // Stored texts never contain NUL.
      const kept = content.toWellFormed().replaceAll("\0", "");
      index.put(kept);
      expect(tokensOf(world.core, kept)).toEqual(index.words());
    }),
    { numRuns: 1500 },
  );
});

test("learns every letter of every script as the index does, a thousand at a time", () => {
  using world = createTestWorld();
  using index = openIndex();
  for (let from = 1; from < 0x3000; from += 1024) {
    const content = Array.from({ length: 1024 }, (_, i) => `a${String.fromCodePoint(from + i)}b`).join(" ");
    index.put(content);
    expect(tokensOf(world.core, content)).toEqual(index.words());
  }
});

test("matches a term where the index does: whole, as a prefix or as a phrase", () => {
  using world = createTestWorld();
  using index = openIndex();
  const words = fc.array(fc.constantFrom("é", "ée", "E", "c++", "c", "日本", "日", "-", "ß", "ss", "s"), {
    minLength: 1,
    maxLength: 6,
  });
  const found = { yes: 0, no: 0 };
  fc.assert(
    fc.property(words, words, fc.boolean(), (content, query, isPrefix) => {
      const line = content.join(" ");
      const term = { text: query.slice(0, 2).join(" "), isPrefix };
      index.put(line);
      const exists = index.finds(term.text, isPrefix);
      found[exists ? "yes" : "no"]++;
      expect([line, term, countMatchingTerms(world.core, line, [toSearchTerm(world.core, term)])]).toEqual([
        line,
        term,
        exists ? 1 : 0,
      ]);
    }),
    { numRuns: 500 },
  );
  expect(Math.min(found.yes, found.no)).toBeGreaterThan(50);
});

test("uses the first sixteen words of a query, including words of phrases and of compound terms", () => {
  using world = createTestWorld();
  const first = (q: string) => limitWords(world.core, parseQuery(q));
  const numbered = (from: number, to: number, by = " ") =>
    Array.from({ length: to - from + 1 }, (_, i) => `w${from + i}`).join(by);
  expect(first(`"${numbered(1, 16)}"*`)).toEqual([{ text: numbered(1, 16), isPrefix: true }]);
  expect(first(`"${numbered(1, 400)}"*`)).toEqual([{ text: numbered(1, 16), isPrefix: false }]);
  expect(first(`"${"the ".repeat(249)}"`)).toEqual([{ text: "the ".repeat(16).trim(), isPrefix: false }]);
  expect(first(numbered(1, 300, "-"))).toEqual([{ text: numbered(1, 16), isPrefix: false }]);
  expect(first("a·".repeat(300))).toEqual([{ text: "a ".repeat(16).trim(), isPrefix: false }]);
  expect(first(`one "${numbered(2, 9)}" "${numbered(10, 20)}" last`)).toEqual([
    { text: "one", isPrefix: false },
    { text: numbered(2, 9), isPrefix: false },
    { text: numbered(10, 16), isPrefix: false },
  ]);
});
