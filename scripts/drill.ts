/** `bun run drill NAME`: the large cases that no test has time for. Prints figures for bench/README.md; exits with 1 where a promise is broken. */
import { events } from "./drills/events.ts";
import { hanging } from "./drills/hanging.ts";

/** Each tells what it found, and whether every promise was kept. */
const DRILLS: Readonly<Record<string, () => Promise<boolean>>> = {
  events,
  hanging,
};

const [name = ""] = process.argv.slice(2);
const drill = DRILLS[name];
if (!drill) {
  console.error(`There is no drill «${name}»; there are ${Object.keys(DRILLS).join(", ")}.`);
  process.exit(2);
}
process.exit((await drill()) ? 0 : 1);
