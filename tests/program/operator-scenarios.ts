import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { emptyFolder, type Finished, type Program, run, serve } from "./programs.ts";

/** Operator mistakes by command line: one clear line, a non-zero exit code, and nothing left behind. */
export function operatorScenarios(getProgram: () => Program): void {
  const tool = (cwd: string, args: string[], env: Record<string, string> = {}, stdin?: string) =>
    run(getProgram(), args, { cwd, env, ...(stdin === undefined ? {} : { stdin }) });

  function expectRefusal(ended: Finished, code: number, pattern: RegExp): void {
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(pattern);
    expect(ended.stderr).toMatch(/^guildhall: [^\n]+\n$/);
  }

  test("a taken port is reported before anything is created, also with --demo", async () => {
    using folder = emptyFolder();
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
    const { port } = new URL(server.url);
    for (const demo of [[], ["--demo"]]) {
      const second = await tool(folder.path, ["serve", "--port", port, "--data", "e", ...demo]);
      expectRefusal(second, 1, /port is in use/);
      expect(existsSync(join(folder.path, "e"))).toBe(false);
    }
    for (const host of ["192.0.2.1", "fe80::1"]) {
      const ended = await tool(folder.path, ["serve", "--host", host, "--port", "0", "--data", "e"]);
      expectRefusal(ended, 1, /does not have that address.*--host/);
    }
    expect(readdirSync(folder.path)).toEqual(["d"]);
  });

  test("maintenance mode applies from the next request on, and survives a kill", async () => {
    using folder = emptyFolder();
    const args = ["--data", "d"];
    const maintenance = async (...parts: string[]) =>
      (await tool(folder.path, ["maintenance", ...parts, ...args])).stdout;
    const post = (url: string, token: string) =>
      fetch(`${url}/v1/feed`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ text: "hello" }),
      });
    let token: string;
    {
      await using server = await serve(getProgram(), { cwd: folder.path, args });
      await tool(folder.path, ["builder", "create", "ada", ...args]);
      token = (await tool(folder.path, ["token", "create", "ada", ...args])).stdout.trim();
      expect(await maintenance("status")).toBe("off\n");
      expect((await post(server.url, token)).status).toBe(201);
      expect(await maintenance("on", "--message", "A larger disk")).toMatch(
        /^on since \S+Z, until `guildhall maintenance off`: A larger disk\.\n$/,
      );
      expect((await post(server.url, token)).status).toBe(503);
      server.signal("SIGKILL");
      await server.exited;
    }
    await using server = await serve(getProgram(), { cwd: folder.path, args });
    const refused = await post(server.url, token);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "300"]);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const health = await tool(folder.path, ["health", ...args]);
    expect([health.code, health.stdout]).toEqual([0, expect.stringMatching(/; maintenance mode is on\n$/)]);
    expect(await maintenance("on", "--for", "2h")).toMatch(
      /until \S+Z: This community is being maintained\.\n$/,
    );
    expectRefusal(
      await tool(folder.path, ["maintenance", "on", "--for", "soon", ...args]),
      2,
      /Write it like 30m/,
    );
    expectRefusal(
      await tool(folder.path, ["maintenance", "on", "--for", "1s", ...args]),
      2,
      /from one minute to 30 days/,
    );
    expect(await maintenance("off")).toBe("off\n");
    expect(await maintenance("off")).toBe("off (it was already off)\n");
    expect((await post(server.url, token)).status).toBe(201);
  });

  test("refuses a second server on the folder, on any port, while the first continues", async () => {
    using folder = emptyFolder();
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
    for (const demo of [[], ["--demo"]]) {
      const second = await tool(folder.path, ["serve", "--port", "0", "--data", "./d", ...demo]);
      expectRefusal(second, 1, /Another server uses \.\/d\. Stop that server first/);
    }
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  test("refuses a key file in a missing folder, and creates neither that folder nor a database", async () => {
    using folder = emptyFolder();
    const env = { GUILDHALL_KEY_FILE: "sercets/guild.key" };
    for (const args of [
      ["serve", "--port", "0"],
      ["builder", "create", "ada"],
    ]) {
      expectRefusal(
        await tool(folder.path, [...args, "--data", "d"], env),
        1,
        /The folder \S+sercets for the key file does not exist\. .*GUILDHALL_KEY_FILE/,
      );
    }
    expect(readdirSync(folder.path)).toEqual([]);
    mkdirSync(join(folder.path, "sercets"));
    chmodSync(join(folder.path, "sercets"), 0o777);
    expect((await tool(folder.path, ["builder", "create", "ada", "--data", "d"], env)).code).toBe(0);
    expect(readdirSync(join(folder.path, "sercets"))).toEqual(["guild.key"]);
    expect(readdirSync(join(folder.path, "d"))).not.toContain("guildhall.key");
    // The data needs this key from now on. Without the key every command is refused, and no new key is made.
    expectRefusal(
      await tool(folder.path, ["builder", "create", "bo", "--data", "d"]),
      1,
      /key .* is missing/,
    );
  });

  test("refuses to rotate a key in a read-only folder, and names the folder", async () => {
    // Root can write everywhere.
    if (process.getuid?.() === 0 && getProgram().name === "source") return;
    using folder = emptyFolder();
    const keys = join(folder.path, "keys");
    mkdirSync(keys, { mode: 0o777 });
    chmodSync(keys, 0o777);
    const env = { GUILDHALL_KEY_FILE: "keys/guildhall.key" };
    expect((await tool(folder.path, ["builder", "create", "ada", "--data", "d"], env)).code).toBe(0);
    chmodSync(keys, 0o555);
    const ended = await tool(folder.path, ["key", "rotate", "--data", "d"], env);
    expectRefusal(ended, 1, /Nothing was changed\. A rotation needs write access to \S+\/keys/);
    expect(readdirSync(keys)).toEqual(["guildhall.key"]);
    expect((await tool(folder.path, ["key", "check", "--data", "d"], env)).code).toBe(0);
  });

  test("refuses a folder that lost its database, however the path is written", async () => {
    using folder = emptyFolder();
    await tool(folder.path, ["builder", "create", "ada", "--data", "data"]);
    for (const name of readdirSync(join(folder.path, "data")))
      if (name !== "guildhall.key") rmSync(join(folder.path, "data", name), { recursive: true });
    for (const data of [[], ["--data", "data"], ["--data", "./data/"], ["--data", join(folder.path, "data")]])
      expectRefusal(
        await tool(folder.path, ["builder", "create", "ada", ...data]),
        1,
        /key file but no database/,
      );
    expect(readdirSync(join(folder.path, "data"))).toEqual(["guildhall.key"]);
  });

  test("a folder or file without permission prints one line and ends the program", async () => {
    using folder = emptyFolder();
    await tool(folder.path, ["builder", "create", "ada", "--data", "d"]);
    const start = () => tool(folder.path, ["serve", "--port", "0", "--data", "d"]);
    const within = (name: string): string => join(folder.path, "d", name);
    mkdirSync(within("guildhall.lock"));
    expectRefusal(await start(), 1, /guildhall\.lock is a folder, but Guildhall needs a file/);
    rmdirSync(within("guildhall.lock"));
    // File modes do not limit root.
    if (process.getuid?.() === 0 && getProgram().name === "source") return;
    for (const [name, mode, says] of [
      [".", 0o500, /data folder d cannot be read and written by this user/],
      [".", 0o000, /data folder d cannot be read and written by this user/],
      ["guildhall.db", 0o400, /This user cannot write to the data folder/],
      ["guildhall.db", 0o000, /This user cannot open a file in the data folder/],
      ["guildhall.key", 0o000, /key file d\/guildhall\.key cannot be read/],
    ] as const) {
      const { mode: before } = statSync(within(name));
      chmodSync(within(name), mode);
      expectRefusal(await start(), 1, says);
      chmodSync(within(name), before);
    }
  });

  test("an invalid key file and a damaged database print one line", async () => {
    using folder = emptyFolder();
    await tool(folder.path, ["builder", "create", "ada", "--data", "d"]);
    const start = () => tool(folder.path, ["serve", "--port", "0", "--data", "d"]);
    const [key, db] = [join(folder.path, "d/guildhall.key"), join(folder.path, "d/guildhall.db")];
    const good = readFileSync(key);
    for (const text of ["", "no key", good.subarray(0, 63), Buffer.concat([good, good])]) {
      writeFileSync(key, text);
      expectRefusal(await start(), 1, /is not a key file\. It must contain 64 hex digits/);
    }
    writeFileSync(key, good);
    const whole = readFileSync(db);
    for (const damaged of [whole.subarray(0, 5000), Buffer.alloc(whole.length, 7)]) {
      writeFileSync(db, damaged);
      expectRefusal(await start(), 1, /damaged\. Restore a backup: `guildhall restore BACKUP --replace`/);
    }
  });

  test("a start on every address without GUILDHALL_ORIGIN warns that its links will not open", async () => {
    using folder = emptyFolder();
    const args = ["--data", "d", "--host", "0.0.0.0"];
    const warned = async (env: Record<string, string>): Promise<boolean> => {
      await using server = await serve(getProgram(), { cwd: folder.path, args, env });
      return server.output().includes("set GUILDHALL_ORIGIN");
    };
    expect(await warned({})).toBe(true);
    expect(await warned({ GUILDHALL_ORIGIN: "https://guild.example" })).toBe(false);
  });

  test("a start warns about a key file that every user can read", async () => {
    using folder = emptyFolder();
    await tool(folder.path, ["builder", "create", "ada", "--data", "d"]);
    const warned = async (): Promise<boolean> => {
      await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
      return server.output().includes("every user of this machine can read the key file");
    };
    expect(await warned()).toBe(false);
    chmodSync(join(folder.path, "d/guildhall.key"), 0o644);
    expect(await warned()).toBe(true);
  });

  test("refuses a mistyped setting or invalid value with the nearest valid one, and creates nothing", async () => {
    using folder = emptyFolder();
    const typo = { GUILDHALL_SIGNUPS: "closed" };
    expectRefusal(
      await tool(folder.path, ["serve", "--port", "0", "--data", "d"], typo),
      2,
      /GUILDHALL_SIGNUPS is not a setting\. The nearest is GUILDHALL_SIGNUP\./,
    );
    expectRefusal(await tool(folder.path, ["serve", "--data", ""]), 2, /--data is "", .*Write it like/);
    for (const origin of ["x", "", "guild.example", "https://guild.example/v1", "javascript:alert(1)"])
      expectRefusal(
        await tool(folder.path, ["openapi", "--origin", origin]),
        2,
        /--origin is .*Write it like/,
      );
    for (const password of ["correct horse\nbattery staple", "correct horse battery\n\n", "a\rb"]) {
      const args = ["builder", "create", "ada", "--password-stdin", "--data", "d"];
      expectRefusal(await tool(folder.path, args, {}, password), 2, /more than one line/);
    }
    expect(readdirSync(folder.path)).toEqual([]);
    const document = await tool(folder.path, ["openapi", "--origin", "https://guild.example"]);
    expect(JSON.parse(document.stdout).servers[0].url).toStartWith("https://guild.example");
  });

  test("names a missing object, without calling the object the operator's own", async () => {
    using folder = emptyFolder();
    await tool(folder.path, ["builder", "create", "ada", "--data", "d"]);
    const missing: [args: string[], says: RegExp][] = [
      [["workspace", "member", "list", "ws_x"], /no workspace with that id\./],
      [["workspace", "member", "remove", "ws_x", "ada"], /no workspace with that id\./],
      [
        ["app", "create", "ada", "Tool", "--redirect", "https://tool.example/cb", "--workspace", "ws_y"],
        /no workspace with that id\./,
      ],
      [["app", "restore", "app_x"], /no app with that id/],
      [["token", "revoke", "tok_x"], /no such active token. Check the id in the list of tokens/],
    ];
    for (const [args, says] of missing) {
      const ended = await tool(folder.path, [...args, "--data", "d"]);
      expectRefusal(ended, 1, says);
      expect(ended.stderr).not.toContain("yours");
    }
    const empty = await tool(folder.path, ["app", "suspend", "app_x", "--reason", "", "--data", "d"]);
    expectRefusal(empty, 2, /`reason` must not be empty/);
  });
}
