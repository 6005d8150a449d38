/**
 * Takes the screenshots in docs/screenshots: `bun run screenshots`. The community, the clock and the
 * randomness are fixed, so the screenshots change only when the pages change.
 */
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createToken, recordTokenUses } from "../src/core/delegation/tokens/tokens.ts";
import { hideSteps } from "../src/core/services/first-steps/first-steps.ts";
import { DAY, HOUR, MINUTE } from "../src/core/base/clock.ts";
import { claimDue, settle } from "../src/core/outbox/deliveries/deliveries.ts";
import { replyTo } from "../src/core/community/feed/replies.ts";
import { createPost } from "../src/core/community/feed/feed.ts";
import { checkUrl, registerEndpoint } from "../src/core/outbox/webhooks/webhooks.ts";
import { pictureStorageOf } from "../src/core/community/media/picture-storage.ts";
import { fillDemo, fillShowcase } from "../src/demo/demo.ts";
import { launch } from "../tests/browser.ts";
import { createMemberToken, limitOf } from "../tests/support.ts";
import { callerOf } from "../tests/web/sample-site.ts";
import { createAccountOf, openSite, signedInAs, sessionCookie, type Site } from "../tests/web/support.ts";
import { authorizePath, makeApp } from "../tests/web/sample-apps.ts";

const FOLDER = join(import.meta.dir, "../docs/screenshots");
const MAX_BYTES = 150 * 1024;

// The demo as its visitors see it, and a site whose member has tokens, an app and two weeks of deliveries.
await using demo = openSite();
await fillShowcase(demo.core, pictureStorageOf(demo.core), () => {});
await using site = openSite();
const { endpoint, app } = await furnish(site);
const browser = await launch();
mkdirSync(FOLDER, { recursive: true });
const desk = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
await picture(demo, "maren", "feed", "/", desk);
await picture(demo, "maren", "jobs", "/jobs", desk);
await picture(demo, "maren", "prompts", "/prompts", desk);
await picture(demo, "maren", "profile", "/@maren", desk);
await picture(demo, "maren", "job", `/jobs/${remoteJob()}`, desk);
await picture(demo, "maren", "feed-phone", "/", phone);
await picture(site, "ada", "tokens", "/settings/tokens", desk);
await picture(site, "ada", "webhooks", `/settings/webhooks/${endpoint}`, desk);
await picture(site, "ada", "consent", authorizePath(app, "feed:read feed:write jobs:read"), desk);
await browser.close();

function remoteJob(): string {
  const sql = "SELECT id FROM jobs WHERE remote = 1 ORDER BY id DESC LIMIT 1";
  return demo.core.db.prepare<{ id: string }>(sql).get()?.id ?? "";
}

async function picture(
  site: Site,
  username: string,
  name: string,
  path: string,
  viewport: { width: number; height: number },
): Promise<void> {
  const { core } = site;
  const context = await browser.newContext({ baseURL: core.origin, viewport, colorScheme: "light" });
  const cookie = sessionCookie(site);
  const value = signedInAs(site, username).cookies.get(cookie) ?? "";
  await context.addCookies([{ name: cookie, value, url: core.origin }]);
  const page = await context.newPage();
  const answer = await page.goto(path);
  if (answer?.status() !== 200) throw new Error(`${path} answered ${answer?.status()}`);
  const file = join(FOLDER, `${name}.png`);
  await page.screenshot({ path: file });
  await context.close();
  const { size } = statSync(file);
  if (size > MAX_BYTES) throw new Error(`${name}.png has ${size} bytes`);
  console.log(`docs/screenshots/${name}.png ${Math.round(size / 1024)} KiB`);
}

/** Creates two weeks of activity. Ada gets tokens, an app, and an endpoint that failed for a while. */
async function furnish(site: Site) {
  const { core, clock } = site;
  await fillDemo(core, { builders: 60, posts: 400, jobs: 80, prompts: 60 }, 1, () => {});
  await createAccountOf(site, "ada");
  core.db.transact(() =>
    core.db.prepare("UPDATE builders SET name = 'Ada Lovelace' WHERE username = 'ada'").run(),
  );
  const caller = callerOf(site, signedInAs(site, "ada"));
  core.db.transact(() => hideSteps(core, caller));
  const draft = { tier: "personal" as const };
  createToken(core, caller, "ada", {
    ...draft,
    name: "Weekly digest",
    scopes: ["feed:read", "jobs:read"],
    expiresInDays: 90,
  });
  createToken(core, caller, "ada", {
    ...draft,
    name: "Release notes to the feed",
    scopes: ["feed:read", "feed:write"],
    expiresInDays: 365,
  });
  const url = await checkUrl(core, caller, "https://hooks.tidewater.example.com/guildhall");
  const { id } = registerEndpoint(core, caller, {
    url,
    events: ["post.created", "job.published", "dm.received"],
  });
  const reply = core.db
    .prepare<{ username: string; text: string; tags: string }>(
      `SELECT b.username, p.text, p.tags FROM posts p JOIN builders b ON b.id = p.author_id
       WHERE p.parent_id IS NULL ORDER BY p.id LIMIT 60`,
    )
    .all();
  for (let day = 0; day < 14; day++) {
    for (const [i, { username, text, tags }] of reply.slice(day * 4, day * 4 + 2 + (day % 3)).entries()) {
      clock.pass((3 + i) * HOUR + 17 * MINUTE);
      const post = createPost(core, createMemberToken(core, username).caller, {
        text,
        tags: JSON.parse(tags),
      });
      // Ada replies on most days.
      if (i === 0 && day !== 4) replyTo(core, caller, post.id, { text: "Thank you for writing this down." });
      deliver(day === 6 || (day === 10 && i === 0), 40 + ((day * 37 + i * 91) % 160));
    }
    clock.pass(DAY - (clock.now() % DAY) + 8 * HOUR);
  }
  for (const { token } of [
    // Two weeks later, creating a token needs a fresh sign-in.
    createToken(core, callerOf(site, signedInAs(site, "ada")), "ada", {
      ...draft,
      name: "Editor plugin",
      scopes: ["feed:read", "profile:read"],
    }),
  ])
    await site.request(token, "/feed");
  const launcher = createMemberToken(core, reply[1]?.username ?? "").caller;
  const text =
    "# Spindle 1.0\n\nA queue of jobs in one SQLite table: leases instead of locks, and **nothing to run** beside your program. Three hundred lines, and a test for each way in which a machine can die.";
  createPost(core, launcher, { text, tags: ["release", "sqlite"] });
  await recordTokenUses(core);
  clock.pass(25 * MINUTE);
  return { endpoint: id, app: makeApp(site, reply[0]?.username ?? "") };

  function deliver(isDown: boolean, durationMs: number): void {
    const { claims } = core.db.transact(() => claimDue(core, 50, "", limitOf(50)));
    for (const claim of claims) {
      const outcome = isDown
        ? { status: 503, durationMs, error: "The receiver responded with status 503." }
        : { status: 204, durationMs };
      core.db.transact(() => settle(core, claim, outcome, isDown ? [0] : [0, HOUR]));
    }
  }
}
