import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plantFault, testFile } from "../scripts/mutants.ts";
import { FAULTS } from "./mutants/faults.ts";

const ROOT = join(import.meta.dir, "..");
const sourceOf = (file: string) => readFileSync(join(ROOT, "src", file), "utf8");

test("each planted fault matches the sources exactly once, and leaves code that parses", () => {
  const lost = FAULTS.filter(({ file, text }) => sourceOf(file).split(text).length !== 2);
  expect(lost.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  for (const fault of FAULTS) {
    const loader = fault.file.endsWith("tsx") ? "tsx" : "ts";
    const planted = plantFault(sourceOf(fault.file), fault);
    expect(planted).not.toBe(sourceOf(fault.file));
    expect(() => new Bun.Transpiler({ loader }).transformSync(planted), fault.why).not.toThrow();
  }
});

test("plants at least sixty different faults, each with existing tests", () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(FAULTS.map(({ file, text, fault }) => [file, text, fault].join("\0"))).size).toBe(
    FAULTS.length,
  );
  expect(new Set(FAULTS.map(({ why }) => why)).size).toBe(FAULTS.length);
  const named = FAULTS.flatMap(({ tests }) => tests);
  expect(named.filter((name) => testFile(name) === undefined)).toEqual([]);
});

test("refuses a text that is missing from the file or occurs twice", () => {
  const fault = { text: "a < b", fault: "a > b" };
  expect(plantFault("if (a < b) {}", fault)).toBe("if (a > b) {}");
  expect(plantFault("`$&` a < b", { text: "a < b", fault: "$&" })).toBe("`$&` $&");
  expect(() => plantFault("if (a <= b) {}", fault)).toThrow("0 times");
  expect(() => plantFault("a < b || a < b", fault)).toThrow("2 times");
});
