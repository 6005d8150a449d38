// What docs/contract.md#6.11, docs/contract.md#10.1 and docs/contract.md#10.2 promise.
import { setDefaultTimeout } from "bun:test";
import { accountScenarios } from "./account-scenarios.ts";
import { fromSource, LONG_MS } from "./programs.ts";
import { filesScenarios } from "./files-scenarios.ts";
import { operatorScenarios } from "./operator-scenarios.ts";
import { scenarios } from "./scenarios.ts";

setDefaultTimeout(LONG_MS);

scenarios(() => fromSource);
accountScenarios(() => fromSource);
operatorScenarios(() => fromSource);
filesScenarios(() => fromSource);
