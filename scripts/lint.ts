/**
 * `bun run lint`: faults that types do not see, which .oxlintrc.json lists, and faults of our prose. Fails,
 * too, where fewer files were looked at than there are: a linter that looks at nothing finds nothing.
 */
import { join } from "node:path";

const FOLDERS = ["src", "tests", "scripts", "bench"];
/** Generated and ignored by git, so that the linter skips it. */
const GENERATED = /^tests[/\\]client[/\\]/;
const OXLINT = join(import.meta.dir, "../node_modules/oxlint/bin/oxlint");

export interface Linted {
  /** What was found, as people read it. */
  told: string;
  isClean: boolean;
}

/** Lints the four folders under `root` by the configuration there. */
export function lint(root: string): Linted {
  // The linter's own start asks for node; Bun will do.
  const done = Bun.spawnSync([process.execPath, "--bun", OXLINT, ...FOLDERS], { cwd: root });
  const told = done.stdout.toString() + done.stderr.toString();
  const looked = Number(/ on (\d+) files? /.exec(told)?.[1] ?? 0);
  const there = countFiles(root);
  if (looked > 0 && looked >= there) return { told, isClean: done.success };
  return { told: `${told}\nOnly ${looked} of ${there} files were looked at.`, isClean: false };
}

function countFiles(root: string): number {
  const files = new Bun.Glob(`{${FOLDERS.join(",")}}/**/*.{ts,tsx,js}`);
  return [...files.scanSync({ cwd: root, onlyFiles: true })].filter((file) => !GENERATED.test(file)).length;
}

if (import.meta.main) {
  const code = lint(join(import.meta.dir, ".."));
  console.log(code.told.trim());
  // The prose is that of the whole program: it needs a program that runs, and the tests of the code's lint do
  // not.
  const { lintProse } = await import("./prose/prose.ts");
  const prose = await lintProse();
  console.log(prose.told);
  process.exit(code.isClean && prose.isClean ? 0 : 1);
}
