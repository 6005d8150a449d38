// The tiers of CONTRIBUTING.md: the name of a test file says what it needs. The fast tier runs only files
// that need nothing.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { scripts } from "../package.json" with { type: "json" };

/**
 * Infixes before `.test.ts`: a real browser, the program as a process, or other programs, threads and real
 * time.
 */
const NEEDS = ["browser", "program", "slow"];

const ROOT = join(import.meta.dir, "..");
const within = (pattern: string): string[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })].sort();
/** Every file that `bun test` runs. */
const FILES = within("{src,tests,scripts,bench}/**/*{.,_}{test,spec}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}");
const fast = FILES.filter((file) => !NEEDS.some((need) => file.includes(`.${need}.`)));

const scanned = new Map<string, string[]>();

function importsOf(file: string): string[] {
  const known = scanned.get(file);
  if (known) return known;
  const { imports } = new Bun.Transpiler({ loader: "ts" }).scan(readFileSync(join(ROOT, file), "utf8"));
  const own = imports
    .map(({ path }) => path)
    .filter((path) => path.startsWith(".") && !path.includes("/src/") && path.endsWith(".ts"))
    .map((path) => join(dirname(file), path))
    .filter((path) => path.startsWith("tests/"));
  scanned.set(file, own);
  return own;
}

function imported(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const other of importsOf(file)) imported(other, seen);
  return seen;
}

test("every test file belongs to one tier, by its name", () => {
  expect(fast.length).toBeGreaterThan(100);
  const name = new RegExp(`^tests/(?:[a-z-]+/)*[a-z0-9-]+(?:\\.(?:${NEEDS.join("|")}))?\\.test\\.tsx?$`);
  expect(FILES.filter((file) => !name.test(file))).toEqual([]);
});

test("each tier excludes the other tiers' files, and `.ci/run` runs the suite and the programs", () => {
  const ignored = (script: string) =>
    [...script.matchAll(/--path-ignore-patterns='([^']+)'/g)].map(([, glob]) => glob);
  expect(ignored(scripts["test:fast"])).toEqual(NEEDS.map((need) => `**/*.${need}.test.ts`));
  expect(ignored(scripts.test)).toEqual(["**/*.program.test.ts"]);
  expect([...scripts.test.matchAll(/tests\//g)]).toEqual([]);

  const filter = scripts["test:programs"].split(" ").at(-1) ?? "";
  const isProgram = (file: string) => file.endsWith(".program.test.ts");
  expect(FILES.filter((file) => file.includes(filter))).toEqual(FILES.filter(isProgram));
  const run = readFileSync(join(ROOT, ".ci/run"), "utf8");
  for (const tier of ["test", "test:programs"])
    expect(run).toMatch(new RegExp(`^step ".*" tests ${tier}$`, "m"));
});

/** Matches code that starts a program or a thread. */
const STARTS = /\bBun\.spawn(?:Sync)?\(|\bnew Worker\(|^import .* from "node:child_process"/m;
const PAUSE = /\bBun\.sleep\(([\d_]+)\)/g;
/** A pause below 50 ms is polling. A pause of 5 s or more is a timeout that only a failing test reaches. */
const isWait = (ms: number): boolean => ms >= 50 && ms < 5000;

test("no file of the fast tier opens a browser, starts a program or a thread, or waits", () => {
  const reasons = new Map<string, string[]>();
  const reasonsOf = (path: string): string[] => {
    const known = reasons.get(path);
    if (known) return known;
    // Removes code in backticks, because the architecture test quotes code in backticks.
    const code = readFileSync(join(ROOT, path), "utf8").replace(/`[^`\n]*`/g, "``");
    const found = [
      ...(["tests/browser.ts", "tests/program/programs.ts"].includes(path) ? [path] : []),
      ...(STARTS.exec(code) ?? []).map((text) => `${path}: ${text}`),
      ...[...code.matchAll(PAUSE)]
        .filter(([, ms = ""]) => isWait(Number(ms.replaceAll("_", ""))))
        .map(([text]) => `${path}: ${text}`),
    ];
    reasons.set(path, found);
    return found;
  };
  for (const file of fast) expect([file, [...imported(file)].flatMap(reasonsOf)]).toEqual([file, []]);
});
