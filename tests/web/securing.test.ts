import { expect, test } from "bun:test";
import { MINUTE } from "../../src/core/base/clock.ts";
import { addSampleContent } from "./sample-site.ts";
import { openSite, PASSWORD, signUpMember, signedInAs, tokenOf, visit, visibleText } from "./support.ts";

const PAGE_PATH = "/settings/account/secure";

test("one button ends all access, copied sessions included, and asks for confirmation after an old sign-in", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const thief = visit(site, [...ada.cookies]);
  site.clock.pass(11 * MINUTE);
  const page = await ada.open("/settings/security");
  expect(page.html).toContain(`href="${PAGE_PATH}"`);
  const shownPage = await ada.open(PAGE_PATH);
  expect(visibleText(shownPage.html)).toContain("1 session");
  const confirmation = await ada.submit(shownPage, PAGE_PATH);
  expect(visibleText(confirmation.html)).toContain("Confirm it’s you");
  const back = await ada.submit(confirmation, "/settings/confirm", { current: PASSWORD });
  const done = await ada.submit(back, PAGE_PATH);
  expect(visibleText(done.html)).toContain("Account secured");
  expect((await thief.open("/settings/account")).forms[0]?.action).toBe("/sign-in");
  expect(visibleText((await ada.open("/settings/activity")).html)).toContain("Secured the account");
});

test("an admin secures another account on its page, and is redirected to their own page for their own", async () => {
  await using site = openSite();
  await addSampleContent(site);
  const warden = signedInAs(site, "root");
  const place = "/admin/builders/ada";
  expect((await warden.open(place)).html).toContain(`href="${place}/secure"`);
  const page = await warden.open(`${place}/secure`);
  expect(visibleText(page.html)).toMatch(
    /Access that will end .*session.* access token.* webhook endpoint.* link/,
  );
  const done = await warden.submit(page, `${place}/secure`);
  expect(visibleText(done.html)).toContain("Account secured");
  const again = await warden.open(`${place}/secure`);
  expect(visibleText(again.html)).toContain("or links give access to this account");
  expect((await warden.open("/admin/builders/root/secure")).location).toBe(PAGE_PATH);
  const guest = await signUpMember(site, "stranger");
  const form_token = tokenOf(await guest.open("/settings/account"));
  expect((await guest.post(`${place}/secure`, { form_token })).status).toBe(404);
});
