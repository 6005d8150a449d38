import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../delivery/receiver.ts";
import { FAILED, provoke } from "../deploy/provoke.ts";
import type { Absent } from "./bookworm.ts";
import { emptyFolder, type Program, run, serve } from "./programs.ts";

const DEPLOY = join(import.meta.dir, "../../deploy/fail2ban");
const TOOLS = ["fail2ban-regex", "fail2ban-client", "fail2ban-server"];
const BASE = "/etc/fail2ban";

export interface Fail2banReport {
  /** Log lines of the program, and failures that the filter found in them. */
  lines: number;
  failures: number;
  banned: string[];
  wrongs: string[];
}

/**
 * Runs a real fail2ban with the files of deploy/ on the program's log. The filter finds exactly the clients
 * that failed, in a file and in the journal. The configuration is valid, and the server bans a client that
 * continues.
 */
export async function fail2banDrill(program: Program): Promise<Fail2banReport | Absent> {
  const lacks = TOOLS.filter((name) => Bun.which(name) === null);
  if (lacks.length > 0 || !existsSync(BASE))
    return { absent: `there is no ${lacks.join(", no ") || BASE} here (Debian: fail2ban)` };
  using folder = emptyFolder();
  const { path } = folder;
  const wrongs: string[] = [];
  await run(program, ["builder", "create", "ada", "--data", "d"], { cwd: path });
  await using server = await serve(program, {
    cwd: path,
    args: ["--data", "d"],
    env: {
      GUILDHALL_LOG_ADDRESS: "whole",
      GUILDHALL_LOG_LEVEL: "debug",
      GUILDHALL_TRUSTED_PROXIES: "127.0.0.1",
    },
  });
  await provoke(server.url);
  const lines = server.output().trim().split("\n");
  const file = join(path, "guildhall.log");
  const journal = join(path, "journal.log");
  writeFileSync(file, `${lines.join("\n")}\n`);
  writeFileSync(journal, lines.map((line) => `guild guildhall[1234]: ${line}\n`).join(""));
  const found = [foundIn(file), foundIn(journal, "-d", "{NONE}")];
  for (const each of found)
    if (each.join() !== FAILED.join())
      wrongs.push(`the filter finds ${each.join()}, and not ${FAILED.join()}`);
  const config = configIn(path, file);
  const checked = tool("fail2ban-client", "-c", config, "-t");
  if (!checked.includes("test is successful")) wrongs.push(checked);
  const banned = await bannedBy(config, path, async () => {
    // The tenth failure exceeds the limit of the shipped jail.
    for (let failures = 0; failures < 10; failures++) await failOnce(server.url);
    writeFileSync(file, server.output());
  });
  if (banned.join() !== "192.0.2.50") wrongs.push(`banned: ${banned.join() || "nobody"}`);
  return { lines: lines.length, failures: found[0]?.length ?? 0, banned, wrongs };
}

function failOnce(url: string): Promise<Response> {
  return fetch(`${url}/v1/feed`, {
    headers: { "x-forwarded-for": "192.0.2.50", authorization: "Bearer wrong" },
  });
}

function foundIn(file: string, ...options: readonly string[]): string[] {
  const filter = join(DEPLOY, "filter.d/guildhall.conf");
  return tool("fail2ban-regex", "-o", "ip", ...options, file, filter)
    .trim()
    .split("\n");
}

/** The machine's configuration with our jail only. The jail reads a file and only records its bans. */
function configIn(path: string, file: string): string {
  const config = join(path, "fail2ban");
  cpSync(BASE, config, { recursive: true });
  for (const name of readdirSync(join(config, "jail.d"))) rmSync(join(config, "jail.d", name));
  cpSync(DEPLOY, config, { recursive: true });
  writeFileSync(join(config, "fail2ban.local"), "[Definition]\ndbfile = :memory:\nallowipv6 = auto\n");
  writeFileSync(
    join(config, "jail.local"),
    `[guildhall]\nbackend = polling\nlogpath = ${file}\nbanaction = noted\n`,
  );
  writeFileSync(
    join(config, "action.d/noted.conf"),
    `[Definition]\nactionban = echo <ip> >> ${path}/banned\nactionunban =\n`,
  );
  return config;
}

/** Addresses that a fail2ban server with this configuration bans during `meanwhile`. */
async function bannedBy(config: string, path: string, meanwhile: () => Promise<void>): Promise<string[]> {
  const at = ["-c", config, "-s", join(path, "socket"), "-p", join(path, "pid")];
  const noted = join(path, "banned");
  tool("fail2ban-server", ...at, "--logtarget", join(path, "fail2ban.log"), "-b", "start");
  try {
    await meanwhile();
    await until(() => existsSync(noted), 20_000).catch(() => {});
    return existsSync(noted) ? readFileSync(noted, "utf8").trim().split("\n") : [];
  } finally {
    tool("fail2ban-client", ...at, "stop");
  }
}

function tool(...command: readonly string[]): string {
  const { stdout, stderr } = Bun.spawnSync([...command], { stdin: "ignore" });
  return stdout.toString() || stderr.toString();
}
