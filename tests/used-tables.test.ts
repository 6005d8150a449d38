// Every metric and every setting in these tables must be used in the source.
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { readFileSync } from "node:fs";
import { SETTINGS } from "../src/config/table.ts";
import { METRICS } from "../src/http/metric-table.ts";

/** Source of the program without the files that contain the table. */
function sourceWithout(rows: RegExp): string {
  return [...new Glob("src/**/*.{ts,tsx}").scanSync(".")]
    .map((file) => readFileSync(file, "utf8"))
    .filter((text) => !rows.test(text))
    .join("\n");
}

/** Names for which `pattern` does not match `source`. */
function unused(names: readonly string[], source: string, pattern: (name: string) => RegExp): string[] {
  return names.filter((name) => !pattern(name).test(source));
}

const isNamed = (name: string): RegExp => new RegExp(`\\b${name}\\b`);
/** Matches a key as a property, in a destructuring pattern or as a quoted value. */
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
