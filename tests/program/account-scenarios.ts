import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { until } from "../delivery/receiver.ts";
import { emptyFolder, type Program, run, serve } from "./programs.ts";

const PASSWORD = "correct horse battery";

/** Accounts by command line, and what the first start prints when no account exists. */
export function accountScenarios(getProgram: () => Program): void {
  const tool = (cwd: string, args: string[], stdin?: string) =>
    run(getProgram(), [...args, "--data", "d"], { cwd, ...(stdin === undefined ? {} : { stdin }) });

  function rows(cwd: string, sql: string): unknown[] {
    const db = new Database(join(cwd, "d/guildhall.db"), { readonly: true });
    try {
      return db.prepare(sql).all();
    } finally {
      db.close();
    }
  }

  test("builder create --password-stdin makes an account with a password, without the final line break", async () => {
    using folder = emptyFolder();
    const created = await tool(
      folder.path,
      ["builder", "create", "ada", "--admin", "--password-stdin"],
      `${PASSWORD}\n`,
    );
    expect(created).toMatchObject({ code: 0, stderr: "" });
    expect(created.stdout).toMatch(/^builder_\w{26}\n$/);
    const [row] = rows(folder.path, "SELECT hash, role FROM passwords JOIN builders ON id = builder_id") as {
      hash: string;
      role: string;
    }[];
    expect(row?.role).toBe("owner");
    expect(await Bun.password.verify(PASSWORD, row?.hash ?? "")).toBe(true);
    for (const entry of readdirSync(join(folder.path, "d"), { withFileTypes: true }))
      if (entry.isFile())
        expect(readFileSync(join(folder.path, "d", entry.name)).includes(PASSWORD)).toBe(false);
  });

  test("a refused password creates no account", async () => {
    using folder = emptyFolder();
    for (const password of ["short", "password1", ""]) {
      const created = await tool(folder.path, ["builder", "create", "ada", "--password-stdin"], password);
      expect(created).toMatchObject({ code: 2, stdout: "" });
      expect(created.stderr).toMatch(/^guildhall: `password` [^\n]+\n$/);
      if (password !== "") expect(created.stderr).not.toContain(password);
    }
    expect(rows(folder.path, "SELECT id FROM builders")).toEqual([]);
  });

  test("builder recover and builder invite print one link each, and warn if the link leads nowhere yet", async () => {
    using folder = emptyFolder();
    await tool(folder.path, ["builder", "create", "ada"]);
    const recovery = await tool(folder.path, ["builder", "recover", "Ada"]);
    const warned = expect.stringMatching(
      /^guildhall: No server has run [^\n]+ http:\/\/127\.0\.0\.1:8787\. Set GUILDHALL_ORIGIN [^\n]+\n$/,
    );
    expect(recovery).toMatchObject({ code: 0, stderr: warned });
    expect(recovery.stdout).toMatch(/^http:\/\/127\.0\.0\.1:8787\/recover\?token=[\w-]{43}\n$/);
    const invite = await tool(folder.path, ["builder", "invite"]);
    expect(invite).toMatchObject({ code: 0, stderr: warned });
    expect(await tool(folder.path, ["builder", "claims"])).toMatchObject({ code: 0, stderr: "" });
    expect(await tool(folder.path, ["builder", "claims", "--links"])).toMatchObject({ stderr: warned });
    expect(invite.stdout).toMatch(/^http:\/\/127\.0\.0\.1:8787\/sign-up\?invite=[\w-]{43}\n$/);
    const unknown = await tool(folder.path, ["builder", "recover", "bob"]);
    expect(unknown).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "guildhall: There is no member with that username.\n",
    });
  });

  test("builder admin and builder role set roles: the first admin is the owner, and the last owner stays", async () => {
    using folder = emptyFolder();
    for (const name of ["ada", "bob"]) await tool(folder.path, ["builder", "create", name]);
    const admins = () =>
      rows(folder.path, "SELECT username, role FROM builders WHERE role <> 'member' ORDER BY username");
    for (const name of ["ada", "bob"])
      expect(await tool(folder.path, ["builder", "admin", name])).toMatchObject({ code: 0, stdout: "" });
    expect(admins()).toEqual([
      { username: "ada", role: "owner" },
      { username: "bob", role: "admin" },
    ]);
    const last = await tool(folder.path, ["builder", "admin", "ada", "--revoke"]);
    expect(last).toMatchObject({ code: 1, stderr: expect.stringContaining("last active owner") });
    expect(await tool(folder.path, ["builder", "role", "bob", "owner"])).toMatchObject({
      code: 0,
      stdout: "",
    });
    expect(await tool(folder.path, ["builder", "admin", "ada", "--revoke"])).toMatchObject({ code: 0 });
    expect(admins()).toEqual([{ username: "bob", role: "owner" }]);
    const created = await tool(folder.path, ["builder", "create", "cleo", "--role", "moderator"]);
    expect(created).toMatchObject({ code: 0 });
    expect(admins()).toContainEqual({ username: "cleo", role: "moderator" });
    const unknown = await tool(folder.path, ["builder", "role", "cleo", "king"]);
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("The role must be one of member,"),
    });
  });

  test("without an admin, each start prints a fresh set-up link at the server's own address", async () => {
    using folder = emptyFolder();
    const start = async (): Promise<{ url: string; link: string | undefined }> => {
      await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
      server.signal("SIGTERM");
      expect(await server.exited).toBe(0);
      const line = server
        .output()
        .split("\n")
        .find((text) => text.includes('"setup"'));
      return { url: server.url, link: line === undefined ? undefined : JSON.parse(line).setup };
    };
    const first = await start();
    const second = await start();
    for (const { url, link } of [first, second]) {
      expect(link).toStartWith(`${url}/setup?token=`);
      expect(link).toMatch(/token=[\w-]{43}$/);
    }
    expect(first.link?.split("=")[1]).not.toBe(second.link?.split("=")[1]);
    // The last two links work, so a printed link survives a restart.
    await start();
    expect(rows(folder.path, "SELECT purpose FROM links")).toEqual([
      { purpose: "setup" },
      { purpose: "setup" },
    ]);
    await tool(folder.path, ["builder", "create", "ada", "--admin"]);
    expect((await start()).link).toBeUndefined();
  });

  test("builder delete asks first, and a running or later server completes the deletion", async () => {
    using folder = emptyFolder();
    for (const name of ["ada", "bob"]) await tool(folder.path, ["builder", "create", name]);
    const names = () => rows(folder.path, "SELECT username FROM builders ORDER BY username");
    const refused = await tool(folder.path, ["builder", "delete", "ada"], "ada\n");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    expect(names()).toHaveLength(2);
    const erase = (name: string) => tool(folder.path, ["builder", "delete", name, "--yes"]);
    expect(await erase("ada")).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(names()).toEqual([{ username: expect.stringMatching(/^-/) }, { username: "bob" }]);
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
    await until(() => names().length === 1);
    expect(await erase("bob")).toMatchObject({ code: 0 });
    await until(() => names().length === 0);
    server.signal("SIGTERM");
    expect(await server.exited).toBe(0);
    expect(await tool(folder.path, ["builder", "create", "ada"])).toMatchObject({ code: 1 });
    expect(await erase("ada")).toMatchObject({
      code: 1,
      stderr: "guildhall: There is no member with that username.\n",
    });
  });

  test("the operator hands over or deletes a workspace that only a suspended builder owns", async () => {
    using folder = emptyFolder();
    for (const name of ["ada", "bob"]) await tool(folder.path, ["builder", "create", name]);
    const [tools = "", looms = ""] = await Promise.all(
      ["Tools", "Looms"].map(async (name) => {
        const created = await tool(folder.path, ["workspace", "create", name, "--owner", "ada"]);
        const workspace = created.stdout.trim();
        // A second member, who can take over the workspace.
        await tool(folder.path, ["workspace", "member", "add", workspace, "bob"]);
        return workspace;
      }),
    );
    await tool(folder.path, ["builder", "suspend", "ada", "--reason", "Spam"]);
    const erase = () => tool(folder.path, ["builder", "delete", "ada", "--yes"]);
    expect((await erase()).stderr).toMatch(/the workspace “(Tools|Looms)”/);
    expect(await tool(folder.path, ["workspace", "delete", looms])).toMatchObject({ code: 0 });
    expect((await erase()).stderr).toContain("the workspace “Tools”");
    expect(await tool(folder.path, ["workspace", "member", "own", tools, "bob"])).toMatchObject({ code: 0 });
    expect(await erase()).toMatchObject({ code: 0 });
    const members = await tool(folder.path, ["workspace", "member", "list", tools]);
    expect(members.stdout).toBe("bob\towner\tbob\n");
  });

  test("the help of each builder command names its options", async () => {
    using folder = emptyFolder();
    const help = async (...args: string[]) =>
      (await run(getProgram(), ["builder", ...args, "--help"], { cwd: folder.path })).stdout;
    expect(await help()).toMatch(/create .*recover .*invite .*admin .*suspend .*restore .*delete /s);
    const create = await help("create");
    for (const option of ["--name", "--admin", "--password-stdin", "--data"])
      expect(create).toContain(option);
    expect(await help("admin")).toContain("--revoke");
  });
}
