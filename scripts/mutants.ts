/**
 * `bun run mutants [WORD…]` plants each fault of tests/mutants in a copy of the tree, and runs the tests that
 * must find the fault. With WORDs, plants only faults whose file or reason contains one of the words. Fails
 * if a fault survives, or if its text is no longer in the source. docs/adr/0035-lint-and-mutants.md explains
 * why the faults are written by hand.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Fault } from "../tests/mutants/fault.ts";
import { FAULTS } from "../tests/mutants/faults.ts";
import { run } from "./run.ts";

const ROOT = join(import.meta.dir, "..");
/** Number of copies of the tree that run tests at the same time. */
const COPIES = 2;
/** A test that does not end within this time has found the fault. */
const GIVE_UP_MS = 120_000;

/** Returns the source with the fault in it. Throws unless the source contains the text exactly once. */
export function plantFault(source: string, { text, fault }: Pick<Fault, "text" | "fault">): string {
  const parts = source.split(text);
  if (parts.length !== 2) throw new Error(`«${text}» is there ${parts.length - 1} times`);
  return parts.join(fault);
}

/** Returns the file of a test in any tier, or undefined if there is none. */
export function testFile(name: string): string | undefined {
  const files = ["", ".slow", ".browser", ".program"].map((tier) => `tests/${name}${tier}.test.ts`);
  return files.find((file) => existsSync(join(ROOT, file)));
}

/** Copies all files that git does not ignore, and links `node_modules`. */
export async function copyTree(): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), "mutants-"));
  const listed = await run(ROOT, ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  for (const path of new Set(listed.split("\0"))) {
    if (path === "" || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

interface Ran {
  passed: number;
  failed: number;
  hasEnded: boolean;
  output: string;
}

type Wanted = Pick<Fault, "tests" | "named">;

/** Runs tests in a copy. With `bail`, stops at the first failure. */
async function runTests(copy: string, { tests, named }: Wanted, bail: boolean): Promise<Ran> {
  const files = tests.map((name) => testFile(name) ?? name);
  const how = [bail ? "--bail" : "--parallel", ...(named === undefined ? [] : ["-t", named])];
  const program = Bun.spawn([process.execPath, "test", ...how, ...files], {
    cwd: copy,
    stdout: "pipe",
    stderr: "pipe",
    ...(bail ? { timeout: GIVE_UP_MS, killSignal: "SIGKILL" as const } : {}),
  });
  const outputs = await Promise.all([
    new Response(program.stdout).text(),
    new Response(program.stderr).text(),
  ]);
  await program.exited;
  const output = outputs.join("");
  // Counts the lines with failures, because a run that stops early prints no totals.
  const failed = output.match(/^\(fail\) /gm)?.length ?? 0;
  const passed = Number(/^ *(\d+) pass$/m.exec(output)?.[1] ?? 0);
  return { passed, failed, hasEnded: program.signalCode === null, output };
}

function failuresOf(output: string): string {
  return [...new Set(output.match(/^\(fail\) .*$/gm) ?? [output])].join("\n");
}

/** Returns undefined if a test found the fault, or else what is wrong. */
export async function survives(copy: string, fault: Fault): Promise<string | undefined> {
  const file = join(copy, "src", fault.file);
  const source = readFileSync(file, "utf8");
  try {
    writeFileSync(file, plantFault(source, fault));
    const { passed, failed, hasEnded, output } = await runTests(copy, fault, true);
    if (failed > 0 || !hasEnded) return undefined;
    return passed > 0 ? "survives" : `no test ran\n${output}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    writeFileSync(file, source);
  }
}

/** Returns the test runs without a fault: all whole files in one run, and one run per named test. */
function setsOf(wanted: readonly Fault[]): Wanted[] {
  const whole = wanted.filter(({ named }) => named === undefined);
  const parts = wanted.filter(({ named }) => named !== undefined);
  const tests = [...new Set(whole.flatMap((fault) => fault.tests))];
  return tests.length === 0 ? parts : [{ tests }, ...parts];
}

async function main(args: readonly string[]): Promise<boolean> {
  const wanted = FAULTS.filter(
    ({ file, why }) => args.length === 0 || args.some((word) => file.includes(word) || why.includes(word)),
  );
  if (wanted.length === 0) throw new Error("no fault is meant by that");
  const copies = await Promise.all(Array.from({ length: COPIES }, copyTree));
  try {
    // The tests must pass without a fault. A test that always fails would seem to find every fault.
    for (const set of setsOf(wanted)) {
      const { passed, failed, output } = await runTests(copies[0] ?? "", set, false);
      if (failed > 0 || passed === 0) throw new Error(`it fails without any fault:\n${failuresOf(output)}`);
    }

    const queue = wanted.entries();
    let killed = 0;
    await Promise.all(
      copies.map(async (copy) => {
        for (const [i, fault] of queue) {
          const from = performance.now();
          const wrong = await survives(copy, fault);
          if (wrong === undefined) killed++;
          const seconds = ((performance.now() - from) / 1000).toFixed(1).padStart(5);
          console.log(
            `${String(i + 1).padStart(3)} ${seconds} s  ${wrong ?? "killed"}  ${fault.file}: ${fault.why}`,
          );
        }
      }),
    );
    console.log(`${killed} of ${wanted.length} killed`);
    return killed === wanted.length;
  } finally {
    for (const copy of copies) rmSync(copy, { recursive: true });
  }
}

if (import.meta.main) process.exit((await main(process.argv.slice(2))) ? 0 : 1);
