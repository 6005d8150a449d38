import { expect, test } from "bun:test";
import { existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../delivery/receiver.ts";
import { emptyFolder, environment, guildhall } from "./programs.ts";

test.skipIf(!existsSync("/dev/full"))(
  "docs/contract.md#12.15: a server whose log disk is full serves requests and stops normally",
  async () => {
    using folder = emptyFolder();
    const server = Bun.spawn([...guildhall.command, "serve", "--port", "0", "--data", "d"], {
      cwd: folder.path,
      env: environment({ GUILDHALL_LOG_LEVEL: "debug" }),
      stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
    });
    const address = join(folder.path, "d/guildhall.address");
    await until(() => server.exitCode !== null || existsSync(address));
    const url = readFileSync(address, "utf8").trim();
    for (let requestCount = 0; requestCount < 20; requestCount++)
      expect((await fetch(`${url}/v1/feed`)).status).toBe(401);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    server.kill("SIGTERM");
    expect([await server.exited, await new Response(server.stderr).text()]).toEqual([0, ""]);
  },
);
