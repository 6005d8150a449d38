/*
 * What a change costs, shown by doing it. location.patch gives a post the place that it was written at.
 * talks.patch adds a whole resource, with its tests. Both are applied to a copy of this tree, which is then
 * checked and tested, so that a tree in which the same must be written in many places fails.
 * cost.slow.test.ts counts the files.
 */
import { test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHANGES, pathOf, run } from "./changes.ts";

const ROOT = join(import.meta.dir, "../..");
/** What is no part of the tree, or is linked. */
const LEFT_OUT = [".git", "node_modules", "dist", "data"];
/** On a machine that is slow and busy. */
const LONG_MS = 240_000;

/** What the changes add, what they could break, and the rules of the tree. */
const TESTED = [
  "./tests/patches/location.after.ts",
  "tests/spec/talks.test.ts",
  "tests/spec/posts.test.ts",
  "tests/spec/replies.test.ts",
  "tests/spec/access.slow.test.ts",
  "tests/core/database.slow.test.ts",
  "tests/core/portable-lists.test.ts",
  "tests/architecture.test.ts",
];

/** Updates old databases that have rows, also by the migrations that the changes add. */
const OLD_DATABASES = ["tests/core/migrations.slow.test.ts", "-t", "events|reports|push and mail"];

function copyOfTree(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "guildhall-patched-"));
  for (const name of readdirSync(ROOT).filter((entry) => !LEFT_OUT.includes(entry)))
    cpSync(join(ROOT, name), join(path, name), { recursive: true });
  cpSync(join(ROOT, "data/seed"), join(path, "data/seed"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(path, "node_modules"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

test(
  "both patches work on every transport, in a copy of the tree that passes checks and tests",
  () => {
    using copy = copyOfTree();
    for (const { patch } of CHANGES) {
      const { isGood, output } = run(copy.path, ["git", "apply", pathOf(patch)]);
      if (!isGood) throw new Error(`tests/patches/${patch} no longer applies; renew the patch:\n${output}`);
    }
    for (const command of [
      ["scripts/messages.ts"],
      ["scripts/lists.ts"],
      ["scripts/generate.ts"],
      ["scripts/client-types.ts"],
      ["check", "--no-script"],
      ["fmt", "--no-script", "--check"],
      ["test", "--timeout=60000", ...TESTED],
      ["test", "--timeout=60000", ...OLD_DATABASES],
    ]) {
      const { isGood, output } = run(copy.path, [process.execPath, ...command]);
      if (!isGood) throw new Error(`${command.join(" ")} fails in the copy:\n${output}`);
    }
  },
  LONG_MS,
);
