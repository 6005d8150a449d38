// Tests that a form keeps its fields while its sender proves who they are (docs/contract.md#9.7).
import { expect, test } from "bun:test";
import { HOUR } from "../../src/core/base/clock.ts";
import { openSite, PASSWORD, type Site, signUpMember, type Visitor, visit } from "./support.ts";

const ROLE = "/admin/builders/ada/role";

async function openOldSession(site: Site): Promise<Visitor> {
  await signUpMember(site, "ada");
  const root = await signUpMember(site, "root", { role: "admin" });
  site.clock.pass(HOUR);
  return root;
}

function roleOf({ core }: Site): string | undefined {
  return core.db.prepare<{ role: string }>("SELECT role FROM builders WHERE username = 'ada'").get()?.role;
}

test("a form is handled with the proof, and its fields are typed once", async () => {
  await using site = openSite();
  const root = await openOldSession(site);
  const before = visit(site, [...root.cookies]);
  const proof = await root.submit(await root.open("/admin/builders/ada"), ROLE, { role: "moderator" });

  expect(roleOf(site)).toBe("member");
  const [form] = proof.forms.filter(({ action }) => action === ROLE);
  expect(form?.fields).toContainEqual(["role", "moderator"]);
  const done = await root.submit(proof, ROLE, { current: PASSWORD });

  expect([done.status, roleOf(site)]).toEqual([200, "moderator"]);
  expect(done.address).toStartWith("/admin/builders/ada?");
  // The new session works, and the former one has ended.
  expect((await root.open("/admin/builders")).status).toBe(200);
  expect((await before.open("/settings/account")).html).toContain('action="/sign-in"');
});

test("a wrong proof changes nothing, keeps the fields and never shows the password again", async () => {
  await using site = openSite();
  const root = await openOldSession(site);
  const proof = await root.submit(await root.open("/admin/builders/ada"), ROLE, { role: "moderator" });
  const again = await root.submit(proof, ROLE, { current: "a wrong password" });

  expect([again.status, roleOf(site)]).toEqual([400, "member"]);
  expect(again.html).not.toContain("a wrong password");
  await root.submit(again, ROLE, { current: PASSWORD });
  expect(roleOf(site)).toBe("moderator");
});

test("a refusal after the proof leaves the person signed in, with forms of the new session", async () => {
  await using site = openSite();
  const root = await openOldSession(site);
  const proof = await root.submit(await root.open("/admin/builders/ada"), ROLE, { role: "owner" });
  const refused = await root.submit(proof, ROLE, { current: PASSWORD });

  expect([refused.status, roleOf(site)]).toEqual([403, "member"]);
  const retried = await root.submit(refused, ROLE, { role: "moderator" });
  expect([retried.status, roleOf(site)]).toEqual([200, "moderator"]);
});
