import { expect, test } from "bun:test";
import { setBackups } from "../../src/core/services/backups/backups.ts";
import { setReplica } from "../../src/core/services/backups/replica.ts";
import { type Finding, registerCheckup } from "../../src/core/services/checkup/checkup.ts";
import { type ReadinessFailure, registerReadiness } from "../../src/core/services/checkup/readiness.ts";
import { createDayRecorder } from "../../src/core/services/history/history.ts";
import { putDay } from "../../src/core/services/history/history-store.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { checkUrl, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { disable, updateFailures } from "../../src/core/outbox/webhooks/health-store.ts";
import { createMember, NOON } from "../support.ts";
import { openSite, signUpMember, type Site, visibleText } from "./support.ts";

/** docs/contract.md#12.18 */

const GOOD = { at: NOON - HOUR, name: "guildhall-aabbccdd.tar.zst", bytes: 1_000_000, ms: 900 };

/** Healthy backups, and these findings. */
function found({ core, clock }: Site, ...checked: Finding[]): void {
  setBackups(core, () => ({ everyMs: DAY, isLate: false, last: GOOD }));
  const at = clock.now() - 2 * HOUR;
  registerCheckup(core, () => ({ at, checked }));
}

test("the state is summarized at the top in one sentence, followed by findings by severity with their fixes", async () => {
  await using site = openSite();
  const admin = await signUpMember(site, "warden", { role: "admin" });
  const words = async () => visibleText((await admin.open("/admin/health")).html);
  expect(await words()).toContain("The server makes no backups");
  expect(await words()).toContain("has not run its checks yet");

  found(site, { check: "disk", severity: "ok", says: "40 GB are free" });
  expect(await words()).toContain("Everything is working. The last full check ran 2 hours ago");
  expect(await words()).toContain("5 checks passed");
  expect(await words()).not.toContain("Findings");

  const says = "the log in <b>/srv</b> is 300 MB";
  found(
    site,
    { check: "rights", severity: "note", says: "a file is odd" },
    { check: "write_ahead_size", severity: "warning", says, mend: "Stop the program that keeps" },
    { check: "certificate", severity: "severe", says: "it has ended", mend: "certbot renew" },
    { check: "disk", severity: "ok", says: "40 GB are free" },
    { check: "origin_reached", severity: "note", says: "https://guild.example is far" },
  );
  const text = await words();
  expect(text).toContain("Act now: 1 severe problem and 1 warning.");
  const locations = ["It has ended", "The log in", "A file is odd", "checks passed", "40 GB are free"];
  expect(locations.map((each) => text.indexOf(each))).toEqual(
    locations.map((each) => text.indexOf(each)).sort((a, b) => a - b),
  );
  expect(Math.min(...locations.map((each) => text.indexOf(each)))).toBeGreaterThan(0);
  expect(text).toContain("Fix: certbot renew");
  // Names keep their spelling, and times have the usual format.
  expect(text).toContain(" https://guild.example is far");
  expect(text).toContain("2026-11-20 11:00 UTC");
  const { html } = await admin.open("/admin/health");
  expect(html).toContain("&lt;b&gt;/srv&lt;/b&gt;");
});

test("current state replaces the findings of last night's checkup", async () => {
  await using site = openSite();
  const { core, clock } = site;
  const admin = await signUpMember(site, "warden", { role: "admin" });
  const words = async () => visibleText((await admin.open("/admin/health")).html);
  found(site, { check: "backup", severity: "ok", says: "the newest of last night" });
  expect(await words()).not.toContain("the newest of last night");
  expect(await words()).toContain("The newest verified backup is guildhall-aabbccdd.tar.zst");
  const failed = { at: clock.now(), reason: "no room" };
  setBackups(core, () => ({ everyMs: DAY, isLate: true, last: GOOD, failed, rehearsal: { failed } }));
  expect(await words()).toContain("Act now: 1 severe problem and 1 warning.");
  expect(await words()).toContain("failed: no room");

  found(site);
  core.db.storageFaults.record(Object.assign(new Error("malformed"), { code: "SQLITE_CORRUPT" }));
  expect(await words()).toContain("found damage in the database (SQLITE_CORRUPT, once");

  const ada = createMember(core, "ada").caller;
  const url = await checkUrl(core, ada, "https://hooks.example.com/in");
  registerEndpoint(core, ada, { url, events: ["post.created"] });
  createPost(core, ada, { text: "Told to nobody", tags: [], media: [] });
  const late = { check: "deliveries", severity: "severe", says: "they stood still last night" } as const;
  found(site, late);
  expect(await words()).toContain("1 delivery is pending, none is late.");
  clock.pass(25 * MINUTE);
  expect(await words()).toContain("1 delivery is pending, the oldest 25 minutes late.");
  expect(await words()).not.toContain("last night");
});

test("an admin sees the owner and host of failing or auto-disabled endpoints, but not the path", async () => {
  await using site = openSite();
  const { core, clock } = site;
  const admin = await signUpMember(site, "warden", { role: "admin" });
  const words = async () => visibleText((await admin.open("/admin/health")).html);
  expect(await words()).toContain("No endpoint is failing or was disabled automatically.");
  const ada = createMember(core, "ada").caller;
  const make = async (name: string) => {
    const url = await checkUrl(core, ada, `https://${name}.example.com/in?secret=hush`);
    return registerEndpoint(core, ada, { url, events: ["post.created"] }).id;
  };
  const [failing, gone, chosen] = [await make("failing"), await make("gone"), await make("chosen")];
  await make("well");
  const failures = { failingSince: clock.now() - 3 * HOUR, failedAttempts: 1, failingServed: 0 };
  updateFailures(core, failing, failures);
  disable(core, gone, "gone", clock.now() - HOUR);
  disable(core, chosen, "switched_off", clock.now() - HOUR);
  const { html } = await admin.open("/admin/health");
  expect(visibleText(html)).toContain(
    "failing.example.com Owner: @ada · No acknowledgement · since Nov 20, 2026, 09:00 UTC Failing",
  );
  expect(visibleText(html)).toContain(
    "gone.example.com Owner: @ada · The receiver responded with status 410 (Gone). · since Nov 20, 2026, 11:00 UTC Disabled",
  );
  expect(html).not.toContain("chosen.example.com");
  expect(html).not.toContain("well.example.com");
  expect(html).not.toContain("hush");
});

test("an admin can start a full check, and learns when a check is already running", async () => {
  await using site = openSite();
  const admin = await signUpMember(site, "warden", { role: "admin" });
  const checkup = { at: site.clock.now(), checked: [] };
  let begun = 0;
  registerCheckup(
    site.core,
    () => checkup,
    () => ++begun === 1,
  );
  const look = async () =>
    visibleText((await admin.submit(await admin.open("/admin/health"), "/admin/health/look")).html);
  expect(await look()).toContain("A check of the server is running.");
  expect(await look()).toContain("No check was started.");
  expect(begun).toBe(2);
  const ada = await signUpMember(site, "ada");
  const form = (await admin.open("/admin/health")).forms.find(
    ({ action }) => action === "/admin/health/look",
  );
  expect((await ada.post("/admin/health/look", Object.fromEntries(form?.fields ?? []))).status).not.toBe(303);
  expect(begun).toBe(2);
});

test("the month is drawn as a chart and described in text", async () => {
  await using site = openSite();
  const { core, clock } = site;
  const admin = await signUpMember(site, "warden", { role: "admin" });
  const midnight = NOON - 12 * HOUR;
  putDay(core, midnight - DAY, {
    active: 7,
    posts: 3,
    replies: 4,
    reads: { "0.01": 99, "1": 1 },
    freeBytes: 5e9,
  });
  putDay(core, midnight - 2 * DAY, { active: 3, failed: 2, acknowledged: 8 });
  putDay(core, midnight, { active: 4, faults: 2 });
  const { html } = await admin.open("/admin/health");
  const labels = [...html.matchAll(/role="img" aria-label="([^"]+)"/g)].map(([, label]) => label);
  expect(labels).toContain("Active members per day. active: today 4; previous days 3 to 7, 5 on average.");
  expect(labels).toContain(
    "Free disk space. free: no data for today; previous days 5.0 GB to 5.0 GB, 5.0 GB on average.",
  );
  expect(html).toContain("<title>Nov 18, 2026: 8 acknowledged, 2 failed</title>");
  expect(html).toContain("<title>Nov 19, 2026: 3 posts, 4 replies</title>");
  expect(visibleText(html)).toContain(
    "Response time of writes median 99th percentile No data for these days yet.",
  );
  expect(html).not.toContain("NaN");

  const sizes = () => ({ databaseBytes: 1, freeBytes: 1 });
  await createDayRecorder(
    core,
    () => ({ reads: {}, writes: {}, faults: 0 }),
    sizes,
    async () => {},
  ).tick();
  expect(visibleText((await admin.open("/admin/health")).html)).toContain("Server errors 2");
  clock.pass(DAY);
  expect(visibleText((await admin.open("/admin/health")).html)).toContain("Server errors 0");
});

test("/admin reports severe findings and links to the page", async () => {
  await using site = openSite();
  const admin = await signUpMember(site, "warden", { role: "admin" });
  const shown = async () => (await admin.open("/admin")).html;
  found(site, { check: "certificate", severity: "warning", says: "it ends soon" });
  expect(await shown()).not.toContain("Act now");
  found(site, { check: "certificate", severity: "severe", says: "it has ended" });
  expect(visibleText(await shown())).toContain("Act now: 1 severe problem. View server health");
  expect(await shown()).toContain('<a href="/admin/health">View');
});

test("members who are not admins get 404", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const { status, html } = await ada.open("/admin/health");
  expect(status).toBe(404);
  expect(html).not.toContain("30 days");
});

test("current readiness failures are shown, whatever the last checkup found", async () => {
  await using site = openSite();
  const admin = await signUpMember(site, "warden", { role: "admin" });
  const words = async () => visibleText((await admin.open("/admin/health")).html);
  found(site, { check: "server", severity: "ok", says: "it answered last night" });
  expect(await words()).toContain("Everything is working.");
  let lacks: ReadinessFailure[] = ["write", "delivery"];
  registerReadiness(site.core, async () => lacks);
  expect(await words()).toContain("Act now: 1 severe problem.");
  expect(await words()).toContain("The server is not ready: writes fail, deliveries are not being sent.");
  expect(visibleText((await admin.open("/admin")).html)).toContain("Act now: 1 severe problem.");
  lacks = [];
  expect(await words()).toContain("The server is ready.");
  expect(await words()).not.toContain("it answered last night");
});

test("the age of the replica is current and replaces the nightly finding", async () => {
  await using site = openSite();
  const admin = await signUpMember(site, "warden", { role: "admin" });
  const words = async () => visibleText((await admin.open("/admin/health")).html);
  found(site, { check: "replica", severity: "ok", says: "the replica was fine last night" });
  const replica = { name: "s3://bucket/guild", ageMs: 0, newest: NOON, error: undefined };
  setReplica(site.core, () => replica);
  expect(await words()).toContain("The replica s3://bucket/guild is up to date. Its newest file is from");
  expect(await words()).not.toContain("last night");
  setReplica(site.core, () => ({ ...replica, ageMs: 7 * MINUTE }));
  expect(await words()).toContain("Act now: 1 severe problem");
  expect(await words()).toContain("has been behind the newest commits for 7 minutes");
  setReplica(site.core, () => ({ ...replica, ageMs: MINUTE, newest: undefined, error: "there is no /mnt" }));
  expect(await words()).toContain(
    "cannot be read (there is no /mnt). Its age has been unknown for 1 minute.",
  );
});
