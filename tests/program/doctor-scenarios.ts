import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Checkup } from "../../src/core/services/checkup/checkup.ts";
import { emptyFolder, type Finished, type Program, run, serve } from "./programs.ts";

/** `guildhall doctor` (docs/contract.md#12.11). */
export function doctorScenarios(getProgram: () => Program): void {
  const doctor = (cwd: string, args: string[], env: Record<string, string> = {}) =>
    run(getProgram(), ["doctor", "--data", "d", ...args], { cwd, env });

  function severityOf({ stdout }: Finished, check: string): string | undefined {
    const { checked } = JSON.parse(stdout) as Checkup;
    return checked.find((each) => each.check === check)?.severity;
  }

  test("doctor works with and without a server, reports leftovers of a kill, and changes nothing without --fix", async () => {
    using folder = emptyFolder();
    const address = join(folder.path, "d/guildhall.address");
    {
      await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
      const beside = await doctor(folder.path, ["--json"]);
      expect(beside).toMatchObject({ code: 0, stderr: "" });
      for (const check of ["server", "schema", "key", "quick_check", "full_text", "xp", "rights"])
        expect({ check, severity: severityOf(beside, check) }).toEqual({ check, severity: "ok" });
      server.signal("SIGKILL");
      await server.exited;
    }
    const log = readFileSync(join(folder.path, "d/guildhall.db-wal"));
    const after = await doctor(folder.path, []);
    expect(after).toMatchObject({ code: 0, stderr: "" });
    expect(after.stdout).toMatch(
      /^Warnings\n {2}backup: .*\n {4}→ .*\n\nNotes\n(.*\n)* {2}address: .*killed\.\n/,
    );
    expect(existsSync(address)).toBe(true);
    expect(readFileSync(join(folder.path, "d/guildhall.db-wal")).equals(log)).toBe(true);
    expect((await doctor(folder.path, ["--fix"])).stdout).toContain("Deleted guildhall.address");
    expect(existsSync(address)).toBe(false);
  });

  test("prints severe findings as JSON on stdout and exits with code 1", async () => {
    using folder = emptyFolder();
    const severe = async (check: string, env: Record<string, string> = {}) => {
      const found = await doctor(folder.path, ["--json"], env);
      expect(found).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^guildhall: \d+ severe findings?\.\n$/),
      });
      expect({ check, severity: severityOf(found, check) }).toEqual({ check, severity: "severe" });
    };
    await severe("folder");
    await severe("settings", { GUILDHALL_PORT: "many" });
    await run(getProgram(), ["builder", "create", "ada", "--data", "d"], { cwd: folder.path });
    const key = join(folder.path, "d/guildhall.key");
    // Only faults that user nobody can cause: the binary runs as this user, which owns the folder.
    chmodSync(join(folder.path, "d"), 0o755);
    chmodSync(key, 0o644);
    await severe("key_rights");
    expect(await doctor(folder.path, ["--fix"])).toMatchObject({ code: 0 });
    expect(statSync(key).mode & 0o777).toBe(0o640);
    const file = join(folder.path, "d/guildhall.db");
    writeFileSync(file, readFileSync(file).fill(0xff, 0, 4096));
    await severe("database");
  });
}
