/**
 * `bun run release 1.2.3`: everything between a green tree and a version that others can take. Asks for a
 * clean tree and green checks, writes the version into package.json and CHANGELOG.md, builds every target
 * into dist/1.2.3 with notes, bill of materials and checksums, commits and tags. Nothing is pushed.
 * `--dry-run` does all but commit and tag, and leaves the tree as it was; `--target T` (again and again)
 * builds those alone. Whatever fails leaves the tree as it was, too.
 */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isAfter, released } from "./changelog.ts";
import { run } from "./run.ts";
import { billOf } from "./sbom.ts";

const ROOT = join(import.meta.dir, "..");
const CHANGED = ["package.json", "CHANGELOG.md"];
/** Bun's names of what it compiles for; the database driver has a build for each. */
const TARGETS = [
  "bun-linux-x64",
  "bun-linux-arm64",
  "bun-linux-x64-musl",
  "bun-linux-arm64-musl",
  "bun-darwin-x64",
  "bun-darwin-arm64",
  "bun-windows-x64",
  "bun-windows-arm64",
];
const HERE = `bun-${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

const git = (...words: string[]) => run(ROOT, ["git", ...words]);
const bun = (...words: string[]) => run(ROOT, [process.execPath, ...words]);

class Refused extends Error {}

interface Plan {
  version: string;
  targets: readonly string[];
  isDry: boolean;
}

async function release({ version, targets, isDry }: Plan): Promise<string> {
  const manifest = readFileSync(join(ROOT, "package.json"), "utf8");
  const before = (JSON.parse(manifest) as { version: string }).version;
  if (!isAfter(version, before)) throw new Refused(`${version} does not come after ${before}`);
  if ((await git("status", "--porcelain")) !== "") throw new Refused("the tree holds what is not committed");
  if ((await git("tag", "--list", `v${version}`)) !== "") throw new Refused(`the tag v${version} is there`);
  const now = new Date().toISOString();
  const changelog = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
  const told = released(changelog, version, now.slice(0, 10));

  console.log("checks …");
  await bun("run", "check");

  const folder = join(ROOT, "dist", version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let isDone = false;
  try {
    // Before the builds: the program knows its version from there.
    writeFileSync(
      join(ROOT, "package.json"),
      manifest.replace(`"version": "${before}"`, `"version": "${version}"`),
    );
    writeFileSync(join(ROOT, "CHANGELOG.md"), told.changelog);
    for (const target of targets) await build(target, folder, version);
    writeFileSync(join(folder, "notes.md"), told.notes);
    writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(await billOf(version, now), null, 2)}\n`);
    writeFileSync(join(folder, "SHA256SUMS"), sumsOf(folder));
    if (!isDry) {
      await git("commit", "--message", `release: ${version}`, "--", ...CHANGED);
      await git("tag", "--annotate", `v${version}`, "--file", join(folder, "notes.md"), "--cleanup=verbatim");
    }
    isDone = !isDry;
  } finally {
    if (!isDone) await git("checkout", "--", ...CHANGED);
  }
  return folder;
}

/** Compiles one target, and asks the program for its version where it runs on this machine. */
async function build(target: string, folder: string, version: string): Promise<void> {
  const file = `guildhall-${version}-${target.slice(4)}${target.includes("windows") ? ".exe" : ""}`;
  // Source maps stay behind with it.
  const workshop = mkdtempSync(join(tmpdir(), "release-"));
  try {
    const built = join(workshop, file);
    console.log((await bun("scripts/build.ts", "--target", target, "--outfile", built)).trim());
    cpSync(built, join(folder, file));
  } finally {
    rmSync(workshop, { recursive: true });
  }
  if (target !== HERE) return;
  const said = (await run(ROOT, [join(folder, file), "--version"])).trim();
  if (said !== version) throw new Error(`${file} says that it is ${said}`);
}

/** As `sha256sum --check` reads it. */
function sumsOf(folder: string): string {
  const names = readdirSync(folder).filter((name) => name !== "SHA256SUMS");
  const sumOf = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
  return names
    .sort()
    .map((name) => `${sumOf(name)}  ${name}\n`)
    .join("");
}

const { values, positionals } = parseArgs({
  options: { "dry-run": { type: "boolean" }, target: { type: "string", multiple: true } },
  allowPositionals: true,
});
const [version = ""] = positionals;
const targets = values.target ?? TARGETS;
if (
  !/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version) ||
  targets.some((target) => !TARGETS.includes(target))
) {
  console.error(`bun run release 1.2.3 [--dry-run] [--target T]…, T one of ${TARGETS.join(", ")}`);
  process.exit(2);
}
const isDry = values["dry-run"] ?? false;
try {
  const folder = await release({ version, targets, isDry });
  console.log(
    `${folder}\n${isDry ? "A dry run: nothing is committed or tagged." : `Push it: git push origin HEAD v${version}`}`,
  );
} catch (error) {
  console.error(error instanceof Refused ? `Not released: ${error.message}.` : error);
  process.exit(1);
}
