import { expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lint } from "../scripts/lint.ts";

const ROOT = join(import.meta.dir, "..");

/** Lints a small tree of these files with this project's configuration. */
function lintOf(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "lint-"));
  try {
    for (const folder of ["src", "tests", "scripts", "bench"]) mkdirSync(join(root, folder));
    for (const name of [".oxlintrc.json", "tsconfig.json"]) cpSync(join(ROOT, name), join(root, name));
    symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
    return lint(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test("each planted fault is reported by its rule, including the rules that need types", () => {
  const { output, isClean } = lintOf({
    "src/a.ts": `
export async function save(): Promise<void> {}
export function begin(): void {
  save();
}
export const sizes = [10, 9].sort();
export const isSame = (a: number) => a === a;
export function kindOf(kind: "a" | "b"): number {
  switch (kind) {
    case "a":
      return 1;
  }
  return 0;
}
`,
    "scripts/b.ts": `["a"].forEach(async () => {});\nexport const it: any = 1;\n`,
    "bench/c.ts": `if (globalThis) {\n}\nexport const x = { a: 1, a: 2 };\n`,
    "tests/d.ts": `export const told = "a" in { a: 1 } ? 1 : 1;\ndebugger;\n`,
  });
  expect(isClean).toBe(false);
  const rules = [...output.matchAll(/[a-z]+\(([a-z-]+)\):/g)].map(([, rule]) => rule ?? "");
  expect([...new Set(rules)].sort()).toEqual(
    expect.arrayContaining([
      "no-debugger",
      "no-dupe-keys",
      "no-floating-promises",
      "no-misused-promises",
      "no-self-compare",
      "require-array-sort-compare",
      "switch-exhaustiveness-check",
    ]),
  );
});

test("a tree without faults passes, and a run that checked no file fails", () => {
  expect(lintOf({ "src/a.ts": "export const a = 1;\n" })).toMatchObject({ isClean: true });
  expect(lintOf({})).toMatchObject({ isClean: false });
  expect(lintOf({ "src/a.ts": "export const a = 1;\n", "src/.gitignore": "a.ts\n" })).toMatchObject({
    isClean: false,
  });
});
