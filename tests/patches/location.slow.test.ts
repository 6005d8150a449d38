/*
 * What one more field costs: location.patch gives a post a place that it was written at, with its migration, its twin, its form and its
 * place on the page. It is applied to a copy of this tree, which then is checked and tried. So a house in which a field is said in many
 * places again fails here.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

setDefaultTimeout(240_000);

const ROOT = join(import.meta.dir, "../..");
const PATCH = join(import.meta.dir, "location.patch");
/** More is too many. What `bun run generate` writes is not touched by hand. */
const FILES_MAX = 6;
/** Tests of this tree that a new field could break. */
const OTHERS = [
  "tests/spec/posts.test.ts",
  "tests/spec/replies.test.ts",
  "tests/spec/document.test.ts",
  "tests/core/database.test.ts",
  "tests/core/migrations.test.ts",
];
/** What is no part of the tree, or is linked. */
const LEFT_OUT = [".git", "node_modules", "dist", "data"];

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

test(`one more field of a post touches at most ${FILES_MAX} files, and is then there by every way`, () => {
  const touched = [...readFileSync(PATCH, "utf8").matchAll(/^diff --git a\/(\S+)/gm)].map(([, file]) => file);
  console.log(`location.patch touches ${touched.length} files:\n  ${touched.join("\n  ")}`);
  expect(touched.length).toBeGreaterThan(0);
  expect(touched.length).toBeLessThanOrEqual(FILES_MAX);

  using copy = copyOfTree();
  const applied = run(copy.path, ["git", "apply", PATCH]);
  if (!applied.isGood)
    throw new Error(`tests/patches/location.patch applies no more; renew the patch:\n${applied.said}`);
  const bun = process.execPath;
  for (const command of [
    [bun, "scripts/generate.ts"],
    [bun, "check", "--no-script"],
    [bun, "fmt", "--no-script", "--check"],
    [bun, "test", "./tests/patches/location.after.ts", ...OTHERS],
    [
      bun,
      "test",
      "tests/graphql/parity.test.ts",
      "-t",
      "(?:listFeed|createPost|getPost|listReplies): the same answer",
    ],
  ] as string[][]) {
    const { isGood, said } = run(copy.path, command);
    if (!isGood) throw new Error(`${command.slice(1).join(" ")} fails in the patched copy:\n${said}`);
  }
});
