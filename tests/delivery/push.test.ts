// docs/contract.md#12.19: requests to push services.
import { expect, test } from "bun:test";
import pino from "pino";
import { secureAccount } from "../../src/core/delegation/securing/securing.ts";
import type { BuilderCaller } from "../../src/core/identity/access/caller.ts";
import type { Core } from "../../src/core/base/core.ts";
import { DAY, HOUR, SECOND } from "../../src/core/base/clock.ts";
import { CoreError } from "../../src/core/base/errors.ts";
import { signOut } from "../../src/core/identity/accounts/sessions.ts";
import {
  endPushSubscription,
  listPushSubscriptions,
  pushKey,
  subscribeToPush,
  SUBSCRIPTIONS_MAX,
} from "../../src/core/outbox/push/push.ts";
import type { Push } from "../../src/core/outbox/push/queue.ts";
import { createPushes } from "../../src/delivery/push-request.ts";
import { pushContent } from "../../src/delivery/push-content.ts";
import { pushSending } from "../../src/delivery/push-sending.ts";
import { type Sender, startSender } from "../../src/delivery/sender.ts";
import { createSignedInMember } from "../core/people.ts";
import { createTestWorld, createMember, signedInNow, type TestWorld } from "../support.ts";
import { bodyOf, checkVapid, makeBrowser } from "./push-service.ts";
import { authority, openReceiver, until } from "./receiver.ts";

const silent = pino({ level: "silent" });
const HOST = "push.example.com";

interface Stage extends AsyncDisposable {
  world: TestWorld;
  caller: BuilderCaller;
  sender: Sender;
  /** Advances the clock and wakes the sender. */
  pass(ms: number): void;
  waiting(): number;
}

async function stage(allow = [HOST]): Promise<Stage> {
  const world = createTestWorld({ allow, resolve: async () => ["127.0.0.1"] });
  const { core, clock } = world;
  await pushKey(core);
  const rules = { targets: core.targets, timeoutMs: 10_000, ca: (await authority()).pem, userAgent: "test" };
  const content = (of: Core, push: Push) => pushContent(of, push);
  const sender = startSender(core, pushSending(createPushes(core, rules), content), silent);
  core.onWake(sender.wake);
  return {
    world,
    caller: signedInNow(core, createMember(core, "ada").caller),
    sender,
    pass(ms) {
      clock.pass(ms);
      sender.wake();
    },
    waiting: () =>
      core.db.prepare<{ count: number }>("SELECT count(*) AS count FROM pushes").get()?.count ?? 0,
    async [Symbol.asyncDispose]() {
      await sender.stop();
      world[Symbol.dispose]();
    },
  };
}

const serviceCertificate = async () => (await authority()).issue([HOST]);
const codeOf = (error: unknown): string => (error instanceof CoreError ? error.code : String(error));

test("encrypts a push by RFC 8291 and signs it by RFC 8292, so that only the browser reads it", async () => {
  await using service = await openReceiver([201], await serviceCertificate());
  await using set = await stage();
  const { core, clock } = set.world;
  const browser = makeBrowser();
  const endpoint = `https://${HOST}:${service.port}/send/1`;
  await subscribeToPush(core, set.caller, { endpoint, ...browser.keys });
  await until(() => set.waiting() === 0);
  const [request] = service.received;
  if (!request) throw new Error("nothing came");
  const { headers } = request;
  expect(request.head).toStartWith("POST /send/1 HTTP/1.1\r\n");
  expect(headers).toMatchObject({
    "content-encoding": "aes128gcm",
    "content-type": "application/octet-stream",
    ttl: String(DAY / SECOND),
    urgency: "normal",
    host: `${HOST}:${service.port}`,
  });
  expect(headers["topic"]).toMatch(/^[\w-]{32}$/);
  expect(request.serverName).toBe(HOST);
  expect(browser.read(bodyOf(request))).toMatchObject({ title: "Guildhall", path: "/settings/browsers" });
  expect(() => makeBrowser().read(bodyOf(request))).toThrow();
  const { claims, key } = checkVapid(headers["authorization"]);
  expect(key).toBe(await pushKey(core));
  expect(claims).toEqual({
    sub: "https://guild.test",
    aud: `https://${HOST}:${service.port}`,
    exp: (clock.now() + 12 * HOUR) / SECOND,
  });
  expect(listPushSubscriptions(core, set.caller)).toMatchObject([
    { isCurrent: true, succeededAt: clock.now(), agent: "Firefox on Linux" },
  ]);
});

test("retries a busy push service when it says, follows no redirect, and drops an address that is gone", async () => {
  await using service = await openReceiver(
    ["HTTP/1.1 429 X\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n", 503, 201, 410],
    await serviceCertificate(),
  );
  await using elsewhere = await openReceiver([201], await serviceCertificate());
  await using set = await stage();
  const { core } = set.world;
  const draft = { endpoint: `https://${HOST}:${service.port}/send/1`, ...makeBrowser().keys };
  await subscribeToPush(core, set.caller, draft);
  const came = (count: number) =>
    until(() => service.received.length === count && !set.sender.health().running);
  await came(1);
  set.pass(119 * SECOND);
  await until(() => !set.sender.health().running);
  expect(service.received).toHaveLength(1);
  set.pass(2 * SECOND);
  await came(2);
  set.pass(5 * 60 * SECOND);
  await came(3);
  expect([set.waiting(), listPushSubscriptions(core, set.caller).length]).toEqual([0, 1]);
  // The same browser subscribes again, and the service then reports it as gone.
  await subscribeToPush(core, set.caller, draft);
  await came(4);
  expect(listPushSubscriptions(core, set.caller)).toEqual([]);

  service.script.splice(
    0,
    Infinity,
    `HTTP/1.1 307 X\r\nLocation: https://${HOST}:${elsewhere.port}/\r\nContent-Length: 0\r\n\r\n`,
  );
  await subscribeToPush(core, set.caller, draft);
  await came(5);
  expect([set.waiting(), elsewhere.received]).toEqual([0, []]);
});

test("refuses a private address at the subscription, and when a name resolves to one later", async () => {
  await using service = await openReceiver([201], await serviceCertificate());
  await using set = await stage([]);
  const { core } = set.world;
  const { keys } = makeBrowser();
  const refused = async (endpoint: string) =>
    subscribeToPush(core, set.caller, { endpoint, ...keys }).catch(codeOf);
  expect(await refused("https://127.0.0.1/x")).toBe("url_private");
  expect(await refused("https://[::ffff:10.0.0.1]/x")).toBe("url_private");
  expect(await refused("https://metadata.internal/x")).toBe("url_private");
  // `HOST` resolves to a loopback address.
  expect(await refused(`https://${HOST}:${service.port}/x`)).toBe("url_private");
  expect(await refused("http://push.example.com/x")).toBe("url_not_https");
  // At the subscription, the name resolves to a public IP address. Afterwards the name resolves to a private
  // IP address.
  let checks = 0;
  const resolve = async (): Promise<string[]> => [checks++ === 0 ? "93.184.215.14" : "127.0.0.1"];
  Object.assign(core.targets, { resolve });
  await subscribeToPush(core, set.caller, { endpoint: `https://${HOST}:${service.port}/x`, ...keys });
  await until(() => checks > 1 && !set.sender.health().running);
  expect([service.received, set.waiting()]).toEqual([[], 1]);
});

test("a browser belongs to its latest sign-in, and its subscription ends with the session", async () => {
  await using set = await stage();
  const { core } = set.world;
  // The account has a password, so that it can be secured.
  const { caller: ada } = await createSignedInMember(core, "eve");
  const bob = signedInNow(core, createMember(core, "bob").caller);
  const browser = makeBrowser();
  const endpoint = `https://${HOST}:9/shared`;
  await subscribeToPush(core, ada, { endpoint, ...browser.keys });
  expect(await subscribeToPush(core, bob, { endpoint, ...makeBrowser().keys }).catch(codeOf)).toBe(
    "push_not_yours",
  );
  await subscribeToPush(core, bob, { endpoint, ...browser.keys });
  const counts = () => [ada, bob].map((each) => listPushSubscriptions(core, each).length);
  expect(counts()).toEqual([0, 1]);
  const [{ id = "" } = {}] = listPushSubscriptions(core, bob);
  expect(() => endPushSubscription(core, ada, id)).toThrow("no registered browser");
  signOut(core, bob);
  expect([counts(), set.waiting()]).toEqual([[0, 0], 0]);

  // A thief with a copy of the session replaces that session's browser.
  await subscribeToPush(core, ada, { endpoint, ...browser.keys });
  await subscribeToPush(core, ada, { endpoint: `https://${HOST}:9/thief`, ...makeBrowser().keys });
  expect(counts()).toEqual([1, 0]);
  for (let n = 0; n < SUBSCRIPTIONS_MAX + 2; n++) {
    set.world.clock.pass(HOUR);
    const endpoint = `https://${HOST}:9/${n}`;
    await subscribeToPush(core, signedInNow(core, ada), { endpoint, ...makeBrowser().keys });
  }
  expect(listPushSubscriptions(core, ada)).toHaveLength(SUBSCRIPTIONS_MAX);
  secureAccount(core, { ...signedInNow(core, ada) }, "eve", { passkeys: "all", password: true });
  expect(counts()).toEqual([0, 0]);
});

test("silent push services delay no other member's pushes", async () => {
  const held = Promise.withResolvers<void>();
  await using tarpit = await openReceiver([() => void held.promise], await serviceCertificate());
  await using service = await openReceiver([201], await serviceCertificate());
  await using set = await stage();
  const { core } = set.world;
  const subscribe = (caller: BuilderCaller, port: number, path: number) =>
    subscribeToPush(core, caller, { endpoint: `https://${HOST}:${port}/${path}`, ...makeBrowser().keys });
  for (let n = 0; n < SUBSCRIPTIONS_MAX; n++) await subscribe(signedInNow(core, set.caller), tarpit.port, n);
  await until(() => tarpit.received.length === 4);
  await subscribe(signedInNow(core, createMember(core, "bob").caller), service.port, 1);
  await until(() => service.received.length === 1);
  expect(tarpit.received).toHaveLength(4);
  await tarpit[Symbol.asyncDispose]();
});
