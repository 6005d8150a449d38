// docs/contract.md#6.2: rotating an endpoint's secret.
import { expect, test } from "bun:test";
import { HOUR } from "../../src/core/base/clock.ts";
import { claimDue } from "../../src/core/outbox/deliveries/deliveries.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { signatureHeaders } from "../../src/delivery/signature.ts";
import { call } from "../spec/client.ts";
import { rows } from "../spec/rows.ts";
import { type TestServer, createMember, openTestServer, limitOf } from "../support.ts";

/** Ada's endpoint, and the secrets that sign a delivery claimed now. */
async function stage(server: TestServer) {
  const { token, caller } = createMember(server.core, "ada");
  const draft = { url: "https://hooks.example.com/in", events: ["post.created"] };
  const { id, secret } = (await call(server, token, "POST /webhooks", { body: draft })).body;
  const rotate = (headers: Record<string, string> = {}) =>
    call(server, token, `POST /webhooks/${id}/rotate-secret`, { body: {}, headers });
  const signing = (): readonly string[] => {
    createPost(server.core, caller, { text: "Something new" });
    const { claims } = server.core.db.transact(() => claimDue(server.core, 1, "", limitOf(1)));
    return claims[0]?.secrets ?? [];
  };
  return { secret: secret as string, rotate, signing };
}

test("a secret signs for 24 hours after its rotation, independent of later rotations", async () => {
  await using server = openTestServer();
  const { secret, rotate, signing } = await stage(server);
  const shown = [secret];
  for (let rotation = 1; rotation <= 4; rotation++) {
    server.clock.pass(HOUR);
    shown.unshift((await rotate()).body.secret);
    expect(signing()).toEqual(shown);
  }
  const headers = signatureHeaders({ eventId: "evt_1", seconds: 1, body: "{}", secrets: signing() });
  expect(headers["x-service-signature"]?.match(/v1=[0-9a-f]{64}/g)).toHaveLength(5);
  expect(headers["webhook-signature"]?.split(" ")).toHaveLength(5);
  // The first secret was replaced three hours ago.
  server.clock.pass(21 * HOUR - 1);
  expect(signing()).toEqual(shown);
  for (let left = 4; left >= 1; left--) {
    server.clock.pass(left === 4 ? 1 : HOUR);
    expect(signing()).toEqual(shown.slice(0, left));
  }
  server.clock.pass(1000 * HOUR);
  expect(signing()).toEqual(shown.slice(0, 1));
});

test("refuses a rotation that would end a secret early, until the oldest has ended", async () => {
  await using server = openTestServer();
  const { rotate, signing } = await stage(server);
  for (let rotation = 1; rotation <= 4; rotation++) {
    expect((await rotate()).status).toBe(200);
    server.clock.pass(HOUR);
  }
  const before = signing();
  const refused = await rotate();
  expect([refused.status, refused.body.error, refused.body.code]).toEqual([
    409,
    "conflict",
    "secrets_too_many",
  ]);
  expect(refused.body.message).toContain("5 valid signing secrets");
  expect(refused.body.message).toContain("in 20 hours");
  expect(signing()).toEqual(before);
  server.clock.pass(20 * HOUR);
  const next = await rotate();
  expect(next.status).toBe(200);
  expect(signing()).toEqual([next.body.secret, ...before.slice(0, 4)]);
  expect(rows(server.core, "SELECT number FROM webhook_secrets")).toHaveLength(5);
});

test("a lost response to a rotation is repeated by its idempotency key, and all known secrets still sign", async () => {
  await using server = openTestServer();
  const { secret, rotate, signing } = await stage(server);
  const key = { "idempotency-key": "rotation-1" };
  const lost = await rotate(key);
  const again = await rotate(key);
  expect([again.status, again.body]).toEqual([200, lost.body]);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(signing()).toEqual([lost.body.secret, secret]);
  const unread = await rotate();
  expect(signing()).toEqual([unread.body.secret, lost.body.secret, secret]);
});
