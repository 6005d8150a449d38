// docs/contract.md#1.11, docs/contract.md#2.1 and docs/contract.md#2.9: rules for values.
import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { TokenDraft } from "../../src/core/delegation/tokens/tokens.ts";
import {
  isWellFormedToken,
  makeToken,
  TOKEN_PATTERN,
} from "../../src/core/delegation/tokens/token-format.ts";
import { NewAccount } from "../../src/core/identity/accounts/accounts.ts";
import { PasskeyDraft } from "../../src/core/identity/accounts/passkeys.ts";
import { AppChange, AppDraft } from "../../src/core/delegation/apps/app.ts";
import { BuilderDraft } from "../../src/core/identity/builders/builders.ts";
import { check, codePoints, Text } from "../../src/core/base/check.ts";
import { titleOf } from "../../src/core/base/title.ts";
import { idCounts, idMaker, isId, lastIdAt } from "../../src/core/base/ids.ts";
import { searchScore } from "../../src/core/community/fulltext/ranking.ts";
import { matchExpression } from "../../src/core/community/jobs/query.ts";
import { parseQuery, termExpression } from "../../src/core/community/fulltext/language.ts";
import { parseTimestamp } from "../../src/core/base/timestamp.ts";
import { rankOf, scoreOf } from "../../src/core/community/prompts/score.ts";
import { ProfileChange } from "../../src/core/community/profiles/profiles.ts";
import { createSecrets, keyFingerprint } from "../../src/core/base/sealed-secrets.ts";
import { WorkspaceDraft } from "../../src/core/delegation/workspaces/workspaces.ts";
import { seededBytes } from "../../src/demo/seeded-bytes.ts";

const DAY = 86_400_000;

test("identifiers sort by the creation time of their row, also within one millisecond", () => {
  const makeId = idMaker(seededBytes(1), idCounts());
  const ids = [1000, 1000, 1000, 1001, 5_000_000, 1_795_000_000_000].map((at) => makeId("post", at));
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.every((id) => isId("post", id))).toBe(true);
  expect(isId("job", ids[0])).toBe(false);
  expect(lastIdAt("post", 1000) > (ids[2] ?? "")).toBe(true);
  expect(lastIdAt("post", 1000) < (ids[3] ?? "")).toBe(true);
});

test("identifiers that two threads make alternately sort in creation order", () => {
  const counts = idCounts();
  const makers = [idMaker(seededBytes(1), counts), idMaker(seededBytes(2), counts)];
  const ids = Array.from({ length: 1000 }, (_, i) => makers[i % 2]?.("evt", 1000) ?? "");
  expect(ids.toSorted()).toEqual(ids);
});

test("identifiers of another kind do not disturb the order", () => {
  const makeId = idMaker(seededBytes(1), idCounts());
  const ids = Array.from({ length: 1000 }, (_, i) => (makeId("dlv", 500 + i), makeId("evt", 1000)));
  expect(ids.toSorted()).toEqual(ids);
});

test("a thousand identifiers of one millisecond are all different", () => {
  const makeId = idMaker(seededBytes(2), idCounts());
  expect(new Set(Array.from({ length: 10_000 }, () => makeId("evt", 7))).size).toBe(10_000);
});

test("a token's checksum rejects any changed character without a lookup", () => {
  const token = makeToken(seededBytes(3));
  expect(token).toMatch(TOKEN_PATTERN);
  expect(isWellFormedToken(token)).toBe(true);
  for (let i = "guild_pat_".length; i < token.length; i++) {
    const other = token[i] === "a" ? "b" : "a";
    expect(isWellFormedToken(token.slice(0, i) + other + token.slice(i + 1))).toBe(false);
  }
});

test("a sealed text opens only with its own key, purpose and owner", () => {
  const random = seededBytes(4);
  const key = random.bytes(32);
  const secrets = createSecrets(key, random);
  const sealed = secrets.seal("webhook-secret", "whe_1", "whsec_ä");
  expect(secrets.open("webhook-secret", "whe_1", sealed)).toBe("whsec_ä");
  expect(() => secrets.open("webhook-secret", "whe_2", sealed)).toThrow();
  expect(() => secrets.open("idempotent-answer", "whe_1", sealed)).toThrow();
  expect(() => createSecrets(random.bytes(32), random).open("webhook-secret", "whe_1", sealed)).toThrow();
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed);
    changed[i] = (changed[i] ?? 0) ^ 1;
    expect(() => secrets.open("webhook-secret", "whe_1", changed)).toThrow();
  }
});

test("a fingerprint distinguishes keys without revealing them", () => {
  const random = seededBytes(5);
  const key = random.bytes(32);
  expect(keyFingerprint(key)).toMatch(/^[0-9a-f]{16}$/);
  expect(createSecrets(key, random).fingerprint()).toBe(keyFingerprint(key));
  expect(keyFingerprint(random.bytes(32))).not.toBe(keyFingerprint(key));
  expect(Buffer.from(key).toString("hex")).not.toContain(keyFingerprint(key));
});

test("characters are code points", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => codePoints(text) === [...text].length));
});

test("a timestamp needs a time zone and must exist", () => {
  const good: [string, string][] = [
    ["2026-11-20T09:30:00Z", "2026-11-20T09:30:00.000Z"],
    ["2026-11-20T09:30Z", "2026-11-20T09:30:00.000Z"],
    ["2026-11-20T09:30:00.1239+02:00", "2026-11-20T07:30:00.123Z"],
    ["2024-02-29T23:59:59.999-23:59", "2024-03-01T23:58:59.999Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    // RFC 3339 §5.6 and §5.8: upper or lower case, any number of digits, leap seconds.
    ["2026-11-20t09:30:00z", "2026-11-20T09:30:00.000Z"],
    ["1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520Z"],
    ["2026-11-20T09:30:00.1234567890123456789Z", "2026-11-20T09:30:00.123Z"],
    ["1990-12-31T23:59:60Z", "1991-01-01T00:00:00.000Z"],
    ["1990-12-31T15:59:60.5-08:00", "1991-01-01T00:00:00.500Z"],
    ["1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870Z"],
    ["2026-11-20T09:30:00-00:00", "2026-11-20T09:30:00.000Z"],
    // ISO 8601: the basic form, and offsets as `%z` writes them.
    ["2026-11-20T09:30:00+0000", "2026-11-20T09:30:00.000Z"],
    ["2026-11-20T09:30:00.250-0530", "2026-11-20T15:00:00.250Z"],
    ["2026-11-20T09:30:00+02", "2026-11-20T07:30:00.000Z"],
    ["20261120T093000Z", "2026-11-20T09:30:00.000Z"],
    ["20261120T093000.5+0100", "2026-11-20T08:30:00.500Z"],
    ["20261120t0930-05", "2026-11-20T14:30:00.000Z"],
  ];
  for (const [text, iso] of good) expect(new Date(parseTimestamp(text) ?? NaN).toISOString()).toBe(iso);
  const bad = [
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-11-20",
    "2026-11-20T09:30:00",
    "2026-13-01T00:00:00Z",
    "2026-11-20T24:00:00Z",
    "2026-11-20T23:60:00Z",
    "2026-11-20T23:59:60Z",
    "2026-11-20 09:30:00Z",
    "1795000000",
    "2026-11-20T09:30:00+24:00",
    "2026-11-20T09:30:00 02:00",
    "+02026-11-20T09:30:00Z",
    "2026-1-2T09:30:00Z",
    "2026-12-31T23:59:60Z",
    "1990-12-31T23:59:60+01:00",
    "1990-12-31T22:59:60Z",
    "20260230T093000Z",
    "20261120T093000",
    "2026-1120T09:30:00Z",
    "20261120T09:30:00Z",
    "2026-11-20T093000Z",
    "2026-11-20T09:30:00+2",
    "2026-11-20T09:30:00+020",
    "2026-11-20T09:30:00+02000",
    "2026-11-20T09:30:00+24",
    "2026-11-20T09:30:00+0060",
    "2026-11-20T09:30:00-",
    "2026-11-20T09:30:00+00:00:00",
    "now",
    "",
  ];
  for (const text of bad) expect([text, parseTimestamp(text)]).toEqual([text, undefined]);
});

test("parses every RFC 3339 and ISO 8601 spelling of a timestamp, and none without a zone", () => {
  const pad = (value: number, digits: number): string => String(Math.abs(value)).padStart(digits, "0");
  fc.assert(
    fc.property(
      fc.date({ min: new Date("0002-01-01"), max: new Date("9998-12-31"), noInvalidDate: true }),
      fc.integer({ min: -(24 * 60 - 1), max: 24 * 60 - 1 }),
      (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString();
        const sign = offset < 0 ? "-" : "+";
        const [hours, minutes] = [pad(Math.trunc(offset / 60), 2), pad(offset % 60, 2)];
        const zones = [`${sign}${hours}:${minutes}`, `${sign}${hours}${minutes}`];
        if (minutes === "00") zones.push(`${sign}${hours}`);
        if (offset === 0) zones.push("Z", "z");
        const extended = local.slice(0, -1);
        const basic = extended.replaceAll(/[-:]/g, "");
        for (const zone of zones) {
          for (const text of [extended, extended.replace("T", "t"), basic]) {
            expect([text + zone, parseTimestamp(text + zone)]).toEqual([text + zone, date.getTime()]);
          }
        }
        expect(parseTimestamp(extended) ?? parseTimestamp(basic)).toBeUndefined();
      },
    ),
  );
});

test("a post's title is its first heading or line as plain text, at most 80 characters", () => {
  const titles: [string, string][] = [
    ["# Shipped **it**\n\nmore", "Shipped it"],
    ["\n\n  \n> - a [link](https://x.example/) and `code`", "a link and code"],
    ["```ts\nconst a = 1;\n```", "const a = 1;"],
    ["---\n\nsnake_case_name and _emphasis_", "snake_case_name and emphasis"],
    ["![picture of a cat](https://x.example/cat.png)", "picture of a cat"],
    ["1. first", "first"],
    ["***", "***"],
    ["🎉".repeat(100), `${"🎉".repeat(79)}…`],
    ["<b>bold</b> move ##", "bold move"],
  ];
  for (const [text, title] of titles) expect(titleOf(text)).toBe(title);
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => /\S/u.test(text)),
      (text) => {
        const title = titleOf(text);
        return title.length > 0 && [...title].length <= 80;
      },
    ),
  );
});

test("the score is the mean with two decimals; one vote of 5 does not outrank forty good ones", () => {
  expect(scoreOf(0, 0)).toBe(0);
  expect(scoreOf(14, 3)).toBe(4.67);
  expect(rankOf(0, 0)).toBe(3);
  expect(rankOf(40 * 4.6, 40)).toBeGreaterThan(rankOf(5, 1));
});

test("a search score halves every 14 days; a word in the title counts three times as much as in the description", () => {
  expect(searchScore(0, 2, 14 * DAY)).toBeCloseTo(searchScore(0, 2, 0) / 2, 12);
  expect(searchScore(2, 2, 0) / searchScore(0, 2, 0)).toBe(3);
});

test("parses a query as users type it", () => {
  expect(parseQuery('rust "distributed systems" engin* "post gres"*')).toEqual([
    { text: "rust", isPrefix: false },
    { text: "distributed systems", isPrefix: false },
    { text: "engin", isPrefix: true },
    { text: "post gres", isPrefix: true },
  ]);
  expect(parseQuery(' * "" - ( ) AND: "unfinished phrase').map(({ text }) => text)).toEqual([
    "AND:",
    "unfinished",
    "phrase",
  ]);
  expect(parseQuery(Array.from({ length: 5000 }, (_, i) => `w${i}`).join(" "))).toHaveLength(16);
  expect(parseQuery("same same same")).toHaveLength(1);
  expect(parseQuery("a* b* c* d* e* f")).toHaveLength(5);
  expect(matchExpression(parseQuery("a OR b").map(termExpression), {})).toBe('"a" AND "OR" AND "b"');
});

test("a name may contain no invisible characters and none that reverse the direction", () => {
  const drafts: [string, (name: string) => unknown][] = [
    ["a builder", (name) => check(BuilderDraft.properties.name, name)],
    ["a sign-up", (name) => check(NewAccount.properties.name, name)],
    ["a profile", (name) => check(ProfileChange, { name })],
    ["a workspace", (name) => check(WorkspaceDraft, { name })],
    ["a token", (name) => check(TokenDraft.properties.name, name)],
    ["a passkey", (name) => check(PasskeyDraft, { name })],
    ["an app", (name) => check(AppDraft.properties.name, name)],
    ["a changed app", (name) => check(AppChange, { name })],
  ];
  const invisible =
    "\u200b \u3164 \u2800 \u115f \uffa0 \u034f \u00ad \u200d \u200c \ufe0f \ufeff \u180e \u2028 \ue000 \u{e0041} \u{e0100}";
  const turning = "\u202a \u202b \u202c \u202d \u202e \u2066 \u2067 \u2068 \u2069 \u200e \u200f \u061c";
  for (const [what, read] of drafts) {
    for (const letter of `${invisible} ${turning}`.split(" "))
      for (const name of [letter, `${letter}Ada`, `A${letter}da`, `Ada${letter}`])
        expect(() => [what, read(name)]).toThrow("without invisible characters");
    for (const name of ["\u3000", "\u00a0 ", "\u0301"])
      expect(() => [what, read(name)]).toThrow("must not be blank");
    for (const name of SEEN) expect([what, read(name)]).toBeArray();
  }
});

/** Joiners and marks are valid where a script needs them. */
const SEEN = [
  "Ada Okafor",
  "@ada",
  "Zoe\u0308",
  "田中 太郎",
  "葛\u{e0100}城",
  "שלום",
  "می\u200cخواهم",
  "ශ්\u200dරී",
  "👩\u200d💻",
  "👩🏽\u200d💻 Ada",
  "❤\ufe0f\u200d🔥",
  "1\ufe0f\u20e3",
];

test("a text that is not a name needs one visible character", () => {
  const post = Text({ max: 2000, visible: true });
  for (const text of ["\u200ba", "\u202ea", "\u2800.", "a\nb", "\u0001"])
    expect(check(post, text)).toBe(text);
  for (const text of ["\u200b", "\u2800\n", "\u202e\u3164"])
    expect(() => check(post, text)).toThrow("must not be blank");
  expect(() => check(post, "")).toThrow("must not be empty");
  expect(() => check(post, " \u3000\n")).toThrow("must not be blank");
});

test("an error about a text names only the broken rules, in readable words", () => {
  const Form = Type.Object({
    name: Text({ max: 5, visible: true, line: true }),
    more: Type.Union([Text({ max: 1000 }), Type.Null()]),
  });
  const refusalText = (name: unknown, more: unknown = null): string => {
    try {
      check(Form, { name, more });
    } catch (thrown) {
      return (thrown as Error).message;
    }
    return "";
  };
  expect(refusalText("Ada")).toBe("");
  expect(refusalText("")).toBe("`name` must not be empty.");
  expect(refusalText("   ")).toBe("`name` must not be blank.");
  expect(refusalText("Ada Lo")).toBe("`name` must have at most 5 characters, but has 6.");
  expect(refusalText("a\nb")).toBe("`name` must be a single line without invisible characters.");
  expect(refusalText("a\0")).toBe("`name` must not contain invalid characters, such as NUL.");
  expect(refusalText("\ud800")).toBe("`name` must not contain invalid characters, such as NUL.");
  expect(refusalText("Ada", "x".repeat(1001))).toBe(
    "`more` must have at most 1,000 characters, but has 1,001.",
  );
  expect(refusalText(7)).toBe("`name` must be text of 1 to 5 characters.");
  expect(refusalText(undefined)).toBe("`name` is missing.");
});
