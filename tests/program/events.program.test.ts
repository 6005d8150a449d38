import { expect, test } from "bun:test";
import { eventDrill } from "./event-drill.ts";
import { LONG_MS } from "./programs.ts";

test(
  "docs/contract.md#5.3: with several writing processes, every documented way to read gets each event exactly once",
  async () => {
    const { events, recipes } = await eventDrill(1500, 5);
    expect(events).toBeGreaterThanOrEqual(1500);
    for (const [recipe, { received, lost, twice }] of Object.entries(recipes))
      expect([recipe, received, lost, twice]).toEqual([recipe, events, 0, 0]);
  },
  LONG_MS,
);
