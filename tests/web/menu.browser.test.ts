// Tests docs/contract.md#9.8.
import { afterAll, describe, expect, test } from "bun:test";
import { closeContexts, hasChromium } from "../browser.ts";
import { DESK, PHONE, openKeyboardUser } from "./keyboard.ts";
import { createAccountOf, openSite, signedInAs, sessionCookie } from "./support.ts";

describe.skipIf(!hasChromium)("account menu in a browser without scripts", () => {
  afterAll(closeContexts);

  for (const options of [PHONE, DESK]) {
    test(`at ${options.width} px it opens by keyboard beside its button, and Escape closes it and returns the focus`, async () => {
      await using site = openSite();
      await createAccountOf(site, "ada");
      const user = await openKeyboardUser(site.core.origin, options);
      const name = sessionCookie(site);
      const value = signedInAs(site, "ada").cookies.get(name) ?? "";
      await user.context.addCookies([{ name, value, url: site.core.origin }]);
      await user.open("/");
      const menu = user.page.locator("#account-menu");
      expect(await menu.isVisible()).toBe(false);
      await user.tabTo("Account of Ada");
      await user.page.keyboard.press("Enter");
      expect(await menu.isVisible()).toBe(true);
      const [box, button] = [await menu.boundingBox(), await user.page.locator(".me > button").boundingBox()];
      if (!box || !button) throw new Error("the menu or its button is missing");
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(Math.round(box.x + box.width)).toBeLessThanOrEqual(options.width);
      expect(Math.abs(box.y - (button.y + button.height))).toBeLessThan(24);
      expect(Math.abs(box.x + box.width - (button.x + button.width))).toBeLessThan(24);
      await user.check("Guildhall");
      await user.page.keyboard.press("Escape");
      expect(await menu.isVisible()).toBe(false);
      await user.page.keyboard.press("Enter");
      expect(await menu.isVisible()).toBe(true);
      await user.page.keyboard.press("Escape");
      await user.context.close();
    }, 120_000);
  }
});
