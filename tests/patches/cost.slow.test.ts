/*
 * What a change costs, shown by doing it. location.patch gives a post the place that it was written at;
 * talks.patch is a whole resource, with its tests. Both are applied to a copy of this tree, which then is
 * checked and tried. So a house in which the same is said in many places again fails here. The files are
 * counted that people write: what `bun run generate` makes is made in the copy. Files of messages are counted apart: a
 * message of a page is in each language.
 */
import { expect, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
/** What is no part of the tree, or is linked. */
const LEFT_OUT = [".git", "node_modules", "dist", "data"];
/** On a machine that is slow and busy. */
const LONG_MS = 240_000;

const CHANGES: readonly { patch: string; what: string; most: number }[] = [
  { patch: "location.patch", what: "one more field of a post", most: 6 },
  { patch: "talks.patch", what: "a whole resource", most: 10 },
];
/** What the changes bring, what they could break, and the law of the tree. */
const TRIED = [
  "./tests/patches/location.after.ts",
  "tests/spec/talks.test.ts",
  "tests/spec/posts.test.ts",
  "tests/spec/replies.test.ts",
  "tests/spec/access.test.ts",
  "tests/core/database.test.ts",
  "tests/core/migrations.slow.test.ts",
  "tests/core/portable-lists.test.ts",
  "tests/architecture.test.ts",
];

function copyOfTree(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "guildhall-patched-"));
  for (const name of readdirSync(ROOT).filter((entry) => !LEFT_OUT.includes(entry)))
    cpSync(join(ROOT, name), join(path, name), { recursive: true });
  cpSync(join(ROOT, "data/seed"), join(path, "data/seed"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(path, "node_modules"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs a command to its end; what it said, and whether it ended well. */
function run(cwd: string, command: string[]): { isGood: boolean; said: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      GIT_CEILING_DIRECTORIES: dirname(cwd),
    },
  });
  return { isGood: exitCode === 0, said: `${stdout.toString()}${stderr.toString()}` };
}

for (const { patch, what, most } of CHANGES) {
  test(`${what} touches at most ${most} files beside those of the languages`, () => {
    const text = readFileSync(join(import.meta.dir, patch), "utf8");
    const touched = [...text.matchAll(/^diff --git a\/(?!locales\/)(\S+)/gm)].map(([, file]) => file);
    console.log(`${patch} touches ${touched.length} files:\n  ${touched.join("\n  ")}`);
    expect(touched.length).toBeGreaterThan(0);
    expect(touched.length).toBeLessThanOrEqual(most);
  });
}

test(
  "both are there by every way, in a copy that is checked and tried",
  () => {
    using copy = copyOfTree();
    for (const { patch } of CHANGES) {
      const { isGood, said } = run(copy.path, ["git", "apply", join(import.meta.dir, patch)]);
      if (!isGood) throw new Error(`tests/patches/${patch} applies no more; renew the patch:\n${said}`);
    }
    for (const command of [
      ["scripts/messages.ts"],
      ["scripts/lists.ts"],
      ["scripts/generate.ts"],
      ["scripts/client-types.ts"],
      ["check", "--no-script"],
      ["fmt", "--no-script", "--check"],
      ["test", "--timeout=60000", ...TRIED],
    ]) {
      const { isGood, said } = run(copy.path, [process.execPath, ...command]);
      if (!isGood) throw new Error(`${command.join(" ")} fails in the copy:\n${said}`);
    }
  },
  LONG_MS,
);
