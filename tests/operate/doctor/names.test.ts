import { expect, test } from "bun:test";
import { Glob } from "bun";

/** docs/contract.md#12.11: names that scripts rely on. */
const ROOT = `${import.meta.dir}/../../../`;
const NAMED = [
  /\b(?:finding|note|ok|severe|warning)\(\s*"(\w+)"/g,
  // Checks of derived data, and of the command line.
  /\bcheck: "(\w+)"/g,
  /\bconst check = "(\w+)"/g,
  /"(\w+_rights)"/g,
  // The table of leftovers.
  /^ {2}\["(\w+)", \//gm,
];

test("docs/operating.md names exactly the checks of the doctor", async () => {
  const names = new Set<string>();
  for (const pattern of ["src/operate/doctor/*.ts", "src/core/services/checkup/*.ts", "src/cli/doctor.ts"])
    for (const path of new Glob(pattern).scanSync(ROOT)) {
      const text = await Bun.file(ROOT + path).text();
      for (const named of NAMED) for (const [, name = ""] of text.matchAll(named)) names.add(name);
    }
  const page = await Bun.file(`${ROOT}docs/operating.md`).text();
  const [, section = ""] = /^## The doctor\n([\s\S]*?)^## /m.exec(page) ?? [];
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  const messages = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
  );
  expect(messages.toSorted()).toEqual([...names].sort());
});
