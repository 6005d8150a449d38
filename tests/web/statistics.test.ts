// docs/contract.md#12.26
import { expect, test } from "bun:test";
import { createDayRecorder } from "../../src/core/services/history/history.ts";
import { putDay } from "../../src/core/services/history/history-store.ts";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import { NOON } from "../support.ts";
import { openSite, signUpMember, visibleText } from "./support.ts";

const MIDNIGHT = NOON - 12 * HOUR;

test("only an admin sees the weekly charts with tables, and downloads them as CSV", async () => {
  await using site = openSite();
  const { core } = site;
  const admin = await signUpMember(site, "warden", { role: "admin" });
  expect(visibleText((await admin.open("/admin/statistics")).html)).toContain("There are no figures yet.");
  const created = { signUps: 3, posts: 1200, replies: 7, jobs: 2, prompts: 1, acknowledged: 90, failed: 4 };
  putDay(core, MIDNIGHT - 7 * DAY, { countedTo: MIDNIGHT, ...created });
  putDay(core, MIDNIGHT - 8 * DAY, { countedTo: MIDNIGHT, ...created });
  const history = createDayRecorder(
    core,
    () => ({ reads: {}, writes: {}, faults: 0 }),
    () => ({ databaseBytes: 1, freeBytes: 1 }),
    async () => {},
  );
  await history.tick();
  const { html } = await admin.open("/admin/statistics");
  const text = visibleText(html);
  // Content is counted every quarter of an hour. Members are counted when the page is opened.
  expect(text).toMatch(
    /Counting started on Nov 12, 2026 ?\. Weekly figures were last updated on Nov 20, 2026, 11:4\d UTC ?\. The number of members is current\./,
  );
  expect(text).toContain("Members 1");
  expect(text).toContain("Active this week 1");
  expect(html).toContain("<title>Week of Nov 9, 2026: 2,400 posts, 14 replies</title>");
  const labels = [...html.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label);
  expect(labels).toContain(
    "Webhook delivery attempts per week. acknowledged: this week 0. In earlier weeks, 180 to 180, 180 on average. failed: this week 0. In earlier weeks, 8 to 8, 8 on average.",
  );
  expect(html.match(/<svg[^>]*role="img"/g)).toHaveLength(6);
  expect(html.match(/<table>/g)).toHaveLength(6);
  // The table starts with the current week. Weeks without data show dashes.
  expect(text).toMatch(/Week of posts replies Nov 16, 2026 0 0 Nov 9, 2026 2,400 14 Nov 2, 2026 – –/);

  const csv = await admin.open("/admin/statistics.csv");
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  const lines = csv.html.split("\r\n");
  expect(lines).toHaveLength(28);
  expect(lines[0]).toBe("week,joined,active,returned,posts,replies,jobs,prompts,acknowledged,failed");
  expect(lines.slice(-4)).toEqual([
    "2026-11-02,,,,,,,,,",
    "2026-11-09,6,,,2400,14,4,2,180,8",
    "2026-11-16,0,1,0,0,0,0,0,0,0",
    "",
  ]);

  for (const role of ["member", "moderator"] as const) {
    const other = await signUpMember(site, `a-${role}`, { role });
    for (const path of ["/admin/statistics", "/admin/statistics.csv"]) {
      const page = await other.open(path);
      expect([role, page.status]).toEqual([role, 404]);
      expect(page.html).not.toContain("2,400");
    }
  }
});
