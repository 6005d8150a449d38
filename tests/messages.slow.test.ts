// docs/contract.md#9.13 and docs/contract.md#9.19: every language has every message with all its parameters.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { compileMessages, MessageFaults } from "../scripts/messages.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function localesOf(texts: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "locales-"));
  folders.push(folder);
  for (const [language, text] of Object.entries(texts)) {
    mkdirSync(join(folder, language));
    writeFileSync(join(folder, language, "feed.toml"), text);
  }
  return folder;
}

function faultsOf(
  texts: Readonly<Record<string, string>>,
  languages = Object.keys(texts),
): readonly string[] {
  try {
    compileMessages(localesOf(texts), languages);
  } catch (thrown) {
    if (thrown instanceof MessageFaults) return thrown.faults;
    throw thrown;
  }
  return [];
}

async function compiled(texts: Readonly<Record<string, string>>): Promise<Record<string, any>> {
  const folder = localesOf(texts);
  const runtime = join(import.meta.dir, "../src/locale/runtime.ts");
  for (const [name, code] of compileMessages(folder, Object.keys(texts)))
    writeFileSync(join(folder, name), code.replaceAll("../../src/locale/runtime.ts", runtime));
  const { CATALOGUES } = await import(join(folder, "index.ts"));
  return CATALOGUES;
}

const ENGLISH = `
title = "Feed"

[card]
replies = "{count, plural, one {1 reply} other {# replies}}"
by = "by {author}"
since = "since <when/>, [all]({address})"
`;
const GERMAN = `
title = "Feed"

[card]
replies = "{count, plural, one {1 Antwort} other {# Antworten}}"
by = "von {author}"
since = "[alle]({address}), seit <when/>"
`;

test("compiles locales whose messages have the same parameters", () => {
  expect(faultsOf({ en: ENGLISH, de: GERMAN })).toEqual([]);
});

const PLANTED: readonly [fault: string, german: string, told: string][] = [
  ["a message is missing", GERMAN.replace(/^by.*\n/m, ""), "card.by (de) is missing"],
  [
    "a message is one of no other language",
    `${GERMAN}kind = "Art"`,
    "card.kind (de) is not in locales/en/feed.toml",
  ],
  [
    "a parameter is missing",
    GERMAN.replace("von {author}", "von dort"),
    "card.by (de) lacks {author}, which is in en",
  ],
  [
    "a parameter has another name",
    GERMAN.replace("{author}", "{autor}"),
    "card.by (de) lacks {author}, which is in en\nlocales/de/feed.toml: card.by (de) has {autor}, which is not in en",
  ],
  [
    "a parameter is text and not an element",
    GERMAN.replace("<when/>", "{when}"),
    "card.since (de) lacks <when/>, which is in en\nlocales/de/feed.toml: card.since (de) has {when}, which is not in en",
  ],
  [
    "apostrophes quote a parameter",
    GERMAN.replace("{author}", "'{author}'"),
    "card.by (de) lacks {author}, which is in en",
  ],
  [
    "a link leads elsewhere",
    GERMAN.replace("({address})", "(/feed/{address})"),
    "card.since (de) lacks ]({address}), which is in en\nlocales/de/feed.toml: card.since (de) has ](/feed/{address}), which is not in en",
  ],
  ["a plural has a case that the language lacks", GERMAN.replace("one {", "few {"), "card.replies (de) "],
  [
    "a plural lacks its last case",
    GERMAN.replace("other {# Antworten}", ""),
    "card.replies (de) lacks the case other of {count}",
  ],
  ["a brace is open", GERMAN.replace("{author}", "{author"), "card.by (de) "],
  ["a message is empty", GERMAN.replace("von {author}", ""), "card.by (de) holds no text"],
  ["a message holds markup", GERMAN.replace("von", "<b>von</b>"), "card.by (de) has < in its text"],
  ["a message formats", GERMAN.replace("{author}", "{author, date}"), "card.by (de) formats {author}"],
  ["the file is not TOML", GERMAN.replace('"Feed"', "Feed"), "(de) is not TOML"],
];

for (const [fault, german, told] of PLANTED) {
  test(`where ${fault}, the build fails and names file, key and language`, () => {
    const found = faultsOf({ en: ENGLISH, de: german }).join("\n");
    expect(found).toContain("locales/de/feed.toml");
    expect(found).toContain(told);
  });
}

test("a locale without its files fails the build with one line", () => {
  expect(faultsOf({ en: ENGLISH }, ["en", "fr"])).toEqual(["locales/fr is missing"]);
});

test("formats plurals and numbers by the rules of the locale", async () => {
  const { en, de } = await compiled({ en: ENGLISH, de: GERMAN });
  expect([0, 1, 2, 1000].map((count) => en.feed.card.replies({ count }))).toEqual([
    "0 replies",
    "1 reply",
    "2 replies",
    "1,000 replies",
  ]);
  expect(de.feed.card.replies({ count: 1000 })).toBe("1.000 Antworten");
  expect(de.feed.card.by({ author: 1234 })).toBe("von 1.234");
});

test("supports exact plural values and the choice of a text by a parameter", async () => {
  const { en } = await compiled({
    en: `left = "{days, plural, =0 {over} one {a day} other {# {unit, select, long {whole } other {}}days}}"`,
  });
  const left = (days: number, unit: string) => en.feed.left({ days, unit });
  expect([left(0, "long"), left(1, "long"), left(2, "long"), left(2, "short")]).toEqual([
    "over",
    "a day",
    "2 whole days",
    "2 days",
  ]);
});

test("returns a message with links or elements as markup, and escapes all else in it", async () => {
  const { en } = await compiled({
    en: `lead = "It's \\"{name}\\": [read <what/>]({address}) or {count, plural, one {[leave](/x?a=1)} other {don't}}"`,
  });
  const name = `<b>"O'Hara" & Co</b>`;
  expect(en.feed.lead({ name, what: "<i>it</i>", address: '/"><script>', count: 1 })).toBe(
    `It&#x27;s &quot;&lt;b&gt;&quot;O&#x27;Hara&quot; &amp; Co&lt;/b&gt;&quot;: <a href="/&quot;&gt;&lt;script&gt;">read <i>it</i></a> or <a href="/x?a=1">leave</a>`,
  );
  expect(en.feed.lead({ name: "[a](/b) <when/>", what: "", address: "/", count: 2 })).toContain(
    "[a](/b) &lt;when/&gt;",
  );
});

test("returns a message without links and elements as unescaped text", async () => {
  const { en } = await compiled({ en: ENGLISH });
  expect(en.feed.card.by({ author: "<b>" })).toBe("by <b>");
});

test("throws when a parameter is missing", async () => {
  const { en } = await compiled({ en: ENGLISH });
  const { by, replies, since } = en.feed.card;
  for (const message of [by, replies, since]) expect(() => message({})).toThrow("lacks");
  expect(() => since({ when: Promise.resolve("soon"), address: "/" })).toThrow("lacks the markup");
});

/** Type errors in source code that calls messages. Reads only the types of the messages. */
function typeFaultsOf(source: string): string[] {
  const path = join(import.meta.dir, "../locales/planted.ts");
  const options: ts.CompilerOptions = {
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
  const program = ts.createProgram([path], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(path))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

test("fails to compile a call of an unknown message, or a call without a parameter", () => {
  const faults = typeFaultsOf(`
    import type { Messages } from "./compiled/messages.ts";
    declare const words: Messages;
    words.feed.card.replies({ count: 1 });
    words.feed.card.replies({});
    words.feed.card.replies({ count: "1" });
    words.feed.card.answers;
    words.refusals.fields.text_unread;
  `);
  expect(faults).toEqual([
    expect.stringContaining("'count' is missing"),
    expect.stringContaining("'string' is not assignable to type 'number'"),
    expect.stringContaining("'answers' does not exist"),
    expect.stringContaining("'text_unread' does not exist"),
  ]);
});
