// docs/contract.md#6.11, docs/contract.md#10.1 and docs/contract.md#10.2: the program from source.
import { setDefaultTimeout } from "bun:test";
import { isDrill } from "../drill.ts";
import { accountScenarios } from "./account-scenarios.ts";
import { fromSource, LONG_MS } from "./programs.ts";
import { filesScenarios } from "./files-scenarios.ts";
import { healthScenarios } from "./health-scenarios.ts";
import { doctorScenarios } from "./doctor-scenarios.ts";
import { listenScenarios } from "./listen-scenarios.ts";
import { operatorScenarios } from "./operator-scenarios.ts";
import { setupScenarios } from "./setup-scenarios.ts";
import { signalScenarios } from "./signal-scenarios.ts";
import { demoScenario, keepingScenario, scenarios } from "./scenarios.ts";
import { tlsScenarios } from "./tls-scenarios.ts";
import { upgradeScenarios } from "./upgrade-scenarios.ts";

setDefaultTimeout(LONG_MS);

// All scenarios run on the binary, which starts six times as fast. `bun run drill programs` also runs them on
// the source.
demoScenario(() => fromSource);
keepingScenario(() => fromSource);
if (isDrill) {
  scenarios(() => fromSource);
  accountScenarios(() => fromSource);
  operatorScenarios(() => fromSource);
  filesScenarios(() => fromSource);
  listenScenarios(() => fromSource);
  setupScenarios(() => fromSource);
  healthScenarios(() => fromSource);
  doctorScenarios(() => fromSource);
  upgradeScenarios(() => fromSource);
  tlsScenarios(() => fromSource);
  signalScenarios(() => fromSource);
}
