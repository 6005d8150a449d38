// docs/contract.md#12.23: setting the current role again is refused on every page, and nothing is written.
import { expect, test } from "bun:test";
import { createWorkspace, addMember } from "../../src/core/delegation/workspaces/workspaces.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { ROLES } from "../../src/core/identity/access/roles.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { callerOf } from "./sample-site.ts";
import { contentsOf, openSite, signUpMember, tokenOf, visibleText } from "./support.ts";

test("refuses a community role that the member already has, and logs nothing", async () => {
  await using site = openSite();
  const root = await signUpMember(site, "root", { role: "owner" });
  for (const role of ROLES) createBuilder(site.core, OPERATOR, { username: `a-${role}`, name: role, role });
  const form_token = tokenOf(await root.open("/settings/account"));
  const before = contentsOf(site);

  for (const [username, role] of [...ROLES.map((role) => [`a-${role}`, role]), ["root", "owner"]]) {
    const page = await root.post(`/admin/builders/${username}/role`, { form_token, role: role ?? "" });

    expect([username, page.status]).toEqual([username, 409]);
    expect(visibleText(page.html)).toContain(`${username} already has this role. Choose another one.`);
  }
  expect(contentsOf(site)).toBe(before);
});

test("refuses a workspace role that the member already has, and logs nothing", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  await signUpMember(site, "bob");
  const id = createWorkspace(site.core, callerOf(site, ada), "ada", { name: "Tools" });
  addMember(site.core, OPERATOR, id, "bob");
  const form_token = tokenOf(await ada.open("/settings/account"));
  const before = contentsOf(site);

  for (const [username, role] of [
    ["ada", "owner"],
    ["bob", "member"],
  ]) {
    const path = `/settings/workspaces/${id}/members/${username}/role`;
    const page = await ada.post(path, { form_token, role: role ?? "" });

    expect([username, page.status]).toEqual([username, 409]);
    expect(visibleText(page.html)).toContain(`${username} already has this role. Choose another one.`);
  }
  expect(contentsOf(site)).toBe(before);
});
