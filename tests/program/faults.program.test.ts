import { expect, setDefaultTimeout, test } from "bun:test";
import { withFaults } from "../../scripts/faults.ts";
import { OPERATING_PAGE } from "../../scripts/settings.ts";
import { sized } from "../drill.ts";
import { tryFault } from "./faults/fault.ts";
import { FAULTS } from "./faults/faults.ts";
import { LONG_MS } from "./programs.ts";

setDefaultTimeout(LONG_MS);

/** Faults that take only about two seconds. `bun run drill faults` tests all. */
const isQuick = ({ ready, lacks }: (typeof FAULTS)[number]): boolean => ready === "no server" && !lacks;

test("docs/operating.md has the table of tested faults, which `bun run generate` writes", async () => {
  const words = (page: string) => page.replaceAll(/[ -]+/g, " ");
  const page = await Bun.file(OPERATING_PAGE).text();
  expect(words(page)).toBe(words(withFaults(page)));
});

for (const fault of FAULTS.filter(sized(isQuick, () => true))) {
  const lacks = fault.lacks?.();
  test.skipIf(lacks !== undefined)(
    `${fault.name}: the program reports all that the row of docs/operating.md says`,
    async () => {
      expect(await tryFault(fault)).toEqual([]);
    },
  );
}
