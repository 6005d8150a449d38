import { expect, test } from "bun:test";
import type { Db } from "../../src/core/base/db/open.ts";
import { listConnectedApps, revokeGrant } from "../../src/core/delegation/grants/grants.ts";
import { openTestServer } from "../support.ts";
import { basic, connect, post, refresh, isTokenAccepted } from "./app-client.ts";
import { makeApp, createSignedInMember, openBrowser } from "./browser.ts";

test("no statement of an authorization scans a whole table or sorts its result", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const core = server.core as { db: Db };
  const whole = core.db;
  const seen = new Set<string>();
  core.db = { ...whole, prepare: ((sql: string) => (seen.add(sql), whole.prepare(sql))) as Db["prepare"] };
  const tokens = await connect(server, openBrowser(server, ada), app, "openid feed:read");
  await isTokenAccepted(server, tokens.access);
  await refresh(server, app, tokens.refresh);
  await post(server, "introspect", { token: tokens.access }, basic(app));
  await post(server, "revoke", { token: tokens.access }, basic(app));
  const [connected] = listConnectedApps(server.core, ada.caller);
  revokeGrant(server.core, ada.caller, connected?.id ?? "");
  await isTokenAccepted(server, tokens.access);
  core.db = whole;
  const statements = [...seen].filter((sql) => /^\s*(?:SELECT|UPDATE|DELETE)/.test(sql));
  expect(statements.length).toBeGreaterThan(15);
  const offences = statements
    // Scans of this table are allowed, because at most three signing keys exist.
    .filter((sql) => !sql.includes("FROM signing_keys"))
    .flatMap((sql) =>
      whole
        .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...Array.from({ length: (sql.match(/\?/g) ?? []).length }, () => "1"))
        .map(({ detail }) => detail)
        // Sorting is allowed for a builder's few workspaces and an endpoint's few event types.
        .filter((step) => /^SCAN|TEMP B-TREE/.test(step) && !sql.includes("m.role"))
        .filter((step) => !step.startsWith("USE TEMP B-TREE FOR json_group_array"))
        .map((step) => `${step}: ${sql}`),
    );
  expect(offences).toEqual([]);
});
