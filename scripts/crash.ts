/** The crash test in full: `bun run crash [kills]` kills the program 100 times under load and tells what is left. */
import { crash } from "../tests/program/crash.ts";
import { fromSource } from "../tests/program/programs.ts";

const kills = Number(process.argv[2] ?? 100);
const told = await crash(fromSource, kills, (kill) =>
  process.stderr.write(`\r  killed ${kill} of ${kills} times`),
);
process.stderr.write("\r\x1b[K");
console.log(told);
process.exit(told.wrongs.length > 0 ? 1 : 0);
