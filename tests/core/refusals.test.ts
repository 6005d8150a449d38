// docs/contract.md#1.3: error codes and their messages.
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import { type ErrorName, fault, refuse, refuseFields, refuseFor } from "../../src/core/base/errors.ts";
import { FAULTS } from "../../src/core/base/refusals/faults.ts";
import { REFUSALS, type Refusal } from "../../src/core/base/refusals/refusals.ts";
import { formatSentence } from "../../src/core/base/refusals/sentence.ts";
import { REFUSALS_PAGE, refusalsPage } from "../../scripts/refusals.ts";
import { STATUS_OF } from "../../src/http/answer.ts";

const root = join(import.meta.dir, "../..");
const refusals = Object.entries<Refusal>(REFUSALS);
const codes = [...Object.keys(REFUSALS), ...Object.keys(FAULTS)];

/** A value for each parameter of a message. */
function messagesFor(sentence: string): Record<string, number> {
  return Object.fromEntries([...sentence.matchAll(/\{(\w+)/g)].map(([, name]) => [name ?? "", 2]));
}

test("each code is unique and well-formed, and differs from every status name", async () => {
  const tables = await Array.fromAsync(new Glob("src/core/base/refusals/*.ts").scan(root));
  const written: string[] = [];
  for (const file of tables.filter((file) => !file.endsWith("/remedies.ts"))) {
    const text = await Bun.file(join(root, file)).text();
    written.push(...[...text.matchAll(/^ {2}(\w+): ?(?:\{|"|$)/gm)].map(([, code]) => code ?? ""));
  }
  const ours = written.filter((code) => codes.includes(code));
  expect(ours.length).toBe(codes.length);
  expect(new Set(codes).size).toBe(codes.length);
  for (const code of codes) {
    expect(code).toMatch(/^[a-z]+(?:_[a-z0-9]+)*$/);
    expect(Object.keys(STATUS_OF)).not.toContain(code);
  }
});

test("each code is used somewhere", async () => {
  const files = await Array.fromAsync(new Glob("src/**/*.{ts,tsx}").scan(root));
  const texts = await Promise.all(
    files
      .filter((file) => !file.startsWith("src/core/base/refusals/"))
      .map((file) => Bun.file(join(root, file)).text()),
  );
  const all = texts.join("\n");
  expect(codes.filter((code) => !all.includes(`"${code}"`))).toEqual([]);
});

test("docs/errors.md lists every code with its field and its sentence", async () => {
  // The formatter pads table columns, so compare without padding.
  const words = (text: string): string => text.replaceAll(/-{3,}/g, "---").replaceAll(/ +/g, " ");
  expect(words(await Bun.file(REFUSALS_PAGE).text())).toBe(words(refusalsPage()));
});

test("each sentence is complete and has no placeholder left", () => {
  // Messages of Apollo's protocol, which its clients look for.
  const protocol = ["PersistedQueryNotFound", "PersistedQueryNotSupported"];
  for (const [code, { says }] of refusals.filter(([, { says }]) => !protocol.includes(says))) {
    const sentence = formatSentence(says, messagesFor(says));
    expect([code, sentence]).toEqual([code, expect.stringMatching(/^[A-Z`“\d].*\.$/s)]);
    expect([code, sentence]).toEqual([code, expect.not.stringMatching(/[{}]|undefined|cannot be null/)]);
  }
  for (const [code, says] of Object.entries(FAULTS)) {
    expect([code, says]).toEqual([code, expect.stringMatching(/^(?:must |is |has ).*[^.]$/)]);
  }
});

test("a refusal has a name, a code, parameters and a message; one about a field also names it", () => {
  const many = refuse("endpoints_too_many", { max: 50 });
  expect({ ...many, message: many.message }).toEqual({
    name: "CoreError",
    error: "conflict",
    code: "endpoints_too_many",
    params: { max: 50 },
    message: "This workspace already has 50 endpoints. Delete one first.",
  });
  const message = "The URL must begin with `https://`.";
  expect(refuse("url_not_https")).toMatchObject({
    error: "unprocessable",
    message,
    details: [{ path: "url", code: "url_not_https", message }],
  });
  const soon = refuseFor("too_many_requests", 1);
  expect([soon.message, soon.retryAfterSeconds]).toEqual([
    "Too many requests. Wait 1 second and try again.",
    1,
  ]);
  const wrong = refuseFields([fault("limit", "not_whole", { min: 1, max: 1000 }), fault("url", "missing")]);
  expect([wrong.error, wrong.code, wrong.message, wrong.details?.length]).toEqual([
    "bad_request" satisfies ErrorName,
    "not_whole",
    "`limit` must be a whole number between 1 and 1,000.",
    2,
  ]);
});

test("a missing parameter of a sentence throws, and an extra one is not shown", () => {
  expect(() => formatSentence("At most {max}.", {})).toThrow("is not told its max");
  // @ts-expect-error: the table knows what the sentence needs.
  expect(() => refuse("endpoints_too_many", {})).toThrow("is not told its max");
  // @ts-expect-error: and what it does not need.
  expect(refuse("url_not_https", { url: "https://secret" }).message).not.toContain("secret");
});

test("no sentence repeats the input: its parameters are numbers, fixed terms and stored names", () => {
  const known = [
    ...["max", "min", "length", "minutes", "hours", "seconds", "kib", "mib", "version", "cost", "oldest"],
    ...["days", "scopes", "scope", "types", "names", "choices"],
    ...["username", "name", "slug", "id"],
    // The time until which an account counts as new.
    "until",
    // A colour computed from the input.
    "near",
    // The contact in the community settings.
    "contact",
    // An admin's message during maintenance.
    "message",
  ];
  const locations = [...refusals.map(([, { says }]) => says), ...Object.values<string>(FAULTS)].flatMap(
    (sentence) => Object.keys(messagesFor(sentence)),
  );
  expect([...new Set(locations)].filter((location) => !known.includes(location))).toEqual([]);
});
