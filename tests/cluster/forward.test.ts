// docs/contract.md#12.29 and docs/threats.md#M38: requests on their way from a follower to its leader.
import { expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { createLeader, type ForwardOutcome } from "../../src/cluster/leader.ts";
import { createTestWorld } from "../support.ts";

/** Headers that a leader sets on each response to a signed request. */
const LEADS = { "guildhall-leads": "1", "guildhall-version": "1.5" };

function forward(addresses: readonly string[]) {
  const world = createTestWorld();
  const outcomes: ForwardOutcome[] = [];
  const leader = createLeader(addresses, {
    identity: () => world.core,
    onEvent: () => {},
    count: (outcome) => void outcomes.push(outcome),
  });
  return {
    outcomes,
    leader,
    on: (init: RequestInit = {}) =>
      leader.forward(new Request("http://follower.test/v1/feed?a=b", init), {
        target: "/v1/feed?a=b",
        address: "192.0.2.1",
      }),
    [Symbol.dispose]() {
      leader.close();
      world[Symbol.dispose]();
    },
  };
}

test("forwards a request unchanged, except for headers about the connection and the client", async () => {
  let got: { headers: Record<string, string>; body: string } | undefined;
  using server = Bun.serve({
    port: 0,
    async fetch(request) {
      if (request.method === "HEAD") return new Response(null, { headers: LEADS });
      got = { headers: Object.fromEntries(request.headers), body: await request.text() };
      const headers = new Headers({ ...LEADS, "x-kept": "yes", "content-encoding": "gzip" });
      headers.append("set-cookie", "a=1");
      headers.append("set-cookie", "b=2");
      return new Response(Bun.gzipSync("An answer"), { status: 201, headers });
    },
  });
  using node = forward([`http://127.0.0.1:${server.port}`]);
  const answer = await node.on({
    method: "POST",
    body: "x".repeat(200_000),
    headers: {
      "content-length": "200000",
      authorization: "Bearer secret",
      connection: "keep-alive, x-of-the-hop",
      "x-of-the-hop": "1",
      te: "trailers",
      "x-forwarded-for": "203.0.113.1",
      "guildhall-handed": "forged",
      host: "guild.example",
    },
  });
  expect([answer.status, answer.headers.get("x-kept"), answer.headers.getSetCookie()]).toEqual([
    201,
    "yes",
    ["a=1", "b=2"],
  ]);
  expect(new TextDecoder().decode(Bun.gunzipSync(await answer.arrayBuffer()))).toBe("An answer");
  expect([answer.headers.has("guildhall-leads"), answer.headers.has("connection")]).toEqual([false, false]);
  expect(got?.body).toBe("x".repeat(200_000));
  expect(got?.headers).toMatchObject({
    authorization: "Bearer secret",
    via: "1.1 guildhall",
    host: `127.0.0.1:${server.port}`,
  });
  for (const name of ["x-of-the-hop", "te", "x-forwarded-for"]) expect(got?.headers).not.toHaveProperty(name);
  expect(got?.headers["guildhall-handed"]).toContain(" 192.0.2.1 ");
  expect(node.outcomes).toEqual(["answered"]);
});

test("ends the request at the leader when its client disconnects", async () => {
  const left = Promise.withResolvers<void>();
  using server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      if (request.method === "HEAD") return new Response(null, { headers: LEADS });
      request.signal.addEventListener("abort", () => left.resolve());
      await left.promise;
      return new Response("nobody hears it");
    },
  });
  using node = forward([`http://127.0.0.1:${server.port}`]);
  await node.leader.check();
  const client = new AbortController();
  const answer = node.on({ signal: client.signal });
  setTimeout(() => client.abort(), 50);
  await expect(answer).rejects.toThrow("does not respond");
  await left.promise;
  expect(node.outcomes).toEqual(["left"]);
});

test("resends a request only after a closed connection, with the same signature", async () => {
  const requests: string[] = [];
  const fates: ("answer" | "close" | "refuse")[] = [
    "answer",
    "answer",
    "close",
    "answer",
    "close",
    "refuse",
    "answer",
  ];
  const raw = createServer((socket: Socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      const text = bytes.toString();
      if (text.startsWith("POST")) requests.push(/guildhall-handed: (.*)\r/i.exec(text)?.[1] ?? "");
      const outcome = fates.shift();
      if (outcome === "close") return socket.destroy();
      const leads = outcome === "refuse" ? "403 Forbidden\r\n" : "200 OK\r\nguildhall-leads: 1\r\n";
      socket.write(`HTTP/1.1 ${leads}guildhall-version: 1.5\r\ncontent-length: 0\r\n\r\n`);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => raw.once("listening", resolve));
  const { port } = raw.address() as { port: number };
  using node = forward(["http://127.0.0.1:1", `http://127.0.0.1:${port}`]);
  const post = () => node.on({ method: "POST", body: "once", headers: { "content-length": "4" } });
  expect((await post()).status).toBe(200);
  // The leader closes the kept connection when the next request arrives, so the follower resends the request.
  expect((await post()).status).toBe(200);
  expect(requests[1]).toBe(requests[2] as string);
  // The first attempt has reached the leader, so the leader refuses the resent request as a duplicate. The
  // follower does not sign and send the request again.
  await expect(post()).rejects.toThrow("does not respond");
  expect(requests).toHaveLength(5);
  expect(new Set(requests).size).toBe(3);
  raw.close();
});
