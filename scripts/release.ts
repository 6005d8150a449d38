/**
 * `bun run release 1.2.3` makes a release from a clean working tree whose checks pass:
 * - writes the version into package.json and CHANGELOG.md
 * - builds every target into dist/1.2.3, with Debian packages, notes, bill of materials, Grafana dashboard
 *   and checksums
 * - signs the checksums with `--key FILE`; without a key, nothing is signed
 * - commits and tags, but pushes nothing
 *
 * `--dry-run` does not commit or tag, and restores the tree. A failure also restores the tree. `--target T`
 * builds only that target, and may be repeated. `--make-key FILE` only makes a key.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isNewerVersion, released } from "./changelog.ts";
import { dashboard } from "./dashboard.ts";
import { packDeb } from "./deb.ts";
import { run } from "./run.ts";
import { createBill } from "./sbom.ts";
import { makeSigner, readSigner, type Signer } from "./signing.ts";

const ROOT = join(import.meta.dir, "..");
const CHANGED = ["package.json", "CHANGELOG.md", "Dockerfile"];
/** Bun's names of the targets. The database driver has a build for each. */
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
/** Debian's architecture name of each target. */
const DEBIAN: Readonly<Record<string, string>> = { "bun-linux-x64": "amd64", "bun-linux-arm64": "arm64" };
const HERE = `bun-${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

const git = (...words: string[]) => run(ROOT, ["git", ...words]);
const bun = (...words: string[]) => run(ROOT, [process.execPath, ...words]);

class Refused extends Error {}

interface Plan {
  version: string;
  targets: readonly string[];
  isDry: boolean;
  signer: Signer | undefined;
}

async function release({ version, targets, isDry, signer }: Plan): Promise<string> {
  const manifest = readFileSync(join(ROOT, "package.json"), "utf8");
  const before = (JSON.parse(manifest) as { version: string }).version;
  if (!isNewerVersion(version, before)) throw new Refused(`${version} does not come after ${before}`);
  if ((await git("status", "--porcelain")) !== "") throw new Refused("the tree holds what is not committed");
  if ((await git("tag", "--list", `v${version}`)) !== "") throw new Refused(`the tag v${version} is there`);
  const now = new Date().toISOString();
  const changelog = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
  const entry = released(changelog, version, now.slice(0, 10));

  console.log("checks …");
  await bun("run", "check");

  const folder = join(ROOT, "dist", version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let isDone = false;
  try {
    // Written before the builds, because the program reads its version from package.json.
    writeFileSync(
      join(ROOT, "package.json"),
      manifest.replace(`"version": "${before}"`, `"version": "${version}"`),
    );
    writeFileSync(join(ROOT, "CHANGELOG.md"), entry.changelog);
    const dockerfile = readFileSync(join(ROOT, "Dockerfile"), "utf8");
    writeFileSync(join(ROOT, "Dockerfile"), dockerfile.replace(/(?<=image\.version=")[^"]*/, version));
    for (const target of targets) await build(target, folder, version);
    await packDebs(targets, folder, version);
    writeFileSync(join(folder, "notes.md"), entry.notes);
    writeFileSync(
      join(folder, "sbom.cdx.json"),
      `${JSON.stringify(await createBill(version, now), null, 2)}\n`,
    );
    writeFileSync(join(folder, "grafana-dashboard.json"), `${JSON.stringify(dashboard(), null, 2)}\n`);
    const sums = sumsOf(folder);
    writeFileSync(join(folder, "SHA256SUMS"), sums);
    if (signer) {
      writeFileSync(join(folder, "SHA256SUMS.asc"), await signer.sign(new TextEncoder().encode(sums)));
      writeFileSync(join(folder, "release-key.asc"), signer.publicKey);
    }
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

function fileOf(target: string, version: string): string {
  return `guildhall-${version}-${target.slice(4)}${target.includes("windows") ? ".exe" : ""}`;
}

async function packDebs(targets: readonly string[], folder: string, version: string): Promise<void> {
  if (Bun.which("dpkg-deb") === null) return console.log("no package for Debian: there is no dpkg-deb here");
  for (const target of targets) {
    const arch = DEBIAN[target];
    if (arch !== undefined)
      console.log(await packDeb(join(folder, fileOf(target, version)), { arch, version, out: folder }));
  }
}

/** Compiles one target. If it runs on this machine, checks the version that the program prints. */
async function build(target: string, folder: string, version: string): Promise<void> {
  const file = fileOf(target, version);
  console.log((await bun("scripts/build.ts", "--target", target, "--outfile", join(folder, file))).trim());
  if (target !== HERE) return;
  const output = (await run(ROOT, [join(folder, file), "--version"])).trim();
  if (output !== version) throw new Error(`${file} says that it is ${output}`);
}

/** Returns checksums in the format of `sha256sum --check`. */
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
  options: {
    "dry-run": { type: "boolean", default: false },
    key: { type: "string" },
    "make-key": { type: "string" },
    target: { type: "string", multiple: true },
  },
  allowPositionals: true,
});
const [version = ""] = positionals;
const { "dry-run": isDry, "make-key": newKey, target: targets = TARGETS } = values;
try {
  if (newKey !== undefined) {
    console.log(`${newKey}  ${(await makeSigner(newKey)).fingerprint}`);
    process.exit(0);
  }
  const isRight = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version);
  if (!isRight || targets.some((target) => !TARGETS.includes(target))) {
    console.error(
      `bun run release 1.2.3 --key FILE [--dry-run] [--target T]…, or --make-key FILE; T one of ${TARGETS.join(", ")}`,
    );
    process.exit(2);
  }
  if (values.key === undefined && !isDry) throw new Refused("it wants a key to sign with: --key FILE");
  const passphrase = process.env["RELEASE_KEY_PASSPHRASE"];
  const signer = values.key === undefined ? undefined : await readSigner(values.key, passphrase);
  const folder = await release({ version, targets, isDry, signer });
  if (signer) console.log(`signed by ${signer.fingerprint}`);
  console.log(
    `${folder}\n${isDry ? "A dry run: nothing is committed or tagged." : `Push it: git push origin HEAD v${version}`}`,
  );
} catch (error) {
  console.error(error instanceof Refused ? `Not released: ${error.message}.` : error);
  process.exit(1);
}
