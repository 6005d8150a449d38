// docs/contract.md#9.17
import { expect, test } from "bun:test";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { openSite, PASSWORD, signUpMember, visibleText } from "./support.ts";

test("only an admin sees until when a member is new, and vouches for the member with a button", async () => {
  await using site = openSite({ signup: "open" });
  const { core } = site;
  await signUp(core, { address: "203.0.113.7", agent: "" }, { username: "nia", password: PASSWORD });
  const admin = await signUpMember(site, "warden", { role: "admin" });
  const page = await admin.open("/admin/builders/nia");
  expect(visibleText(page.html)).toMatch(/Newcomer limits Until Nov 23, 2026, 12:00/);
  const form = page.forms.find(({ action }) => action.endsWith("/vouch"));
  for (const role of ["member", "moderator"] as const) {
    const other = await signUpMember(site, `a-${role}`, { role });
    expect(
      (await other.post("/admin/builders/nia/vouch", Object.fromEntries(form?.fields ?? []))).status,
    ).not.toBe(303);
  }
  expect((await admin.open("/admin/builders/nia")).html).toContain("/vouch");
  const shownPage = await admin.submit(page, /vouch$/);
  expect(visibleText(shownPage.html)).toContain("The limits for newcomers no longer apply to this member.");
  expect(shownPage.html).not.toContain("/vouch");
  expect(visibleText((await admin.open("/admin/audit")).html)).toContain("Vouched for the member");
  expect((await admin.open("/admin/builders/member")).html).not.toContain("/vouch");
});
