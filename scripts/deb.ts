/**
 * Packs a built program for Debian and its derivatives: `bun run deb [--program F] [--arch amd64|arm64]
 * [--out DIR]`. The package contains the units of deploy/, the files that they use and their system user.
 * Installing the package starts no unit. Removing the package keeps the data. Needs dpkg-deb.
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize, relative } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { completionFor } from "../src/cli/completion.ts";
import { programOf } from "../src/cli/program.ts";
import { run } from "./run.ts";

const ROOT = join(import.meta.dir, "..");

/** Units that the package installs but never starts. */
const UNITS = ["guildhall.service", "guildhall-follow-engine.service", "guildhall-replicate.service"];
/** Files that the units start and read. */
const SHARED: readonly [name: string, mode: number][] = [
  ["follow.sh", 0o755],
  ["litestream-leader.yml", 0o644],
];
/** Folders of the project and their paths in the package's documentation folder. */
const FOLDERS: readonly [from: string, to: string][] = [
  ["docs/", ""],
  ["deploy/", "examples/"],
];

/** Returns all documents: the path in the project → the path in the package. */
function documents(): Map<string, string> {
  const pages = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.md$|^samples\/.*\.(?:js|html)$/.test(name))
    .map((name): [string, string] => [`docs/${name}`, name]);
  return new Map([["CHANGELOG.md", "CHANGELOG.md"], ["README.md", "README.md"], ...pages]);
}

/** Rewrites the links of a document to paths in the package. */
function withLinks(text: string, from: string, to: string): string {
  return text.replaceAll(/\]\((?![a-z]+:|#|\/)([^)#\s]+)/g, (whole, link: string) => {
    const meant = normalize(join(dirname(from), link));
    const folder = FOLDERS.find(([name]) => `${meant}/`.startsWith(name));
    const there = documents().get(meant) ?? (folder && `${folder[1]}${meant.slice(folder[0].length)}`);
    if (there === undefined) return whole;
    return `](${relative(dirname(to), there)}`;
  });
}

const control = (arch: string, version: string, kilobytes: number): string => `Package: guildhall
Version: ${version}
Architecture: ${arch}
Maintainer: The Guildhall project <guildhall@localhost>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.35), systemd | systemd-standalone-sysusers
Section: web
Priority: optional
Description: community server in one program
 Feed, jobs board, prompt library, member profiles, messages, and signed webhooks.
 One program and one SQLite database. No other service is needed.
 .
 Start with: sudo guildhall setup
`;

/** Debian's maintainer scripts, which run before and after the files are installed or removed. */
const SCRIPTS: Readonly<Record<string, string>> = {
  postinst: `#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
systemd-sysusers guildhall.conf
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # Restarts a running server with the new version.
  [ -z "$2" ] || systemctl try-restart guildhall.service
fi
`,
  prerm: `#!/bin/sh
set -e
[ "$1" = remove ] || exit 0
if [ -d /run/systemd/system ]; then
  systemctl disable --now ${UNITS.join(" ")}
fi
`,
  postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
[ "$1" = purge ] || exit 0
rm -rf /etc/guildhall
if [ -d /var/lib/guildhall ]; then
  echo "guildhall: The community's data is still in /var/lib/guildhall. To delete it: rm -r /var/lib/guildhall"
fi
`,
};

/** Builds the package in the folder `out` and returns its path. */
export async function packDeb(
  program: string,
  { arch, version, out }: { arch: string; version: string; out: string },
): Promise<string> {
  // All users may read the installed files, whatever the umask of the build.
  process.umask(0o022);
  const tree = mkdtempSync(join(tmpdir(), "guildhall-deb-"));
  try {
    chmodSync(tree, 0o755);
    const put = (from: string, to: string, mode = 0o644): void => {
      mkdirSync(dirname(join(tree, to)), { recursive: true, mode: 0o755 });
      copyFileSync(from, join(tree, to));
      chmodSync(join(tree, to), mode);
    };
    put(program, "usr/bin/guildhall", 0o755);
    for (const unit of UNITS) put(join(ROOT, "deploy", unit), `usr/lib/systemd/system/${unit}`);
    for (const [name, mode] of SHARED) put(join(ROOT, "deploy", name), `usr/share/guildhall/${name}`, mode);
    mkdirSync(join(tree, "usr/share/bash-completion/completions"), { recursive: true, mode: 0o755 });
    writeFileSync(
      join(tree, "usr/share/bash-completion/completions/guildhall"),
      completionFor("bash", await programOf({ variables: {}, settings: "" })),
    );
    put(join(ROOT, "deploy/guildhall.sysusers"), "usr/lib/sysusers.d/guildhall.conf");
    put(join(ROOT, "LICENSE"), "usr/share/doc/guildhall/copyright");
    for (const [from, to] of documents()) {
      const path = join("usr/share/doc/guildhall", to);
      put(join(ROOT, from), path);
      writeFileSync(join(tree, path), withLinks(readFileSync(join(ROOT, from), "utf8"), from, to));
    }
    cpSync(join(ROOT, "deploy"), join(tree, "usr/share/doc/guildhall/examples"), { recursive: true });
    const kilobytes = Math.ceil(statSync(program).size / 1024);
    mkdirSync(join(tree, "DEBIAN"), { mode: 0o755 });
    writeFileSync(join(tree, "DEBIAN/control"), control(arch, version, kilobytes));
    for (const [name, text] of Object.entries(SCRIPTS))
      writeFileSync(join(tree, "DEBIAN", name), text, { mode: 0o755 });
    const file = join(out, `guildhall_${version}_${arch}.deb`);
    // Zstd takes a second for 76 MB. Xz would take one to two minutes for 57 to 65 MB.
    await run(ROOT, ["dpkg-deb", "--build", "--root-owner-group", "-Zzstd", tree, file]);
    return file;
  } finally {
    rmSync(tree, { recursive: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      program: { type: "string", default: "dist/guildhall" },
      arch: { type: "string", default: process.arch === "arm64" ? "arm64" : "amd64" },
      out: { type: "string", default: "dist" },
    },
  });
  const file = await packDeb(values.program, {
    arch: values.arch,
    version: manifest.version,
    out: values.out,
  });
  console.log(`${file}  ${Math.round(statSync(file).size / 1e6)} MB`);
}
