import { tableOf } from "../tests/program/faults/fault.ts";
import { FAULTS } from "../tests/program/faults/faults.ts";
import { OPERATING_PAGE } from "./settings.ts";

const MARKED = /(<!-- faults: made by `bun run generate` -->\n)[\s\S]*?(<!-- end of faults -->)/;

/** Returns docs/operating.md with the table of tested faults between its markers. */
export function withFaults(page: string): string {
  if (!MARKED.test(page)) throw new Error("docs/operating.md has no place for the faults");
  return page.replace(MARKED, (_, begin: string, end: string) => `${begin}\n${tableOf(FAULTS)}\n\n${end}`);
}

// This script is separate from `bun run generate`, because it imports tests that start the program.
if (import.meta.main) {
  await Bun.write(OPERATING_PAGE, withFaults(await Bun.file(OPERATING_PAGE).text()));
  Bun.spawnSync([process.execPath, "fmt", "--no-script", OPERATING_PAGE.pathname]);
}
