import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sized } from "../drill.ts";
import { killMoves } from "./moving-kills.ts";
import { emptyFolder, guildhall, LONG_MS, run, serve } from "./programs.ts";

test(
  "the commands of docs/operating.md move a community, report a repeated import, and refuse another export",
  async () => {
    using folder = emptyFolder();
    const cwd = folder.path;
    const command = (line: string) => run(guildhall, line.split(" "), { cwd });
    await command("demo --builders 5 --posts 20 --jobs 3 --prompts 2 --data old");
    await command("builder create ada --admin --data old");
    // Exports while the server runs, as at the start of a move.
    {
      await using _server = await serve(guildhall, { cwd, args: ["--data", "old"] });
      const exported = await command("export moving --data old");
      expect(exported).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/Left out: passwords, passkeys/),
      });
      expect(exported.stdout).toContain("builders 6\n");
    }
    const tried = await command("import moving --data new --dry-run");
    expect(tried).toMatchObject({ code: 0, stdout: expect.stringContaining("builders 6 to import\n") });
    expect(existsSync(join(cwd, "new"))).toBe(false);
    const came = await command("import moving --data new");
    expect(came).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("builders 6 imported\n"),
      stderr: expect.stringMatching(/Nobody can sign in yet\. .*claims --links.*The admin is ada\./),
    });
    const links = await command("builder claims --links --data new");
    expect(links.stdout.split("\n").filter(Boolean)).toHaveLength(6);
    expect(links.stdout).toMatch(/^ada\t127\.0\.0\.1:\d+\/ada\thttp:\/\/\S+\/recover\?token=\S+$/m);
    // An import that was killed after its last step leaves this folder.
    mkdirSync(join(cwd, "new", "importing"));
    const again = await command("import moving --data new");
    expect(existsSync(join(cwd, "new", "importing"))).toBe(false);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("builders 6 already there\n") });
    await command("builder delete ada --yes --data new");
    expect((await command("import moving --data new")).stderr).toMatch(/Nothing was changed/);
    await command("builder create zoe --data other");
    expect(await command("import moving --data other")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/holds another community\. Import into an empty folder/),
    });
    await using server = await serve(guildhall, { cwd, args: ["--data", "new"] });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(await command("import moving --data new")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Another server uses new/),
    });
  },
  LONG_MS,
);

test("an operator's mistake prints one line: no export, a member's export, leftover data, wrong arguments", async () => {
  using folder = emptyFolder();
  const cwd = folder.path;
  const command = (line: string) => run(guildhall, line.split(" "), { cwd });
  await command("builder create ada --data old");
  await command("export ada --builder ada --data old");
  await command("export moving --data old");
  await run(guildhall, ["builder", "create", "rest", "--data", "rest"], { cwd });
  const cases: [line: string, code: number, says: RegExp][] = [
    ["import nowhere --data new", 1, /There is no export in nowhere/],
    ["import ada --data new", 1, /is the export of one member/],
    ["import --data new", 2, /Name what to import/],
    ["import moving --forem x --data new", 2, /Give either a folder or --forem/],
    ["export moving --data old", 1, /already holds an export/],
    ["export there --builder bob --data old", 1, /no builder with that username/],
    ["export there --data nowhere", 1, /There is no Guildhall in nowhere/],
  ];
  for (const [line, code, says] of cases) {
    const ended = await command(line);
    expect([line, ended.code, ended.stdout, ended.stderr.trim().split("\n").length]).toEqual([
      line,
      code,
      "",
      1,
    ]);
    expect(ended.stderr).toMatch(says);
  }
  expect(existsSync(join(cwd, "new"))).toBe(false);
  const created = await command("import moving --data new");
  expect(created.code).toBe(0);
  // SQLite would use this log for the new database.
  using bare = emptyFolder();
  writeFileSync(join(bare.path, "guildhall.db-wal"), "old");
  const refused = await run(guildhall, ["import", "moving", "--data", bare.path], { cwd });
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/guildhall\.db-wal exists, but its database guildhall\.db is missing/),
  });
  const changed = (): void => writeFileSync(join(cwd, "moving/builders.ndjson"), "{}\n");
  changed();
  expect(await command("import moving --data third")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/was changed after the export/),
  });
  // With a matching manifest, an invalid row is reported by file and line. No community and no key is
  // created.
  const manifest = JSON.parse(readFileSync(join(cwd, "moving/manifest.json"), "utf8"));
  Object.assign(manifest.files, { builders: { rows: 1 } });
  writeFileSync(join(cwd, "moving/manifest.json"), JSON.stringify(manifest));
  const dry = await command("import moving --data third --dry-run");
  expect(dry).toMatchObject({ code: 1, stdout: "" });
  expect(dry.stderr).toMatch(/moving\/builders\.ndjson:1 `\w+` is missing/);
  expect(dry.stderr).toMatch(/workspaces\.ndjson:1 refers to something that is not in the export/);
  expect(existsSync(join(cwd, "third"))).toBe(false);
  const wrong = await command("import moving --data third");
  expect(wrong).toMatchObject({ code: 1, stdout: "" });
  expect(wrong.stderr.trim().split("\n")).toEqual([
    expect.stringMatching(/builders\.ndjson:1 `\w+` is missing/),
  ]);
  expect(existsSync(join(cwd, "third"))).toBe(false);
});

test(
  "docs/contract.md#12.6: a killed import has created nothing or everything, and the same command completes the import",
  async () => {
    const { killed, wrongs } = await killMoves(guildhall, sized(1, 20), sized(400, 5000));
    expect(wrongs).toEqual([]);
    expect(killed).toBeGreaterThan(0);
  },
  LONG_MS,
);
