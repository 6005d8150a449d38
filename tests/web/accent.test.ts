import { expect, test } from "bun:test";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import {
  contrastOf,
  lowContrastBackgrounds,
  BACKGROUNDS,
  DEFAULT_ACCENT,
  accentTones,
} from "../../src/core/identity/community-settings/accent.ts";
import { putCommunitySettings } from "../../src/core/identity/community-settings/community-settings.ts";
import { openSite, visit } from "./support.ts";

const frame = readFileSync("src/web/assets/layout.css", "utf8");

/** Returns the design tokens of one mode by name. */
function tokensOf(mode: "day" | "night"): Record<string, string> {
  const part = frame.split("@media (prefers-color-scheme: dark)")[mode === "day" ? 0 : 1] ?? "";
  const block = part.slice(0, part.indexOf("\n}"));
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]),
  );
}

// docs/contract.md#9.20
test("text colours and strong borders have enough contrast on every background, in light and dark mode", () => {
  for (const mode of ["day", "night"] as const) {
    const tokens = tokensOf(mode);
    const accent = accentTones("")[mode];
    const { paper = "", leaf = "", sheet = "" } = tokens;
    expect({ paper, leaf, sheet }).toEqual(BACKGROUNDS[mode]);
    for (const ground of [paper, leaf, sheet]) {
      for (const name of ["ink", "soft", "well", "danger", "warn"])
        expect([mode, name, ground, contrastOf(tokens[name] ?? "", ground) >= 4.5]).toEqual([
          mode,
          name,
          ground,
          true,
        ]);
      expect([mode, ground, contrastOf(accent, ground) >= 4.5]).toEqual([mode, ground, true]);
      expect([mode, ground, contrastOf(tokens["line-strong"] ?? "", ground) >= 3]).toEqual([
        mode,
        ground,
        true,
      ]);
    }
  }
});

test("a low-contrast accent is reported with its backgrounds; in dark mode every accent is adjusted to enough contrast", () => {
  expect(lowContrastBackgrounds(DEFAULT_ACCENT)).toEqual([]);
  expect(lowContrastBackgrounds("#ffcc00")).toEqual(["paper", "leaf", "sheet", "tinted"]);
  // This grey has enough contrast on `leaf`, but not on darker backgrounds.
  expect(lowContrastBackgrounds("#7a7a7a")).not.toEqual([]);
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(colour, (day) => {
      const { night } = accentTones(day);
      expect(night).toMatch(/^#[0-9a-f]{6}$/);
      // The light-mode tone also has enough contrast for every accent.
      expect(lowContrastBackgrounds(accentTones(day).day)).toEqual([]);
      for (const ground of Object.values(BACKGROUNDS.night))
        expect(contrastOf(night, ground)).toBeGreaterThanOrEqual(6);
    }),
    { numRuns: 300 },
  );
});

test("the stylesheet uses a changed accent from the next page on, at a new immutable address", async () => {
  await using site = openSite();
  const sheetOf = async () => {
    const { html } = await visit(site).open("/");
    const address = /<link rel="stylesheet" href="([^"]+)"/.exec(html)?.[1] ?? "";
    const answer = await fetch(site.url + address);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    return { address, css: await answer.text() };
  };
  const before = await sheetOf();
  expect(before.css).toContain(`--accent-day:${DEFAULT_ACCENT}`);
  site.core.db.transact(() => putCommunitySettings(site.core, { accent: "#1f6a5c" }));
  const after = await sheetOf();
  expect(after.css).toContain("--accent-day:#1f6a5c");
  expect(after.address).not.toBe(before.address);
  // The stylesheet address in an old page returns the current stylesheet, which is not cached permanently.
  const old = await fetch(site.url + before.address);
  expect([old.status, old.headers.get("cache-control")]).toEqual([200, "no-cache"]);
});
