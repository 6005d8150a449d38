/**
 * Lists the packages in the binary with their licences: `bun run licences` writes docs/licences.md, and a
 * test compares the file. A licence that is incompatible with MIT is an error.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LicenceText } from "../src/cli/licences/texts.ts";
import { ENTRYPOINTS } from "./entrypoints.ts";

export interface Package {
  name: string;
  version: string;
  /** SPDX expression from package.json. */
  licence: string;
  author: string;
  folder: string;
}

const ROOT = join(import.meta.dir, "..");
export const LICENCES_FILE = join(ROOT, "docs/licences.md");

/** Licences that only require attribution, so an MIT program may include the package. */
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

/** Whether at least one choice is compatible: `(MIT OR GPL-2.0)` yes, `MIT AND GPL-2.0` no, no licence no. */
export function isCompatible(licence: string): boolean {
  const choices = licence.replace(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((name) => COMPATIBLE.has(name.trim())));
}

/** Returns packages by name. A package is included if the bundler takes at least one of its files. */
export async function bundledPackages(): Promise<Package[]> {
  const built = await Bun.build({
    entrypoints: ENTRYPOINTS.map((file) => join(ROOT, file)),
    target: "bun",
    metafile: true,
  });
  const folders = Object.keys(built.metafile?.inputs ?? {}).map(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0],
  );
  const found = [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .map((folder) => readPackage(folder));
  // Removes duplicates, because the installer may put the same version of a package into two folders.
  return [
    ...new Map(found.map((dependency) => [`${dependency.name} ${dependency.version}`, dependency])).values(),
  ].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

function readPackage(path: string): Package {
  const folder = join(ROOT, path);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, version, license, author } = manifest;
  return {
    name,
    version,
    licence: typeof license === "string" ? license : "none",
    author: (typeof author === "object" ? author?.name : author) ?? `the authors of ${name}`,
    folder,
  };
}

/** Returns the licence texts without duplicates. Throws if no package here contains the text of a licence. */
export function licenceTexts(packages: readonly Package[]): LicenceText[] {
  const own = readFileSync(join(ROOT, "LICENSE"), "utf8").trim();
  const texts = new Map<string, string[]>([[own, ["Guildhall"]]]);
  const add = (text: string, of: string) => texts.set(text, [...(texts.get(text) ?? []), of]);
  const apache = packages.flatMap(textsIn).find((text) => /^Apache License\s+Version 2\.0/.test(text));
  for (const dependency of packages) {
    const found = textsIn(dependency);
    if (found.length === 0) found.push(standard(dependency, own, apache));
    for (const text of new Set(found)) add(text, `${dependency.name} ${dependency.version}`);
  }
  add(readLicence("Young-Serif-OFL-1.1"), "Young Serif, the face of the pages' headings");
  add(BLESSING, "SQLite, within better-sqlite3");
  add(RUNTIME, `Bun ${Bun.version}`);
  add(readLicence("LGPL-2.0"), "JavaScriptCore and WebKit, within Bun");
  add(readLicence("LGPL-2.1"), "TinyCC, within Bun");
  return [...texts].map(([text, of]) => ({ of: [...new Set(of)], text }));
}

function textsIn({ folder }: Package): string[] {
  return readdirSync(folder)
    .filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8").trim());
}

/** Returns the standard text for a package that names its licence only in package.json. */
function standard({ name, licence, author }: Package, mit: string, apache: string | undefined): string {
  if (licence === "MIT") return mit.replace(/^Copyright .*$/m, `Copyright (c) ${author}`);
  if (licence === "Apache-2.0" && apache !== undefined) return apache;
  throw new Error(`${name} brings no text of its licence, ${licence}`);
}

const readLicence = (name: string): string =>
  readFileSync(join(import.meta.dir, "licences", `${name}.txt`), "utf8").trim();

const BLESSING = `SQLite is in the public domain. Its authors give a blessing in place of a notice:

May you do good and not evil.
May you find forgiveness for yourself and forgive others.
May you share freely, never taking more than you give.`;

const RUNTIME = `This program is compiled with Bun, whose own code is under the MIT licence (above) and which holds
libraries of others. Their list, and how Bun is built anew with a changed JavaScriptCore or
TinyCC, stand at https://github.com/oven-sh/bun/blob/bun-v${Bun.version}/LICENSE.md; the source of this program,
from which \`bun run build\` makes it anew with such a Bun, at the place where you got it.`;

export function licencesPage(packages: readonly Package[]): string {
  const rows = packages.map(({ name, version, licence }) => `${name} ${version}: ${licence}`);
  return `# What is in the binary

Written by \`bun run licences\`; a test compares it with what the bundler takes. Guildhall itself is under MIT. Beside these packages the
binary holds the runtime, Bun ${Bun.version} (MIT, with JavaScriptCore under LGPL-2), SQLite (public domain) and the typeface Young Serif (OFL-1.1, cut
down to its Latin letters). \`guildhall licences\` prints the texts.

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
