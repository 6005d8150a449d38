// A row of a table that nothing uses is a promise that nothing keeps.
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { readFileSync } from "node:fs";
import { SETTINGS } from "../src/config/table.ts";
import { METRICS } from "../src/http/metric-table.ts";

/** The source of the program without the files that hold the rows of a table. */
function sourceWithout(rows: RegExp): string {
  return [...new Glob("src/**/*.{ts,tsx}").scanSync(".")]
    .map((file) => readFileSync(file, "utf8"))
    .filter((text) => !rows.test(text))
    .join("\n");
}

/** The names that `pattern` does not find in `source`. */
function unused(names: readonly string[], source: string, pattern: (name: string) => RegExp): string[] {
  return names.filter((name) => !pattern(name).test(source));
}

const isNamed = (name: string): RegExp => new RegExp(`\\b${name}\\b`);
/** As a property, in a pattern that takes it out of the configuration, or as the value of one. */
const isRead = (key: string): RegExp => new RegExp(`(?:\\.|[{,]\\s*|: ")${key}\\b`);

test("every metric is counted or measured", () => {
  expect(unused(Object.keys(METRICS), sourceWithout(/const METRICS =/), isNamed)).toEqual([]);
});

test("the program reads every setting", () => {
  expect(unused(Object.keys(SETTINGS), sourceWithout(/: setting\(/), isRead)).toEqual([]);
});

test("reports a row that nothing uses", () => {
  const source = 'metrics.number("guildhall_a"); config.port; const { host } = config;';

  expect(unused(["guildhall_a", "guildhall_a_total"], source, isNamed)).toEqual(["guildhall_a_total"]);
  expect(unused(["port", "host", "config"], source, isRead)).toEqual(["config"]);
});
