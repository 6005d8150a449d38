import { expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");

test("a test has the preload's limit of a minute, also in the second file, not the command line's limit", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-preload-"));
  try {
    const settings = readFileSync(join(ROOT, "bunfig.toml"), "utf8");
    writeFileSync(
      join(folder, "bunfig.toml"),
      settings.replaceAll('"./tests/', `"${ROOT}/tests/`).replace(/^root.*$/m, ""),
    );
    const file = (sleepMs: number): string =>
      `import { test } from "bun:test"; test("sleeps", () => Bun.sleep(${sleepMs}));`;
    writeFileSync(join(folder, "a.test.ts"), file(0));
    writeFileSync(join(folder, "b.test.ts"), file(500));
    const child = Bun.spawn([process.execPath, "test", "--timeout=100"], {
      cwd: folder,
      stdout: "pipe",
      stderr: "pipe",
    });
    const output = await new Response(child.stderr).text();
    expect([await child.exited, output]).toEqual([0, expect.stringContaining(" 2 pass")]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a run without installed dependencies only prints the command that installs them", () => {
  const clone = mkdtempSync(join(tmpdir(), "guildhall-fresh-clone-"));
  try {
    mkdirSync(join(clone, "tests"));
    for (const file of [
      "bunfig.toml",
      "tests/dependencies.ts",
      "tests/preload.ts",
      "tests/temporary.ts",
      "tests/drill.ts",
    ])
      cpSync(join(ROOT, file), join(clone, file));
    writeFileSync(join(clone, "tests/a.test.ts"), 'import "fast-check";');

    const { exitCode, stderr } = Bun.spawnSync([process.execPath, "test", "a"], { cwd: clone });

    expect([exitCode, stderr.toString().trim().split("\n").slice(1)]).toEqual([
      1,
      [expect.stringContaining("Run `bun run deps` first")],
    ]);
  } finally {
    rmSync(clone, { recursive: true });
  }
});
