// Scenarios that are neither in smoke.slow.test.ts nor in binary-operation.program.test.ts.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { until } from "../delivery/receiver.ts";
import { accountScenarios } from "./account-scenarios.ts";
import { anywhereScenarios } from "./anywhere-scenarios.ts";
import { emptyFolder, LONG_MS, copyBinary, type Program, run, serve } from "./programs.ts";
import { signalScenarios } from "./signal-scenarios.ts";
import { demoScenario, scenarios } from "./scenarios.ts";
import { tlsScenarios } from "./tls-scenarios.ts";
import { upgradeScenarios } from "./upgrade-scenarios.ts";

setDefaultTimeout(LONG_MS);

const folder = emptyFolder();
let binary: Program;

beforeAll(async () => {
  binary = await copyBinary(folder.path);
}, LONG_MS);
afterAll(() => folder[Symbol.dispose]());

test("the binary prints the licences of everything in it", async () => {
  const { code, stdout } = await run(binary, ["licences"], { cwd: folder.path });
  expect(code).toBe(0);
  for (const part of [
    "\nelysia ",
    `\nBun ${Bun.version}\n`,
    "GNU LIBRARY GENERAL PUBLIC LICENSE",
    "Guildhall",
  ])
    expect(stdout).toContain(part);
});

test("an unexpected error is logged with the files and lines of the source", async () => {
  using data = emptyFolder();
  await using server = await serve(binary, { cwd: data.path, args: ["--data", "d"] });
  using database = new Database(join(data.path, "d", "guildhall.db"));
  // The server writes just after its start.
  database.run("PRAGMA busy_timeout = 10000");
  database.run("ALTER TABLE jobs RENAME COLUMN title TO missing");

  const { status } = await fetch(`${server.url}/jobs`, { headers: { accept: "text/html" } });

  expect(status).toBe(500);
  await until(() => server.output().includes('"msg":"request failed"'));
  expect(server.output()).toMatch(/at selectNewest \(src\/core\/community\/jobs\/jobs-store\.ts:\d+:\d+\)/);
});

demoScenario(() => binary);
anywhereScenarios(() => binary);
scenarios(() => binary);
accountScenarios(() => binary);
upgradeScenarios(() => binary);
tlsScenarios(() => binary);
signalScenarios(() => binary);
