// Tests the filters of the member list (docs/contract.md#12.38).
import { expect, test } from "bun:test";
import { DAY } from "../../src/core/base/clock.ts";
import { createAccountOf, openSite, signedInAs } from "./support.ts";

test("the links of the member list keep the other filters, and list new members only", async () => {
  await using site = openSite();
  await createAccountOf(site, "mod", { role: "moderator" });
  await createAccountOf(site, "ada");
  site.clock.pass(2 * DAY);
  await createAccountOf(site, "bob");
  const mod = signedInAs(site, "mod");

  const all = await mod.open("/admin/builders?standing=active");
  const day = await mod.open("/admin/builders?newSince=day&standing=active");

  expect(all.html).toContain('href="/admin/builders?newSince=day&standing=active"');
  expect([all.html.includes(">@ada<"), all.html.includes(">@bob<")]).toEqual([true, true]);
  expect([day.html.includes(">@ada<"), day.html.includes(">@bob<")]).toEqual([false, true]);
});
