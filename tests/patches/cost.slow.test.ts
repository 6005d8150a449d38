/*
 * Two example changes bound what a change costs, in files that people write. `bun run generate` makes the
 * others. Message files are counted apart, because each language has its own. cost.program.test.ts applies
 * the patches to a copy of this tree and tests it.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CHANGES, pathOf, run } from "./changes.ts";

for (const { patch, what, most } of CHANGES) {
  test(`${what} touches at most ${most} files besides those of the locales`, () => {
    const text = readFileSync(pathOf(patch), "utf8");
    const touched = [...text.matchAll(/^diff --git a\/(?!locales\/)(\S+)/gm)].map(([, file]) => file);
    console.log(`${patch} touches ${touched.length} files:\n  ${touched.join("\n  ")}`);
    expect(touched.length).toBeGreaterThan(0);
    expect(touched.length).toBeLessThanOrEqual(most);
  });
}

test("both patches apply to this tree", () => {
  const patches = CHANGES.map(({ patch }) => pathOf(patch));
  const { isGood, output } = run(join(import.meta.dir, "../.."), ["git", "apply", "--check", ...patches]);
  if (!isGood) throw new Error(`tests/patches no longer apply; renew the patch:\n${output}`);
});
