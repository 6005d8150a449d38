// Tests docs/contract.md#12.15: the log line of a request.
import { expect, test } from "bun:test";
import { type LogAddress, loggedAddress, parseProxies } from "../../src/http/address.ts";
import { pausedLookup, type TestServer, createMember, openTestServer } from "../support.ts";

interface Line {
  level: number;
  status: number;
  path: string;
  msg: string;
  [field: string]: unknown;
}

function linesOf({ logged }: TestServer): Line[] {
  return logged.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === "request");
}

const PROXIES = parseProxies(["127.0.0.1", "10.0.0.0/8"]);

test("logs the visitor's address in full, as a network or not at all, and trusts only trusted proxies", () => {
  const cases: [peer: string, forwarded: string | null, whole?: string, short?: string][] = [
    ["203.0.113.77", null, "203.0.113.77", "203.0.113.0/24"],
    ["::ffff:203.0.113.77", null, "203.0.113.77", "203.0.113.0/24"],
    ["2001:db8:1:2:3:4:5:6", null, "2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["2001:db8::1", null, "2001:db8::1", "2001:db8::/48"],
    ["::1", null, "::1", "::/48"],
    ["fe80::1%eth0", null, "fe80::1", "fe80::/48"],
    // Only a configured proxy may set the client address.
    ["203.0.113.77", "198.51.100.1", "203.0.113.77", "203.0.113.0/24"],
    ["127.0.0.1", "198.51.100.1", "198.51.100.1", "198.51.100.0/24"],
    ["127.0.0.1", "192.0.2.9, 198.51.100.1, 10.0.0.7", "198.51.100.1", "198.51.100.0/24"],
    ["127.0.0.1", "198.51.100.1, nobody", "127.0.0.1", "127.0.0.0/24"],
    ["127.0.0.1", '1.2.3.4", "status": 401', "127.0.0.1", "127.0.0.0/24"],
    ["", null],
    ["a socket", null],
  ];
  for (const [peer, forwarded, whole, short] of cases) {
    const loggedWith = (how: LogAddress) => loggedAddress(how, peer, forwarded, PROXIES);
    expect([peer, forwarded, loggedWith("whole"), loggedWith("short"), loggedWith("off")]).toEqual([
      peer,
      forwarded,
      whole,
      short,
      undefined,
    ]);
  }
});

test("a line names the client, its address, transport and route, and the result", async () => {
  await using server = openTestServer({
    env: { GUILDHALL_LOG_ADDRESS: "whole", GUILDHALL_TRUSTED_PROXIES: "127.0.0.1" },
  });
  const { token } = createMember(server.core, "ada");
  const headers = { "x-forwarded-for": "198.51.100.23", "user-agent": "curl/8.5" };
  const created = await server.request(token, "/feed", { method: "POST", body: { text: "hello" }, headers });
  const { byteLength: bytes } = await created.arrayBuffer();
  await server.request("guild_pat_wrong", "/feed", { headers });
  await server.request(undefined, "/nowhere", { headers });
  const common = { address: "198.51.100.23", agent: "curl/8.5" };
  expect(linesOf(server)).toMatchObject([
    {
      ...common,
      method: "POST",
      route: "createPost",
      status: 201,
      bytes,
      tier: "enterprise",
      builder: "ada",
    },
    { ...common, method: "GET", status: 401, tier: "anonymous" },
    { ...common, method: "GET", route: "unknown", status: 404, tier: "anonymous" },
  ]);
});

test("logs networks by default, and with `off` nothing about where a request came from", async () => {
  for (const [env, address] of [
    [{}, "127.0.0.0/24"],
    [{ GUILDHALL_LOG_ADDRESS: "off" }, undefined],
  ] as const) {
    await using server = openTestServer({ env });
    await server.request(undefined, "/feed");
    expect(linesOf(server)[0]?.["address"]).toBe(address);
    expect(server.logged.join("")).not.toContain("127.0.0.1");
  }
});

test("logs a user agent in one short line without anything that looks like a secret", async () => {
  await using server = openTestServer();
  const agents: [sent: string | undefined, told: string | undefined][] = [
    ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0)", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0)"],
    ["", undefined],
    ["x".repeat(20) + " y".repeat(2000), `${"x".repeat(20)}${" y".repeat(90)}…`],
    ["bot guild_pat_0123456789abcdef", "bot guild_pat_…"],
    ["bot GUILD_PAT_0123456789abcdef", "bot GUILD_PAT_…"],
    ["bot whsec_c2VjcmV0c2VjcmV0/+== z", "bot whsec_… z"],
    ["bot eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJhIn0.c2ln z", "bot eyJ… z"],
    ["bot 0123456789abcdef0123456789abcdef0123456", "bot 0123…"],
    ["a\tb\u0085c\u00adé", "a b c é"],
    ['","status":401,"address":"192.0.2.1', '","status":401,"address":"192.0.2.1'],
  ];
  for (const [sent = ""] of agents)
    await server.request(undefined, "/feed", { headers: { "user-agent": sent } });
  expect(linesOf(server).map(({ agent }) => agent)).toEqual(agents.map(([, told]) => told));
});

test("logs the address of a client that disconnects before the response", async () => {
  const names = pausedLookup();
  await using server = openTestServer({ resolve: names.resolve, env: { GUILDHALL_LOG_ADDRESS: "whole" } });
  const { token } = createMember(server.core, "ada");
  const leaving = new AbortController();
  const left = fetch(`${server.url}/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ url: "https://hooks.example.com/", events: ["post.created"] }),
    signal: leaving.signal,
  }).catch(() => "left");
  await names.asked;
  leaving.abort();
  expect(await left).toBe("left");
  // Once a later request is answered, the server has noticed the closed connection.
  await server.request(token, "/feed");
  names.find(["93.184.215.14"]);
  while (linesOf(server).length < 2) await Bun.sleep(1);
  expect(linesOf(server).at(-1)).toMatchObject({
    method: "POST",
    route: "registerWebhook",
    address: "127.0.0.1",
  });
});
