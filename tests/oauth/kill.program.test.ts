import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { registerApp } from "../../src/core/delegation/apps/apps.ts";
import type { Core } from "../../src/core/base/core.ts";
import { insertGrant } from "../../src/core/delegation/grants/grants-store.ts";
import { commitChanges } from "../../src/core/delegation/oauth/records.ts";
import { readConfig } from "../../src/config/config.ts";
import { createFolderCore, openDataFolder } from "../../src/app/data-folder.ts";
import { sized } from "../drill.ts";
import { LONG_MS } from "../program/programs.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";

const KILLS = sized(6, 40);

test(
  "a kill during a rotation leaves either the old refresh token or the new one valid, never both",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "guildhall-kill-"));
    try {
      let { token, authorization } = withCore(folder, begin);
      let rotations = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const child = Bun.spawn(
          [process.execPath, join(import.meta.dir, "rotator.ts"), folder, authorization, token],
          {
            stdout: "pipe",
            stderr: "pipe",
          },
        );
        const journal: string[] = [];
        const { promise: isUnderWay, resolve } = Promise.withResolvers<void>();
        const reading = (async () => {
          let text = "";
          for await (const chunk of child.stdout) {
            text += Buffer.from(chunk).toString();
            const lines = text.split("\n");
            text = lines.pop() ?? "";
            journal.push(...lines);
            resolve();
          }
          resolve();
        })();
        await isUnderWay;
        await Bun.sleep(Math.random() * 60);
        child.kill("SIGKILL");
        await child.exited;
        await reading;
        const output = await new Response(child.stderr).text();
        // The client's last known token still works. Either the token is current, or the server still stores
        // the token that replaced it.
        expect([kill, journal.length > 0, output.includes("invalid_grant")]).toEqual([kill, true, false]);
        rotations += journal.length;
        token = journal.at(-1) ?? token;
        expect(withCore(folder, liveTokens)).toBe(1);
      }
      expect(rotations).toBeGreaterThan(KILLS);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  LONG_MS,
);

function withCore<Result>(folder: string, work: (core: Core) => Result): Result {
  const config = readConfig({}, { data: folder });
  const dataFolder = openDataFolder(config, { busyMs: 1000, mayCreate: true });
  try {
    return work(createFolderCore(dataFolder, config, "http://localhost:1"));
  } finally {
    dataFolder.db.close();
  }
}

/** Creates a connected app with one refresh token, as a code exchange does. */
function begin(core: Core): { token: string; authorization: string } {
  const builderId = createBuilder(core, OPERATOR, { username: "ada", name: "Ada", role: "member" });
  const workspaceId =
    core.db.prepare<{ id: string }>("SELECT id FROM workspaces WHERE owner_id = ?").get(builderId)?.id ?? "";
  const { app, secret } = registerApp(core, OPERATOR, workspaceId, {
    name: "Rotator",
    kind: "confidential",
    redirectUris: ["https://app.example/cb"],
    scopes: ["feed:read"],
  });
  const createdAt = core.clock.now();
  const id = core.makeId("grant", createdAt);
  insertGrant(core, { id, builderId, appId: app.id, workspaceId, scopes: "feed:read", createdAt });
  const grant = { id, family: "family" };
  const payload = {
    kind: "RefreshToken",
    jti: "the first token",
    iat: Math.floor(createdAt / 1000),
    accountId: builderId,
    clientId: app.id,
    grantId: `${id}.family`,
    gty: "authorization_code",
    resource: "http://localhost:1/v1",
    scope: "feed:read",
  };
  const expiresAt = createdAt + 3_600_000;
  commitChanges(core, [{ kind: "put", model: "RefreshToken", id: payload.jti, payload, expiresAt, grant }]);
  return { token: payload.jti, authorization: `Basic ${btoa(`${app.id}:${secret}`)}` };
}

function liveTokens(core: Core): number {
  return (
    core.db
      .prepare<{ n: number }>(
        "SELECT count(*) AS n FROM oauth_records WHERE model = 'RefreshToken' AND consumed_at IS NULL",
      )
      .get()?.n ?? 0
  );
}
