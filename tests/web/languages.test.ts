// Tests docs/contract.md#9.19: each visitor gets their own language and time zone.
import { expect, test } from "bun:test";
import { beginMaintenance } from "../../src/core/services/maintenance/maintenance.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { HOUR } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { LANGUAGES } from "../../src/core/base/locales.ts";
import { chooseLanguage } from "../../src/core/identity/builders/language.ts";
import { renewFeedAddress } from "../../src/core/identity/feed-address/feed-address.ts";
import { callerOf } from "./sample-site.ts";
import { notificationText } from "../../src/locale/notification-text.ts";
import { messagesOf } from "../../src/locale/messages.ts";
import { preferredLanguage } from "../../src/web/request/locale.ts";
import { momentsIn } from "../../src/locale/moments.ts";
import {
  attributesOf,
  openSite,
  signUpMember,
  type ShownPage,
  tokenOf,
  visit,
  visibleText,
} from "./support.ts";

/** Returns the language in the page's header and in its markup. */
async function languagesOf(page: ShownPage): Promise<(string | null)[]> {
  return [page.headers.get("content-language"), ...(await attributesOf(page.html, "html", "lang"))];
}

const asking = (accepted: string) => ({ headers: { "accept-language": accepted } });

test("Accept-Language is parsed as in RFC 9110", () => {
  const community = "es";
  for (const [accepted, expected] of [
    [null, "es"],
    ["", "es"],
    ["de", "de"],
    ["de-AT", "de"],
    ["DE-at", "de"],
    ["de-DE-1996", "de"],
    ["en-US,en;q=0.9,de;q=0.8", "en"],
    ["fr-CH, fr;q=0.9, en;q=0.4, de;q=0.7, *;q=0.1", "de"],
    ["en;q=0.001,de;q=1.0", "de"],
    ["en;q=0, de;q=0.1", "de"],
    ["fr", "es"],
    ["*", "es"],
    ["fr,*;q=0.5", "es"],
    ["es;q=0,*", "en"],
    ["zh-Hant-TW, en-AU;q=0.3", "en"],
    ["denglish", "es"],
    ["de;q=nonsense", "es"],
    [",,,;;q=1", "es"],
    ["\u0000<script>", "es"],
    [`${"xx,".repeat(5000)}de`, "de"],
  ] as const)
    expect([accepted, preferredLanguage([], accepted, community)]).toEqual([accepted, expected]);
});

test("a member's chosen language precedes the browser's, and the browser's precedes the community's", () => {
  for (const [chosen, accepted, community, expected] of [
    [["de", "en"], "es", "es", "de"],
    [[null, "en"], "es", "es", "en"],
    [[null, undefined], "de", "es", "de"],
    [["xx", "constructor"], "de", "es", "de"],
    [[], "fr", "de", "de"],
    [[], null, "de", "de"],
  ] as const)
    expect(preferredLanguage(chosen, accepted, community)).toBe(expected);
});

test("guests get their browser's language until they choose one in the footer", async () => {
  await using site = openSite();
  const guest = visit(site);
  expect(await languagesOf(await guest.open("/"))).toEqual(["en", "en"]);
  const german = await guest.open("/jobs?q=loom", asking("de-AT,en;q=0.5"));
  expect(await languagesOf(german)).toEqual(["de", "de"]);
  expect(visibleText(german.html)).toContain(messagesOf("de").layout.signIn);
  expect(await attributesOf(german.html, ".tongues button", "lang")).toEqual([...LANGUAGES]);
  expect(await attributesOf(german.html, ".tongues [aria-current]", "value")).toEqual(["de"]);

  const chosen = await guest.submit(german, "/language", { language: "es" });
  expect([chosen.address, ...(await languagesOf(chosen))]).toEqual(["/jobs?q=loom", "es", "es"]);
  expect(await languagesOf(await guest.open("/sign-in", asking("de")))).toEqual(["es", "es"]);
  expect(await languagesOf(await guest.open("/nowhere", asking("de")))).toEqual(["es", "es"]);
  expect(guest.setCookies.at(-1)).toStartWith("guildhall-language=es; Path=/; HttpOnly; SameSite=Lax");
});

test("guests of a members-only community can choose a language, too", async () => {
  await using site = openSite();
  changeCommunitySettings(site.core, OPERATOR, { reading: "members" });
  const guest = visit(site);
  const chosen = await guest.submit(await guest.open("/jobs"), "/language", { language: "de" });
  expect([chosen.address, ...(await languagesOf(chosen))]).toEqual(["/jobs", "de", "de"]);
  expect(visibleText(chosen.html)).toContain(messagesOf("de").entry.signIn.title);
});

test("the language form needs a form token, accepts only known languages, and redirects only within the site", async () => {
  await using site = openSite();
  const guest = visit(site);
  const page = await guest.open("/");
  const form_token = tokenOf(page);
  for (const [fields, status, location] of [
    [{ language: "de", next: "/" }, 403, null],
    [{ language: "de", next: "//elsewhere.example/x", form_token }, 303, "/"],
    [{ language: "xx", next: "/jobs", form_token }, 303, "/jobs"],
    [{ language: "de; Domain=example", next: "/jobs", form_token }, 303, "/jobs"],
  ] as const) {
    const answer = await guest.post("/language", fields);
    expect([answer.status, answer.location]).toEqual([status, location]);
  }
  expect(guest.cookies.get("guildhall-language")).toBe("de");
  guest.cookies.set("guildhall-language", "xx");
  expect(await languagesOf(await guest.open("/"))).toEqual(["en", "en"]);
});

test("a member's chosen language applies in every browser, also to refusals; without a choice the browser's applies", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const here = "/settings/language";
  expect(await languagesOf(await ada.open(here, asking("de")))).toEqual(["de", "de"]);
  const saved = await ada.submit(await ada.open(here), "/settings/account/language", { language: "es" });
  expect(await languagesOf(saved)).toEqual(["es", "es"]);
  expect(visibleText(saved.html)).toContain(messagesOf("es").notices.saved);
  expect(await attributesOf(saved.html, "#language-choice [selected]", "value")).toEqual(["es"]);
  expect(saved.html).not.toContain('class="tongues"');
  // The member's setting overrides the browser's language and the cookie.
  ada.cookies.set("guildhall-language", "de");
  expect(await languagesOf(await ada.open("/", asking("de")))).toEqual(["es", "es"]);
  const refused = await ada.post("/posts", { text: "", form_token: tokenOf(saved) });
  expect(visibleText(refused.html)).toContain(messagesOf("es").refusals.fields.text_empty as string);

  expect((await ada.submit(saved, "/settings/account/language", { language: "xx" })).status).toBe(400);
  const unset = await ada.submit(saved, "/settings/account/language", { language: "" });
  expect(await languagesOf(unset)).toEqual(["de", "de"]);
  ada.cookies.delete("guildhall-language");
  expect(await languagesOf(await ada.open(here))).toEqual(["en", "en"]);
});

test("without a supported preference pages are in the community's language", async () => {
  await using site = openSite();
  changeCommunitySettings(site.core, OPERATOR, { language: "de", zone: "Europe/Berlin" });
  expect(await languagesOf(await visit(site).open("/"))).toEqual(["de", "de"]);
  expect(await languagesOf(await visit(site).open("/", asking("fr, *;q=0.1")))).toEqual(["de", "de"]);
  expect(await languagesOf(await visit(site).open("/", asking("en")))).toEqual(["en", "en"]);
});

test("a member's own feed is in their language for every client, and the job feed in the community's", async () => {
  await using site = openSite();
  const { core } = site;
  const ada = await signUpMember(site, "ada");
  const [caller, bob] = [ada, await signUpMember(site, "bob")].map((visitor) => callerOf(site, visitor));
  if (!caller || !bob) throw new Error("a member is missing");
  replyTo(core, bob, createPost(core, caller, { text: "A loom" }).id, { text: "warp" });
  const feed = new URL(renewFeedAddress(core, caller)).pathname;
  const notificationIn = (language: "de" | "es") =>
    notificationText(messagesOf(language), {
      kind: "reply",
      actors: ["Bob (@bob)"],
      count: 1,
      about: "",
      subjectId: "",
    });
  changeCommunitySettings(core, OPERATOR, { language: "es" });
  expect((await visit(site).open(feed, asking("de"))).html).toContain(
    `<title>${notificationIn("es")}</title>`,
  );
  core.db.transact(() => chooseLanguage(core, caller, { language: "de" }));
  expect((await visit(site).open(feed, asking("es"))).html).toContain(
    `<title>${notificationIn("de")}</title>`,
  );
  const jobs = await (await fetch(`${site.url}/jobs/feed.json`, asking("de"))).json();
  expect(jobs.title).toStartWith(`${messagesOf("es").layout.jobs} · `);
});

test("English text on a page of another language is marked with lang", async () => {
  await using site = openSite();
  const root = await signUpMember(site, "root", { role: "admin" });
  const page = await root.open("/admin/health", asking("de"));
  expect(await languagesOf(page)).toEqual(["de", "de"]);
  const found = await attributesOf(page.html, ".finding", "lang");
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found)).toEqual(new Set(["en"]));
});

/** Returns the times on a page in order. */
async function momentsOf(
  page: ShownPage,
): Promise<[words: string, exact: string | null, title: string | null][]> {
  const found: [string, string | null, string | null][] = [];
  const rewriter = new HTMLRewriter().on(".maintenance time", {
    element(time) {
      found.push(["", time.getAttribute("datetime"), time.getAttribute("title")]);
    },
    text({ text }) {
      const last = found.at(-1);
      if (last) last[0] += text;
    },
  });
  await rewriter.transform(new Response(page.html)).text();
  return found;
}

test("times are shown in the reader's zone, or else the community's; machine-readable times are UTC", async () => {
  await using site = openSite();
  beginMaintenance(site.core, OPERATOR, { message: "Moving.", forMs: HOUR });
  const exact = "2026-11-20T13:00:00.000Z";
  const shown = async (visitor: { open: (path: string) => Promise<ShownPage> }) =>
    momentsOf(await visitor.open("/jobs"));
  const ada = await signUpMember(site, "ada", { role: "admin" });
  const [utc, berlin] = ["Nov 20, 2026, 13:00 UTC", "Nov 20, 2026, 14:00 GMT+1"];
  expect(await shown(ada)).toEqual([[utc, exact, utc]]);
  changeCommunitySettings(site.core, OPERATOR, { zone: "Europe/Berlin" });
  expect(await shown(ada)).toEqual([[berlin, exact, `${berlin} (Europe/Berlin)`]]);

  const here = "/settings/language";
  const page = await ada.open(here);
  expect(await attributesOf(page.html, "#time_zone [selected]", "value")).toEqual([""]);
  const saved = await ada.submit(page, "/settings/account/language", { time_zone: "Asia/Kathmandu" });
  expect(await attributesOf(saved.html, "#time_zone [selected]", "value")).toEqual(["Asia/Kathmandu"]);
  const kathmandu = "Nov 20, 2026, 18:45";
  expect(await shown(ada)).toEqual([[kathmandu, exact, `${kathmandu} GMT+5:45 (Asia/Kathmandu)`]]);
  expect((await ada.submit(saved, "/settings/account/language", { time_zone: "Mars/Olympus" })).status).toBe(
    422,
  );
  await ada.submit(saved, "/settings/account/language", { time_zone: "UTC" });
  expect(await shown(ada)).toEqual([["Nov 20, 2026, 13:00", exact, utc]]);
  expect(await shown(visit(site))).toEqual([[berlin, exact, `${berlin} (Europe/Berlin)`]]);
});

test("a time follows daylight saving of its zone, and the repeated hour is unambiguous", () => {
  const said = (language: string, at: string, zone: string): string[] => {
    const { moment, momentAtHome } = momentsIn(language);
    return [moment(Date.parse(at), zone), momentAtHome(Date.parse(at), zone)];
  };
  const berlin = "Europe/Berlin";
  expect(said("en", "2026-03-29T00:59:00Z", berlin)).toEqual([
    "Mar 29, 2026, 01:59 GMT+1",
    "Mar 29, 2026, 01:59",
  ]);
  expect(said("en", "2026-03-29T01:00:00Z", berlin)[0]).toBe("Mar 29, 2026, 03:00 GMT+2");
  expect(said("de", "2026-10-25T00:30:00Z", berlin)[0]).toBe("25. Okt. 2026, 02:30 MESZ");
  expect(said("de", "2026-10-25T01:30:00Z", berlin)).toEqual([
    "25. Okt. 2026, 02:30 MEZ",
    "25. Okt. 2026, 02:30",
  ]);
  expect(said("es", "2026-07-01T22:30:00Z", "America/Argentina/Buenos_Aires")[0]).toBe(
    "1 jul 2026, 19:30 GMT-3",
  );
  expect(said("en", "2026-12-31T23:30:00Z", "Pacific/Kiritimati")[1]).toBe("Jan 1, 2027, 13:30");
});

test("every time zone can be shown, and only a few formatters are cached", () => {
  const { moment } = momentsIn("de");
  const zones = Intl.supportedValuesOf("timeZone");
  expect(zones.length).toBeGreaterThan(400);
  const created = spyOnFormatters(() => {
    for (const zone of zones) expect(moment(0, zone)).toMatch(/^\d+\. \w+\.? 19(69|70), \d\d:\d\d \S/);
    for (let i = 0; i < 100; i++) moment(i, zones.at(-1 - (i % 20)) ?? "UTC");
  });
  expect(created).toBe(zones.length);
  // The first formatter has been evicted from the cache.
  expect(spyOnFormatters(() => moment(0, zones[0] ?? "UTC"))).toBe(1);
});

function spyOnFormatters(work: () => void): number {
  const { DateTimeFormat } = Intl;
  let created = 0;
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct(target, args) {
      created++;
      return Reflect.construct(target, args);
    },
  });
  try {
    work();
  } finally {
    Intl.DateTimeFormat = DateTimeFormat;
  }
  return created;
}
