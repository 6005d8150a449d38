import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { addMember, createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { createMemberToken, createMember, limitOf } from "../support.ts";
import { attributesOf, openSite, signUpMember, type Site, visibleText } from "./support.ts";

/** Creates ada, signed in, with a failing endpoint. */
async function stage(site: Site) {
  const { core } = site;
  const ada = await signUpMember(site, "ada");
  const { caller } = createMemberToken(core, "ada");
  const { caller: other } = createMember(core, "other");
  const url = "https://hooks.example.com/in" as CheckedUrl;
  const { id } = registerEndpoint(core, caller, { url, events: ["post.created"] });
  const fail = (status: number): void => {
    createPost(core, other, { text: "hello" });
    core.db.transact(() => {
      for (const claim of claimDue(core, 100, "", limitOf(100)).claims)
        settle(core, claim, { status, durationMs: 1, failure: { code: "status", params: { status } } }, [0]);
    });
  };
  return { ada, caller, id, fail };
}

const TROUBLE = /<aside class="notice trouble".*?<\/aside>/s;

test("every page warns an owner of an endpoint that fails for a day or was disabled, until its page is opened", async () => {
  await using site = openSite();
  const { ada, id, fail } = await stage(site);
  const troubleOn = async (path: string) => TROUBLE.exec((await ada.open(path)).html)?.[0] ?? "";
  fail(503);
  expect(await troubleOn("/")).toBe("");
  expect((await ada.open("/settings/webhooks")).html).toContain("Failing<");
  site.clock.pass(DAY);
  fail(503);
  for (const path of ["/", "/jobs", "/messages", "/settings/account", `/settings/webhooks/${id}`]) {
    const trouble = await troubleOn(path);
    expect([path, trouble]).toEqual([path, expect.stringContaining("hooks.example.com")]);
    expect(trouble).toContain(`href="/settings/webhooks/${id}"`);
  }
  expect((await ada.open("/settings/webhooks")).html).toContain("Failing for a day");
  fail(410);
  expect(await troubleOn("/")).toContain("The receiver responded with status 410 (Gone).");

  const page = await ada.open(`/settings/webhooks/${id}`);
  const left = await ada.submit(page, `/settings/webhooks/${id}/disable`);
  expect(left.html).not.toMatch(TROUBLE);
  expect(left.html).toContain("The owner paused deliveries.");
  expect(await troubleOn("/")).toBe("");
});

test("warns no other member, and the link names a shared workspace", async () => {
  await using site = openSite();
  const { core } = site;
  const { ada, caller, fail } = await stage(site);
  const workspaceId = createWorkspace(core, OPERATOR, "ada", { name: "Tools" });
  const bo = await signUpMember(site, "bo");
  addMember(core, OPERATOR, workspaceId, "bo");
  const url = "https://shared.example.com/" as CheckedUrl;
  const shared = registerEndpoint(core, { ...caller, workspaceId }, { url, events: ["post.created"] });
  fail(410);
  expect((await bo.open("/")).html).not.toMatch(TROUBLE);
  const text = TROUBLE.exec((await ada.open("/")).html)?.[0] ?? "";
  expect(text).toContain(`href="/settings/webhooks/${shared.id}?workspace=${workspaceId}"`);
  expect(text.match(/was disabled on/g)).toHaveLength(2);
});

test("an endpoint's page lists valid earlier secrets, sends a test of any type, and redelivers a range", async () => {
  await using site = openSite();
  const { ada, id } = await stage(site);
  const path = `/settings/webhooks/${id}`;
  const page = await ada.open(path);
  expect(page.html).not.toContain("still valid");
  await ada.submit(page, `${path}/rotate`);
  expect((await ada.open(path)).html).toContain("One earlier secret is still valid, until");
  const sent = await ada.submit(await ada.open(path), `${path}/test`, { type: "job.published" });
  expect(sent.html).toContain("Delivery of job.published");

  site.core.db.transact(() => {
    for (const claim of claimDue(site.core, 100, "", limitOf(100)).claims)
      settle(site.core, claim, { status: 204, durationMs: 1 }, []);
  });
  const again = await ada.open(`${path}/recover`);
  expect(again.html).toContain(">1 acknowledged<");
  await ada.submit(again, `${path}/recover`, { since: "1h", what: "acknowledged" });
  const { claims } = site.core.db.transact(() => claimDue(site.core, 100, "", limitOf(100)));
  expect(claims.map(({ body }) => JSON.parse(body).type)).toEqual(["job.published"]);
});

test("a failed attempt shows its duration and, separately, its code", async () => {
  await using site = openSite();
  const { ada, id, fail } = await stage(site);
  fail(503);
  const list = await ada.open(`/settings/webhooks/${id}`);
  const [delivery = ""] = await attributesOf(list.html, ".rows .row-title a", "href");
  expect(visibleText((await ada.open(delivery)).html)).toContain("· 1 ms · status");
  const { html } = await ada.open(delivery);
  const [attempt = ""] = /<ol class="timeline">.*?<\/li>/s.exec(html) ?? [];
  // Copied text and screen readers ignore markup, so the separator must be text.
  expect(attempt.replaceAll(/<[^>]*>/g, "")).toContain("1 ms · status");
});
