// docs/contract.md#12.9: the operator's key, within one process.
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { check, type ColumnResult, reseal, SEALED } from "../../src/core/services/sealing/sealing.ts";
import { commitChanges, findRecord } from "../../src/core/delegation/oauth/records.ts";
import { openSigningKeys } from "../../src/core/delegation/oauth/keys.ts";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { getSetting } from "../../src/core/base/db/settings.ts";
import { storedAnswer, runOnce } from "../../src/core/base/idempotency/idempotency.ts";
import { createKeyring, forgetFormerKey, markKey, rotateKey } from "../../src/core/base/keyring/keyring.ts";
import { createSecrets, keyFingerprint } from "../../src/core/base/sealed-secrets.ts";
import { makeDevice, readDevice } from "../../src/core/identity/accounts/devices.ts";
import { livingSecrets } from "../../src/core/outbox/webhooks/secrets.ts";
import { getFeedAddress, renewFeedAddress } from "../../src/core/identity/feed-address/feed-address.ts";
import { queueMail } from "../../src/core/identity/mail/queue.ts";
import { mailsDue } from "../due-messages.ts";
import { openPushKeys, pushKey } from "../../src/core/outbox/push/push.ts";
import { checkUrl, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { seededBytes } from "../../src/demo/seeded-bytes.ts";
import { createTestWorld, createMember, signedInNow, type TestWorld } from "../support.ts";

const LIVES = {
  "known-devices": 365 * DAY,
  "oauth-cookies": HOUR,
  "mail-unsubscribe": DAY,
  "invited-address": DAY,
  cluster: DAY,
};
const random = seededBytes(9);
const [FIRST, SECOND, THIRD] = [random.bytes(32), random.bytes(32), random.bytes(32)];

/** Binary columns without secrets. */
const NOT_SEALED: Readonly<Record<string, string>> = {
  "tokens.hash": "a hash",
  "sessions.hash": "a hash",
  "links.hash": "a hash",
  "not_me_links.hash": "a hash",
  "appeal_sessions.hash": "a hash",
  "newcomer_texts.digest": "a hash of a text that everyone may read",
  "stranger_reports.mark": "a mark of an address, made with the key",
  "applications.seat": "a hash",
  "applications.mail_hash": "a hash",
  "apps.secret_hash": "a hash",
  "apps.previous_hash": "a hash",
  "oauth_records.id_hash": "a hash",
  "oauth_records.user_code_hash": "a hash",
  "idempotency_keys.fingerprint": "a hash",
  "passkeys.public_key": "anybody may know it",
  "mail_marks.mark": "a mark of an address, made with the key and good for a day",
  "mails.mark": "the same mark, while the mail waits",
  "push_keys.public_key": "anybody may know it",
  "feed_addresses.hash": "a hash",
  "mail_addresses.pending_hash": "a hash",
  "push_subscriptions.p256dh": "a public key",
  "push_subscriptions.auth": "of no use without the key that signs, which is sealed",
  "lineage.line": "whose log lies beside the file",
};

test("every BLOB column is listed as sealed, or has a reason not to be", () => {
  using world = createTestWorld();
  const columns = world.core.db
    .prepare<{ name: string }>(
      `SELECT t.name || '.' || c.name AS name FROM pragma_table_list t, pragma_table_info(t.name) c
       WHERE t.schema = 'main' AND t.type = 'table' AND c.type = 'BLOB' AND t.name NOT LIKE 'sqlite_%'`,
    )
    .all()
    .map(({ name }) => name);
  expect(columns.sort()).toEqual([...Object.keys(SEALED), ...Object.keys(NOT_SEALED)].sort());
});

test("lists every source file that seals a value, so that a new one needs an entry", async () => {
  const locations: string[] = [];
  for (const path of new Glob("src/**/*.{ts,tsx}").scanSync("."))
    for (const [, purpose = ""] of (await Bun.file(path).text()).matchAll(/secrets\.seal\(\s*"([\w-]+)"/g))
      locations.push(`${path} ${purpose}`);
  expect(locations.sort()).toEqual([
    "src/core/base/idempotency/idempotency.ts idempotent-answer",
    // The check value in settings, which is re-encrypted first, and derived keys.
    "src/core/base/keyring/keyring.ts former-key",
    "src/core/base/keyring/keyring.ts key-check",
    "src/core/delegation/oauth/keys.ts signing-key",
    // The payload, and the token of a consumed record's successor.
    "src/core/delegation/oauth/records.ts oauth-record",
    "src/core/delegation/oauth/records.ts oauth-record",
    "src/core/identity/feed-address/feed-address.ts feed-address",
    "src/core/identity/mail/queue.ts mail-token",
    "src/core/outbox/push/push.ts push-key",
    "src/core/outbox/webhooks/secrets.ts webhook-secret",
  ]);
});

/** A core with the keys `files`. The first one is the operator's. */
function withKeys(world: TestWorld, files: Uint8Array[]): Core {
  const ring = createKeyring(world.core.db, () => files, world.clock.now);
  const core = { ...world.core, secrets: createSecrets(ring, seededBytes(10)) };
  markKey(core.db, core.secrets);
  return core;
}

const REQUEST = { builderId: "b", workspaceId: "w", route: "POST /feed", key: "k", body: "{}" };

/** Writes a value to each sealed column. */
async function live(core: Core): Promise<{ builderId: string; endpointId: string; mark: string }> {
  const { caller } = createMember(core, "ada");
  const { builderId = "", workspaceId = "" } = caller as { builderId?: string; workspaceId?: string };
  const request = { ...REQUEST, builderId, workspaceId };
  core.db.transact(() => runOnce(core, request, () => "the answer"));
  const url = await checkUrl(core, caller, "https://hooks.example.com/");
  const { id } = registerEndpoint(core, caller, { url, events: ["post.created"] });
  await openSigningKeys(core);
  await pushKey(core);
  renewFeedAddress(core, signedInNow(core, caller));
  core.db.transact(() => queueMail(core, { kind: "recovery", builderId, token: "the token" }));
  const expiresAt = core.clock.now() + HOUR;
  commitChanges(core, [
    { kind: "put", model: "RefreshToken", id: "first", payload: { jti: "first" }, expiresAt },
    { kind: "put", model: "RefreshToken", id: "next", payload: { jti: "next" }, expiresAt },
    { kind: "consume", model: "RefreshToken", id: "first", successor: "next" },
  ]);
  return { builderId, endpointId: id, mark: makeDevice(core, builderId) };
}

const lastOf = (looks: Iterable<ColumnResult>): Record<string, ColumnResult> =>
  Object.fromEntries([...looks].map((looked) => [looked.column, looked]));

function turn(core: Core, to: Uint8Array, lives: typeof LIVES | "none" = LIVES): void {
  core.db.transact(() =>
    rotateKey(
      core.db,
      core.secrets,
      keyFingerprint(to),
      core.clock.now(),
      lives === "none" ? undefined : lives,
    ),
  );
}

test("after a rotation the new key alone opens everything, and old signatures remain valid", async () => {
  using world = createTestWorld();
  const files = [FIRST];
  const core = withKeys(world, files);
  const { builderId, endpointId, mark } = await live(core);
  const secrets = livingSecrets(core, [endpointId]).get(endpointId);
  const [cookieKey] = core.secrets.derivedKeys("oauth-cookies");
  const state = () => {
    const stored = findRecord(core, "RefreshToken", "first");
    return [
      livingSecrets(core, [endpointId]).get(endpointId),
      stored?.payload,
      stored?.successor,
      storedAnswer(core, { ...REQUEST, builderId, workspaceId: workspaceOf(core) }),
      readDevice(core, builderId, mark) !== undefined,
      core.secrets.derivedKeys("oauth-cookies").includes(cookieKey),
      openPushKeys(core)?.privateKey.toString("hex"),
      mailsDue(core, "urgent")[0]?.token,
      getFeedAddress(core, signedInNow(core, { builderId }))?.url.slice(0, 36),
    ];
  };
  const before = state();
  const pushed = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(before).toEqual([
    secrets,
    { jti: "first" },
    "next",
    "the answer",
    true,
    true,
    pushed,
    "the token",
    "https://guild.test/feeds/guild_feed_",
  ]);

  // During a rotation both keys decrypt, and the new key encrypts.
  files.push(SECOND);
  turn(core, SECOND);
  expect(core.secrets.fingerprint()).toBe(keyFingerprint(SECOND));
  expect(state()).toEqual(before);
  const changed = lastOf(reseal(core));
  expect(Object.keys(changed)).toEqual(Object.keys(SEALED));
  for (const { column, count, lost } of Object.values(changed))
    expect([column, count > 0, lost]).toEqual([column, true, 0]);
  expect(Object.values(lastOf(reseal(core))).every((looked) => looked.changed === 0)).toBe(true);
  core.db.transact(() => forgetFormerKey(core.db));
  expect(getSetting(core, "keys")).toBe(keyFingerprint(SECOND));

  // Continues as another process that never had the old key.
  Object.assign(core, { secrets: withKeys(world, [SECOND]).secrets });
  expect(state()).toEqual(before);
  expect(Object.values(lastOf(check(core, true))).every(({ count, lost }) => count > 0 && lost === 0)).toBe(
    true,
  );

  // A second rotation re-encrypts the derived keys of the first rotation. Each derived key keeps its own
  // expiry.
  Object.assign(core, { secrets: withKeys(world, [SECOND, THIRD]).secrets });
  turn(core, THIRD);
  for (const looked of reseal(core)) expect(looked.lost).toBe(0);
  Object.assign(core, { secrets: withKeys(world, [THIRD]).secrets });
  core.db.transact(() => forgetFormerKey(core.db));
  expect(readDevice(core, builderId, mark)).toBeString();
  expect(core.secrets.derivedKeys("oauth-cookies")).toHaveLength(3);
  world.clock.pass(HOUR);
  expect(core.secrets.derivedKeys("oauth-cookies")).toHaveLength(1);
  expect(readDevice(core, builderId, mark)).toBeString();
});

test("signatures of a leaked key are invalid from the first moment on", async () => {
  using world = createTestWorld();
  const core = withKeys(world, [FIRST, SECOND, THIRD]);
  const { builderId, mark } = await live(core);
  turn(core, SECOND);
  core.db.transact(() => forgetFormerKey(core.db));
  expect(readDevice(core, builderId, mark)).toBeString();
  turn(core, THIRD, "none");
  expect(readDevice(core, builderId, mark)).toBeUndefined();
  for (const purpose of ["known-devices", "oauth-cookies"] as const)
    expect(core.secrets.derivedKeys(purpose)).toHaveLength(1);
});

test("a process with the old key loads the new one when the database names it, and reports a missing one", async () => {
  using world = createTestWorld();
  const files = [FIRST];
  const server = withKeys(world, files);
  const { endpointId } = await live(server);
  const tool = withKeys(world, [FIRST, SECOND]);
  turn(tool, SECOND);
  expect(() => server.secrets.seal("webhook-secret", "whe_1", "x")).toThrow(keyFingerprint(SECOND));
  files.push(SECOND);
  expect(server.secrets.seal("webhook-secret", "whe_1", "x")).toBeInstanceOf(Buffer);
  expect(livingSecrets(server, [endpointId]).get(endpointId)).toHaveLength(1);
});

test("counts a value that no key opens, and leaves it unchanged", async () => {
  using world = createTestWorld();
  const core = withKeys(world, [FIRST, SECOND]);
  const { endpointId } = await live(core);
  core.db.transact(() => core.db.prepare("UPDATE webhook_secrets SET sealed = zeroblob(60)").run());
  turn(core, SECOND);
  const found = lastOf(reseal(core));
  expect(found["webhook_secrets.sealed"]).toMatchObject({ count: 1, lost: 1, changed: 0 });
  expect(found["signing_keys.sealed"]).toMatchObject({ count: 2, lost: 0, changed: 2 });
  expect(livingSecrets(core, [endpointId]).get(endpointId)).toEqual([]);
});

function workspaceOf(core: Core): string {
  return core.db.prepare<{ id: string }>("SELECT workspace_id AS id FROM idempotency_keys").get()?.id ?? "";
}
