import type { Core } from "../src/core/base/core.ts";
import type { Caller } from "../src/core/identity/access/caller.ts";
import * as moderation from "../src/core/services/moderation/moderation.ts";
import type { Subject } from "../src/core/services/moderation/subjects.ts";

export { restore, restoreBuilder } from "../src/core/services/moderation/moderation.ts";

const SOME_REASON = { reason: "Off topic" };

/** Hides content, for tests in which the reason does not matter. */
export function hide(core: Core, caller: Caller, id: string, draft = SOME_REASON): Subject {
  return moderation.hide(core, caller, id, draft);
}

/** Suspends a builder, for tests in which the reason does not matter. */
export function suspendBuilder(core: Core, caller: Caller, username: string, draft = SOME_REASON): Subject {
  return moderation.suspendBuilder(core, caller, username, draft);
}
