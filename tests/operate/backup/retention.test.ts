import { expect, test } from "bun:test";
import { DAY, HOUR } from "../../../src/core/base/clock.ts";
import { expiredBackups } from "../../../src/operate/backup/retention.ts";

/** docs/contract.md#12.4 */

const NOW = Date.UTC(2026, 10, 22, 16, 30);
const every = (ms: number, count: number) => Array.from({ length: count }, (_, i) => ({ at: NOW - i * ms }));
const kept = (
  backups: { at: number }[],
  keep: Partial<Record<"hourly" | "daily" | "weekly" | "monthly", number>>,
) => {
  const gone = new Set(expiredBackups(backups, { hourly: 0, daily: 0, weekly: 0, monthly: 0, ...keep }));
  return backups.filter((each) => !gone.has(each)).map(({ at }) => new Date(at).toISOString().slice(0, 13));
};

test("keeps the newest backup of each hour, day, week and month, and counts a shared one once", () => {
  expect(kept(every(HOUR / 2, 20), { hourly: 3 })).toEqual([
    "2026-11-22T16",
    "2026-11-22T15",
    "2026-11-22T14",
  ]);
  expect(kept(every(HOUR, 100), { hourly: 2, daily: 3 })).toEqual([
    "2026-11-22T16",
    "2026-11-22T15",
    "2026-11-21T23",
    "2026-11-20T23",
  ]);
  // The 22nd is a Sunday, so its week starts on the 16th.
  expect(kept(every(DAY, 40), { weekly: 3 })).toEqual(["2026-11-22T16", "2026-11-15T16", "2026-11-08T16"]);
  expect(kept(every(DAY, 100), { monthly: 4 })).toEqual([
    "2026-11-22T16",
    "2026-10-31T16",
    "2026-09-30T16",
    "2026-08-31T16",
  ]);
});

test("always keeps the newest backup, and a period without backups does not shorten the older ones", () => {
  expect(kept(every(HOUR, 5), {})).toEqual(["2026-11-22T16"]);
  expect(expiredBackups([], { hourly: 1, daily: 1, weekly: 1, monthly: 1 })).toEqual([]);
  const old = [{ at: NOW }, { at: NOW - 400 * DAY }, { at: NOW - 401 * DAY }, { at: NOW - 402 * DAY }];
  expect(kept(old, { daily: 3 })).toHaveLength(3);
});
