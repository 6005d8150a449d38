import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LISTS } from "../scripts/lists.ts";

/** Removes differences that the formatter makes. */
const bare = (text: string): string => text.replaceAll(/\s/g, "").replaceAll(/,(?=[\]}])/g, "");

for (const [path, list] of Object.entries(LISTS)) {
  test(`${path} lists the files of its folder, which \`bun run generate\` writes`, () => {
    expect(bare(readFileSync(join(import.meta.dir, "..", path), "utf8"))).toBe(bare(list()));
    expect(list().match(/^import /gm)?.length).toBeGreaterThan(10);
  });
}
