// docs/contract.md#6.3: DNS lookups of endpoints.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { listDeliveries } from "../../src/core/outbox/deliveries/delivery-log.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { checkUrl, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { resolveName } from "../../src/delivery/dns.ts";
import { createAttempt } from "../../src/delivery/attempt.ts";
import { startLoop } from "../../src/delivery/loop.ts";
import { systemClock } from "../../src/core/base/clock.ts";
import { createTestWorld, createMember } from "../support.ts";
import { resolveWith, type NameServer, nameServer, type Reply } from "./name-server.ts";
import { authority, openReceiver, until } from "./receiver.ts";
import pino from "pino";

/** The first label selects the reply. Each test uses its own names, because answers are cached. */
const replies = (name: string): Reply => {
  if (name.startsWith("silent")) return "silent";
  if (name.startsWith("unknown")) return "unknown";
  if (name.startsWith("broken")) return "at a loss";
  return ["127.0.0.1"];
};

let server: NameServer;
let asking: Disposable;

beforeAll(async () => {
  server = await nameServer(replies);
  asking = resolveWith(server.port);
});
afterAll(async () => {
  asking[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

test("resolves names of the hosts file and literal addresses", async () => {
  expect(await resolveName("localhost")).toContain("127.0.0.1");
  expect(await resolveName("192.0.2.7")).toEqual(["192.0.2.7"]);
  expect(await resolveName("::1")).toEqual(["::1"]);
  expect(server.asked()).toBe(0);
});

// Both tests wait two seconds for a silent server, so they run concurrently.

test.concurrent(
  "distinguishes a name that does not exist from one whose name servers are silent",
  async () => {
    expect(await resolveName("hooks1.example.com")).toEqual(["127.0.0.1"]);
    expect(await resolveName("unknown1.example.com")).toEqual([]);
    expect(await resolveName("broken1.example.com")).toBe("silent");
    expect(await resolveName("silent1.example.com")).toBe("silent");
  },
);

test.concurrent(
  "accepts an endpoint at a name that does not exist yet, and refuses one whose name servers are silent",
  async () => {
    using world = createTestWorld({ resolve: resolveName });
    const { caller } = createMember(world.core, "ada");
    const check = (name: string) => checkUrl(world.core, caller, `https://${name}.example.com/`);
    expect(String(await check("unknown2"))).toBe("https://unknown2.example.com/");
    for (const name of ["silent2", "broken2"]) {
      const refusal = await check(name).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ message: expect.stringContaining("did not respond") });
    }
  },
);

test("delivers to other names while the name servers of fifty names are silent", async () => {
  const hosts = Array.from({ length: 20 }, (_, i) => `hooks3-${i}`);
  const certificate = await (await authority()).issue(hosts.map((host) => `${host}.example.com`));
  await using receiver = await openReceiver([204], certificate);
  using world = createTestWorld({ allow: ["127.0.0.0/8"], resolve: resolveName });
  const { core } = world;
  Object.assign(core, { clock: systemClock });
  const { caller } = createMember(core, "ada");
  const subscribe = (as: typeof caller, host: string): string => {
    // Registers in the core, because the transport rejects a name whose server is silent. The server of a
    // registered name can become silent later.
    const url = `https://${host}.example.com:${receiver.port}/` as Awaited<ReturnType<typeof checkUrl>>;
    return registerEndpoint(core, as, { url, events: ["post.created"] }).id;
  };
  const silent = Array.from({ length: 50 }, (_, i) => subscribe(caller, `silent3-${i}`));
  const bea = createMember(core, "bea").caller;
  const healthy = hosts.map((host) => subscribe(bea, host));
  const attempt = createAttempt({
    targets: core.targets,
    timeoutMs: 20_000,
    ca: (await authority()).pem,
    userAgent: "test",
  });
  // Each delivery has a single attempt, so a failed lookup loses it.
  const loop = startLoop(core, attempt, [0], pino({ level: "silent" }));
  core.onWake(loop.wake);
  for (let i = 0; i < 5; i++) createPost(core, caller, { text: `post ${i}` });
  const stateOf = (as: typeof caller, id: string) =>
    listDeliveries(core, as, id, {}, { limit: 100 }).nodes.map(({ state }) => state);
  await until(() => receiver.received.length === 100);
  await until(() => healthy.every((id) => stateOf(bea, id).every((state) => state === "acknowledged")));
  expect(silent.flatMap((id) => stateOf(caller, id))).not.toContain("acknowledged");
  await loop.stop();
});
