import type { Page } from "playwright-core";
import { launch } from "../../tests/browser.ts";
import { median } from "../server.ts";

/** How much slower than this machine the phone of a visitor is. Lighthouse's mobile preset uses the same. */
const SLOWDOWN = 4;

/** One interaction of a member, in milliseconds. */
export interface Interaction {
  /** Interaction to next paint: from the key or click to the next frame, at worst. */
  inpMs: number;
  /** From the click until the page shows the result. */
  shownMs: number;
}

export interface Visit {
  origin: string;
  /** Name and value of the member's session cookie. */
  cookie: { name: string; value: string };
  /** A post with replies, and enough other posts for the rounds. */
  thread: string;
}

/** Likes posts in the feed and writes replies in a thread, `rounds` times each. Returns the medians. */
export async function interactions(
  visit: Visit,
  rounds: number,
): Promise<Record<"like" | "reply", Interaction>> {
  const browser = await launch();
  try {
    const context = await browser.newContext({
      baseURL: visit.origin,
      viewport: { width: 412, height: 823 },
    });
    await context.addCookies([{ ...visit.cookie, url: visit.origin }]);
    const page = await context.newPage();
    const delays: number[] = [];
    await page.exposeFunction("reportInteraction", (ms: number) => void delays.push(ms));
    await page.addInitScript(REPORT_INTERACTIONS);
    await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    const measured = async (act: () => Promise<number>): Promise<Interaction> => {
      delays.length = 0;
      const shownMs = await act();
      // The browser reports an interaction after its frame.
      await page.waitForTimeout(300);
      return { inpMs: Math.max(0, ...delays), shownMs };
    };
    const found: Record<"like" | "reply", Interaction[]> = { like: [], reply: [] };
    for (let round = 0; round < rounds; round++) {
      found.like.push(await measured(() => like(page)));
      found.reply.push(await measured(() => reply(page, visit.thread, round)));
    }
    return { like: middle(found.like), reply: middle(found.reply) };
  } finally {
    await browser.close();
  }
}

/** Likes the first post of the feed that the member does not like yet. */
async function like(page: Page): Promise<number> {
  await page.goto("/");
  const post = await page.locator(".post:has(button.like[aria-pressed=false])").first().getAttribute("id");
  return timed(
    () => page.locator(`#${post} button.like`).first().click({ noWaitAfter: true }),
    () => page.locator(`#${post} button.like[aria-pressed=true]`).first().waitFor(),
  );
}

/** Types a reply on the page of a thread and sends it. */
async function reply(page: Page, thread: string, round: number): Promise<number> {
  await page.goto(`/posts/${thread}`);
  const form = page.locator(`form[action="/posts/${thread}/replies"]`).first();
  const text = `Measured, round ${round} of ${Date.now()}`;
  await form.locator("textarea[name=text]").click();
  await page.keyboard.type(text);
  return timed(
    () => form.locator("button:not([name])").first().click({ noWaitAfter: true }),
    () => page.locator(".post", { hasText: text }).last().waitFor(),
  );
}

async function timed(act: () => Promise<void>, shown: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await act();
  await shown();
  return performance.now() - from;
}

function middle(all: readonly Interaction[]): Interaction {
  return {
    inpMs: median(all.map(({ inpMs }) => inpMs)),
    shownMs: median(all.map(({ shownMs }) => shownMs)),
  };
}

/** Reports each interaction as the browser measures it, also one that leaves the page. */
const REPORT_INTERACTIONS = `(() => {
  const report = (entries) => {
    for (const { interactionId, duration } of entries) if (interactionId > 0) reportInteraction(duration);
  };
  const observer = new PerformanceObserver((list) => report(list.getEntries()));
  observer.observe({ type: "event", durationThreshold: 16, buffered: true });
  addEventListener("pagehide", () => report(observer.takeRecords()));
})()`;
