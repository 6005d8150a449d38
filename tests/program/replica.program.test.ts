// docs/contract.md#12.32: the replica, by command line.
import { expect, test } from "bun:test";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder, guildhall, run, serve } from "./programs.ts";

const HOUR_S = 3600;

test("commands run with GUILDHALL_REPLICA, and a server reports the replica's age from its start", async () => {
  using folder = emptyFolder();
  const cwd = folder.path;
  const replica = join(cwd, "replica");
  const env = { GUILDHALL_REPLICA: `file://${replica}` };
  const created = await run(guildhall, ["builder", "create", "ada", "--data", "d"], { cwd, env });
  expect([created.code, created.stderr]).toEqual([0, ""]);
  const level = join(replica, "ltx/0");
  mkdirSync(level, { recursive: true });
  const file = join(level, "0000000000000001-0000000000000001.ltx");
  writeFileSync(file, "");
  const hourAgo = Date.now() / 1000 - HOUR_S;
  utimesSync(file, hourAgo, hourAgo);

  await using server = await serve(guildhall, { cwd, args: ["--data", "d"], env });

  let seconds: number | undefined;
  while (seconds === undefined) {
    const page = await (await fetch(`${server.url}/metrics`)).text();
    const [, found] = /^guildhall_replica_age_seconds (.*)$/m.exec(page) ?? [];
    seconds = found === undefined ? undefined : Number(found);
  }
  expect(seconds).toBeWithin(HOUR_S, HOUR_S + 60);
});
