import { expect, test } from "bun:test";
import { Glob } from "bun";

type Texts = ReadonlyMap<string, string>;

/**
 * Exported functions and constants of src that no other file names. Also reports a name that only tests use,
 * unless the file that defines the name uses it too.
 */
function unused(texts: Texts): string[] {
  const words = new Map([...texts].map(([path, text]) => [path, text.match(/\w+/g) ?? []]));
  const users = new Map<string, string[]>();
  for (const [path, found] of words)
    for (const word of new Set(found)) users.set(word, [...(users.get(word) ?? []), path]);
  return [...texts]
    .filter(([path]) => path.startsWith("src/"))
    .flatMap(([path, text]) =>
      [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)]
        .map(([, name = ""]) => name)
        .filter((name) => {
          const others = (users.get(name) ?? []).filter((user) => user !== path);
          const isOwn = words.get(path)?.filter((word) => word === name).length !== 1;
          return others.length === 0 || (!isOwn && others.every((user) => user.startsWith("tests/")));
        })
        .map((name) => `${path}: ${name}`),
    );
}

test("src exports nothing that only tests use, or that nothing uses", async () => {
  const texts = new Map<string, string>();
  for (const path of new Glob("{src,scripts,bench,tests}/**/*.{ts,tsx}").scanSync("."))
    texts.set(path.replaceAll("\\", "/"), await Bun.file(path).text());
  expect(texts.size).toBeGreaterThan(600);
  // The schema files are read as a whole.
  expect(unused(texts).filter((found) => !found.startsWith("src/core/base/db/schema"))).toEqual([]);
});

test("reports an unused export", () => {
  const used = ["src/b.ts", `import { add } from "./a.ts";\nadd(1);`] as const;
  const own = `export const MAX = 5;\nexport function add(x: number) { return x + MAX; }\n`;
  const tried = ["tests/a.test.ts", "expect([sum, MAX]).toEqual([])"] as const;
  const dead = `${own}export function sum() {}\nexport async function lost() {}\n`;
  expect(unused(new Map([["src/a.ts", own], used]))).toEqual(["src/a.ts: MAX"]);
  expect(unused(new Map([["src/a.ts", own], used, tried]))).toEqual([]);
  expect(unused(new Map([["src/a.ts", dead], used, tried]))).toEqual(["src/a.ts: sum", "src/a.ts: lost"]);
});
