import { accountScenarios } from "./account-scenarios.ts";
import { fromSource } from "./programs.ts";
import { scenarios } from "./scenarios.ts";

scenarios(() => fromSource);
accountScenarios(() => fromSource);
