import { expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { putFile } from "../../src/cli/setup/write.ts";
import { ATTEMPT_MS } from "../../src/core/outbox/deliveries/deliveries.ts";
import { STOP_WITHIN_MS } from "../../src/app/server.ts";

const DEPLOY = join(import.meta.dir, "../../deploy");
const UNIT = join(DEPLOY, "guildhall.service");
const unit = readFileSync(UNIT, "utf8");
/** The last value of each directive. Skips comments. */
const values = new Map(
  [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
);
const analyze = Bun.which("systemd-analyze");

/** How long a write waits for another program that locks the database (docs/operating.md). */
const WRITE_MS = 5000;

test("setup keeps an identical unit file, and replaces another only if asked", () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-unit-"));
  try {
    const file = join(folder, "guildhall.conf");
    const now = () => readFileSync(file, "utf8");
    putFile(file, "ours", false);
    putFile(file, "ours", false)();
    expect(now()).toBe("ours");
    expect(() => putFile(file, "newer", false)).toThrow(/conf already exists\. Overwrite it with --replace/);
    const takeBack = putFile(file, "newer", true);
    expect(now()).toBe("newer");
    takeBack();
    expect(now()).toBe("ours");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the unit allows a stop its full time, and restarts after a crash but not after a wrong setting", () => {
  // Time for requests, delivery attempts and four writes: settled attempts, token uses, sessions and the log.
  expect(Number(values.get("TimeoutStopSec")) * 1000).toBeGreaterThanOrEqual(
    STOP_WITHIN_MS + ATTEMPT_MS + 4 * WRITE_MS,
  );
  expect(Object.fromEntries(values)).toMatchObject({
    Type: "exec",
    Restart: "always",
    RestartPreventExitStatus: "2",
    StartLimitIntervalSec: "0",
    Wants: "network-online.target",
    After: "network-online.target",
    WantedBy: "multi-user.target",
    User: "guildhall",
    CapabilityBoundingSet: "CAP_NET_BIND_SERVICE",
    AmbientCapabilities: "CAP_NET_BIND_SERVICE",
  });
});

test("a reload sends SIGHUP to the server on a machine with only a shell", async () => {
  const [, script = ""] = /^\/bin\/sh -c '([^']+)'$/.exec(values.get("ExecReload") ?? "") ?? [];
  expect(script).not.toBe("");
  const server = Bun.spawn(["/bin/sh", "-c", "trap 'exit 42' HUP; echo ready; while :; do :; done"], {
    stdout: "pipe",
  });
  for await (const _ready of server.stdout) break;

  // Without a PATH, only the shell's built-in commands work.
  const reload = Bun.spawn(["/bin/sh", "-c", script], { env: { PATH: "/none", MAINPID: `${server.pid}` } });

  try {
    expect(await reload.exited).toBe(0);
    expect(await server.exited).toBe(42);
  } finally {
    server.kill("SIGKILL");
  }
});

test("systemd-analyze finds no fault in the unit, and an exposure of at most 2.0", () => {
  if (!analyze) return console.log("systemd-analyze is not here: the unit was not scored");
  const folder = mkdtempSync(join(tmpdir(), "guildhall-unit-"));
  try {
    cpSync(UNIT, join(folder, "guildhall.service"));
    const score = Bun.spawnSync([analyze, "security", "--offline=true", "--no-pager", UNIT]);
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(score.stdout.toString()) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(2);
    // The check also requires the program, which is not installed here.
    writeFileSync(join(folder, "guildhall.service"), unit.replace("/usr/bin/guildhall", process.execPath));
    const verified = Bun.spawnSync([analyze, "verify", join(folder, "guildhall.service")]);
    expect([verified.exitCode, verified.stderr.toString()]).toEqual([0, ""]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the units of a follower's engine and a leader's replica are valid, and start programs of the package", () => {
  if (!analyze) return console.log("systemd-analyze is not here: the units were not looked through");
  const folder = mkdtempSync(join(tmpdir(), "guildhall-unit-"));
  try {
    for (const name of ["guildhall-follow-engine.service", "guildhall-replicate.service"]) {
      const text = readFileSync(join(DEPLOY, name), "utf8");
      const [, program = ""] = /^ExecStart=(\S+)/m.exec(text) ?? [];
      const file = join(folder, name);
      const isOfTheSystem = program === "/usr/bin/env";
      expect(isOfTheSystem || program === "/usr/share/guildhall/follow.sh").toBe(true);
      writeFileSync(file, isOfTheSystem ? text : text.replace(program, process.execPath));
      const verified = Bun.spawnSync([analyze, "verify", file]);
      expect([name, verified.exitCode, verified.stderr.toString()]).toEqual([name, 0, ""]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
