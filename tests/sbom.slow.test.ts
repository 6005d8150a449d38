import { expect, test } from "bun:test";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import manifest from "../package.json";
import { bundledPackages } from "../scripts/licences.ts";
import { dependenciesOf, createBill, type Lock } from "../scripts/sbom.ts";

const created = createBill("1.2.3", "2026-11-22T09:32:45Z");
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);

test("the bill of materials is CycloneDX 1.6, and lists everything in the binary with hashes and licences", async () => {
  const bill = await created;
  expect(await validator.validate(JSON.stringify(bill))).toBeNull();
  expect(await validator.validate(JSON.stringify({ ...bill, components: [{ name: "a" }] }))).not.toBeNull();

  const named = bill.components.map(({ name, version }) => `${name} ${version}`);
  const packages = (await bundledPackages()).map(({ name, version }) => `${name} ${version}`);
  expect(named.slice(2)).toEqual([...new Set(packages)]);
  expect(named[0]).toBe(`bun ${Bun.version}`);
  expect(named[1]).toMatch(/^sqlite 3\.\d+\.\d+$/);
  for (const { name, hashes } of bill.components.slice(2))
    expect([name, hashes?.[0]?.content]).toEqual([name, expect.stringMatching(/^[0-9a-f]{128}$/)]);
});

test("every component is reachable from the program through its dependencies", async () => {
  const { dependencies, components, metadata } = await created;
  const asks = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const root = metadata.component["bom-ref"];
  expect(asks.get(root)).toContain(`pkg:npm/elysia@${manifest.dependencies.elysia}`);
  const reached = new Set([root]);
  for (const ref of reached) for (const part of asks.get(ref) ?? []) reached.add(part);
  const apart = components.map((part) => part["bom-ref"]).filter((ref) => !reached.has(ref));
  expect(apart).toEqual([]);
});

test("resolves a package with two versions to the one nested beside its dependent", () => {
  const lock: Lock = {
    "@a/b": ["@a/b@1.0.0", "", { dependencies: { c: "^1", "@d/e": "^1" } }, ""],
    "@a/b/c": ["c@1.0.0", "", { dependencies: { "@d/e": "^1" } }, ""],
    c: ["c@2.0.0", "", {}, ""],
    "@d/e": ["@d/e@1.0.0", "", { dependencies: { c: "^2" } }, ""],
  };
  expect(dependenciesOf("@a/b@1.0.0", lock)).toEqual(["c@1.0.0", "@d/e@1.0.0"]);
  expect(dependenciesOf("@d/e@1.0.0", lock)).toEqual(["c@2.0.0"]);
  expect(dependenciesOf("c@1.0.0", lock)).toEqual(["@d/e@1.0.0"]);
  expect(dependenciesOf("none@1.0.0", lock)).toEqual([]);
});
