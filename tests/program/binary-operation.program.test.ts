// Operator scenarios with the binary. binary.program.test.ts has the others, so that two workers share them.
import { afterAll, beforeAll, setDefaultTimeout } from "bun:test";
import { doctorScenarios } from "./doctor-scenarios.ts";
import { filesScenarios } from "./files-scenarios.ts";
import { healthScenarios } from "./health-scenarios.ts";
import { listenScenarios } from "./listen-scenarios.ts";
import { operatorScenarios } from "./operator-scenarios.ts";
import { emptyFolder, LONG_MS, copyBinary, type Program } from "./programs.ts";
import { setupScenarios } from "./setup-scenarios.ts";

setDefaultTimeout(LONG_MS);

const folder = emptyFolder();
let binary: Program;

beforeAll(async () => {
  binary = await copyBinary(folder.path);
}, LONG_MS);
afterAll(() => folder[Symbol.dispose]());

operatorScenarios(() => binary);
filesScenarios(() => binary);
listenScenarios(() => binary);
setupScenarios(() => binary);
healthScenarios(() => binary);
doctorScenarios(() => binary);
