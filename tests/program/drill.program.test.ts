import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { DRILLS, hasFailed } from "../../scripts/drills.ts";
import { emptyFolder, LONG_MS } from "./programs.ts";

setDefaultTimeout(LONG_MS);

const ROOT = join(import.meta.dir, "../..");

test("a drill without its tools says so in one line, and fails only when requested by name", () => {
  using empty = emptyFolder();
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, "scripts/drill.ts", "deb"], {
    cwd: ROOT,
    env: { ...process.env, PATH: empty.path },
  });
  const lines = stdout.toString().match(/^\w+: .*$/gm);
  expect([exitCode, lines]).toEqual([1, [expect.stringMatching(/^deb: did not run: .{10,}$/)]]);

  const absent = { absent: "there is no such tool here" };
  expect([hasFailed(absent, true), hasFailed(absent, false)]).toEqual([true, false]);
  expect([hasFailed(true, true), hasFailed(false, false), hasFailed(undefined, false)]).toEqual([
    false,
    true,
    true,
  ]);
  const foreign = Object.keys(DRILLS).filter((name) => DRILLS[name]?.isForeign);
  expect(foreign).toEqual(expect.arrayContaining(["image", "deb", "acme", "proxies", "litestream"]));
});
