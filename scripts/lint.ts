/**
 * `bun run lint` checks .oxlintrc.json's rules and the project's prose. It also fails if the linter reads
 * fewer files than exist, because a linter that reads no files finds no faults.
 */
import { join } from "node:path";

const FOLDERS = ["src", "tests", "scripts", "bench"];
/** Generated files. Git ignores them, so the linter skips them. */
const GENERATED = /^tests[/\\]client[/\\]/;
const OXLINT = join(import.meta.dir, "../node_modules/oxlint/bin/oxlint");

export interface Linted {
  output: string;
  isClean: boolean;
}

/** Lints the four folders under `root` with the configuration in `root`. */
export function lint(root: string): Linted {
  // The linter's launcher expects Node.js. Bun works too.
  const done = Bun.spawnSync([process.execPath, "--bun", OXLINT, ...FOLDERS], { cwd: root });
  const output = done.stdout.toString() + done.stderr.toString();
  const checkedFiles = Number(/ on (\d+) files? /.exec(output)?.[1] ?? 0);
  const there = countFiles(root);
  if (checkedFiles > 0 && checkedFiles >= there) return { output, isClean: done.success };
  return { output: `${output}\nOnly ${checkedFiles} of ${there} files were checked.`, isClean: false };
}

function countFiles(root: string): number {
  const files = new Bun.Glob(`{${FOLDERS.join(",")}}/**/*.{ts,tsx,js}`);
  return [...files.scanSync({ cwd: root, onlyFiles: true })].filter((file) => !GENERATED.test(file)).length;
}

if (import.meta.main) {
  const code = lint(join(import.meta.dir, ".."));
  console.log(code.output.trim());
  // Imported lazily. The prose check loads the whole program, which the tests of the linter do not need.
  const { lintProse } = await import("./prose/prose.ts");
  const prose = await lintProse();
  console.log(prose.output);
  process.exit(code.isClean && prose.isClean ? 0 : 1);
}
