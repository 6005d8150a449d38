import { expect, test } from "bun:test";
import type { Claim } from "../../src/core/deliveries/deliveries.ts";
import { createAttempt } from "../../src/delivery/attempt.ts";
import { authority, receive } from "./receiver.ts";

const claim = (url: string, endpointId = "whe_1"): Claim => ({
  deliveryId: "dlv_1",
  eventId: "evt_1",
  endpointId,
  attempt: 1,
  firstAt: 0,
  startedAt: Date.now(),
  url,
  secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  body: JSON.stringify({ id: "evt_1", text: "ä 🎉" }),
});

const rules = async (timeoutMs = 1000, addresses = ["127.0.0.1"]) => ({
  targets: { resolve: async () => addresses, allow: ["127.0.0.0/8", "::1"] },
  timeoutMs,
  ca: (await authority()).pem,
  userAgent: "Guildhall-Webhooks/0.0.0",
});

test("the address that was checked is the address that is dialled: never a refused one, also when a name changes its meaning", async () => {
  await using receiver = await receive([200]);
  const answers = [
    ["93.184.215.14"],
    ["127.0.0.1"],
    ["10.0.0.1", "127.0.0.1"],
    ["::ffff:127.0.0.1"],
    ["169.254.169.254"],
    [],
  ];
  const attempt = createAttempt({
    ...(await rules()),
    targets: { resolve: async () => answers.shift() ?? [], allow: [] },
  });
  answers.shift();
  for (let i = 0; i < 4; i++) {
    const outcome = await attempt(claim(`https://hooks.example.com:${receiver.port}/`));
    expect(outcome.error).toContain("GUILDHALL_WEBHOOK_ALLOW");
  }
  expect((await attempt(claim(`https://hooks.example.com:${receiver.port}/`))).error).toContain(
    "does not resolve",
  );
  expect(receiver.received).toHaveLength(0);
});

test("a name that takes too long to look up ends the attempt in time", async () => {
  const attempt = createAttempt({
    ...(await rules(300)),
    targets: { resolve: () => new Promise(() => {}), allow: [] },
  });
  const outcome = await attempt(claim("https://hooks.example.com/"));
  expect(outcome.error).toContain("No answer within 0.3 seconds");
});

test("of several addresses the next is tried when one is not reached", async () => {
  await using receiver = await receive([200]);
  const attempt = createAttempt(await rules(2000, ["127.0.0.2", "127.0.0.1"]));
  expect((await attempt(claim(`https://hooks.example.com:${receiver.port}/`))).error).toBeUndefined();
});
