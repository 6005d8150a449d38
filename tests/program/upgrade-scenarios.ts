import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { chmodSync, chownSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { SCHEMA_VERSION } from "../../src/core/base/db/migrate.ts";
import { authority, openReceiver, until } from "../delivery/receiver.ts";
import { emptyFolder, type Program, run, serve } from "./programs.ts";
import { writeDataFolder, type Release, RELEASES } from "./releases.ts";

/** Upgrades databases of every release by command line (docs/contract.md#12.8). */
export function upgradeScenarios(getProgram: () => Program): void {
  const tool = (cwd: string, args: string[]) => run(getProgram(), [...args, "--data", "d"], { cwd });

  function laidOut(cwd: string, release: Release, port?: number): void {
    writeDataFolder(release, join(cwd, "d"), port);
    // The binary runs as an unprivileged user, which must own the files.
    if (process.getuid?.() !== 0) return;
    for (const name of ["", ...readdirSync(join(cwd, "d"))]) {
      chownSync(join(cwd, "d", name), 65534, 65534);
      chmodSync(join(cwd, "d", name), name === "" ? 0o700 : 0o600);
    }
  }

  const [first] = RELEASES;

  test("commands report an older database and change nothing, including commands that create a community", async () => {
    using folder = emptyFolder();
    if (!first) throw new Error("there is no fixture");
    laidOut(folder.path, first);
    const file = join(folder.path, "d/guildhall.db");
    const before = readFileSync(file);
    for (const args of [
      ["builder", "create", "eve"],
      ["token", "list", "ada"],
      ["demo", "--builders", "1"],
    ]) {
      const ended = await tool(folder.path, args);
      expect(ended).toMatchObject({ code: 1, stdout: "" });
      expect(ended.stderr).toMatch(/^guildhall: [^\n]*older Guildhall[^\n]*`guildhall migrate`[^\n]*\n$/);
    }
    const rehearsed = await tool(folder.path, ["migrate", "--rehearse"]);
    expect(rehearsed).toMatchObject({ code: 0 });
    expect(rehearsed.stdout).toMatch(/0011_webhook_secrets\n/);
    expect(rehearsed.stdout).toContain(`schema ${first.schema} to ${SCHEMA_VERSION} took`);
    expect(rehearsed.stdout).toContain("Nothing was changed.");
    writeFileSync(join(folder.path, "d/guildhall.key"), `${"0".repeat(64)}\n`);
    for (const args of [["migrate"], ["migrate", "--rehearse"], ["serve", "--port", "0"]])
      expect(await tool(folder.path, args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("not the key"),
      });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(
      readdirSync(join(folder.path, "d"))
        .filter((name) => !name.startsWith("driver"))
        .sort(),
    ).toEqual(["guildhall.db", "guildhall.key", "guildhall.lock"]);
  });

  for (const [i, release] of RELEASES.entries()) {
    const by = i % 2 === 0 ? "guildhall migrate" : "serve";
    test(`a community of ${release.version} upgraded by ${by} keeps its lists, messages, secrets and pending deliveries`, async () => {
      using folder = emptyFolder();
      await using receiver = await openReceiver();
      laidOut(folder.path, release, receiver.port);
      writeFileSync(join(folder.path, "ca.pem"), (await authority()).pem);
      if (by !== "serve") {
        const { code, stdout } = await tool(folder.path, ["migrate"]);
        expect([code, stdout]).toEqual([
          0,
          expect.stringMatching(
            /^copied to d\/before-upgrade-.*\nupgraded from schema \d+ to \d+ in [\d.]+ s\n$/,
          ),
        ]);
        expect((await tool(folder.path, ["migrate"])).stdout).toContain("up to date");
      }
      const env = {
        GUILDHALL_WEBHOOK_ALLOW: "127.0.0.0/8",
        GUILDHALL_WEBHOOK_CA: "ca.pem",
        // The fixture is older than the default retention.
        GUILDHALL_RETENTION: "36500d",
      };
      await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"], env });
      const [copy = ""] = readdirSync(join(folder.path, "d")).filter((name) => name.startsWith("before-"));
      expect(copy).toMatch(
        new RegExp(`^before-upgrade-${release.schema}-to-${SCHEMA_VERSION}-\\d{8}T\\d{6}Z$`),
      );
      const copied = new Database(join(folder.path, "d", copy, "guildhall.db"), { readonly: true });
      expect(copied.prepare("SELECT text FROM posts WHERE id = ?").pluck().get(release.post)).toContain(
        "weaves",
      );
      copied.close();

      const get = async (token: string, path: string) => {
        const answer = await fetch(`${server.url}/v1${path}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
      };
      const idsOf = async (token: string, path: string) => {
        const { status, body } = await get(token, path);
        expect([path, status]).toEqual([path, 200]);
        return (body["data"] as { id: string }[]).map(({ id }) => id);
      };
      const { ada, bo } = release;
      expect(await idsOf(ada, "/feed?limit=100")).toContain(release.post);
      expect(await idsOf(ada, `/feed/${release.post}/replies`)).toEqual([release.reply]);
      expect(await idsOf(ada, "/feed?tag=looms")).toEqual([release.post]);
      expect(await idsOf(ada, "/prompts?limit=100")).toContain(release.prompt);
      expect(await get(ada, `/jobs/${release.job}`)).toMatchObject({
        status: 200,
        body: { title: "Weaver" },
      });
      expect(await get(bo, "/profiles/ada")).toMatchObject({ status: 200 });
      expect((await get(ada, "/messages")).body).toMatchObject({ data: [{}] });
      expect((await idsOf(ada, "/events?limit=100")).length).toBeGreaterThanOrEqual(4);
      expect(await idsOf(ada, "/webhooks")).toEqual([release.endpoint]);

      // Pending deliveries arrive, signed with their original secret.
      await until(() => receiver.received.length >= release.waiting.length);
      const stateOf = async (id: string) => (await get(ada, `/deliveries/${id}`)).body["state"];
      const isSettled = async () =>
        (await Promise.all(release.waiting.map(stateOf))).every((state) => state === "acknowledged");
      while (!(await isSettled())) await Bun.sleep(10);
      for (const { body, headers } of receiver.received) {
        const expected = createHmac("sha256", release.secrets[0] ?? "")
          .update(body)
          .digest("hex");
        expect(headers["x-service-signature"]).toContain(`v1=${expected}`);
      }
      server.signal("SIGTERM");
      expect(await server.exited).toBe(0);
    });
  }
}
