// docs/contract.md#9.13 and docs/contract.md#9.19: every message has the same content in every language.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { LANGUAGES } from "../../src/core/base/locales.ts";
import { FAULTS } from "../../src/core/base/refusals/faults.ts";
import { AUDIT_EVENTS } from "../../src/core/identity/audit/audit-events.ts";
import { FAILURES } from "../../src/core/outbox/deliveries/failures.ts";
import { messagesOf } from "../../src/locale/messages.ts";
import { FORMER_REASONS } from "../../src/core/outbox/webhooks/health.ts";
import { describeAuditEntry, describeFailure, fieldErrorText } from "../../src/web/parts/sentences.ts";
import { CoreError } from "../../src/core/base/errors.ts";

const OTHERS = LANGUAGES.filter((language) => language !== "en");
const HOLES = /\{|\}|“…”|„…“|«…»|\bundefined\b|\bNaN\b|Invalid Date|\[object/;

/** Returns a sample value for every parameter of the core's English message. */
function paramsOf(sentence: string): Record<string, string | number> {
  const places = [...sentence.matchAll(/\{(\w+)(:[^}]+)?\}/g)];
  return Object.fromEntries(
    places.map(([, place = "", noun]) => [place, noun !== undefined || COUNTS.test(place) ? 7 : "zz"]),
  );
}

const COUNTS = /^(?:min|max|length|seconds|status)$/;

test("failures and field errors show the parameters of the core in every language", () => {
  for (const language of LANGUAGES) {
    const messages = messagesOf(language);
    const ask = { messages, zone: { name: "UTC", isOwn: true } };
    for (const [code, sentence] of Object.entries(FAILURES)) {
      const failure = { code: code as keyof typeof FAILURES, params: paramsOf(sentence) };
      expect([language, code, describeFailure(messages, failure)]).toEqual([language, code, SAID]);
    }
    for (const [code, sentence] of Object.entries(FAULTS)) {
      const params = paramsOf(sentence);
      const detail = { path: "name", code: code as keyof typeof FAULTS, params, message: "" };
      const refused = new CoreError("bad_request", detail.code, params, "", { details: [detail] });
      expect([language, code, fieldErrorText(throwing(ask), refused, "name")]).toEqual([
        language,
        code,
        SAID,
      ]);
    }
  }
});

test("an audit entry names its target in every language", () => {
  for (const language of LANGUAGES) {
    for (const [act, sentence] of Object.entries(AUDIT_EVENTS)) {
      const detail = { ...paramsOf(sentence), end: "until 2026-11-20T09:30:00.000Z" };
      const entry = { act, detail } as unknown as Parameters<typeof describeAuditEntry>[1];
      expect([language, act, describeAuditEntry(messagesOf(language), entry)]).toEqual([language, act, SAID]);
    }
  }
});

test("the reason in an old log entry is translated although its sentence was reworded", () => {
  for (const [reason, code] of Object.entries(FORMER_REASONS)) {
    const entry = { act: "endpoint.disabled", detail: { url: "https://a.example/", reason } };
    const messages = messagesOf("de");
    const sentence = describeAuditEntry(
      messages,
      entry as unknown as Parameters<typeof describeAuditEntry>[1],
    );
    expect(sentence).toContain(messages.deliveries.disabled[code]);
  }
});

const SAID = expect.not.stringMatching(HOLES);

/** Returns a reader that throws errors instead of using a fallback message. */
function throwing<Ask>(ask: Ask) {
  const report = (thrown: unknown): never => {
    throw thrown;
  };
  return { ...ask, context: { report } };
}

test("Spanish adds “de” after a million", () => {
  const { replies } = messagesOf("es").feed.card;
  expect([1, 2, 1_000_000].map((count) => replies({ count }))).toEqual([
    "1 respuesta",
    "2 respuestas",
    "1.000.000 de respuestas",
  ]);
});

/** Messages that may equal the English ones: names, loanwords and untranslated terms. */
const SHARED = new Set(
  `Feed Logo Prompts prompts Prompt prompt GraphQL Webhooks Junior Senior Staff Principal Lead Moderation Remote Server remote Name Passkeys Personal
   Apps Admin Token Code XP Backups Spam Community Host Launch Link OK Push Status Team Text URL Website Workspace Workspaces Version ms byte bytes In rust berlin WDJB-MJHT claude-sonnet code-review postgres guildhall doctor`.split(
    /\s+/,
  ),
);

/** Names under which the audit log stores the parts of the community's description. */
const AS_STORED = /^audit\.charterParts\./;

/** Returns every message of a language by file and key. */
function messagesIn(language: string): Map<string, string> {
  const folder = join(import.meta.dir, "../../locales", language);
  const found = new Map<string, string>();
  const note = (table: unknown, path: string): void => {
    if (typeof table === "string") found.set(path, table);
    else for (const [key, value] of Object.entries(table as object)) note(value, `${path}.${key}`);
  };
  for (const name of readdirSync(folder))
    note(parse(readFileSync(join(folder, name), "utf8")), name.replace(".toml", ""));
  return found;
}

/** Returns the messages that are still English, except those that languages share. */
function left(messages: ReadonlyMap<string, string>): string[] {
  return [...messagesIn("en")]
    .filter(([path, text]) => messages.get(path) === text && !AS_STORED.test(path))
    .filter(([, text]) =>
      (text.replace(/https?:\S+|\{\w+\}|<\w+\/>|\]\([^)]+\)/g, "").match(/\p{L}[\p{L}-]+/gu) ?? []).some(
        (word) => !SHARED.has(word),
      ),
    )
    .map(([path, text]) => `${path}: ${text}`);
}

test("no message is left untranslated", () => {
  expect(messagesIn("en").size).toBeGreaterThan(1400);
  for (const language of OTHERS) expect([language, left(messagesIn(language))]).toEqual([language, []]);
  const planted = new Map(
    [...messagesIn("de")].map(([path, text]) => [path, path.startsWith("search.") ? "" : text]),
  );
  for (const [path, text] of messagesIn("en")) if (path.startsWith("search.")) planted.set(path, text);
  expect(left(planted).length).toBeGreaterThan(20);
});

test("no message contains a time zone, as formatted times include it", () => {
  for (const language of LANGUAGES) {
    for (const [path, text] of messagesIn(language))
      expect([language, path, text]).not.toEqual([language, path, expect.stringMatching(/[}>] UTC/)]);
  }
});
