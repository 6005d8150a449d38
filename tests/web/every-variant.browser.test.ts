// docs/contract.md#9.20.6
import { afterAll, describe, expect, test } from "bun:test";
import { closeContexts, hasChromium } from "../browser.ts";
import { pickVariants, checkVariants, VARIANTS, openSampleSite } from "./page-variants.ts";

describe.skipIf(!hasChromium)("every second page in one variant", () => {
  afterAll(closeContexts);

  // `bun run drill looks` checks all pages in all variants. Its short form checks each page in one variant.
  test("is accessible, fits the screen, is in its language, does not move, and loads from one origin", async () => {
    await using sample = await openSampleSite();
    const rounds = pickVariants(sample.views, 2);
    expect(new Set(rounds.map(({ look }) => look)).size).toBe(VARIANTS.length);
    expect(await checkVariants(sample, rounds)).toEqual([]);
  }, 120_000);
});
