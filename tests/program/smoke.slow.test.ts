// The few program tests of the normal suite. All others are in `*.program.test.ts`.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { crashDrill } from "./crash.ts";
import { emptyFolder, LONG_MS, copyBinary, type Program, run } from "./programs.ts";
import { keepingScenario } from "./scenarios.ts";

setDefaultTimeout(LONG_MS);

const folder = emptyFolder();
let binary: Program;

beforeAll(async () => {
  binary = await copyBinary(folder.path);
}, LONG_MS);
afterAll(() => folder[Symbol.dispose]());

test("the binary is one file and runs when copied alone into an empty folder", async () => {
  using elsewhere = emptyFolder();
  copyFileSync(join(folder.path, "guildhall"), join(elsewhere.path, "guildhall"));
  const alone: Program = { name: "binary", command: [join(elsewhere.path, "guildhall")] };
  expect(await run(alone, ["--version"], { cwd: elsewhere.path })).toMatchObject({ code: 0, stderr: "" });
  expect((await run(alone, ["openapi"], { cwd: elsewhere.path })).stdout).toContain('"openapi": "3.1.0"');
});

keepingScenario(() => binary);

test("a kill under load loses no post answered with 201, and its event is delivered", async () => {
  const report = await crashDrill(binary, 1, { posts: 20 });
  expect(report.acknowledged).toBeGreaterThanOrEqual(20);
  expect(report.wrongs).toEqual([]);
});
