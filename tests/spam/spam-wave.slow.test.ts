// Tests the workload of `bun run drill spam` (docs/contract.md#12.38): honest newcomers beside a wave of spam.
import { expect, test } from "bun:test";
import { spamWave } from "./spam-drill.ts";

test("a wave of spam keeps no honest newcomer out, not even 30 people at one address", async () => {
  const report = await spamWave({ spammers: 10, newcomers: 50, sharedAddress: 30 });

  expect(report.newcomersRefused).toBe(0);
  expect(report.honest).toMatchObject({ sent: 50, refused: 0 });
  for (const { sent, refused, held, seen } of Object.values(report.spam))
    expect(refused + held + seen).toBe(sent);
}, 60_000);
