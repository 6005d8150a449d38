import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createMessage, readKey, readSignature, verify } from "openpgp";
import { isNewerVersion, released } from "../../scripts/changelog.ts";
import { run } from "../../scripts/run.ts";
import { LONG_MS } from "./programs.ts";

setDefaultTimeout(LONG_MS);

const ROOT = join(import.meta.dir, "../..");
const DEBIAN = process.arch === "arm64" ? "arm64" : "amd64";
const HERE = `bun-${process.platform}-${process.arch}`;

/** A copy of the tree with its own history. Tests control the result of its checks. */
const copy = mkdtempSync(join(tmpdir(), "guildhall-release-"));
const git = (...args: string[]) =>
  run(copy, ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", ...args]);
const read = (path: string) => readFileSync(join(copy, path), "utf8");
const key = join(copy, "release.key");
let first = "";

function write(path: string, change: (text: string) => string): void {
  writeFileSync(join(copy, path), change(read(path)));
}

function release(...args: string[]) {
  const done = Bun.spawnSync([process.execPath, "scripts/release.ts", ...args], {
    cwd: copy,
    env: {
      ...process.env,
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@example.com",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@example.com",
    },
  });
  return { code: done.exitCode, said: done.stdout.toString() + done.stderr.toString() };
}

beforeAll(async () => {
  const listed = await run(ROOT, ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  const files = new Set(listed.split("\0").filter((path) => path !== "" && existsSync(join(ROOT, path))));
  for (const path of files) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  write("package.json", (text) =>
    text
      .replace(/"version": ".*"/, '"version": "0.2.0"')
      .replace(/"check": ".*"/, '"check": "test ! -e red && touch dist/checked"'),
  );
  write("CHANGELOG.md", (text) =>
    text.replace("## [Unreleased]\n", "## [Unreleased]\n\n### Added\n\n- A word.\n"),
  );
  await git("init", "--quiet");
  writeFileSync(join(copy, ".git/info/exclude"), "node_modules\nred\nrelease.key\n");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "first");
  first = (await git("rev-parse", "HEAD")).trim();
  mkdirSync(join(copy, "dist"));
  // Generates the messages, as `bun run release` does before its script.
  await run(copy, [process.execPath, "scripts/messages.ts"]);
  expect(release("--make-key", key)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/  [0-9A-F]{40}\n$/),
  });
});
afterAll(() => rmSync(copy, { recursive: true }));
beforeEach(async () => {
  await git("reset", "--quiet", "--hard", first);
});

/** Whether the copy is unchanged: no change, commit or tag. */
async function isUntouched(): Promise<boolean> {
  const now = [await git("status", "--porcelain"), await git("tag"), (await git("rev-parse", "HEAD")).trim()];
  return now.join() === ["", "", first].join();
}

test("a dry run checks, builds, and writes notes, bill of materials and checksums, without changing the tree", async () => {
  const { code, said } = release("9.8.7", "--dry-run", "--target", HERE, "--key", key);
  expect(code, said).toBe(0);
  expect(said).toContain("nothing is committed or tagged");
  expect(existsSync(join(copy, "dist/checked"))).toBe(true);
  expect(await isUntouched()).toBe(true);

  const created = join(copy, "dist/9.8.7");
  const program = `guildhall-9.8.7-${HERE.slice(4)}`;
  const [deb, ...others] = readdirSync(created).filter((name) => name.endsWith(".deb"));
  expect(others).toEqual([]);
  expect(deb).toBe(Bun.which("dpkg-deb") ? `guildhall_9.8.7_${DEBIAN}.deb` : undefined);
  expect(
    readdirSync(created)
      .filter((name) => name !== deb)
      .sort(),
  ).toEqual([
    "SHA256SUMS",
    "SHA256SUMS.asc",
    "grafana-dashboard.json",
    program,
    "notes.md",
    "release-key.asc",
    "sbom.cdx.json",
  ]);
  expect((await run(created, [join(created, program), "--version"])).trim()).toBe("9.8.7");
  expect(read("dist/9.8.7/notes.md")).toContain("### Added\n\n- A word.\n");
  expect(JSON.parse(read("dist/9.8.7/sbom.cdx.json")).metadata.component).toMatchObject({ version: "9.8.7" });
  const sums = readdirSync(created)
    .filter((name) => !name.startsWith("SHA256SUMS") && name !== "release-key.asc")
    .sort()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(created, name)))
          .digest("hex")}  ${name}\n`,
    );
  expect(read("dist/9.8.7/SHA256SUMS")).toBe(sums.join(""));
  await expectSigned(created, "SHA256SUMS");
});

/** Verifies the signature with the library that made it, and with gpg if installed. */
async function expectSigned(folder: string, name: string): Promise<void> {
  const file = (of: string) => readFileSync(join(folder, of), "utf8");
  const verdict = async (text: string) => {
    const { signatures } = await verify({
      message: await createMessage({ binary: new TextEncoder().encode(text) }),
      signature: await readSignature({ armoredSignature: file(`${name}.asc`) }),
      verificationKeys: await readKey({ armoredKey: file("release-key.asc") }),
    });
    return await signatures[0]?.verified.catch(() => false);
  };
  expect(await verdict(file(name))).toBe(true);
  expect(await verdict(`${file(name)} `)).toBe(false);
  if (Bun.which("gpg") === null) return;
  // Verifies the signature as docs/operating.md describes.
  const ring = mkdtempSync(join(tmpdir(), "guildhall-gpg-"));
  const gpg = (...args: string[]) => run(folder, ["gpg", "--batch", ...args], { GNUPGHOME: ring });
  await gpg("--import", "release-key.asc");
  await gpg("--verify", `${name}.asc`, name);
  expect(await run(folder, ["sha256sum", "--check", "--ignore-missing", name])).toContain(": OK\n");
  rmSync(ring, { recursive: true });
}

/** Replaces the build script by a fast stub. */
async function buildAtOnce(): Promise<void> {
  const stub = `import { chmodSync, writeFileSync } from "node:fs";
import { version } from "../package.json";
const out = process.argv.at(-1) ?? "";
writeFileSync(out, \`#!/bin/sh\\necho \${version}\\n\`);
chmodSync(out, 0o755);
`;
  write("scripts/build.ts", () => stub);
  await git("commit", "--quiet", "--all", "--message", "a build that takes no time");
}

test("a release is one commit of three files, and a tag that lists the changes", async () => {
  await buildAtOnce();
  const { code, said } = release("0.3.0", "--key", key);
  expect(code, said).toBe(0);
  expect(await git("status", "--porcelain")).toBe("");
  expect(await git("log", "-1", "--format=%s", "--name-only")).toBe(
    "release: 0.3.0\n\nCHANGELOG.md\nDockerfile\npackage.json\n",
  );
  expect(JSON.parse(read("package.json")).version).toBe("0.3.0");
  expect(read("CHANGELOG.md")).toMatch(
    /## \[Unreleased\]\n\n## \[0\.3\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A word\.\n/,
  );
  expect(await git("for-each-ref", "--format=%(objecttype) %(contents)", "refs/tags/v0.3.0")).toContain(
    "tag ### Added\n\n- A word.\n",
  );
  expect(read("Dockerfile")).toContain('image.version="0.3.0"');
  // Eight targets, two Debian packages, notes, bill of materials, dashboard, checksums, signature and key.
  expect(readdirSync(join(copy, "dist/0.3.0"))).toHaveLength(Bun.which("dpkg-deb") ? 16 : 14);
  await git("tag", "--delete", "v0.3.0");
});

test("refuses uncommitted changes, failing checks, an older version, an existing tag and wrong arguments", async () => {
  await buildAtOnce();
  first = (await git("rev-parse", "HEAD")).trim();
  const refusals: [string, string, () => unknown, () => unknown][] = [
    [
      "0.3.0",
      "not committed",
      () => write("README.md", (text) => `${text}.`),
      () => git("checkout", "--", "."),
    ],
    ["0.2.0", "does not come after 0.2.0", () => {}, () => {}],
    ["0.1.9", "does not come after 0.2.0", () => {}, () => {}],
    ["0.3.0", "the tag v0.3.0 is there", () => git("tag", "v0.3.0"), () => git("tag", "--delete", "v0.3.0")],
    ["0.3.0", "check", () => writeFileSync(join(copy, "red"), ""), () => run(copy, ["rm", "red"])],
  ];
  for (const [version, words, begin, end] of refusals) {
    await begin();
    const { code, said } = release(version, "--target", HERE, "--key", key);
    await end();
    expect([code, said]).toEqual([1, expect.stringContaining(words)]);
    expect([words, await isUntouched()]).toEqual([words, true]);
  }
  for (const wrong of [[], ["1.2"], ["v1.2.3"], ["01.2.3"], ["1.2.3", "--target", "bun-plan9-x64"]])
    expect(release(...wrong).code).toBe(2);

  // A failed build leaves nothing in the tree.
  write("scripts/build.ts", () => "process.exit(1);\n");
  await git("commit", "--quiet", "--all", "--message", "a build that fails");
  first = (await git("rev-parse", "HEAD")).trim();
  expect(release("0.3.0", "--target", HERE, "--key", key).code).toBe(1);
  expect(await isUntouched()).toBe(true);
});

test("refuses to release unsigned, and never overwrites a key", async () => {
  await buildAtOnce();
  first = (await git("rev-parse", "HEAD")).trim();
  expect(release("0.3.0", "--target", HERE)).toMatchObject({
    code: 1,
    said: expect.stringContaining("--key FILE"),
  });
  expect(await isUntouched()).toBe(true);
  const before = readFileSync(key, "utf8");
  expect(release("--make-key", key).code).toBe(1);
  expect(readFileSync(key, "utf8")).toBe(before);
  expect(statSync(key).mode & 0o777).toBe(0o600);
});

test("moves the unreleased changes under a version and a date, and refuses if there are none", () => {
  const head = "# Changelog\n\n## [Unreleased]\n";
  const changes = "\n### Fixed\n\n- A thing.\n";
  const before = "\n## [1.0.0] - 2026-01-01\n\n- First.\n";
  expect(released(head + changes + before, "1.1.0", "2026-02-03")).toEqual({
    changelog: `${head}\n## [1.1.0] - 2026-02-03\n${changes}${before}`,
    notes: "### Fixed\n\n- A thing.\n",
  });
  expect(released(head + changes, "1.1.0", "2026-02-03").changelog).toBe(
    `${head}\n## [1.1.0] - 2026-02-03\n${changes}`,
  );
  expect(() => released(head + before, "1.1.0", "2026-02-03")).toThrow("what do people get?");
  expect(() => released(before, "1.1.0", "2026-02-03")).toThrow("no section");
  expect(() => released(head + changes + before, "1.0.0", "2026-02-03")).toThrow("1.0.0 already");
  for (const [later, earlier] of [
    ["0.10.0", "0.9.9"],
    ["1.0.0", "0.99.99"],
    ["1.0.1", "1.0.0"],
  ] as const) {
    expect([later, isNewerVersion(later, earlier), isNewerVersion(earlier, later)]).toEqual([
      later,
      true,
      false,
    ]);
  }
  expect(isNewerVersion("1.0.0", "1.0.0")).toBe(false);
});
