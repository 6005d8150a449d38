/**
 * What of others goes into the binary, and under which licence: `bun run licences` writes docs/licences.md,
 * which a test compares. A licence that does not go with MIT stops it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENTRYPOINTS } from "./entrypoints.ts";

export interface Package {
  name: string;
  version: string;
  /** As its package.json tells it, in SPDX. */
  licence: string;
}

const ROOT = join(import.meta.dir, "..");
export const LICENCES_FILE = join(ROOT, "docs/licences.md");

/** Those that ask for no more than being named, and so may be part of a program under MIT. */
const COMPATIBLE = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
  "Zlib",
]);

/** Whether one may choose a compatible one: `(MIT OR GPL-2.0)` yes, `MIT AND GPL-2.0` no, none told no. */
export function isCompatible(licence: string): boolean {
  const choices = licence.replace(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((name) => COMPATIBLE.has(name.trim())));
}

/** Every package of which the bundler takes at least one file, by name. */
export async function bundledPackages(): Promise<Package[]> {
  const built = await Bun.build({
    entrypoints: ENTRYPOINTS.map((file) => join(ROOT, file)),
    target: "bun",
    metafile: true,
  });
  const folders = Object.keys(built.metafile?.inputs ?? {}).map(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0],
  );
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .map((folder) => readPackage(folder))
    .sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
  return { name, version, licence: typeof license === "string" ? license : "none" };
}

export function licencesPage(packages: readonly Package[]): string {
  const rows = packages.map(({ name, version, licence }) => `${name} ${version}: ${licence}`);
  return `# What is in the binary

Written by \`bun run licences\`; a test compares it with what the bundler takes. Guildhall itself is under MIT. Beside these packages the
binary holds the runtime, Bun ${Bun.version} (MIT, with JavaScriptCore under LGPL-2), and SQLite (public domain).

${rows.map((row) => `- ${row}`).join("\n")}
`;
}

if (import.meta.main) {
  const packages = await bundledPackages();
  const refused = packages.filter(({ licence }) => !isCompatible(licence));
  for (const { name, version, licence } of refused)
    console.error(`${name} ${version} is under ${licence}, which does not go with MIT`);
  if (refused.length > 0) process.exit(1);
  writeFileSync(LICENCES_FILE, licencesPage(packages));
  console.log(`${packages.length} packages, all compatible with MIT`);
}
