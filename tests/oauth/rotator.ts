/**
 * Refreshes one token after another in the given data folder. Prints each new token to stdout as soon as it
 * arrives, like a client's journal. The parent process kills this process.
 */
import { readConfig } from "../../src/config/config.ts";
import { createFolderCore, openDataFolder } from "../../src/app/data-folder.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import { createHandler } from "../../src/http/preflight.ts";
import { createLog } from "../../src/app/log.ts";
import { transportsOf } from "../../src/app/transports.ts";

const [folder = "", authorization = "", first = ""] = process.argv.slice(2);
const config = readConfig({ GUILDHALL_LOG_LEVEL: "fatal" }, { data: folder });
const core = createFolderCore(
  openDataFolder(config, { busyMs: 0, mayCreate: false }),
  config,
  "http://localhost:1",
);
const metrics = createMetrics();
const handle = createHandler(
  core,
  transportsOf(core, config, metrics, "test", { refresh: async () => [], newest: () => [] }).transports,
  config,
  createLog("fatal"),
  metrics,
);

let token = first;
for (let n = 0; ; n++) {
  const answer = await handle(
    new Request("http://localhost:1/v1/oauth/token", {
      method: "POST",
      headers: { host: "localhost:1", authorization, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: token }).toString(),
    }),
    // Each request has its own network address, so that rate limits do not apply.
    () => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
  );
  const body = (await answer.json()) as { refresh_token?: string };
  if (!body.refresh_token) throw new Error(JSON.stringify(body));
  token = body.refresh_token;
  process.stdout.write(`${token}\n`);
}
