import { expect, test } from "bun:test";
import type { RequestContext } from "../../src/http/context.ts";
import { createListeners } from "../../src/http/listeners.ts";
import { createTestWorld, createMember } from "../support.ts";

test("queued work does not read the closed database after the server stops", async () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  const listeners = createListeners(world.core);
  const context = { caller, callerNow: () => caller } as unknown as RequestContext;
  const listening = listeners.open(context, () => {});
  const next = listening.changed();
  const queued = listening.runInSlot(() => "read");

  listeners.stop();
  world.core.db.close();

  expect(await next).toBe(false);
  expect(await queued).toBeUndefined();
});
