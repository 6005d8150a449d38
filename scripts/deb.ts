/**
 * Packs a built program for Debian and its kin: `bun run deb [--program F] [--arch amd64|arm64] [--out DIR]`. The
 * package brings the unit of deploy/ and the user it runs as, starts nothing by itself, and leaves the data where
 * it is when it goes. Takes dpkg-deb.
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { run } from "./run.ts";

const ROOT = join(import.meta.dir, "..");

const DOCUMENTS = ["CHANGELOG.md", "README.md", "docs/operating.md", "docs/licences.md"];

const control = (arch: string, version: string, kilobytes: number): string => `Package: guildhall
Version: ${version}
Architecture: ${arch}
Maintainer: The Guildhall project <guildhall@localhost>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.35), systemd | systemd-standalone-sysusers
Section: web
Priority: optional
Description: home for a community of builders, as one file
 A feed, a jobs board, a prompt library, builder profiles, and signed webhooks.
 One program and one SQLite database; no mail server, no second service.
 .
 Begin with: sudo guildhall setup
`;

/** Debian's maintainer scripts: what happens around the files. */
const SCRIPTS: Readonly<Record<string, string>> = {
  postinst: `#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
systemd-sysusers guildhall.conf
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # A server that ran goes on as the new version.
  [ -z "$2" ] || systemctl try-restart guildhall.service
fi
`,
  prerm: `#!/bin/sh
set -e
[ "$1" = remove ] || exit 0
if [ -d /run/systemd/system ]; then systemctl disable --now guildhall.service; fi
`,
  postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
[ "$1" = purge ] || exit 0
rm -rf /etc/guildhall
if [ -d /var/lib/guildhall ]; then
  echo "guildhall: the community's data stays in /var/lib/guildhall; delete that folder yourself"
fi
`,
};

/** Makes the package in the folder `out`, and gives its path. */
export async function packDeb(
  program: string,
  { arch, version, out }: { arch: string; version: string; out: string },
): Promise<string> {
  // Everybody may read what is installed, whoever packs it.
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
    put(join(ROOT, "deploy/guildhall.service"), "usr/lib/systemd/system/guildhall.service");
    put(join(ROOT, "deploy/guildhall.sysusers"), "usr/lib/sysusers.d/guildhall.conf");
    put(join(ROOT, "LICENSE"), "usr/share/doc/guildhall/copyright");
    for (const file of DOCUMENTS) put(join(ROOT, file), `usr/share/doc/guildhall/${file.split("/").at(-1)}`);
    cpSync(join(ROOT, "deploy"), join(tree, "usr/share/doc/guildhall/examples"), { recursive: true });
    const kilobytes = Math.ceil(statSync(program).size / 1024);
    mkdirSync(join(tree, "DEBIAN"), { mode: 0o755 });
    writeFileSync(join(tree, "DEBIAN/control"), control(arch, version, kilobytes));
    for (const [name, text] of Object.entries(SCRIPTS))
      writeFileSync(join(tree, "DEBIAN", name), text, { mode: 0o755 });
    const file = join(out, `guildhall_${version}_${arch}.deb`);
    // A second, and 76 MB; xz takes one to two minutes for 57 to 65.
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
