import { expect, test } from "bun:test";
import { Glob } from "bun";

const decisions = await Bun.file("docs/contract.md").text();

test("each decision of docs/contract.md has a number of its own, in its section, in order", () => {
  const numbers = [...decisions.matchAll(/^## (\d+)\.|^\*\*(\d+)\.(\d+) /gm)];
  expect(numbers.length).toBeGreaterThan(40);
  let [section, last] = [0, 0];
  for (const [, heading, within, number] of numbers) {
    if (heading !== undefined) {
      expect(Number(heading)).toBe(section + 1);
      [section, last] = [section + 1, 0];
    } else {
      expect([Number(within), Number(number)]).toEqual([section, last + 1]);
      last++;
    }
  }
});

test("each decision that the code cites is there", async () => {
  let cited = 0;
  for (const file of new Glob("{src,tests,scripts,bench}/**/*.{ts,tsx}").scanSync(".")) {
    for (const [, number] of (await Bun.file(file).text()).matchAll(
      /docs\/contract\.md §?(\d+(?:\.\d+)?)/g,
    )) {
      cited++;
      const isThere = decisions.includes(`**${number} `) || decisions.includes(`\n## ${number}. `);
      expect([file, number, isThere]).toEqual([file, number, true]);
    }
  }
  expect(cited).toBeGreaterThan(20);
});
