import { expect, test } from "bun:test";
import fc from "fast-check";
import { diffWords } from "../../src/web/parts/word-diff.ts";

const marked = (before: string, after: string) =>
  diffWords(before, after)
    .map(({ is, text }) => ({ kept: text, removed: `[-${text}-]`, added: `[+${text}+]` })[is])
    .join("");

test("marks changes by line and by word, also in scripts without spaces", () => {
  expect(marked("I like small trees\nand birds.\nend", "I like tall old trees\nand birds.\nend\nmore")).toBe(
    "I like [-small -][+tall old +]trees\nand birds.\nend[+\nmore+]",
  );
  expect(marked("one two three", "1 2 three")).toBe("[-one two-][+1 2+] three");
  expect(marked("我喜欢前端", "我喜欢后端")).toContain("我喜欢");
  expect([marked("", ""), marked("same", "same"), marked("", "new"), marked("old", "")]).toEqual([
    ...["", "same", "[+new+]", "[-old-]"],
  ]);
});

test("contains both texts in full, for any two texts", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom("a", "b", " ", "\n", "\r\n", "é", "端", ".")).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, text, (before, after) => {
      const found = diffWords(before, after);
      const without = (kind: string) => found.flatMap(({ is, text }) => (is === kind ? [] : text)).join("");
      expect([without("added"), without("removed")]).toEqual([before, after]);
      expect(found.every(({ text }) => text !== "")).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test("shows very different texts one after the other, and compares the longest prompts in bounded time", () => {
  const signs = (n: number, of: string) => of.repeat(Math.ceil(n / of.length)).slice(0, n);
  for (const [before, after] of [
    [signs(20_000, "a "), signs(20_000, "b ")],
    [signs(20_000, ".,"), signs(20_000, ";,!.")],
    [signs(20_000, "a\n"), signs(20_000, "b\n")],
  ] as const)
    expect(diffWords(before, after)).toEqual([
      { is: "removed", text: before },
      { is: "added", text: after },
    ]);
  // The texts differ in 100 lines. Only the first of these lines, up to a limit, are compared word by word.
  const lines = (text: string) => Array.from({ length: 100 }, (_, i) => `kept ${i}\n${text} ${i}\n`).join("");
  expect(diffWords(lines("a b c d"), lines("e f g h")).length).toBeLessThan(600);
});
