// Tests docs/contract.md#9.6.
import { expect, test } from "bun:test";
import { noticeValue } from "../../src/web/request/cookies.ts";
import { messagesOf } from "../../src/locale/messages.ts";
import { createAccountOf, openSite, signedInAs, visit, visibleText } from "./support.ts";

test("a URL cannot show a notice, to a guest or to a member", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  for (const visitor of [visit(site), signedInAs(site, "ada")]) {
    for (const key of Object.keys(messagesOf("en").notices)) {
      for (const path of ["/", "/sign-in", "/settings/account"]) {
        const { html } = await visitor.open(`${path}?notice=${key}`);
        expect([path, key, html.includes('role="status"')]).toEqual([path, key, false]);
      }
    }
  }
});

test("shows the notice of a form once, and only on the page that the form leads to", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const ada = signedInAs(site, "ada");
  const sent = await ada.post("/posts", { text: "x", form_token: "" });
  expect([sent.status, ada.cookies.has("guildhall-notice")]).toEqual([403, false]);
  const home = await ada.open("/");
  const form = home.forms.find(({ action }) => action === "/posts");
  const posted = await ada.post("/posts", { ...Object.fromEntries(form?.fields ?? []), text: "A loom" });
  const at = posted.location ?? "";
  expect(ada.cookies.get("guildhall-notice")).toBe(noticeValue("posted"));
  for (const other of ["/", "/?notice=saved", at.replace(/notice=.*/, "notice=account-deleted")])
    expect((await ada.open(other)).html).not.toContain('role="status"');
  expect(visibleText((await ada.open(at)).html)).toContain("Post published.");
  expect(ada.cookies.has("guildhall-notice")).toBe(false);
  expect(visibleText((await ada.open(at)).html)).not.toContain("Post published.");
});
