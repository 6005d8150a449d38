import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "bun:test";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { isDrill } from "../drill.ts";
import { FAINT_TEXTS, newContext, REPORT_VIOLATIONS, WIDTHS } from "../browser.ts";
import { account, signedInAs, sessionCookie, type Site } from "./support.ts";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export interface Look {
  width: number;
  colorScheme: "light" | "dark";
  /** Without scripts unless a test is about them. */
  scripts?: boolean;
}

/** By day and by night: journeys are made on one of both in turn. */
export const PHONE: Look = { width: 360, colorScheme: "light" };
export const DESK: Look = { width: 1280, colorScheme: "dark" };

/**
 * Checks that no width makes the open page scroll sideways and that axe-core finds nothing. The suite audits
 * one width, another one for each next page; `bun run drill journeys` audits both.
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

/** Somebody before a browser who has a keyboard and nothing else. */
export interface Hand {
  page: Page;
  context: BrowserContext;
  /** What the browser complained about: scripts, policy, requests that failed. */
  complaints: string[];
  open(path: string): Promise<void>;
  /** Goes on by Tab until what has this name has the focus. */
  tabTo(name: string | RegExp): Promise<void>;
  /** Types into the field that a page begins with. */
  begin(name: string, text: string): Promise<void>;
  /** Tabs to a field, and types over what stands in it. */
  fill(name: string | RegExp, text: string): Promise<void>;
  /** Tabs to a box or a choice, and ticks it with the space bar. */
  tick(name: string | RegExp): Promise<void>;
  /** Tabs to a link or a button, presses Enter, and waits for the page behind it. */
  press(name: string | RegExp): Promise<void>;
  words(): Promise<string>;
  /**
   * Checks what holds on every page: within its width, readable, from its own origin, accessible. axe-core
   * audits the first page with a title and the first with a refused form; `bun run drill journeys` has it
   * audit every page.
   */
  look(title: string): Promise<void>;
}

let hands = 0;

export async function sitDown(origin: string, { width, colorScheme, scripts = false }: Look): Promise<Hand> {
  const context = await newContext({
    baseURL: origin,
    viewport: { width, height: 800 },
    colorScheme,
    reducedMotion: "reduce",
    // Limits go by address, and every hand sits somewhere else.
    extraHTTPHeaders: { "x-forwarded-for": `203.0.113.${++hands % 250}` },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    // Chromium also notes each page that comes with a refusal, and whoever tabs before it has set the first
    // focus.
    const isRefusal = /status of 4\d\d/.test(message.text()) && !message.location().url.includes("/assets/");
    if (!isRefusal && !message.text().startsWith("Autofocus processing")) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  // The stream of a page ends with it.
  page.on("requestfailed", (request) => {
    // A picture that was on its way when the page was left has not failed.
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
  const audited = new Set<string>();

  // The protocol itself: `press` and `evaluate` of Playwright take twice the time, and journeys need 2,000 of
  // them.
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

  /**
   * Whether the link that skips the head of the page is the way: not on the first page, which is walked in
   * full.
   */
  async function isBehindHead(isWanted: (called: string) => boolean): Promise<boolean> {
    const { head, main } = await evaluate<Reachable>(REACHABLE);
    const isFirstPage = !hasWalkedHead;
    hasWalkedHead = true;
    return !isFirstPage && main.some(isWanted) && !head.some(isWanted);
  }

  async function settle(act: () => Promise<unknown>): Promise<void> {
    const arrived = page.waitForNavigation({ waitUntil: "load" });
    await act();
    await arrived;
  }

  const hand: Hand = {
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
      // A browser gives the focus a moment after the page is there.
      let called = "";
      for (const end = Date.now() + 10_000; called !== name && Date.now() < end; await Bun.sleep(2))
        ({ called } = await evaluate<Focused>(FOCUSED));
      expect(called).toBe(name);
      await page.keyboard.insertText(text);
    },
    async fill(name, text) {
      await hand.tabTo(name);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    },
    async tick(name) {
      await hand.tabTo(name);
      await page.keyboard.press("Space");
    },
    async press(name) {
      await hand.tabTo(name);
      await settle(() => page.keyboard.press("Enter"));
    },
    words: async () => ((await page.evaluate("document.body.innerText")) as string).replaceAll(/\s+/g, " "),
    async look(title) {
      expect(await page.title()).toBe(title === "Guildhall" ? title : `${title} · Guildhall`);
      expect({ title, wide: await evaluate(TOO_WIDE) }).toEqual({ title, wide: [] });
      const isRefused = await evaluate<boolean>(IS_REFUSED);
      const kind = `${title}${isRefused ? ", refused" : ""}`;
      // The audit is a script itself.
      await switchScripts(true);
      const faults = isDrill || !audited.has(kind) ? await faultsOf(page) : await evaluate(FAINT_TEXTS);
      audited.add(kind);
      expect({ title, faults }).toEqual({ title, faults: [] });
      await switchScripts(scripts);
      expect({ title, complaints }).toEqual({ title, complaints: [] });
    },
  };
  return hand;
}

/** Somebody new, signed in. */
export async function come(site: Site, look: Look, username: string): Promise<Hand> {
  await account(site, username);
  const hand = await sitDown(site.core.origin, look);
  const name = sessionCookie(site);
  const value = signedInAs(site, username).cookies.get(name) ?? "";
  await hand.context.addCookies([{ name, value, url: site.core.origin }]);
  return hand;
}

export async function leave(...hands: Hand[]): Promise<void> {
  for (const { context } of hands) await context.close();
}

/** What makes a page wider than its window, and the ways to other pages that it hides at its side. */
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
 * The same text for each page: the browser then compiles its half a megabyte once. The contrast is the
 * stricter rule of FAINT_TEXTS, which takes a tenth of the time of axe-core's own.
 */
const AUDIT = `${AXE}
axe.run(document, { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } }).then(({ violations }) => [
  ...violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)),
  ...${FAINT_TEXTS}.map((text) => 'faint: ' + text),
])`;

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** What axe-core finds, rule by rule with the elements, and which texts are faint. */
export async function faultsOf(page: Page): Promise<string[]> {
  const opened = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, opened);
  // By the protocol itself: `evaluate` of Playwright hides the text from the browser's cache of compiled
  // ones.
  const { result, exceptionDetails } = await (
    await opened
  ).send("Runtime.evaluate", { expression: AUDIT, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as string[];
}

const IS_REFUSED = "document.querySelector('[aria-invalid], [role=alert]') !== null";

/** Defines the name of an element as a screen reader reads it. */
const NAME_OF = `const nameOf = (element) => {
  const clean = (text) => (text ?? '').trim().split('\\n')[0].trim();
  return clean(element.getAttribute('aria-label') || element.labels?.[0]?.innerText || element.innerText);
};`;

interface Focused {
  called: string;
  /** Why the focus cannot be seen; empty where it can. */
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

/** The names of what Tab reaches in the head of a page and in its content. */
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
