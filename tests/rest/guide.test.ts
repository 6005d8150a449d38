import { expect, test } from "bun:test";
import { API_PAGE, apiPage } from "../../scripts/api-page.ts";
import { FILTERS_MAX } from "../../src/core/community/jobs/job-filters.ts";
import { NEW_THREADS_A_DAY } from "../../src/core/community/messages/message-settings.ts";
import { PROJECTS_MAX } from "../../src/core/community/profiles/projects.ts";
import { VERSIONS_MAX } from "../../src/core/community/prompts/versions.ts";
import { BADGES, RULES, TIERS as LEVELS, TIMES_MAX } from "../../src/core/community/xp/rules.ts";
import { TOKEN_PATTERN } from "../../src/core/delegation/tokens/token-format.ts";
import { ID_KINDS } from "../../src/core/base/db/schema.ts";
import { TIERS } from "../../src/core/base/limits.ts";
import { PAGE_LIMIT } from "../../src/core/base/page.ts";
import {
  NEWCOMER_LINKS,
  NEWCOMER_LINKS_A_DAY,
  NEWCOMER_MESSAGES_A_DAY,
  NEWCOMER_PICTURES_A_DAY,
} from "../../src/core/identity/newcomers/newcomers.ts";
import { SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import { RETRY_DELAYS_MS } from "../../src/core/outbox/deliveries/schedule.ts";
import { NOTIFICATION_KINDS } from "../../src/core/identity/notifications/kinds.ts";
import { COUNTED_MAX } from "../../src/core/outbox/deliveries/recovery.ts";
import { EVENT_NAMES } from "../../src/core/outbox/events/catalogue.ts";
import { SECRETS_MAX } from "../../src/core/outbox/webhooks/secrets.ts";
import { ENDPOINTS_MAX } from "../../src/core/outbox/webhooks/endpoint.ts";
import { STATUS_OF } from "../../src/http/answer.ts";
import { BODY_MAX_BYTES } from "../../src/http/body.ts";
import { LISTENERS_MAX } from "../../src/http/listeners.ts";
import { OPERATIONS } from "../../src/operations/index.ts";
import { openApiDocument } from "../../src/rest/openapi.ts";
import { GUIDE } from "../../src/rest/guide.ts";

/** The text of the guide with collapsed white space. */
const message = GUIDE.replaceAll(/\s+/g, " ");

function section(title: string): string {
  return new RegExp(`^## ${title}\n(.*?)(?=^## |$(?![^]))`, "ms").exec(GUIDE)?.[1] ?? "";
}

/** Returns the table rows of a section as lists of cells without backticks. */
function rowsOf(title: string): string[][] {
  return [...section(title).matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) =>
    row.split(" | ").map((cell) => cell.trim().replaceAll("`", "")),
  );
}

function describe(amount: number): string {
  return amount.toLocaleString("en-US");
}

test("docs/api.md contains the guide and the operations, which `bun run generate` writes", async () => {
  // The formatter pads columns, so only the text is compared.
  const words = (text: string): string => text.replaceAll(/-{3,}/g, "---").replaceAll(/ +/g, " ");
  expect(words(await Bun.file(API_PAGE).text())).toBe(words(apiPage()));
});

test("the guide names exactly the scopes, errors, events, levels and badges of the program", () => {
  const firsts = (title: string): string[] => rowsOf(title).map(([first = ""]) => first);
  expect(
    firsts("Scopes")
      .slice(2)
      .flatMap((cell) => cell.split(", ")),
  ).toEqual(SCOPE_NAMES);
  const errors = rowsOf("Errors").slice(2);
  expect(errors.map(([status, name]) => [name, Number(status)])).toEqual(Object.entries(STATUS_OF));
  expect(firsts("Events").slice(2)).toEqual(EVENT_NAMES);
  expect(firsts("Notifications").slice(2)).toEqual(NOTIFICATION_KINDS);
  const from = LEVELS.map((level) => describe(level.from));
  expect(message).toContain(`Levels begin at ${from.slice(0, -1).join(", ")} and ${from.at(-1)} XP.`);
  for (const { badge } of [...LEVELS.slice(1), ...BADGES]) expect(message).toContain(`\`${badge}\``);
  const prefixes = firsts("Requests and values")
    .slice(2)
    .flatMap((cell) => cell.split(", "))
    .map((prefix) => prefix.slice(0, -1));
  expect(prefixes.length).toBeGreaterThan(10);
  expect(prefixes.filter((kind) => !(ID_KINDS as readonly string[]).includes(kind ?? ""))).toEqual([]);
});

test("the guide's tables of limits and of XP match the program", () => {
  const [anonymous, personal, oauth] = rowsOf("Rate limits").slice(2);
  for (const [row, { sustained, burst }] of [
    [anonymous, TIERS.anonymous],
    [personal, TIERS.personal],
    [oauth, TIERS.oauth],
  ] as const)
    expect(row?.slice(1, 3)).toEqual([`${describe(sustained)} a minute`, describe(burst)]);
  const earned = new Map(rowsOf("Profiles").map(([what = "", ...figures]) => [what, figures]));
  const rules = {
    "a post": RULES["post.published"],
    "a reply": RULES["reply.published"],
    "a prompt": RULES["prompt.submitted"],
    "a job": RULES["job.published"],
    "a like by another member": RULES["like.received"],
    "4 or 5 stars by another member": RULES["rating.received"],
  };
  for (const [what, { points, dailyCap }] of Object.entries(rules))
    expect([what, earned.get(what)]).toEqual([what, [String(points), String(dailyCap)]]);
  const runs = ["streak.7", "streak.30", "streak.100", "streak.365"] as const;
  expect(earned.get("7, 30, 100 and 365 days in a row")?.[0]).toBe(
    runs.map((rule) => RULES[rule].points).join(", "),
  );
});

test("the guide's figures match the program", () => {
  const delays = RETRY_DELAYS_MS.map((ms) => {
    const units = [
      [3_600_000, "h"],
      [60_000, "min"],
      [1000, "s"],
    ] as const;
    const [size, name] = units.find(([size]) => ms >= size) ?? [1000, "s"];
    return `${ms / size} ${name}`;
  });
  const sentences = [
    TOKEN_PATTERN.source.replaceAll(/\(\?<?![^)]*\)/g, ""),
    `at most ${BODY_MAX_BYTES / 1024} KiB`,
    `\`limit\` is ${PAGE_LIMIT.min} to ${PAGE_LIMIT.max}. The default is ${PAGE_LIMIT.default}.`,
    `a workspace has at most ${ENDPOINTS_MAX} endpoints`,
    `at most ${FILTERS_MAX} filters`,
    `at most ${PROJECTS_MAX} projects`,
    `A prompt has at most ${VERSIONS_MAX} versions`,
    `at most ${NEW_THREADS_A_DAY} conversations in 24 hours. A new member sends at most ${NEWCOMER_MESSAGES_A_DAY} messages in 24 hours`,
    `a post or message can contain ${NEWCOMER_LINKS} links. All posts and messages of a member together can contain ${NEWCOMER_LINKS_A_DAY} links a day`,
    `new members can upload ${NEWCOMER_PICTURES_A_DAY} images a day`,
    `new members can send ${NEWCOMER_MESSAGES_A_DAY} messages a day`,
    `Guildhall makes attempts after ${delays.slice(0, -1).join(", ")} and ${delays.at(-1)}.`,
    `Each count stops at ${describe(COUNTED_MAX)}`,
  ];
  for (const sentence of sentences) expect(message).toContain(sentence);
  expect([TIMES_MAX, SECRETS_MAX, LISTENERS_MAX.each]).toEqual([5, 5, 5]);
  for (const sentence of [
    "You can earn this XP again, but only five times in total",
    "newest first. For 24 hours after a rotation, the header has more than one signature, but never more than five",
    "At most five requests",
  ])
    expect(message).toContain(sentence);
});

test("the guide's feed section names every operation on posts and every field of a post's detail", () => {
  const feed = section("Feed").replaceAll(/\s+/g, " ");
  const document = openApiDocument(OPERATIONS, "https://guild.example", "") as unknown as {
    components: { schemas: Record<string, { properties: Record<string, unknown> }> };
  };
  const fieldsOf = (name: string): string[] => Object.keys(document.components.schemas[name]!.properties);
  const shown = new Set(fieldsOf("Post"));
  expect(fieldsOf("PostDetail").filter((name) => !shown.has(name) && !feed.includes(`\`${name}\``))).toEqual(
    [],
  );
  const paths = OPERATIONS.filter(({ group }) => group === "Feed").map(({ route }) => route.split(" ", 2));
  const unnamed = paths.filter(
    ([method, path]) =>
      path !== "/feed" &&
      !new RegExp(`\`${method}[^]{0,40}${path?.replaceAll(/[{}]/g, "\\$&")}\``).test(feed),
  );
  expect(unnamed).toEqual([]);
  expect(feed).toContain("`med_…`");
  expect(feed).not.toContain("one level deep");
});
