/**
 * `bun run drill [NAME…]` runs the cases that are too large for the tests; without a name, all of them.
 * Prints figures for bench/README.md, and exits with 1 if a drill fails.
 * - `--short` runs each drill for at most a minute on two cores, and skips drills without a short form.
 * - `--drawn` runs the short form of one drill, which the commit hash selects.
 * - `--foreign` runs the drills that need other programs, in their short form if they have one.
 * - `--list` lists the drills.
 *
 * A drill that cannot run on this machine prints the reason. It fails only if it was named.
 */
import { type Drill, DRILLS, hasFailed } from "./drills.ts";
import { run } from "./run.ts";

const args = process.argv.slice(2);
const options = args.filter((word) => word.startsWith("--"));
const [name, ...figures] = args.filter((word) => !word.startsWith("--"));
const isShort = options.includes("--short") || options.includes("--drawn");
const isForeign = options.includes("--foreign");
const able = Object.keys(DRILLS)
  .filter((each) => !isShort || DRILLS[each]?.short)
  .filter((each) => !isForeign || DRILLS[each]?.isForeign);
const unknown =
  options.find((option) => !["--short", "--drawn", "--foreign", "--list"].includes(option)) ??
  (name !== undefined && !able.includes(name) ? name : undefined);
if (unknown !== undefined || options.includes("--list")) {
  for (const each of able) console.log(`${each.padEnd(14)} ${DRILLS[each]?.says}`);
  if (unknown !== undefined) console.error(`There is no such drill: ${unknown}`);
  process.exit(unknown === undefined ? 0 : 2);
}

const names = options.includes("--drawn") ? [await drawn()] : name === undefined ? able : [name];
const broken: string[] = [];
for (const each of names) {
  console.log(`── drill ${each}${isShort ? ", short" : ""}: ${DRILLS[each]?.says}`);
  const from = performance.now();
  const { full, short } = DRILLS[each] as Drill;
  const report = await (isShort || isForeign ? (short?.() ?? full([])) : full(figures.map(Number)));
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  if (typeof report === "object") console.log(`${each}: did not run: ${report.absent}`);
  else console.log(`${each}: ${report ? "kept" : "BROKEN"} after ${seconds} s`);
  if (hasFailed(report, each === name)) broken.push(each);
}
if (broken.length > 0) console.error(`broken: ${broken.join(", ")}`);
process.exit(broken.length > 0 ? 1 : 0);

/** Selects a drill by the commit hash. Everyone with this commit gets the same drill. */
async function drawn(): Promise<string> {
  const commit = (await run(".", ["git", "rev-parse", "HEAD"])).trim();
  return able[Number(BigInt(`0x${commit}`) % BigInt(able.length))] ?? "";
}
