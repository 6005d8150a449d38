// The sample docs/samples/webhook-receiver in its own process, behind https.
import { expect, test } from "bun:test";
import { claimDue } from "../../src/core/outbox/deliveries/deliveries.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { createAttempt } from "../../src/delivery/attempt.ts";
import { authority } from "../delivery/receiver.ts";
import { call } from "../spec/client.ts";
import { createMember, openTestServer, limitOf } from "../support.ts";
import { start } from "./started.ts";

/** Starts the sample with this secret, and a TLS proxy in front of it. */
async function startReceiver(secret: string, tls: { cert: string; key: string }) {
  const sample = await start("webhook-receiver/receiver.js", { WEBHOOK_SECRET: secret });
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls,
    async fetch({ method, headers, body }) {
      const text = await new Response(body).arrayBuffer();
      return fetch(sample.origin, { method, headers, body: text });
    },
  });
  return {
    url: `https://hooks.example.com:${proxy.port}/in`,
    printed: sample.printed,
    async [Symbol.asyncDispose]() {
      await proxy.stop(true);
      await sample[Symbol.asyncDispose]();
    },
  };
}

test("the webhook receiver processes each genuine event once, and rejects another secret's signature", async () => {
  await using server = openTestServer({ allow: ["127.0.0.0/8"], resolve: async () => ["127.0.0.1"] });
  const { core, clock } = server;
  // The receiver uses the real clock.
  clock.step(Date.now() - clock.now());
  const { token } = createMember(core, "ada");
  const ca = await authority();
  const cert = await ca.issue(["hooks.example.com"]);
  const attempt = createAttempt({ targets: core.targets, timeoutMs: 10_000, ca: ca.pem, userAgent: "test" });
  const register = async (url: string) =>
    (await call(server, token, "POST /webhooks", { body: { url, events: ["post.created"] } })).body;
  const { id, secret } = await register("https://hooks.example.com/soon");
  await using receiver = await startReceiver(secret, cert);
  await using other = await startReceiver(`whsec_${Buffer.alloc(32).toString("base64")}`, cert);
  await call(server, token, `PATCH /webhooks/${id}`, { body: { url: receiver.url } });
  await register(other.url);

  await call(server, token, "POST /feed", { body: { text: "Hello receiver" } });
  await call(server, token, `POST /webhooks/${id}/test`, { body: {} });
  const { claims } = core.db.transact(() => claimDue(core, 10, "", limitOf(10)));
  const statuses: [host: string, status: number | null | undefined][] = [];
  // Each delivery is attempted twice: the server repeats an attempt whose response was lost.
  for (const claim of [...claims, ...claims]) statuses.push([claim.url, (await attempt(claim)).status]);

  expect(statuses.filter(([url]) => url === receiver.url)).toEqual(
    Array.from({ length: 4 }, () => [receiver.url, 204]),
  );
  expect(statuses.filter(([url]) => url === other.url)).toEqual([
    [other.url, 401],
    [other.url, 401],
  ]);
  const [first] = claims.filter(({ url }) => url === receiver.url);
  const late = first && (await attempt({ ...first, startedAt: Date.now() - 6 * MINUTE }));
  expect(late?.status).toBe(401);
  const [, ...events] = await receiver.printed();
  expect(events.map((line) => line.split(" ")[0]).sort()).toEqual(["post.created", "webhook.test"]);
  expect(await other.printed()).toHaveLength(1);
});
