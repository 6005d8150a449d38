import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import {
  bundledPackages,
  isCompatible,
  LICENCES_FILE,
  licencesPage,
  licenceTexts,
} from "../scripts/licences.ts";
import manifest from "../package.json";

let packagesOnce: ReturnType<typeof bundledPackages> | undefined;
/** Packages of one build, shared by all tests. */
const bundled = () => (packagesOnce ??= bundledPackages());

test("lists everything in the binary with its licences, all of which are compatible with MIT", async () => {
  const packages = await bundled();
  expect(packages.length).toBeGreaterThan(20);
  expect(packages.filter(({ licence }) => !isCompatible(licence))).toEqual([]);
  // If this fails, run `bun run licences`.
  expect(readFileSync(LICENCES_FILE, "utf8")).toBe(licencesPage(packages));
});

test("includes the licence text and the copyright notice of everything in the binary", async () => {
  const packages = await bundled();
  const texts = licenceTexts(packages);
  const textOf = (name: string) => texts.filter(({ of }) => of.includes(name)).map(({ text }) => text);
  const names = packages.map(({ name, version }) => `${name} ${version}`);
  for (const name of [
    "Guildhall",
    `Bun ${Bun.version}`,
    "JavaScriptCore and WebKit, within Bun",
    FACE,
    ...names,
  ])
    expect([name, textOf(name).join("").length > 300]).toEqual([name, true]);
  expect(new Set(texts.map(({ text }) => text)).size).toBe(texts.length);
  // The OFL requires a font's notice and licence.
  expect(textOf(FACE).join("")).toMatch(
    /Copyright 2023 The Young Serif[^]*SIL OPEN FONT LICENSE Version 1\.1/,
  );
  // MIT requires each copyright notice.
  const mit = packages.filter(({ licence }) => licence === "MIT");
  for (const { name, version } of mit)
    expect([name, /copyright/i.test(textOf(`${name} ${version}`).join(""))]).toEqual([name, true]);
});

const FACE = "Young Serif, the face of the pages' headings";

test("refuses a licence that requires more than attribution, and a missing licence", () => {
  for (const licence of ["MIT", "(MIT OR GPL-3.0-only)", "Apache-2.0 AND MIT", "ISC"])
    expect([licence, isCompatible(licence)]).toEqual([licence, true]);
  for (const licence of [
    "none",
    "",
    "GPL-3.0-only",
    "AGPL-3.0",
    "MIT AND GPL-2.0",
    "SEE LICENSE IN X",
    "MITX",
  ])
    expect([licence, isCompatible(licence)]).toEqual([licence, false]);
});

test("pins every dependency to one version", () => {
  const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(versions.filter(([, version]) => !/^(?:npm:[\w/@-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  expect(manifest.packageManager).toBe(`bun@${Bun.version}`);
});
