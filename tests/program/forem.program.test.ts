// docs/contract.md#12.7 and docs/operating.md#moving-in-from-forem: imports by command line.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sized } from "../drill.ts";
import { zipSync } from "fflate";
import { type FakeArticle, fakeForem } from "../transfer/fake-forem.ts";
import { killImports } from "./forem-kills.ts";
import { emptyFolder, guildhall, LONG_MS, run, serve } from "./programs.ts";

test(
  "an operator imports a Forem beside a running server, by URL or file, and gets claim links",
  async () => {
    using folder = emptyFolder();
    const cwd = folder.path;
    await using forem = await fakeForem([
      {
        id: 7,
        user: "Ada",
        slug: "hello-1a",
        title: "Hello",
        body: "World",
        at: "2024-03-01T10:00:00Z",
        comments: [{ id: "c1", user: "bob", html: "<p>Hi</p>", at: "2024-03-01T11:00:00Z" }],
      },
    ]);
    const address = forem.url.replace("forem.example", "127.0.0.1");
    writeFileSync(join(cwd, "ca.pem"), forem.ca);
    const env = { GUILDHALL_WEBHOOK_CA: "ca.pem", GUILDHALL_WEBHOOK_ALLOW: "127.0.0.1" };
    const tool = (args: string[], more: Record<string, string> = env) =>
      run(guildhall, [...args, "--data", "d"], { cwd, env: more });
    await using server = await serve(guildhall, { cwd, args: ["--data", "d"] });
    const came =
      "people  2 imported, 0 already there\nposts   1 imported, 0 already there\nreplies 1 imported, 0 already there\n";
    const command = ["import", "--forem", address, "--rate", "20"];
    expect(await tool([...command, "--dry-run"])).toMatchObject({
      code: 0,
      stdout: came.replaceAll("imported", "to import"),
    });
    expect(await tool(command)).toMatchObject({ code: 0, stdout: came, stderr: "" });
    const page = await (await fetch(`${server.url}/@ada`)).text();
    expect(page).toContain("Nobody has claimed this account yet.");
    const again = await tool(command);
    expect(again.stdout).toStartWith(
      "people  0 imported, 1 already there\nposts   0 imported, 1 already there\n",
    );
    expect((await tool(["builder", "claims"])).stdout).toBe(
      `ada\t${new URL(address).host}/Ada\nbob\t${new URL(address).host}/bob\n`,
    );
    const links = (await tool(["builder", "claims", "--links"])).stdout.trim().split("\n");
    expect(links).toHaveLength(2);
    const link = links[0]?.split("\t")[2] ?? "";
    expect(link).toStartWith(`${server.url}/recover?token=`);
    expect((await fetch(link)).status).toBe(200);
    const parts = ["articles.json", "comments.json"].map((name) => [
      name,
      new Uint8Array(readFileSync(join(import.meta.dir, "../transfer/fixtures", name))),
    ]);
    writeFileSync(join(cwd, "export.zip"), zipSync(Object.fromEntries(parts)));
    const file = await tool(["import", "--forem", "export.zip", "--from", "dev.to"]);
    expect(file).toMatchObject({ code: 0, stderr: "" });
    expect(file.stdout).toStartWith("people  1 imported, 0 already there\nposts   1 imported");
    expect(file.stdout).toContain("\n  /ada_o/temp-slug-1 is a draft\n");
    forem.articles.push({
      ...(forem.articles[0] as FakeArticle),
      id: 8,
      slug: "next-1b",
      at: "2024-04-01T10:00:00Z",
    });
    forem.articles.push({
      ...(forem.articles[0] as FakeArticle),
      id: 9,
      slug: "last-1c",
      at: "2024-02-01T10:00:00Z",
    });
    forem.instead = (path) =>
      path === "/api/articles/9"
        ? new Response("", { status: 500, headers: { "retry-after": "3600" } })
        : undefined;
    const cut = await tool(command);
    expect(cut.code).toBe(1);
    expect(cut.stdout).toContain("posts   1 imported, 1 already there\n");
    expect(cut.stderr).toMatch(
      /^guildhall: [^\n]+ does not answer: status 500\. Run the command again later[^\n]+\n$/,
    );
    expect((await run(guildhall, ["import", "--forem", "none.zip", "--data", "e"], { cwd })).code).toBe(1);
    expect(existsSync(join(cwd, "e"))).toBe(false);
    const refusals: [string[], number, string, Record<string, string>?][] = [
      [["import"], 2, "--forem"],
      [["import", "--forem", address], 1, "points to a private or special-purpose network", {}],
    ];
    for (const [args, code, words, more] of refusals) {
      const ended = await tool(args, more);
      expect(ended).toMatchObject({ code, stdout: "" });
      expect(ended.stderr).toContain(words);
      expect(ended.stderr).toMatch(/^guildhall: [^\n]+\n$/);
    }
  },
  LONG_MS,
);

test(
  "an import killed at any point leaves nothing partial, and the same command imports the rest",
  async () => {
    const { killed, wrongs } = await killImports(guildhall, sized(2, 20), sized(200, 1000));
    expect(wrongs).toEqual([]);
    expect(killed).toBeGreaterThan(0);
  },
  LONG_MS,
);
