import { expect, test } from "bun:test";
import Database from "better-sqlite3";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { authority } from "../delivery/receiver.ts";
import { emptyFolder, type Finished, type Program, run, serve } from "./programs.ts";

/** `guildhall health` (docs/contract.md#12.10). */
export function healthScenarios(getProgram: () => Program): void {
  const health = (cwd: string, ...args: string[]) =>
    run(getProgram(), ["health", "--data", "d", ...args], {
      cwd,
      // No proxy listens at this address. The command must not use a proxy.
      env: { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" },
    });
  const WELL = { code: 0, stdout: expect.stringMatching(/^ready: Guildhall \d+\.\d+\.\d+\n$/), stderr: "" };

  function expectUnhealthy(ended: Finished, pattern: RegExp): void {
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(pattern);
    expect(ended.stderr).toMatch(/^guildhall: [^\n]+\n$/);
  }

  test("health asks the server of the data folder, whose address file exists while the server runs", async () => {
    using folder = emptyFolder();
    const address = join(folder.path, "d/guildhall.address");
    expectUnhealthy(await health(folder.path), /no Guildhall in d\. Name its folder with --data/);
    for (const [host, asked] of [
      ["127.0.0.1", "127.0.0.1"],
      ["0.0.0.0", "127.0.0.1"],
    ]) {
      const args = ["--data", "d", "--host", host ?? ""];
      await using server = await serve(getProgram(), { cwd: folder.path, args });
      expect(await health(folder.path)).toMatchObject(WELL);
      const { port } = new URL(server.url);
      expect(readFileSync(address, "utf8")).toBe(`http://${asked}:${port}\n`);
      expect(statSync(address).mode & 0o777).toBe(0o600);
      expect(await health(folder.path, "--url", `http://127.0.0.1:${port}`)).toMatchObject(WELL);
      server.signal("SIGTERM");
      expect(await server.exited).toBe(0);
      expect(existsSync(address)).toBe(false);
      expectUnhealthy(await health(folder.path), /No server runs on d\. Start one with `guildhall serve`/);
    }
  });

  test("health reports a killed server, and a server that is not Guildhall", async () => {
    using folder = emptyFolder();
    {
      await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
      server.signal("SIGKILL");
      await server.exited;
    }
    expectUnhealthy(
      await health(folder.path),
      /No server answers at http:\/\/127\.0\.0\.1:\d+\. \(The URL is from d\/guildhall\.address.*killed/,
    );
    const named = { status: "not ready", version: "9.0.0" };
    const answers = [
      new Response("hello"),
      new Response("{}"),
      new Response("{", { status: 503 }),
      Response.json(
        { ...named, failing: ["write", "disk", "of_tomorrow", "\u001b[31m", 7] },
        { status: 503 },
      ),
      Response.json({ ...named, version: "9\n" }),
    ];
    using other = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => answers.shift() ?? new Response(),
    });
    const url = `http://127.0.0.1:${other.port}`;
    const patterns = [/is not a Guildhall/, /is not a Guildhall/, /answers with status 503/];
    patterns.push(/ is not ready: writes fail, the disk is full, of_tomorrow\.\n$/, /is not a Guildhall/);
    for (const pattern of patterns) expectUnhealthy(await health(folder.path, "--url", url), pattern);
    const wrong = await health(folder.path, "--url", "guild");
    expect(wrong).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--url") });
  });

  test("health names a failure or a late backup in one line, and asks older servers only for liveness", async () => {
    using folder = emptyFolder();
    const data = join(folder.path, "d");
    {
      await using _server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
      const other = new Database(join(data, "guildhall.db"));
      other.exec("BEGIN IMMEDIATE");
      // The result from the start may be cached for a second.
      let ended = await health(folder.path);
      while (ended.code === 0) ended = await health(folder.path);
      expectUnhealthy(ended, /^guildhall: http:\/\/127\.0\.0\.1:\d+ is not ready: writes fail\.\n$/);
      other.exec("COMMIT");
      other.close();
      // The pending write completes, and readiness is checked again a second later.
      while ((await health(folder.path)).code !== 0);
    }
    let isOld = false;
    using later = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) =>
        isOld && url.endsWith("/readyz")
          ? new Response(null, { status: 404 })
          : Response.json(
              isOld
                ? { status: "ok", version: "0.2.0" }
                : { status: "ready", version: "1.2.3", notes: ["backup_late"] },
            ),
    });
    const url = `http://127.0.0.1:${later.port}`;
    const healthy = { code: 0, stderr: "" };
    expect(await health(folder.path, "--url", url)).toMatchObject({
      ...healthy,
      stdout: "ready: Guildhall 1.2.3; the backup is late\n",
    });
    isOld = true;
    expect(await health(folder.path, "--url", url)).toMatchObject({
      ...healthy,
      stdout: "ready: Guildhall 0.2.0\n",
    });
  });

  test("health trusts its own server's certificate for any name, and verifies every other certificate", async () => {
    using folder = emptyFolder();
    const tls = await (await authority()).issue(["guild.example"]);
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      tls,
      fetch: () => Response.json({ status: "ok", version: "1.2.3" }),
    });
    mkdirSync(join(folder.path, "d"));
    const url = `https://127.0.0.1:${server.port}`;
    writeFileSync(join(folder.path, "d/guildhall.address"), `${url}\n`);
    expect(await health(folder.path)).toMatchObject({
      code: 0,
      stdout: "ready: Guildhall 1.2.3\n",
      stderr: "",
    });
    expectUnhealthy(await health(folder.path, "--url", url), /cannot be reached: .*certificate/);
  });
}
