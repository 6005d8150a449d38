/**
 * `bun run drill [NAME…]`: the large cases that no test has time for, all of them without a name. Prints
 * figures for bench/README.md; exits with 1 where a promise is broken. `--short` takes at most a minute of
 * two cores and leaves out what cannot; `--drawn` is the short form of the one that falls to this commit;
 * `--foreign` are those that need what others made, in the short form where they have one; `--list` says
 * which there are. What cannot be tried on this machine says so, and is broken only where it was asked for by
 * its name.
 */
import { type Drill, DRILLS, isBroken } from "./drills.ts";
import { run } from "./run.ts";

const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith("--"));
const [name, ...figures] = words.filter((word) => !word.startsWith("--"));
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
  const told = await (isShort || isForeign ? (short?.() ?? full([])) : full(figures.map(Number)));
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  if (typeof told === "object") console.log(`${each}: did not run: ${told.absent}`);
  else console.log(`${each}: ${told ? "kept" : "BROKEN"} after ${seconds} s`);
  if (isBroken(told, each === name)) broken.push(each);
}
if (broken.length > 0) console.error(`broken: ${broken.join(", ")}`);
process.exit(broken.length > 0 ? 1 : 0);

/** The same for everybody who has this commit, and another one for the next. */
async function drawn(): Promise<string> {
  const commit = (await run(".", ["git", "rev-parse", "HEAD"])).trim();
  return able[Number(BigInt(`0x${commit}`) % BigInt(able.length))] ?? "";
}
