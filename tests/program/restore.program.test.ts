import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sized } from "../drill.ts";
import { emptyFolder, guildhall, LONG_MS, run, serve } from "./programs.ts";
import { killRestores } from "./restore-kills.ts";

/** docs/contract.md#12.5, docs/threats.md#K09, docs/threats.md#M10 */

test(
  "verifies a backup of a running server, and restores it into a new folder and over the stopped one",
  async () => {
    using folder = emptyFolder();
    const cwd = folder.path;
    const command = (...args: string[]) => run(guildhall, args, { cwd });
    await command("builder", "create", "ada", "--data", "d");
    const token = (await command("token", "create", "ada", "--data", "d")).stdout.trim();
    const ask = async (url: string, body?: object): Promise<string[]> => {
      const answer = await fetch(`${url}/v1/feed`, {
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
      });
      const { data = [] } = (await answer.json()) as { data?: { text: string }[] };
      return data.map(({ text }) => text);
    };
    const listing = (): string[] => readdirSync(join(cwd, "d")).sort();
    {
      await using server = await serve(guildhall, { cwd, args: ["--data", "d"] });
      await ask(server.url, { text: "before" });
      expect((await command("backup", "b", "--data", "d")).code).toBe(0);
      await ask(server.url, { text: "since" });
      const before = listing();
      const verified = await command("restore", "b", "--verify", "--data", "d");
      expect(verified).toMatchObject({ code: 0, stderr: "" });
      expect(verified.stdout).toMatch(
        /^backup is intact: community of \S+; Guildhall \S+ \(schema \d+\); 1 builder, 1 post, 0 jobs, 0 prompts, \d+ events?; newest event evt_\w+; key [0-9a-f]{16}\n$/,
      );
      expect(await command("restore", "b", "--replace", "--data", "d")).toEqual({
        code: 1,
        stdout: "",
        stderr: "guildhall: A server or another restore is using d. Stop that program first.\n",
      });
      expect(listing()).toEqual(before);
      // After this kill, a part of the data is only in the log.
    }
    const lone = await command("restore", "b", "--data", "e");
    expect([lone.code, lone.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^guildhall: The backup needs its key \([0-9a-f]{16}\), .* Put the key there first\.\n$/,
      ),
    ]);
    expect(existsSync(join(cwd, "e"))).toBe(false);
    const taken = await command("restore", "b", "--data", "d");
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining("Move it aside with --replace")]);

    const restored = await command("restore", "b", "--replace", "--data", "d");
    expect(restored.code).toBe(0);
    expect(restored.stdout).toMatch(
      /^restored: .*\nthe previous community is in d\/before-restore-\d{8}T\d{6}Z\n$/,
    );
    expect(restored.stderr).toMatch(/^guildhall: Ended \d+ sessions, .* is back\.\n$/);
    {
      await using server = await serve(guildhall, { cwd, args: ["--data", "d"] });
      expect(await ask(server.url)).toEqual(["before"]);
      expect(server.output()).not.toMatch(/"level":"(?:warn|error)"/);
    }

    // Runs the rehearsal that the server does every week.
    const scheduled = { GUILDHALL_BACKUP: join(cwd, "shelf") };
    mkdirSync(join(cwd, "shelf"));
    const onSchedule = (...args: string[]) =>
      run(guildhall, [...args, "--data", "d"], { cwd, env: scheduled });
    expect(await onSchedule("restore", "--rehearse")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no backup of this community in"),
    });
    expect((await onSchedule("backup", "--scheduled")).code).toBe(0);
    expect(await onSchedule("restore", "--rehearse")).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^test restore succeeded in \d+\.\d s: community of .*; 1 builder, 1 post/,
      ),
      stderr: "",
    });
    expect(readdirSync(join(cwd, "d/backups"))).not.toContain(".restoring");

    // A restore by hand that leaves an old log beside the database (docs/threats.md#K13).
    const [kept = ""] = listing().filter((name) => name.startsWith("before-restore-"));
    writeFileSync(join(cwd, "d/guildhall.db-wal"), readFileSync(join(cwd, "d", kept, "guildhall.db-wal")));
    const trapped = await command("serve", "--port", "0", "--data", "d");
    expect([trapped.code, trapped.stdout]).toEqual([1, ""]);
    expect(trapped.stderr).toMatch(
      /^guildhall: d\/guildhall\.db belongs .*guildhall\.db-wal.*\. Put back the database/,
    );
  },
  LONG_MS,
);

test(
  "after a kill at any point of a restore, the next start finds the old or new community intact",
  async () => {
    const { killed, wrongs } = await killRestores(guildhall, sized(1, 20), 500);
    expect(wrongs).toEqual([]);
    expect(killed).toBeGreaterThan(0);
  },
  LONG_MS,
);
