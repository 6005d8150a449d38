/**
 * The crash test in full: `bun run crash [kills] [posts]` kills the program 100 times under load, each time after so many posts at
 * least (none: at a random moment of its first fifth of a second), and tells what is left.
 */
import { crash } from "../tests/program/crash.ts";
import { fromSource } from "../tests/program/programs.ts";

const kills = Number(process.argv[2] ?? 100);
const posts = Number(process.argv[3] ?? 0);
const progress = (kill: number): void => void process.stderr.write(`\r  killed ${kill} of ${kills} times`);
const told = await crash(fromSource, kills, { posts, progress });
process.stderr.write("\r\x1b[K");
console.log(told);
console.log(`${(100 * told.repeatedShare).toFixed(2)} % of the deliveries arrived more than once`);
process.exit(told.wrongs.length > 0 ? 1 : 0);
