import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "bun:test";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { isDrill } from "../drill.ts";
import { FAINT_TEXTS, newContext, REPORT_VIOLATIONS, WIDTHS } from "../browser.ts";
import { createAccountOf, signedInAs, sessionCookie, type Site } from "./support.ts";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export interface WindowOptions {
  width: number;
  colorScheme: "light" | "dark";
  /** Whether scripts run. Default: false. */
  scripts?: boolean;
}

/** Light and dark mode. Journeys alternate between the two. */
export const PHONE: WindowOptions = { width: 360, colorScheme: "light" };
export const DESK: WindowOptions = { width: 1280, colorScheme: "dark" };

/**
 * Checks the open page at all widths for horizontal scrolling and with axe-core. The suite audits one width
 * and alternates between pages. `bun run drill journeys` audits both.
 */
export async function checkBothWidths(page: Page, path: string, index: number): Promise<void> {
  const widths = index % 2 === 0 ? [DESK.width, PHONE.width] : [PHONE.width, DESK.width];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const [whole, seen] = await page.evaluate<[number, number]>(WIDTHS);
    expect([path, width, whole]).toEqual([path, width, seen]);
    if (isDrill || width === widths.at(-1))
      expect([path, width, await faultsOf(page)]).toEqual([path, width, []]);
  }
}

/** A member or guest who uses a browser only with the keyboard. */
export interface KeyboardUser {
  page: Page;
  context: BrowserContext;
  /** Console errors, CSP violations and failed requests. */
  complaints: string[];
  open(path: string): Promise<void>;
  /** Presses Tab until the element with this name has the focus. */
  tabTo(name: string | RegExp): Promise<void>;
  /** Types into the field that has the focus when the page opens. */
  begin(name: string, text: string): Promise<void>;
  /** Tabs to a field and replaces its value. */
  fill(name: string | RegExp, text: string): Promise<void>;
  /** Tabs to a checkbox or radio button and presses the space bar. */
  tick(name: string | RegExp): Promise<void>;
  /** Tabs to a link or a button, presses Enter, and waits for the next page. */
  press(name: string | RegExp): Promise<void>;
  visibleText(): Promise<string>;
  /**
   * Checks width, contrast, origin and accessibility of the page. Runs axe-core only for the first page with
   * each title and the first refused form, once for all journeys of a process. `bun run drill journeys`
   * audits every page.
   */
  check(title: string): Promise<void>;
}

let usersOpened = 0;

/** The pages that axe-core has audited in this process. */
const audited = new Set<string>();

export async function openKeyboardUser(
  origin: string,
  { width, colorScheme, scripts = false }: WindowOptions,
): Promise<KeyboardUser> {
  const context = await newContext({
    baseURL: origin,
    viewport: { width, height: 800 },
    colorScheme,
    reducedMotion: "reduce",
    // Rate limits are per network address, so each person has a different address.
    extraHTTPHeaders: { "x-forwarded-for": `203.0.113.${++usersOpened % 250}` },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    // Chromium also logs refused pages, and skipped autofocus after an early Tab.
    const isRefusal = /status of 4\d\d/.test(message.text()) && !message.location().url.includes("/assets/");
    // Contexts block service workers, so that no worker answers for a page.
    const isMeant = /^Autofocus processing|^Service Worker registration blocked/.test(message.text());
    if (!isRefusal && !isMeant) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  // Leaving a page aborts its stream.
  page.on("requestfailed", (request) => {
    // Leaving a page also aborts the loading of its pictures.
    const isLeft = request.failure()?.errorText === "net::ERR_ABORTED" && request.resourceType() === "image";
    if (new URL(request.url()).pathname !== "/live" && !isLeft) complaints.push(`failed: ${request.url()}`);
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin && !request.url().startsWith("data:"))
      complaints.push(`foreign: ${request.url()}`);
  });
  if (scripts) await page.addInitScript(REPORT_VIOLATIONS);
  const devtools = await context.newCDPSession(page);
  const switchScripts = (on: boolean) =>
    devtools.send("Emulation.setScriptExecutionDisabled", { value: !on });
  await switchScripts(scripts);
  let hasWalkedHead = false;

  // Uses the DevTools protocol, because Playwright's `press` and `evaluate` take twice as long. Journeys need
  // 2,000 calls.
  async function evaluate<Value>(expression: string): Promise<Value> {
    const { result } = await devtools.send("Runtime.evaluate", { expression, returnByValue: true });
    return result.value as Value;
  }

  async function pressTab(): Promise<string> {
    await devtools.send("Input.dispatchKeyEvent", TAB_DOWN);
    const { called, fault } = await evaluate<Focused>(FOCUSED);
    expect(`${page.url()} ${called}: ${fault}`).toBe(`${page.url()} ${called}: `);
    return called;
  }

  /** Whether to use the skip link. The first page is tabbed through completely. */
  async function isBehindHead(isWanted: (called: string) => boolean): Promise<boolean> {
    const { head, main } = await evaluate<Reachable>(REACHABLE);
    const isFirstPage = !hasWalkedHead;
    hasWalkedHead = true;
    return !isFirstPage && main.some(isWanted) && !head.some(isWanted);
  }

  async function settle(action: () => Promise<unknown>): Promise<void> {
    const arrived = page.waitForNavigation({ waitUntil: "load" });
    await action();
    await arrived;
  }

  const user: KeyboardUser = {
    page,
    context,
    complaints,
    open: async (path) => void (await page.goto(path)),
    async tabTo(name) {
      const isWanted = (called: string) => (typeof name === "string" ? called === name : name.test(called));
      const seen: string[] = [];
      for (let i = 0; i < 90; i++) {
        const called = await pressTab();
        if (isWanted(called)) return;
        if (called === SKIP && (await isBehindHead(isWanted))) await page.keyboard.press("Enter");
        seen.push(called);
      }
      throw new Error(
        `nothing called ${name} takes the focus at ${page.url()}: ${seen.slice(0, 40).join(" | ")}`,
      );
    },
    async begin(name, text) {
      // Browsers set the focus a moment after the page loads.
      let called = "";
      for (const end = Date.now() + 10_000; called !== name && Date.now() < end; await Bun.sleep(2))
        ({ called } = await evaluate<Focused>(FOCUSED));
      expect(called).toBe(name);
      await page.keyboard.insertText(text);
    },
    async fill(name, text) {
      await user.tabTo(name);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    },
    async tick(name) {
      await user.tabTo(name);
      await page.keyboard.press("Space");
    },
    async press(name) {
      await user.tabTo(name);
      await settle(() => page.keyboard.press("Enter"));
    },
    visibleText: async () =>
      ((await page.evaluate("document.body.innerText")) as string).replaceAll(/\s+/g, " "),
    async check(title) {
      expect(await page.title()).toBe(title === "Guildhall" ? title : `${title} · Guildhall`);
      expect({ title, wide: await evaluate(TOO_WIDE) }).toEqual({ title, wide: [] });
      const isRefused = await evaluate<boolean>(IS_REFUSED);
      const kind = `${title}${isRefused ? ", refused" : ""}`;
      // The audit itself needs scripts.
      await switchScripts(true);
      const faults = isDrill || !audited.has(kind) ? await faultsOf(page) : await evaluate(FAINT_TEXTS);
      audited.add(kind);
      expect({ title, faults }).toEqual({ title, faults: [] });
      await switchScripts(scripts);
      expect({ title, complaints }).toEqual({ title, complaints: [] });
    },
  };
  return user;
}

export async function signUpAndOpen(
  site: Site,
  options: WindowOptions,
  username: string,
): Promise<KeyboardUser> {
  await createAccountOf(site, username);
  const user = await openKeyboardUser(site.core.origin, options);
  const name = sessionCookie(site);
  const value = signedInAs(site, username).cookies.get(name) ?? "";
  await user.context.addCookies([{ name, value, url: site.core.origin }]);
  return user;
}

export async function closeAll(...hands: KeyboardUser[]): Promise<void> {
  for (const { context } of hands) await context.close();
}

/** Finds elements that make a page wider than the window, and navigation links that are cut off. */
export const TOO_WIDE = `(() => {
  const { scrollWidth, clientWidth } = document.scrollingElement;
  const cut = [...document.querySelectorAll('nav, nav *')]
    .filter((element) => element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1)
    .filter((element) => getComputedStyle(element).overflowX !== 'visible')
    .map((element) => 'cut off: ' + element.innerText);
  if (scrollWidth <= clientWidth) return cut;
  return [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth)
    .map((element) => element.tagName + '.' + element.className + ' ' + element.getBoundingClientRect().right);
})()`;

/**
 * The script's text is constant, so the browser compiles its half megabyte once. FAINT_TEXTS checks contrast
 * more strictly than axe-core, in a tenth of the time.
 */
const AUDIT = `${AXE}
axe.run(document, { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } }).then(({ violations }) => [
  ...violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)),
  ...${FAINT_TEXTS}.map((text) => 'faint: ' + text),
])`;

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Returns the violations that axe-core finds, and texts with low contrast. */
export async function faultsOf(page: Page): Promise<string[]> {
  const opened = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, opened);
  // Uses the DevTools protocol, because Playwright's `evaluate` bypasses the browser's cache of compiled
  // scripts.
  const { result, exceptionDetails } = await (
    await opened
  ).send("Runtime.evaluate", { expression: AUDIT, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as string[];
}

const IS_REFUSED = "document.querySelector('[aria-invalid], [role=alert]') !== null";

/** Defines a function that returns the name of an element as a screen reader announces it. */
const NAME_OF = `const nameOf = (element) => {
  const clean = (text) => (text ?? '').trim().split('\\n')[0].trim();
  return clean(element.getAttribute('aria-label') || element.labels?.[0]?.innerText || element.innerText);
};`;

interface Focused {
  called: string;
  /** Why the focus is not visible. Empty if the focus is visible. */
  fault: string;
}

const FOCUSED = `(() => {
  ${NAME_OF}
  const element = document.activeElement;
  if (element === document.body) return { called: '', fault: '' };
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const shows = style.outlineStyle !== 'none' || style.boxShadow !== 'none';
  const fault = !shows ? 'shows no focus' : box.bottom < 0 || box.top > innerHeight || box.right < 0 || box.left > innerWidth ? 'is out of sight' : box.width < 1 ? 'has no size' : '';
  return { called: nameOf(element), fault };
})()`;

const SKIP = "Skip to the content";

/** Names of the focusable elements in the header and the content of a page. */
interface Reachable {
  head: string[];
  main: string[];
}

const REACHABLE = `(() => {
  ${NAME_OF}
  const head = [], main = [];
  for (const element of document.querySelectorAll('a[href], button, input, select, textarea, summary'))
    (element.closest('main') ? main : head).push(nameOf(element));
  return { head, main };
})()`;

const TAB_DOWN = { type: "rawKeyDown", key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 } as const;
