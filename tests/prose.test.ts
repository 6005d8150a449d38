import { expect, test } from "bun:test";
import { CODE, countWords, faultsOf, type Voice } from "../scripts/prose/rules.ts";
import { wordingsOf } from "../scripts/prose/seed.ts";
import { TERMS } from "../scripts/prose/terms.ts";

const brokenBy = (text: string, voice: Voice = "en", { isLabel = !/[.?!:]$/.test(text) } = {}): string[] =>
  faultsOf({ text, isLabel, isFirst: true }, voice).map(({ rule }) => rule);

for (const [voice, terms] of Object.entries(TERMS)) {
  test(`reports each phrase of the term list of ${voice}, and not similar valid phrases`, () => {
    for (const { find, wrong, right } of terms) {
      expect({ find, wrong: find.test(wrong), right: find.test(right) }).toEqual({
        find,
        wrong: true,
        right: false,
      });
    }
    expect(terms.length).toBeGreaterThan(5);
  });
}

test("accepts every sentence that a term lists as valid", () => {
  const broken = (["en", "de", "es"] as const).flatMap((voice) =>
    TERMS[voice].flatMap(({ right }) => (brokenBy(right, voice).includes("term") ? [right] : [])),
  );
  expect(broken).toEqual([]);
});

test("suggests a replacement for a phrase", () => {
  expect(faultsOf({ text: "The author is told.", isLabel: false, isFirst: true }, "en")).toEqual([
    { rule: "term", says: "“is told”: write is notified, gets, sees, learns" },
  ]);
});

test("accepts a phrase that is quoted", () => {
  expect(brokenBy("Write “notified”, and never “is told”.")).toEqual([]);
  expect(brokenBy("The button says “The author is told”.")).toEqual(["term"]);
  expect(brokenBy("Write “is told” where the author is told.")).toEqual(["term"]);
});

const HEADLESS = [
  "Who has met a later epoch stores nothing.",
  "What is hidden of yours",
  "What it has said",
  "Who runs the community",
  "Whom the server trusts.",
  "Which line of the file is wrong",
  "That which is stored stays.",
  "Those of v1 stay.",
  "Those that are open, newest first.",
  "Where backups are stored",
  "where backups are stored",
  "who joins: open, invite or closed",
  "Whatever has an id is a node.",
  "It is failing",
  "Yours, for the authority",
];

const WITH_A_HEAD = [
  "A node that has seen a newer epoch refuses writes.",
  "Who can read this community?",
  "“What went wrong?”",
  "What's new",
  "Where only members read, guests see the sign-in page.",
  "Whatever you choose, you can change it later.",
  "Those tokens stay valid.",
  "It was never edited.",
  "Its pictures",
  "Edit history",
  "How to check a signature",
  "When a job closes, its applicants are notified.",
];

test("reports sentences and labels without a subject", () => {
  expect(HEADLESS.filter((text) => !brokenBy(text).includes("headless"))).toEqual([]);
});

test("accepts questions, clauses, and sentences with a subject", () => {
  expect(WITH_A_HEAD.filter((text) => brokenBy(text).includes("headless"))).toEqual([]);
});

const words = (count: number): string => `${Array.from({ length: count }, (_, i) => `w${i}`).join(" ")}.`;

test("counts words: 25 in English, 28 in German, 30 in Spanish", () => {
  for (const [voice, most] of [
    ["en", 25],
    ["de", 28],
    ["es", 30],
  ] as const) {
    expect(brokenBy(words(most), voice)).toEqual([]);
    expect(brokenBy(words(most + 1), voice)).toEqual(["length"]);
  }
});

test("counts code and a list of values as one word, except a list in parentheses", () => {
  const code = CODE.repeat(12);
  expect(countWords(`Set ${code} to a number – or leave it out.`)).toBe(9);
  expect(countWords("Send a kind (launch, question, post or reply) with it.")).toBe(5);
  expect(countWords(`Send a kind (${code}, ${code}).`)).toBe(3);
  expect(countWords(`${code} ${code}, ${code}`)).toBe(0);
  expect(countWords("Send a kind (as a word) with it.")).toBe(8);
  expect(countWords("It stops (the disk is full, or nobody has looked at the log for a week, or not).")).toBe(
    18,
  );
  expect(countWords("It must be one of like, reply, mention, follow, job or badge.")).toBe(6);
  expect(countWords("It must be red, green or blue.")).toBe(7);
  expect(countWords(`${code}: The name is taken.`)).toBe(4);
  expect(countWords(`${code} (${code}): The name is taken.`)).toBe(4);
});

test("reports doubled words, except those that a language doubles", () => {
  const doubled: [string, Voice][] = [
    ["Send the the token.", "en"],
    ["The The token.", "en"],
    ["Du siehst alle alle Beiträge.", "de"],
    ["Envía el el enlace.", "es"],
    ["I read the the manual.", "members"],
  ];
  const accepted: [string, Voice][] = [
    ["We know that that works, as it had had time.", "en"],
    ["Send the token: token names are unique.", "en"],
    [`Either ${CODE}${CODE} ${CODE}${CODE} or nothing.`, "en"],
    ["Die Mitglieder, die die Gruppe sehen.", "de"],
    ["Letras de la a a la z.", "es"],
  ];
  expect(doubled.filter(([text, voice]) => !brokenBy(text, voice).includes("doubled"))).toEqual([]);
  expect(accepted.filter(([text, voice]) => brokenBy(text, voice).includes("doubled"))).toEqual([]);
});

test("renders a demo template in each of its wordings", () => {
  expect(wordingsOf("{A|The} {bug.cause} {was|is {here|there}} {1..9}{ not a slot }")).toEqual([
    "A {bug.cause} was {1..9}{ not a slot }",
    "The {bug.cause} is there {1..9}{ not a slot }",
  ]);
  expect(wordingsOf("Plain.")).toEqual(["Plain."]);
});
