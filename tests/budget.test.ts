import { expect, test } from "bun:test";
import budgets from "../bench/budget.json" with { type: "json" };
import { type Budgets, judge, type RowName, UNITS } from "../bench/budget/limits.ts";

/** Budgets that `bun run bench budget` compares its measurements with. */

const budget: Budgets = {
  baseline: "4ebad3b",
  suite: { cpuSeconds: 500, feedUs: 250, tests: 3000 },
  raised: {},
};
const isOver = (name: RowName, ratio: number, given = budget): boolean | undefined =>
  judge([{ name, baseline: 1, tree: ratio, ratio }], given)[0]?.isOver;

test("a row may cost 10 % more CPU than the baseline, and 5 % more of any other measure", () => {
  expect([isOver("feed", 1.09), isOver("feed", 1.11)]).toEqual([false, true]);
  expect([isOver("start", 1.09), isOver("start", 1.11)]).toEqual([false, true]);
  expect([isOver("memory at rest", 1.04), isOver("memory at rest", 1.06)]).toEqual([false, true]);
  expect([isOver("tests", 1.04), isOver("tests", 1.06)]).toEqual([false, true]);
  expect([isOver("suite", 1.24), isOver("suite", 1.26)]).toEqual([false, true]);
});

test("judges a raised row by its measured ratio, and every other row by the baseline", () => {
  const raise = { measured: 1.2, commit: "abc1234", reason: "Reads the hidden posts." };
  const raised = { ...budget, raised: { feed: raise } };
  expect([isOver("feed", 1.3, raised), isOver("feed", 1.33, raised)]).toEqual([false, true]);
  expect(isOver("tag", 1.2, raised)).toBe(true);
});

test("treats a ratio that is not a number as above every limit", () => {
  expect(isOver("feed", Number.NaN)).toBe(true);
});

test("every raised row of bench/budget.json is a row of the table, with a commit and a reason", () => {
  const { baseline, raised }: Budgets = budgets;
  expect(baseline).toMatch(/^[0-9a-f]{7,40}$/);
  for (const [name, { measured, commit, reason }] of Object.entries(raised)) {
    expect(Object.keys(UNITS)).toContain(name);
    expect(measured).toBeGreaterThan(1);
    expect(commit).toMatch(/^[0-9a-f]{7,40}$/);
    expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  }
});
