// docs/contract.md#9.7, docs/contract.md#9.13: every refusal on a page, in every language.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { pino } from "pino";
import { readConfig } from "../../src/config/config.ts";
import { CoreError, type ErrorDetail } from "../../src/core/base/errors.ts";
import { FAULTS } from "../../src/core/base/refusals/faults.ts";
import { REFUSALS } from "../../src/core/base/refusals/refusals.ts";
import { type Param, type Params, formatSentence } from "../../src/core/base/refusals/sentence.ts";
import { LANGUAGES } from "../../src/core/base/locales.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import { createHandler } from "../../src/http/preflight.ts";
import { createSite } from "../../src/web/app.tsx";
import { publicPage } from "../../src/web/request/route.ts";
import { messagesOf } from "../../src/locale/messages.ts";
import type { LocaleMessages } from "../../src/locale/messages.ts";
import { createTestWorld } from "../support.ts";
import { visibleText } from "./support.ts";

/**
 * A date in December. JavaScript engines parse "20. Nov. 2026" but not "31. Dez. 2026", so a test in November
 * would not detect code that parses translated dates.
 */
const UNTIL = "2026-12-31T09:30:00.000Z";

/** Sample parameters by name, or by refusal code where a name has two types. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  days: ["7", "30", "90"],
  scopes: ["feed:read", "feed:write"],
  types: ["post.created", "post.deleted"],
  names: ["code", "state"],
  choices: ["daily", "weekly"],
};
const TEXTS: Readonly<Record<string, string>> = {
  until: UNTIL,
  message: "We move to another machine.",
  username: "ada",
  name: "Acme",
  id: "wsp_01m7xn0yrse00adkgqhwmvrnk1",
  slug: "acme",
  scope: "feed:write",
  near: "#a8322d",
  oldest: "evt_01m7xn0yrse00adkgqhwmvrnk1",
  // The lowest allowed port of a webhook URL. It is not a count.
  port: "1024",
};
const NUMBERS_DESPITE_THE_NAME: Readonly<Record<string, number>> = { renamed_lately: 30 };

function paramsOf(code: string, sentence: string): Params {
  const params = [...sentence.matchAll(/\{(\w+)(?::[^}]+)?\}/g)].map(([, place = ""]): [string, Param] => {
    const number = place === "days" ? NUMBERS_DESPITE_THE_NAME[code] : undefined;
    const text = code === "url_port_refused" ? TEXTS["port"] : TEXTS[place];
    return [place, number ?? LISTS[place] ?? text ?? 7];
  });
  return Object.fromEntries(params);
}

/** Every refusal with sample parameters, and every field rule. */
const THROWN: ReadonlyMap<string, CoreError> = new Map([
  ...Object.entries(REFUSALS).map(([code, { error, says }]): [string, CoreError] => {
    const params = paramsOf(code, says);
    return [code, new CoreError(error, code as keyof typeof REFUSALS, params, formatSentence(says, params))];
  }),
  ...Object.entries(FAULTS).map(([code, says]): [string, CoreError] => {
    const params = paramsOf(code, says);
    const detail: ErrorDetail = { path: "text", code: code as keyof typeof FAULTS, params, message: "" };
    return [
      code,
      new CoreError("bad_request", detail.code, params, formatSentence(says, params), { details: [detail] }),
    ];
  }),
]);

let world: ReturnType<typeof createTestWorld>;
const logged: string[] = [];
let handle: ReturnType<typeof createHandler>;

beforeAll(() => {
  world = createTestWorld();
  const site = createSite(world.core, { graphiql: false });
  const pages = site.transport([
    publicPage("GET", "/throws/:code", ({ params }) => {
      throw THROWN.get(params["code"] ?? "") ?? new Error("there is no such refusal");
    }),
  ]);
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
  handle = createHandler(world.core, [pages], readConfig({}), log, createMetrics());
});
afterAll(() => world[Symbol.dispose]());

async function pageOf(code: string, language: string): Promise<{ status: number; words: string }> {
  world.clock.pass(1000);
  const headers = { accept: "text/html", "accept-language": language, host: new URL(world.core.origin).host };
  const answer = await handle(new Request(`${world.core.origin}/throws/${code}`, { headers }), () => "::1");
  return { status: answer.status, words: visibleText(await answer.text()) };
}

const STATUS: Readonly<Record<string, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  unprocessable: 422,
  rate_limited: 429,
  server_error: 500,
  unavailable: 503,
};
const HOLES = /\{\w|\bundefined\b|\bNaN\b|Invalid Date|\[object|\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z/;

test("shows every refusal with its status and without empty placeholders, in every language", async () => {
  const wrong: string[] = [];
  for (const language of LANGUAGES) {
    for (const [code, { error }] of THROWN) {
      const { status, words } = await pageOf(code, language);
      if (status !== STATUS[error] || HOLES.test(words))
        wrong.push(`${language} ${code} ${status}: ${words}`);
    }
  }
  expect(wrong).toEqual([]);
  // Requests with status 500 are logged as errors even if the refusal is in the catalogue.
  expect(logged.filter((line) => !line.includes(`"msg":"request"`))).toEqual([]);
});

test("shows the end of a newcomer's limit, in every language", async () => {
  for (const language of LANGUAGES) {
    const { words } = await pageOf("newcomer_links", language);
    expect([language, words]).toEqual([language, expect.stringMatching(/31\D+2026|Dec 31, 2026/)]);
  }
});

test("shows the neutral message and logs the error when a refusal's message throws", async () => {
  for (const language of LANGUAGES) {
    const { refusals } = messagesOf(language);
    const planted: Partial<Record<string, unknown>> = refusals.of;
    const kept = planted["newcomer_links"];
    planted["newcomer_links"] = () => {
      throw new RangeError("a planted fault");
    };
    logged.length = 0;
    try {
      const { status, words } = await pageOf("newcomer_links", language);
      expect([language, status]).toEqual([language, 403]);
      expect(words).toContain(neutralOf(refusals));
      expect(logged.join()).toContain("a planted fault");
    } finally {
      planted["newcomer_links"] = kept;
    }
  }
});

function neutralOf(refusals: LocaleMessages["refusals"]): string {
  return refusals.neutral.forbidden;
}
