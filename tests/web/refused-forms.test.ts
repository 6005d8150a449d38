import { expect, test } from "bun:test";
import { listTokens } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { findAccount } from "../../src/core/identity/accounts/accounts-store.ts";
import { openSite, PASSWORD, signUpMember, tokenOf, visit } from "./support.ts";

test("creates a token without expiry only on explicit request, and refuses lifetimes that the form does not offer", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const form_token = tokenOf(await ada.open("/settings/tokens/new"));
  const draft = { form_token, name: "script", scopes: "feed:read" };
  const created = () => listTokens(site.core, OPERATOR, "ada").map(({ expiresAt }) => expiresAt);

  expect((await ada.post("/settings/tokens", draft)).status).toBe(400);
  for (const days of ["", "-1", "NaN", "Infinity", "0x1e", "1e1", "30.0", "8", "00", "__proto__"]) {
    const page = await ada.post("/settings/tokens", { ...draft, days });
    expect(`${days} ${page.status}`).toBe(`${days} 400`);
  }
  expect(created()).toEqual([]);

  expect((await ada.post("/settings/tokens", { ...draft, days: "0" })).status).toBe(200);
  expect(created()).toEqual([null]);
});

test("refuses a sign-up sent past the page with an error status, if sign-up is closed or needs an invite", async () => {
  for (const signup of ["closed", "invite"] as const) {
    await using site = openSite({ signup });
    const guest = visit(site);
    const form_token = tokenOf(await guest.open("/sign-in"));
    const page = await guest.post("/sign-up", { form_token, username: "sneaky", password: PASSWORD });
    expect(page.status).toBe(403);
    expect(guest.cookies.get("guildhall")).toBeUndefined();
    expect(findAccount(site.core, "sneaky")).toBeUndefined();
    expect((await guest.open("/sign-up")).status).toBe(200);
  }
});
