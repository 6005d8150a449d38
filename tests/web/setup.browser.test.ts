// docs/contract.md#9.40
import { afterAll, describe, expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { makeSetupLink } from "../../src/core/identity/accounts/accounts.ts";
import { communitySettingsOf } from "../../src/core/identity/community-settings/community-settings.ts";
import { closeContexts, hasChromium, newContext } from "../browser.ts";
import { openSite } from "./support.ts";

describe.skipIf(!hasChromium)("set-up", () => {
  afterAll(closeContexts);

  test("the set-up previews the front page, with and without a script, and keeps everything typed after an error", async () => {
    await using site = openSite({ signup: "open" });
    const { core } = site;
    const url = makeSetupLink(core, OPERATOR)?.url ?? "";
    for (const javaScriptEnabled of [true, false]) {
      const page = await (await newContext({ javaScriptEnabled })).newPage();
      await page.goto(url);
      const preview = page.locator("#preview");
      const fill = (name: string, value: string) => page.locator(`[name="${name}"]`).fill(value);
      expect(await preview.locator(".front-name").first().innerText()).toBe("Guildhall");
      await fill("community.name", "مرحبا <b>Tide</b>");
      await fill("community.line", "We build.");
      await fill("name", "Ada Okafor");
      const shown = preview.locator("[data-shows='community.line']").first();
      if (javaScriptEnabled) expect(await shown.innerText()).toBe("We build.");
      await fill("community.accent", "#1d5b79");
      await page.getByLabel("Anyone an admin approves").check();
      const button = page.locator("button[name=preview]");
      expect(await button.isVisible()).toBe(!javaScriptEnabled);
      if (!javaScriptEnabled) await button.click();
      await preview.getByText("Request to join").first().waitFor();
      await preview.locator("rect[fill='#1d5b79']").first().waitFor();
      expect(await preview.locator(".front-name").last().innerText()).toBe("مرحبا <b>Tide</b>");

      await fill("username", "a b");
      await fill("password", "weave a long carpet");
      await page.getByRole("button", { name: "Create community" }).click();
      expect(await page.locator("#username-error").count()).toBe(1);
      expect(await page.locator("[name='community.name']").inputValue()).toBe("مرحبا <b>Tide</b>");
      expect(await page.locator("[name='community.accent']").inputValue()).toBe("#1d5b79");
      expect(await page.getByLabel("Anyone an admin approves").isChecked()).toBe(true);
      expect(await page.locator("[name='name']").inputValue()).toBe("Ada Okafor");
      if (javaScriptEnabled) continue;
      await fill("username", "ada");
      await fill("password", "weave a long carpet");
      await page.getByRole("button", { name: "Create community" }).click();
      await page.waitForURL((at) => at.pathname === "/");
      expect(await page.innerText("main")).toContain("First steps");
      expect(communitySettingsOf(core)).toMatchObject({
        name: "مرحبا <b>Tide</b>",
        line: "We build.",
        accent: "#1d5b79",
        joining: "approval",
      });
    }
  }, 60_000);
});
