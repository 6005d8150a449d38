// docs/contract.md#12.3: the table of settings.
import { expect, test } from "bun:test";
import { OPERATING_PAGE, withSettings } from "../../scripts/settings.ts";
import { type AnySetting, variableOf } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/table.ts";

const ALL = Object.values<AnySetting>(SETTINGS);

/** Removes differences that a Markdown formatter makes. */
function normalized(page: string): string {
  return page.replaceAll(/[\s-]+/g, " ");
}

test("docs/operating.md lists every setting with type, default, change and meaning: `bun run generate` writes it", async () => {
  const page = await Bun.file(OPERATING_PAGE).text();
  expect(normalized(withSettings(page))).toBe(normalized(page));
  expect(ALL.filter((setting) => !page.includes(`\`${variableOf(setting)}\``))).toEqual([]);
});

test("every setting accepts its own default and example", () => {
  for (const setting of ALL) {
    const examples = typeof setting.example === "string" ? [setting.example] : setting.example;
    // A setting of type `file` reads its file at once, and the example files do not exist here.
    const texts = [setting.default, ...(setting.type === "file" ? [] : examples)];
    for (const text of texts)
      if (text !== undefined)
        expect([setting.name, setting.parse(text) === undefined]).toEqual([setting.name, false]);
    expect([setting.name, setting.default === undefined || !("none" in setting)]).toEqual([
      setting.name,
      true,
    ]);
  }
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
});
