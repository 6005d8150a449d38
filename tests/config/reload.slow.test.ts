// docs/contract.md#12.16: settings that a reload applies.
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { createReloadableConfig, readConfig, applyConfig } from "../../src/config/config.ts";
import { backupHealth } from "../../src/core/services/backups/backups.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { start } from "../../src/app/server.ts";
import { type AnySetting, variableOf } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/table.ts";
import { authority, openReceiver, until } from "../delivery/receiver.ts";
import { createMember, writeEmptyCommunity } from "../support.ts";

const RELOADED = Object.values<AnySetting>(SETTINGS)
  .filter(({ isReloaded }) => isReloaded)
  .map(variableOf)
  .sort();

/** Settings that the backup process reads for each backup. */
const BY_BACKUPS = [
  "GUILDHALL_BACKUP_KEEP",
  "GUILDHALL_BACKUP_PASSPHRASE_FILE",
  "GUILDHALL_S3_ENDPOINT",
  "GUILDHALL_S3_REGION",
  "GUILDHALL_S3_ACCESS_KEY_ID",
  "GUILDHALL_S3_SECRET_ACCESS_KEY",
];

/** A server in this process, with a function that changes its settings. */
async function open(first: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-reload-"));
  writeEmptyCommunity(folder);
  const flags = { data: folder, port: "0" };
  const logged: { address?: string }[] = [];
  const log = pino({ level: "silent" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const running = start(readConfig(first, flags), log);
  return {
    ...running,
    folder,
    log,
    logged,
    change: (variables: Record<string, string>) => running.reload(readConfig(variables, flags)),
    ask: (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
      fetch(`${running.url}${path}`, { ...init, headers }),
    async [Symbol.asyncDispose]() {
      await running.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

test("a reload applies its settings from the next request on, keeps all others, and names them", async () => {
  await using server = await open({ GUILDHALL_LOG_LEVEL: "silent" });
  const { ask, change, core } = server;
  const { token } = createMember(core, "ada");
  const { token: slow } = createMember(core, "bob", undefined, "personal");
  const document = "{ viewer { builder { username } } }";
  const hash = createHash("sha256").update(document).digest("hex");
  const documents = join(server.folder, "documents.json");
  writeFileSync(documents, JSON.stringify({ [hash]: document }));
  const byHash = async () => {
    const body = JSON.stringify({ documentId: `sha256:${hash}`, extensions: {} });
    const answer = await ask(
      "/graphql",
      { authorization: `Bearer ${token}`, "content-type": "application/json" },
      {
        method: "POST",
        body: JSON.stringify({
          ...JSON.parse(body),
          extensions: { persistedQuery: { version: 1, sha256Hash: hash } },
        }),
      },
    );
    return (await answer.json()).data?.viewer?.builder?.username;
  };
  const found = async () => {
    const [page, cors, metrics, graph] = await Promise.all([
      ask("/sign-in").then((answer) => answer.text()),
      ask("/v1/feed", { origin: "https://app.example", authorization: `Bearer ${token}` }),
      ask("/metrics", { authorization: "Bearer opened" }),
      ask(
        "/graphql",
        { authorization: `Bearer ${slow}`, "content-type": "application/json" },
        {
          method: "POST",
          body: JSON.stringify({
            query: "{ __schema { types { name description fields { name description } } } }",
          }),
        },
      ),
    ]);
    // Each client behind a proxy has its own rate limit.
    const proxied = await ask("/", { "x-forwarded-for": "203.0.113.9" });
    const again = await ask("/", { "x-forwarded-for": "203.0.113.10" });
    return {
      GUILDHALL_NAME: /<title>(?:.*· )?([^<]*)<\/title>/.exec(page)?.[1],
      GUILDHALL_SIGNUP: core.policy.signup,
      GUILDHALL_CORS_ORIGINS: cors.headers.get("access-control-allow-origin"),
      GUILDHALL_METRICS_TOKEN: metrics.status,
      GUILDHALL_RATE_ENTERPRISE: cors.headers.get("x-ratelimit-limit"),
      GUILDHALL_GRAPHQL_ANSWER_MAX: (await graph.text()).length > 64_000,
      GUILDHALL_TRUSTED_PROXIES:
        proxied.headers.get("x-ratelimit-remaining") === again.headers.get("x-ratelimit-remaining"),
      GUILDHALL_GRAPHQL_DOCUMENTS: await byHash(),
      GUILDHALL_LOG_LEVEL: server.log.level,
      GUILDHALL_BACKUP: backupHealth(core, OPERATOR) !== undefined,
      GUILDHALL_BACKUP_EVERY: backupHealth(core, OPERATOR)?.everyMs,
      GUILDHALL_RETENTION_AUDIT: core.policy.retentionAuditMs,
      GUILDHALL_RETENTION_NOTIFICATIONS: core.policy.retentionNotificationsMs,
      GUILDHALL_RETENTION_SESSIONS: core.policy.retentionSessionsMs,
      GUILDHALL_QUOTA_POSTS: core.policy.quotaPosts,
      GUILDHALL_QUOTA_ENDPOINTS: core.policy.quotaEndpoints,
      GUILDHALL_QUOTA_FILTERS: core.policy.quotaFilters,
      GUILDHALL_QUOTA_MEDIA: core.policy.quotaMedia,
      GUILDHALL_MEDIA_MAX: core.policy.mediaMax,
      GUILDHALL_LOG_ADDRESS: server.logged.splice(0).at(-1)?.address,
    };
  };
  const before = {
    GUILDHALL_NAME: "Guildhall",
    GUILDHALL_SIGNUP: "invite",
    GUILDHALL_CORS_ORIGINS: null,
    GUILDHALL_METRICS_TOKEN: 200,
    GUILDHALL_RATE_ENTERPRISE: "120000",
    GUILDHALL_GRAPHQL_ANSWER_MAX: true,
    GUILDHALL_TRUSTED_PROXIES: false,
    GUILDHALL_GRAPHQL_DOCUMENTS: undefined,
    GUILDHALL_LOG_LEVEL: "silent",
    GUILDHALL_LOG_ADDRESS: undefined,
    GUILDHALL_BACKUP: false,
    GUILDHALL_BACKUP_EVERY: undefined,
    GUILDHALL_RETENTION_AUDIT: 365 * DAY,
    GUILDHALL_RETENTION_NOTIFICATIONS: 90 * DAY,
    GUILDHALL_RETENTION_SESSIONS: 30 * DAY,
    GUILDHALL_QUOTA_POSTS: undefined,
    GUILDHALL_QUOTA_ENDPOINTS: undefined,
    GUILDHALL_QUOTA_FILTERS: undefined,
    GUILDHALL_QUOTA_MEDIA: undefined,
    GUILDHALL_MEDIA_MAX: 5e9,
  } as const;
  expect(await found()).toEqual({ ...before });
  const given = {
    GUILDHALL_NAME: "The Beekeepers",
    GUILDHALL_SIGNUP: "closed",
    GUILDHALL_CORS_ORIGINS: "https://app.example",
    GUILDHALL_METRICS_TOKEN: "another",
    GUILDHALL_RATE_ENTERPRISE: "60000/90000",
    GUILDHALL_GRAPHQL_ANSWER_MAX: "64kB",
    GUILDHALL_TRUSTED_PROXIES: "127.0.0.0/8",
    GUILDHALL_GRAPHQL_DOCUMENTS: documents,
    GUILDHALL_LOG_LEVEL: "info",
    GUILDHALL_LOG_ADDRESS: "whole",
    GUILDHALL_BACKUP: server.folder,
    GUILDHALL_BACKUP_EVERY: "2d",
    GUILDHALL_RETENTION_AUDIT: "90d",
    GUILDHALL_RETENTION_NOTIFICATIONS: "7d",
    GUILDHALL_RETENTION_SESSIONS: "7d",
    GUILDHALL_QUOTA_POSTS: "7",
    GUILDHALL_QUOTA_ENDPOINTS: "8",
    GUILDHALL_QUOTA_FILTERS: "9",
    GUILDHALL_QUOTA_MEDIA: "64MB",
    GUILDHALL_MEDIA_MAX: "1GB",
  };
  const fixed = { GUILDHALL_ORIGIN: "https://guild.example", GUILDHALL_GRAPHQL_INTROSPECTION: "off" };
  const reloaded = change({ ...given, ...fixed });
  expect({ taken: [...reloaded.applied].sort(), waiting: reloaded.waiting }).toEqual({
    taken: Object.keys(given).sort(),
    waiting: Object.keys(fixed),
  });
  expect(await found()).toEqual({
    GUILDHALL_NAME: "The Beekeepers",
    GUILDHALL_SIGNUP: "closed",
    GUILDHALL_CORS_ORIGINS: "https://app.example",
    GUILDHALL_METRICS_TOKEN: 404,
    GUILDHALL_RATE_ENTERPRISE: "90000",
    GUILDHALL_GRAPHQL_ANSWER_MAX: false,
    GUILDHALL_TRUSTED_PROXIES: true,
    GUILDHALL_GRAPHQL_DOCUMENTS: "ada",
    GUILDHALL_LOG_LEVEL: "info",
    GUILDHALL_LOG_ADDRESS: "127.0.0.1",
    GUILDHALL_BACKUP: true,
    GUILDHALL_BACKUP_EVERY: 2 * DAY,
    GUILDHALL_RETENTION_AUDIT: 90 * DAY,
    GUILDHALL_RETENTION_NOTIFICATIONS: 7 * DAY,
    GUILDHALL_RETENTION_SESSIONS: 7 * DAY,
    GUILDHALL_QUOTA_POSTS: 7,
    GUILDHALL_QUOTA_ENDPOINTS: 8,
    GUILDHALL_QUOTA_FILTERS: 9,
    GUILDHALL_QUOTA_MEDIA: 64e6,
    GUILDHALL_MEDIA_MAX: 1e9,
  });
  // A change that waits for a restart is reported until it is reverted. An applied change is reported once.
  expect(change({ ...given, ...fixed })).toEqual({ applied: [], waiting: Object.keys(fixed) });
  expect(change(given)).toEqual({ applied: [], waiting: [] });
  change({ GUILDHALL_LOG_LEVEL: "silent" });
  expect(await found()).toEqual({ ...before });
  tried.push(...Object.keys(given));
});

test("a reload applies to deliveries: allowed targets, trusted certificates and retries", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "guildhall-ca-")), "ca.pem");
  writeFileSync(file, (await authority()).pem);
  await using receiver = await openReceiver([500, 204]);
  await using server = await open({ GUILDHALL_LOG_LEVEL: "silent", GUILDHALL_RETRY_DELAYS: "0s,1h" });
  const { token } = createMember(server.core, "ada");
  const register = () =>
    server.ask(
      "/v1/webhooks",
      { authorization: `Bearer ${token}`, "content-type": "application/json" },
      {
        method: "POST",
        body: JSON.stringify({ url: `https://127.0.0.1:${receiver.port}/`, events: ["post.created"] }),
      },
    );
  expect((await register()).status).toBe(422);
  const given = {
    GUILDHALL_WEBHOOK_ALLOW: "127.0.0.1",
    GUILDHALL_WEBHOOK_CA: file,
    GUILDHALL_RETRY_DELAYS: "0s,0s",
  };
  const reloaded = server.change({ GUILDHALL_LOG_LEVEL: "silent", GUILDHALL_RETENTION: "7d", ...given });
  expect([...reloaded.applied].sort()).toEqual([...Object.keys(given), "GUILDHALL_RETENTION"].sort());
  expect((await register()).status).toBe(201);
  await server.ask(
    "/v1/feed",
    { authorization: `Bearer ${token}`, "content-type": "application/json" },
    { method: "POST", body: JSON.stringify({ text: "hello" }) },
  );
  await until(() => receiver.received.length === 2);
  tried.push(...reloaded.applied);
});

const tried: string[] = [];

test("every reloadable setting has a test here", () => {
  expect([...tried, ...BY_BACKUPS].sort()).toEqual(RELOADED);
});

test("a missing settings file is refused and changes no setting", () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-reload-"));
  writeEmptyCommunity(folder);
  const standard = join(folder, "settings.toml");
  const read = () => readConfig({}, {}, standard);
  writeFileSync(standard, `data = "${folder}"\nmetrics_token = "opened"\n`);
  const held = createReloadableConfig(read());
  rmSync(standard);
  expect(() => applyConfig(held, read())).toThrow(`${standard} is gone`);
  expect([held.metricsToken, held.data, held.settingsFile?.path]).toEqual(["opened", folder, standard]);
  writeFileSync(standard, `data = "${folder}"\n`);
  expect(applyConfig(held, read()).applied).toEqual(["GUILDHALL_METRICS_TOKEN"]);
  rmSync(folder, { recursive: true });
});

test("a reload does not change the configuration object that it began with", () => {
  const read = readConfig({ GUILDHALL_NAME: "A" });
  const held = createReloadableConfig(read);
  applyConfig(held, readConfig({ GUILDHALL_NAME: "B", GUILDHALL_PORT: "1" }));
  expect([held.name, held.port, read.name]).toEqual(["B", 8787, "A"]);
});
