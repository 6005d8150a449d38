// docs/contract.md#12.25: runs every command of docs/community.md.
import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guildhall } from "./programs.ts";

const ROOT = join(import.meta.dir, "../..");

test("the commands of docs/community.md describe the community, as `show` prints", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-community-"));
  const shim = join(folder, "guildhall");
  writeFileSync(shim, `#!/bin/sh\nexec ${guildhall.command.join(" ")} "$@"\n`);
  chmodSync(shim, 0o755);
  const type = async (script: string): Promise<string> => {
    const shell = Bun.spawn(["bash", "-e"], {
      cwd: folder,
      env: { PATH: `${folder}:/usr/bin:/bin`, GUILDHALL_DATA: join(folder, "data"), HOME: folder },
      stdin: Buffer.from(script),
      stdout: "pipe",
      stderr: "pipe",
    });
    const output = await new Response(shell.stdout).text();
    const wrong = await new Response(shell.stderr).text();
    expect([script, await shell.exited, wrong]).toEqual([script, 0, ""]);
    return output;
  };
  try {
    await type("guildhall builder create ada --admin");
    const page = await Bun.file(join(ROOT, "docs/community.md")).text();
    // tests/bad-evening.test.ts runs the blocks that name it.
    const own = page.replaceAll(/<!-- run by \S+ -->\s*^```sh\n[\s\S]*?^```$/gm, "");
    const blocks = [...own.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, script = ""]) => script);
    expect(blocks.length).toBeGreaterThan(5);
    const output = await type(blocks.join(""));
    for (const line of [
      "name\tThe Weavers",
      "rules\t1. Be kind. 2. Show your work. 3. No selling.",
      "joining\tapproval",
      "front\tabout",
      "zone\tEurope/Berlin",
      "accent\t#1f4e8c",
    ])
      expect(output).toContain(`${line}\n`);
    // `accent` was set, printed, and removed again.
    expect(output.slice(output.lastIndexOf("accent\t"))).toStartWith("accent\t-\n");
    expect(await type("guildhall community set --accent '#ffd700' 2>&1 || true")).toContain(
      "Use a darker colour, such as",
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
