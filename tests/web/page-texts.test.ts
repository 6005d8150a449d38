import { expect, test } from "bun:test";
import { MINUTE } from "../../src/core/base/clock.ts";
import { refuse } from "../../src/core/base/errors.ts";
import { LANGUAGES } from "../../src/core/base/locales.ts";
import { refusalText } from "../../src/web/parts/sentences.ts";
import { addSampleContent } from "./sample-site.ts";
import { messagesOf } from "../../src/locale/messages.ts";
import { attributesOf, openSite, signUpMember, visit, visibleText } from "./support.ts";

test("an overdue delivery says that it is due, and not when the attempt was planned", async () => {
  await using site = openSite();
  const { ada, pathOf } = await addSampleContent(site);
  const path = pathOf({ path: "/settings/deliveries/:id" });
  expect(visibleText((await ada.open(path)).html)).toMatch(/Next attempt (?:in|this)/);
  site.clock.pass(2 * MINUTE);
  const text = visibleText((await ada.open(path)).html);
  expect(text).toContain("The next attempt is due");
  expect(text).not.toContain("Next attempt");
});

test("a refused form shows at the field only the error of the typed value", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const form = await ada.open("/jobs/filters/new");
  for (const [name, told] of [
    ["x".repeat(101), "Use at most 100 characters. You have 101."],
    ["", "This cannot be empty."],
    ["Ada\u202e", "Use a single line without invisible characters."],
    ["a\0b", "This text contains invalid characters. Type it again."],
  ] as const) {
    const page = await ada.submit(form, "/jobs/filters", { name });
    expect([name, page.status]).toEqual([name, 400]);
    expect(visibleText(page.html)).toContain(told);
  }
});

test("a page that says not found links to the front page", async () => {
  await using site = openSite();
  const page = await visit(site).open("/nothing");
  expect(await attributesOf(page.html, "main a", "href")).toEqual(["/"]);
  expect(visibleText(page.html)).toMatch(/include the request ID [0-9a-f-]{36}/);
});

test("a name that resembles a timestamp but is invalid is shown unchanged, without a fault", () => {
  const name = "2026-99-99T99:99:99.999Z";
  for (const language of LANGUAGES) {
    const ask = { messages: messagesOf(language), zone: { name: "Europe/Berlin", isOwn: true } };
    expect(refusalText(ask, refuse("company_of_others", { name, slug: "acme" }))).toContain(name);
  }
});
