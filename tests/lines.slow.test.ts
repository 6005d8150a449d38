import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { countLines, groupsOf, report, tally, textsOfCommit, textsOfTree } from "../scripts/lines.ts";

test("counts lines that are neither blank nor only a comment, in each language of src", () => {
  expect(countLines("")).toEqual({ lines: 0, code: 0 });
  expect(countLines("// why\nrun(); // now\n\n/** a\n * b */\nrun();\n")).toEqual({ lines: 6, code: 2 });
  expect(countLines("{/* said */}\n<p>\n  {/*\n said\n */}\n</p>")).toEqual({ lines: 6, code: 2 });
  expect(countLines("-- why\nSELECT 1;\n")).toEqual({ lines: 2, code: 1 });
  expect(countLines("/* one line */\na { b: c }\n")).toEqual({ lines: 2, code: 1 });
});

test("counts generated files and catalogues apart, and does not count images", () => {
  expect(groupsOf("src/core/core.ts")).toEqual(["all", ".ts", "src/core"]);
  expect(groupsOf("src/app/server.ts")).toEqual(["all", ".ts", "src/app"]);
  for (const path of ["src/graphql/schema.graphql", "src/core/base/db/migrations.ts"])
    expect(groupsOf(path)).toEqual(["apart: generated"]);
  expect(groupsOf("src/core/base/refusals/requests.ts")).toEqual(["apart: catalogues"]);
  expect(groupsOf("src/core/refusals/sentence.ts")).toEqual(["all", ".ts", "src/core"]);
  expect(groupsOf("src/web/assets/favicon.ico")).toEqual([]);
});

test("compares the working tree with a commit, including moved, deleted and new files", () => {
  const root = mkdtempSync(join(tmpdir(), "lines-"));
  try {
    const git = (...words: string[]) => {
      const done = Bun.spawnSync(["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@b", ...words]);
      expect(done.stderr.toString() + done.exitCode).toBe("0");
    };
    const put = (path: string, text: string) => {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    git("init", "-q");
    put("src/core/gone.ts", "a\nb\nc\n");
    put("src/web/kept.css", "a\n");
    git("add", ".");
    git("commit", "-qm", "first");
    rmSync(join(root, "src/core/gone.ts"));
    put("src/rest/new.ts", "// why\na\n");
    put("tests/x.test.ts", "a\n");

    const before = textsOfCommit(root, "HEAD");
    expect(before && [...before]).toHaveLength(2);
    expect(textsOfCommit(root, "0123456")).toBeUndefined();
    const output = report(tally(textsOfTree(root)), tally(before ?? []));
    expect(output.split("\n").map((line) => line.trim().split(/ {2,}/))).toEqual([
      ["src", "lines", "code", "± lines", "± code"],
      ["all", "3", "2", "-1", "-2"],
      [".css", "1", "1", "0", "0"],
      [".ts", "2", "1", "-1", "-2"],
      ["src/core", "0", "0", "-3", "-3"],
      ["src/rest", "2", "1", "+2", "+1"],
      ["src/web", "1", "1", "0", "0"],
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
