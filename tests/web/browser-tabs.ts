import type { BrowserContext, Page } from "playwright-core";
import { newContext, REPORT_VIOLATIONS } from "../browser.ts";
import { PASSWORD, signedInAs, sessionCookie, type Site } from "./support.ts";

/** A tab of a real browser. It collects console errors. */
export interface Tab {
  page: Page;
  context: BrowserContext;
  complaints: string[];
}

export async function openTab(
  site: Site,
  { as, width = 1280, scripts = true }: { as?: string; width?: number; scripts?: boolean } = {},
): Promise<Tab> {
  const context = await newContext({ viewport: { width, height: 900 }, javaScriptEnabled: scripts });
  if (as !== undefined) {
    const value = signedInAs(site, as).cookies.get(sessionCookie(site)) ?? "";
    await context.addCookies([{ name: sessionCookie(site), value, url: site.core.origin, httpOnly: true }]);
  }
  await context.addInitScript(REPORT_VIOLATIONS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, context, complaints };
}

/** Presses Tab until the focused element has this name. Throws after a full round through the page. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate<string>(FOCUSED);
    if (name.test(focused)) return;
    seen.push(focused);
  }
  throw new Error(`no focusable element has the name ${name}: ${seen.join(" | ")}`);
}

/**
 * Fills in and sends the sign-in form. Waits for the autofocus first, because earlier keystrokes would be
 * lost.
 */
export async function signInByKeyboard(page: Page, username: string): Promise<void> {
  await page.locator("#username:focus").waitFor();
  await page.keyboard.type(username);
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
}

/** Presses Enter on a link and waits for the next page. */
export async function enter(page: Page): Promise<void> {
  const loaded = page.waitForEvent("load");
  await page.keyboard.press("Enter");
  await loaded;
}

const FOCUSED = `(() => {
  const element = document.activeElement;
  const label = element.labels && element.labels[0];
  return ((label || element).textContent || element.getAttribute("aria-label") || element.tagName).trim();
})()`;
