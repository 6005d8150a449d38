// docs/contract.md#6.14, docs/contract.md#6.15, docs/contract.md#6.20 and docs/contract.md#6.21: delivery
// attempts.
import { expect, test } from "bun:test";
import type { Claim } from "../../src/core/outbox/deliveries/deliveries.ts";
import { createAttempt } from "../../src/delivery/attempt.ts";
import { authority, claimTo, openReceiver, errorTextOf } from "./receiver.ts";

const claim = (url: string, endpointId = "whe_1"): Claim =>
  claimTo(url, { endpointId, body: JSON.stringify({ id: "evt_1", text: "ä 🎉" }) });

const rules = async (timeoutMs = 1000, addresses = ["127.0.0.1"]) => ({
  targets: { resolve: async () => addresses, allow: ["127.0.0.0/8", "::1"] },
  timeoutMs,
  ca: (await authority()).pem,
  userAgent: "Guildhall-Webhooks/0.0.0",
});

test("connects only to the address that was checked, even when a name resolves differently later", async () => {
  await using receiver = await openReceiver([200]);
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
    expect(errorTextOf(outcome)).toContain("GUILDHALL_WEBHOOK_ALLOW");
  }
  expect(errorTextOf(await attempt(claim(`https://hooks.example.com:${receiver.port}/`)))).toContain(
    "does not exist",
  );
  expect(receiver.received).toHaveLength(0);
});

test("a slow name lookup ends the attempt in time", async () => {
  const attempt = createAttempt({
    ...(await rules(300)),
    targets: { resolve: () => new Promise(() => {}), allow: [] },
  });
  const outcome = await attempt(claim("https://hooks.example.com/"));
  expect(errorTextOf(outcome)).toContain("The receiver did not respond within 0.3 seconds");
});

test("tries the next of several addresses when one is unreachable", async () => {
  await using receiver = await openReceiver([200]);
  const attempt = createAttempt(await rules(2000, ["127.0.0.2", "127.0.0.1"]));
  expect(errorTextOf(await attempt(claim(`https://hooks.example.com:${receiver.port}/`)))).toBeUndefined();
});

test("a burst to one endpoint looks up its name once, and another endpoint's name separately", async () => {
  await using receiver = await openReceiver([200]);
  const looked: string[] = [];
  const resolve = async (host: string) => {
    looked.push(host);
    return ["127.0.0.1"];
  };
  const attempt = createAttempt({ ...(await rules(10_000)), targets: { resolve, allow: ["127.0.0.0/8"] } });
  const report = async (path: string) =>
    errorTextOf(await attempt(claim(`https://hooks.example.com:${receiver.port}/${path}`)));
  // Of ten attempts, some are within the same second even on a busy machine.
  for (let i = 0; i < 10; i++) expect(await report("one")).toBeUndefined();
  const forOne = looked.length;
  expect(forOne).toBeGreaterThan(0);
  expect(forOne).toBeLessThan(10);
  expect(await report("two")).toBeUndefined();
  expect(looked.length).toBe(forOne + 1);
});

test("the time limit of an attempt starts at its connection, not at its name lookup", async () => {
  await using receiver = await openReceiver([
    (socket) => void setTimeout(() => socket.write("HTTP/1.1 204 X\r\n\r\n"), 1500),
  ]);
  const attempt = createAttempt({
    ...(await rules(2500)),
    targets: { resolve: () => Bun.sleep(1500).then(() => ["127.0.0.1"]), allow: ["127.0.0.0/8"] },
  });
  expect(errorTextOf(await attempt(claim(`https://hooks.example.com:${receiver.port}/`)))).toBeUndefined();
});

test("an error is stored as a code, from which the sentence is built", async () => {
  await using receiver = await openReceiver([
    503,
    "HTTP/1.1 302 X\r\nLocation: /\r\nContent-Length: 0\r\n\r\n",
  ]);
  const url = `https://hooks.example.com:${receiver.port}/`;
  const attempt = createAttempt(await rules());
  expect((await attempt(claim(url))).failure).toEqual({ code: "status", params: { status: 503 } });
  expect((await attempt(claim(url))).failure).toEqual({ code: "redirect", params: { status: 302 } });
  expect((await attempt({ ...claim(url), secrets: [] })).failure?.code).toBe("secret_unreadable");
  const found = async (addresses: string[] | "silent", allow: string[] = []) => {
    const targets = { resolve: async () => addresses, allow };
    return (await createAttempt({ ...(await rules()), targets })(claim("https://hooks.example.com/"))).failure
      ?.code;
  };
  expect(await found("silent")).toBe("dns_timeout");
  expect(await found([], ["hooks.example.com"])).toBe("dns_not_found");
  expect(await found(["10.0.0.1"])).toBe("url_private");
});
