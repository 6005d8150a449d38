// docs/threats.md#L13: bans by the log. `bun run drill fail2ban` uses the real fail2ban.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "../../src/app/log.ts";
import { createAccountOf, openSite } from "../web/support.ts";
import { FAILED, provoke } from "./provoke.ts";

const filter = readFileSync(join(import.meta.dir, "../../deploy/fail2ban/filter.d/guildhall.conf"), "utf8");
const [, failregex = ""] = /^failregex = (.+)$/m.exec(filter) ?? [];
const FAILURE = new RegExp(failregex.replace("<ADDR>", "([0-9A-Fa-f:.]+)"));
const caught = (lines: readonly string[]) => lines.flatMap((line) => FAILURE.exec(line)?.[1] ?? []);

test("the filter finds clients that failed to sign in, and no visitor's input implicates another", async () => {
  const lines: string[] = [];
  const log = createLog("debug", { to: { write: (line) => void lines.push(line) } });
  await using site = openSite({ env: { GUILDHALL_LOG_ADDRESS: "whole" }, log });
  await createAccountOf(site, "ada");
  await provoke(site.url);
  const requests = lines.filter((line) => line.includes('"msg":"request"'));
  expect(requests.length).toBeGreaterThan(25);
  // The filter also finds the failures in lines from which fail2ban has cut the time, and in lines of the
  // journal.
  expect(caught(requests.map((line) => line.replace(/"time":"[^"]+"/, "")))).toEqual([...FAILED]);
  expect(caught(requests.map((line) => `guild guildhall[1234]: ${line}`))).toEqual([...FAILED]);
});

test("the filter finds nobody when the log records networks or no addresses", async () => {
  for (const text of ["short", "off"]) {
    const lines: string[] = [];
    const log = createLog("info", { to: { write: (line) => void lines.push(line) } });
    await using site = openSite({ env: { GUILDHALL_LOG_ADDRESS: text }, log });
    await site.request("guild_pat_wrong", "/feed");
    expect([lines.length, lines[0]?.includes('"failed":"token"'), caught(lines)]).toEqual([1, true, []]);
  }
});
