/*
 * Measures what a change costs by making two of them. location.patch adds a location to posts. talks.patch
 * adds a resource with tests.
 * Both are applied to a copy of this tree, which is then checked and tested. cost.slow.test.ts counts the
 * changed files.
 */
import { test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHANGES, pathOf, run } from "./changes.ts";

const ROOT = join(import.meta.dir, "../..");
/** Folders that are not copied. The copy links to node_modules. */
const LEFT_OUT = [".git", "node_modules", "dist", "data"];
const LONG_MS = 240_000;

/** Tests of the changes, of what they could break, and of the rules of the tree. */
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

/** Tests that migrate old databases with rows, which includes the migrations of the changes. */
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
