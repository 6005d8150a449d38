import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { registerApp, type AppDraft } from "../../src/core/delegation/apps/apps.ts";
import { findBuilder } from "../../src/core/identity/builders/builders-store.ts";
import type { BuilderCaller } from "../../src/core/identity/access/caller.ts";
import { REPORT_VIOLATIONS } from "../browser.ts";
import { signedInNow } from "../support.ts";
import { PASSWORD, seated, sessionCookie, type Site } from "./support.ts";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** RFC 7636, appendix B. */
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/** A tab of a real browser. What its console says against the page is kept. */
export interface Tab {
  page: Page;
  context: BrowserContext;
  complaints: string[];
}

export async function openTab(
  browser: Browser,
  site: Site,
  { as, width = 1280, scripts = true }: { as?: string; width?: number; scripts?: boolean } = {},
): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, javaScriptEnabled: scripts });
  if (as !== undefined) {
    const value = seated(site, as).cookies.get(sessionCookie(site)) ?? "";
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

/** Presses Tab until what has the focus is called so. Throws where the whole page was walked. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate<string>(FOCUSED);
    if (name.test(focused)) return;
    seen.push(focused);
  }
  throw new Error(`nothing is called ${name}: ${seen.join(" | ")}`);
}

/** Fills in the sign-in form and sends it. A browser puts the focus into it some time after the page is there: letters typed before are lost. */
export async function signInByKeyboard(page: Page, username: string): Promise<void> {
  await page.locator("#username:focus").waitFor();
  await page.keyboard.type(username);
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
}

/** Presses Enter on what leads to another page, and waits for that. */
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

/** What axe-core finds against the page, each as its rule and the elements that break it. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))",
  );
}

/** A server of an app: what it was sent back with. */
export function openApp(): { redirect: string; answers: URL[]; [Symbol.dispose](): void } {
  const answers: URL[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      if (new URL(request.url).pathname === "/callback") answers.push(new URL(request.url));
      return new Response("<!doctype html><title>The app</title>Back at the app", {
        headers: { "content-type": "text/html" },
      });
    },
  });
  return {
    redirect: `http://127.0.0.1:${server.port}/callback`,
    answers,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** A builder as a caller of the pages, who signed in just now. */
export function personOn({ core }: Site, username: string): BuilderCaller {
  const builder = findBuilder(core, username);
  if (!builder) throw new Error(`nobody is called ${username}`);
  return signedInNow(core, { builderId: builder.id });
}

export function makeApp(site: Site, username: string, draft: Partial<AppDraft> = {}) {
  const maker = personOn(site, username);
  return registerApp(site.core, maker, maker.workspaceId, {
    name: "Tidewater CI",
    kind: "confidential",
    redirectUris: ["https://ci.tidewater.example/callback"],
    scopes: ["feed:read", "feed:write", "jobs:read"],
    ...draft,
  });
}

/** The path that an app sends a browser to. */
export function authorizePath(
  { app }: ReturnType<typeof makeApp>,
  scope: string,
  more: Record<string, string> = {},
): string {
  return `/v1/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: app.id,
    redirect_uri: app.redirectUris[0] ?? "",
    scope,
    state: "s",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    ...more,
  })}`;
}
