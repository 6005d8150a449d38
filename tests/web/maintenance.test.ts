import { expect, test } from "bun:test";
import { beginMaintenance } from "../../src/core/services/maintenance/maintenance.ts";
import { HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { maintenanceOf } from "../../src/core/identity/maintenance/maintenance.ts";
import { openSite, PASSWORD, signUpMember, tokenOf, visit, visibleText } from "./support.ts";

const PAGE_PATH = "/admin/maintenance";

test("an admin begins maintenance on its page after re-authentication, and ends it without", async () => {
  await using site = openSite();
  const [root, ada] = [await signUpMember(site, "root", { role: "admin" }), await signUpMember(site, "ada")];
  expect((await ada.open(PAGE_PATH)).status).toBe(404);
  site.clock.pass(11 * MINUTE);
  const confirmation = await root.submit(await root.open(PAGE_PATH), PAGE_PATH, {
    message: "A larger disk",
    for: "60",
  });
  expect(maintenanceOf(site.core)).toBeUndefined();
  const back = await root.submit(confirmation, "/settings/confirm", { current: PASSWORD });
  const begun = await root.submit(back, PAGE_PATH, { message: "A larger disk", for: "60" });
  expect(visibleText(begun.html)).toContain("Maintenance mode is on. Only admins can make changes.");
  expect(maintenanceOf(site.core)).toMatchObject({ message: "A larger disk." });
  const now = site.clock.now();
  expect(maintenanceOf(site.core)?.until).toBeWithin(now + HOUR - MINUTE, now + HOUR + 1);
  site.clock.pass(11 * MINUTE);
  const ended = await root.submit(await root.open(PAGE_PATH), `${PAGE_PATH}/end`);
  expect(visibleText(ended.html)).toContain("Maintenance mode is off. Paused work continues.");
  expect(maintenanceOf(site.core)).toBeUndefined();
});

test("a changed message keeps the end of maintenance unless the admin changes it", async () => {
  await using site = openSite();
  const root = await signUpMember(site, "root", { role: "admin" });
  const { until } = beginMaintenance(site.core, OPERATOR, { message: "A larger disk.", forMs: 2 * HOUR });
  site.clock.pass(MINUTE);
  await root.submit(await root.open(PAGE_PATH), PAGE_PATH, { message: "A larger machine." });
  expect(maintenanceOf(site.core)).toMatchObject({ message: "A larger machine.", until });
  await root.submit(await root.open(PAGE_PATH), PAGE_PATH, { message: "A larger machine.", for: "" });
  expect(maintenanceOf(site.core)).toMatchObject({ until: null });
});

test("a message that is too long comes back in the form, and maintenance does not begin", async () => {
  await using site = openSite();
  const root = await signUpMember(site, "root", { role: "admin" });
  const page = await root.submit(await root.open(PAGE_PATH), PAGE_PATH, { message: "x".repeat(301) });
  expect(page.status).toBe(400);
  expect(visibleText(page.html)).toContain("Use at most 300 characters. You have 301.");
  expect(maintenanceOf(site.core)).toBeUndefined();
});

test("during maintenance every page shows the message, translated or as escaped text, and afterwards none does", async () => {
  await using site = openSite();
  const [root, ada] = [await signUpMember(site, "root", { role: "admin" }), await signUpMember(site, "ada")];
  beginMaintenance(site.core, OPERATOR, { message: "A <b>larger</b> disk", forMs: HOUR });
  const head = (html: string) => visibleText(/<aside class="maintenance".*?<\/aside>/s.exec(html)?.[0] ?? "");
  for (const path of ["/", "/jobs", "/recover", "/no-such-page", "/settings/account"]) {
    const { html } = await ada.open(path);
    expect(html).not.toContain("<b>larger");
    expect([path, head(html)]).toEqual([path, expect.stringContaining("You can read everything")]);
    expect([path, head((await visit(site).open(path)).html)]).toEqual([
      path,
      expect.stringContaining("anything until Nov 20, 2026, 13:00 UTC"),
    ]);
    expect((await root.open(path)).html).toContain(`<a href="${PAGE_PATH}">End maintenance</a>`);
  }
  site.clock.pass(HOUR);
  expect(head((await ada.open("/")).html)).toBe("");
});

test("the default message is translated for each reader, and an admin's own message is shown unchanged", async () => {
  await using site = openSite();
  const [root, ada] = [await signUpMember(site, "root", { role: "admin" }), await signUpMember(site, "ada")];
  const inSpanish = { headers: { "accept-language": "es" } };
  const form = await root.open(PAGE_PATH, inSpanish);
  expect(form.html).toContain('value="Esta comunidad está en modo de mantenimiento."');
  await root.post(
    PAGE_PATH,
    { message: "Esta comunidad está en modo de mantenimiento.", form_token: tokenOf(form) },
    inSpanish.headers,
  );
  expect(visibleText((await ada.open("/")).html)).toContain("This community is in maintenance mode.");
  expect(visibleText((await ada.open("/", inSpanish)).html)).toContain(
    "Esta comunidad está en modo de mantenimiento.",
  );
  beginMaintenance(site.core, OPERATOR, { message: "A larger disk" });
  expect(visibleText((await ada.open("/", inSpanish)).html)).toContain("A larger disk.");
});
