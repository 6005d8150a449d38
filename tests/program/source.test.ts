import { accountScenarios } from "./account-scenarios.ts";
import { fromSource } from "./programs.ts";
import { filesScenarios } from "./files-scenarios.ts";
import { operatorScenarios } from "./operator-scenarios.ts";
import { scenarios } from "./scenarios.ts";

scenarios(() => fromSource);
accountScenarios(() => fromSource);
operatorScenarios(() => fromSource);
filesScenarios(() => fromSource);
