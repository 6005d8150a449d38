// Tests docs/contract.md#9.15: pages that create invitations, and the pages behind their links.
import { expect, test } from "bun:test";
import decodeQr from "qr/decode.js";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { makeInvite, withdrawInvite } from "../../src/core/identity/accounts/invites.ts";
import {
  createAccountOf,
  openSite,
  PASSWORD,
  signedInAs,
  type ShownPage,
  visit,
  visibleText,
} from "./support.ts";

/** Returns the QR code of a page as black and white pixels. */
function photographed({ html }: ShownPage): { width: number; height: number; data: Uint8Array } {
  const [, side = "0", path = ""] =
    /class="qr" viewBox="0 0 (\d+) [^>]*>.*?<path fill="#000" d="([^"]+)"/s.exec(html) ?? [];
  const [size, scale] = [Number(side), 4];
  const data = new Uint8Array(size * size * scale * scale * 4).fill(255);
  for (const [, x = "0", y = "0", long = "0"] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let py = Number(y) * scale; py < (Number(y) + 1) * scale; py++)
      for (let px = Number(x) * scale; px < (Number(x) + Number(long)) * scale; px++)
        data.fill(0, (py * size * scale + px) * 4, (py * size * scale + px) * 4 + 3);
  }
  return { width: size * scale, height: size * scale, data };
}

test("an invitation is shown once, with a copy button and a QR code of the same address", async () => {
  await using site = openSite();
  await createAccountOf(site, "root", { role: "admin" });
  const root = signedInAs(site, "root");
  const created = await root.submit(await root.open("/admin/invites"), "/admin/invites", {
    label: "Meetup <in> May",
    uses: "12",
    hours: "720",
  });
  const [, address = ""] =
    /<code class="secret-value" id="invite"[^>]*>([^<]+)<\/code>/.exec(created.html) ?? [];
  expect(decodeQr(photographed(created))).toBe(address);
  expect(created.html).toContain('data-copy="invite"');
  expect(created.html).toContain("Meetup &lt;in&gt; May");
  const again = await root.open("/admin/invites");
  expect(again.html).toContain("Not used yet");
  expect(again.html).not.toContain(new URL(address).searchParams.get("invite") ?? "none");
  expect(again.html).not.toContain('class="qr"');

  const guest = visit(site);
  const form = await guest.open(new URL(address).pathname + new URL(address).search);
  expect(form.html).toContain("<bdi>@root</bdi> invited you");
  await guest.submit(form, "/sign-up", { username: "bob", password: PASSWORD });
  expect((await root.open("/admin/builders/bob")).html).toMatch(/Joined with an invitation from .*@root/);
  expect((await root.open("/admin/invites")).html).toContain("Used 1 of 12 times");
  for (const [name, value] of [
    ["uses", "1001"],
    ["uses", "1.5"],
    ["label", "x".repeat(61)],
  ] as const) {
    const wrong = await root.submit(again, "/admin/invites", { [name]: value });
    expect([wrong.status, wrong.html.includes(`id="${name}-error"`)]).toEqual([400, true]);
  }
});

test("an invalid invitation links to the sign-in and explains how to get a new one, depending on the way to join", async () => {
  await using site = openSite();
  const { core, clock } = site;
  const pathTo = (created: { url: string }) => new URL(created.url).pathname + new URL(created.url).search;
  const used = makeInvite(core, OPERATOR);
  const revoked = makeInvite(core, OPERATOR);
  const expired = makeInvite(core, OPERATOR);
  const guest = visit(site);
  const other = visit(site);
  const late = await other.open(pathTo(used));
  await guest.submit(await guest.open(pathTo(used)), "/sign-up", { username: "bob", password: PASSWORD });
  // The form was open before another person used the invitation.
  const refused = await other.submit(late, "/sign-up", { username: "cy", password: PASSWORD });
  expect([refused.status, visibleText(refused.html).includes("This invitation does not work")]).toEqual([
    404,
    true,
  ]);
  withdrawInvite(core, OPERATOR, revoked.id);
  clock.pass(8 * DAY);
  for (const joining of ["invite", "approval"] as const) {
    changeCommunitySettings(core, OPERATOR, { joining });
    for (const path of [used, revoked, expired].map(pathTo).concat("/sign-up?invite=unknown")) {
      const page = await visit(site).open(path);
      const text = visibleText(page.html);
      expect([joining, path, page.status]).toEqual([joining, path, 404]);
      expect(text).toContain(
        "This invitation does not work Ask the member who invited you for a new invitation",
      );
      expect(page.html).toContain('<a class="button primary" href="/sign-in">Sign in</a>');
      expect(page.html.includes('<a href="/sign-up">request to join</a>')).toBe(joining === "approval");
      expect(page.html.match(/<h1/g)).toHaveLength(1);
    }
  }
});

test("the sign-up page shows the rules for agreement; a refused form keeps the typed values except the password", async () => {
  await using site = openSite();
  changeCommunitySettings(site.core, OPERATOR, { rules: "Be **kind**." });
  const { url } = makeInvite(site.core, OPERATOR);
  const guest = visit(site);
  const form = await guest.open(new URL(url).pathname + new URL(url).search);
  expect(form.html).toMatch(/<details class="rules" open.*Be <strong>kind<\/strong>/s);
  const typed = { username: "bob", name: "Bob Ode", password: PASSWORD };
  const refused = await guest.submit(form, "/sign-up", typed);
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('id="agrees-error"');
  expect(refused.html).toMatch(/value="bob"[^]*value="Bob Ode"/);
  expect(refused.html).not.toContain(PASSWORD);
  const entered = await guest.submit(refused, "/sign-up", { ...typed, agrees: "on" });
  expect(entered.address).toStartWith("/?notice=welcome");
});
