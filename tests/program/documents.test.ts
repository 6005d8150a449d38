import { expect, test } from "bun:test";
import { blocksOf, pageOf, ROOT } from "./documents.ts";

/** Pages whose commands are all run, each with its test. */
const FOLLOWED: Readonly<Record<string, string>> = {
  "README.md": "tests/program/readme.slow.test.ts",
  "docs/api.md": "tests/program/operating.program.test.ts",
  "docs/community.md": "tests/program/community.program.test.ts",
  "docs/graphql.md": "tests/program/readme.slow.test.ts",
  "docs/oauth.md": "tests/program/operating.program.test.ts",
  "docs/operating.md": "tests/program/operating.program.test.ts",
};

test("every command in a document is run by a test", async () => {
  const pages = ["*.md", "docs/*.md", "docs/adr/*.md", "bench/*.md"].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync(ROOT),
  ]);
  expect(pages).toEqual(expect.arrayContaining(Object.keys(FOLLOWED)));
  for (const [page, by] of Object.entries(FOLLOWED)) expect(await pageOf(by)).toContain(`"${page}"`);
  for (const page of pages) {
    const blocks = blocksOf(page, await pageOf(page));
    if (FOLLOWED[page] === undefined)
      expect(blocks.filter(({ runBy }) => runBy === undefined).map(({ place }) => place)).toEqual([]);
    for (const { place, commands, runBy } of blocks) {
      if (runBy === undefined) continue;
      const by = await pageOf(runBy);
      // A test may pass arguments as an array, so each word is searched separately.
      const args = commands.flatMap(
        (command) => command.match(/(?<=\s)(?:--?)?[a-z]{3,}(?:-[a-z]+)*(?=\s|$)/g) ?? [],
      );
      expect([place, args.filter((word) => !by.includes(word))]).toEqual([place, []]);
    }
  }
});
