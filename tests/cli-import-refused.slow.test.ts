// docs/contract.md#12.6, docs/contract.md#12.7: a refused import leaves nothing behind. An export reports
// what it omits.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apply } from "../src/core/identity/applications/applications.ts";
import { command } from "./command.ts";
import { isDrill } from "./drill.ts";
import { createTestWorld, createMember } from "./support.ts";

async function spoiltExport(root: string): Promise<string> {
  using world = createTestWorld();
  createMember(world.core, "ada");
  const folder = join(root, "export");
  expect((await command(world, ["export", folder])).code).toBe(0);
  const spoil = (name: string, change: (text: string) => string): void => {
    const file = join(folder, name);
    writeFileSync(file, change(readFileSync(file, "utf8")));
  };
  spoil("builders.ndjson", (text) => text.replace('"username":"ada"', '"username":"a d a"'));
  spoil("manifest.json", (text) => {
    const manifest = JSON.parse(text);
    for (const file of Object.values<Record<string, unknown>>(manifest.files)) {
      delete file["sha256"];
      delete file["bytes"];
    }
    return JSON.stringify(manifest);
  });
  return folder;
}

const IMPORTS: readonly [title: string, words: (spoilt: string, root: string) => string[]][] = [
  ["an export with a wrong row", (spoilt) => ["import", spoilt]],
  ["a Forem that may not be asked", () => ["import", "--forem", "https://127.0.0.1:1"]],
  [
    "a Forem with a table that cannot be right",
    (_spoilt, root) => {
      writeFileSync(join(root, "forem.json"), '{ "articles": [] }');
      writeFileSync(join(root, "people.csv"), "klaus,admin\n");
      return [
        "import",
        "--forem",
        join(root, "forem.json"),
        "--from",
        "a.example",
        "--people",
        join(root, "people.csv"),
      ];
    },
  ],
];

let exported: string;
let spoilt: string;
beforeAll(async () => {
  exported = mkdtempSync(join(tmpdir(), "guildhall-spoilt-"));
  spoilt = await spoiltExport(exported);
});
afterAll(() => rmSync(exported, { recursive: true }));

for (const [index, [title, wordsOf]] of IMPORTS.entries())
  test(`${title} is refused, and leaves no folder, no key and no database`, async () => {
    const root = mkdtempSync(join(tmpdir(), "guildhall-refused-"));
    try {
      const args = wordsOf(spoilt, root);
      const empty = join(root, "empty");
      mkdirSync(empty);
      const kept = join(root, "kept");
      mkdirSync(kept);
      writeFileSync(join(kept, "notes.txt"), "ours");

      // The first import runs on all three target folders, each other import on one of them. The drill runs
      // all combinations.
      const locations = [join(root, "a/b/c"), empty, kept];
      for (const folder of isDrill || index === 0 ? locations : [locations[index] ?? kept])
        expect(await command({ folder }, args, { GUILDHALL_KEY: "" })).toMatchObject({
          code: 1,
          stdout: "",
        });

      expect(existsSync(join(root, "a"))).toBe(false);
      expect(readdirSync(empty)).toEqual([]);
      expect(readdirSync(kept)).toEqual(["notes.txt"]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

test("a refused Forem import changes nothing in an existing community", async () => {
  using world = createTestWorld();
  createMember(world.core, "ada");

  expect((await command(world, ["import", "--forem", "https://127.0.0.1:1"])).code).toBe(1);

  expect((await command(world, ["builder", "list"])).stdout).toStartWith("ada\t");
});

test("an export reports how many pending join applications it leaves out", async () => {
  using world = createTestWorld();
  createMember(world.core, "root");
  const root = mkdtempSync(join(tmpdir(), "guildhall-export-"));
  try {
    const before = await command(world, ["export", join(root, "before")]);
    expect(before.code).toBe(0);
    expect(before.stderr).not.toContain("pending join");
    await command(world, ["community", "set", "--joining", "approval"]);
    const draft = {
      username: "bob",
      password: "correct horse battery",
      why: "I weave.",
      language: "en",
    } as const;
    await apply(world.core, { address: "203.0.113.7", agent: "" }, draft);

    const { code, stderr } = await command(world, ["export", join(root, "after")]);

    expect(code).toBe(0);
    expect(stderr).toContain("1 pending join request left out. ");
    const own = await command(world, ["export", join(root, "own"), "--builder", "root"]);
    expect(own.stderr).not.toContain("pending join");
  } finally {
    rmSync(root, { recursive: true });
  }
});
