// docs/contract.md#9.20.6
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { hasChromium, launch } from "../browser.ts";
import { dealt, lookAtAll, LOOKS, show } from "./looking.ts";

describe.skipIf(!hasChromium)("every page, in one of its looks", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  }, 120_000);

  afterAll(() => browser?.close());

  // `bun run drill looks` has all of them.
  test("is accessible, within its width, in its language, at rest, and of one origin", async () => {
    await using shown = await show();
    const rounds = dealt(shown.sights);
    expect(new Set(rounds.map(({ look }) => look)).size).toBe(LOOKS.length);
    expect(await lookAtAll(browser, shown, rounds)).toEqual([]);
  }, 120_000);
});
