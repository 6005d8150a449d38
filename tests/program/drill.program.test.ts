import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { emptyFolder, LONG_MS } from "./programs.ts";

setDefaultTimeout(LONG_MS);

const ROOT = join(import.meta.dir, "../..");

test("a drill whose tools are not here says so in one line, and is broken only where it was asked for by its name", () => {
  using empty = emptyFolder();
  const drill = (...words: string[]) => {
    const { exitCode, stdout } = Bun.spawnSync([process.execPath, "scripts/drill.ts", ...words], {
      cwd: ROOT,
      env: { ...process.env, PATH: empty.path },
    });
    return { code: exitCode, told: stdout.toString().match(/^\w+: .*$/gm) };
  };
  const absent = (name: string) => expect.stringMatching(new RegExp(`^${name}: did not run: .{10,}$`));
  expect(drill("deb")).toEqual({ code: 1, told: [absent("deb")] });
  const all = drill("--foreign");
  expect(all.code).toBe(0);
  expect(all.told).toEqual(expect.arrayContaining([absent("image"), absent("deb")]));
});
