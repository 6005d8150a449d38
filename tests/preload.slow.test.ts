import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");

test("a test has more than Bun's own five seconds, in the second file of a run, too, and with nothing said on the command line", async () => {
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
    writeFileSync(join(folder, "b.test.ts"), file(5300));
    const child = Bun.spawn([process.execPath, "test"], { cwd: folder, stdout: "pipe", stderr: "pipe" });
    const told = await new Response(child.stderr).text();
    expect([await child.exited, told]).toEqual([0, expect.stringContaining(" 2 pass")]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
