// docs/contract.md#12.29 and docs/threats.md#M38: what a follower does.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import pino from "pino";
import { readConfig } from "../../src/config/config.ts";
import { openSession } from "../../src/core/identity/accounts/sessions.ts";
import { follow } from "../../src/app/follower.ts";
import { lockFile } from "../../src/operate/backup/file-lock.ts";
import { createTestWorld, createMember } from "../support.ts";
import { createRequester, openFollower, openLeader } from "./nodes.ts";

const versionOf = (answer: Response): string => answer.headers.get("guildhall-version") ?? "";

test.concurrent(
  "a follower answers reads, forwards writes, and shows a write when its copy has it",
  async () => {
    await using leader = openLeader();
    const { token } = createMember(leader.core, "ada");
    await using follower = openFollower(leader);
    const ask = createRequester(follower.url, token);
    const before = readFileSync(join(follower.folder, "guildhall.db"));
    const read = await ask("/v1/feed");
    expect([read.status, await read.json()]).toMatchObject([200, { data: [] }]);
    const written = await ask("/v1/feed", { method: "POST", body: { text: "By way of a follower" } });
    expect(written.status).toBe(201);
    const { id } = (await written.json()) as { id: string };
    expect(written.headers.has("guildhall-leads")).toBe(false);
    // A read without a version shows the copy's state. A read with a newer version is forwarded to the
    // leader.
    expect(await (await ask("/v1/feed")).json()).toMatchObject({ data: [] });
    const seen = { headers: { "guildhall-version": versionOf(written) } };
    expect(await (await ask("/v1/feed", seen)).json()).toMatchObject({ data: [{ id }] });
    expect(readFileSync(join(follower.folder, "guildhall.db")).equals(before)).toBe(true);
    follower.updateCopy();
    const moved = await ask("/v1/feed", seen);
    expect([versionOf(moved), await moved.json()]).toMatchObject([versionOf(written), { data: [{ id }] }]);
  },
);

test.concurrent("a read that needs a newer version waits for the copy", async () => {
  await using leader = openLeader();
  const { token } = createMember(leader.core, "ada");
  await using follower = openFollower(leader);
  const written = await createRequester(leader.url, token)("/v1/feed", {
    method: "POST",
    body: { text: "Soon here" },
  });
  const reading = createRequester(follower.url, token)("/v1/feed", {
    headers: { "guildhall-version": versionOf(written) },
  });
  setTimeout(follower.updateCopy, 30);
  expect(await (await reading).json()).toMatchObject({ data: [{ text: "Soon here" }] });
  const page = await (await fetch(`${follower.url}/metrics`)).text();
  expect(page).toContain('guildhall_follower_waits_total{outcome="reached"} 1');
  expect(page).not.toContain("guildhall_handed_on_total{");
});

test.concurrent(
  "a follower without its leader answers reads, and refuses writes with a message",
  async () => {
    await using leader = openLeader();
    const { token } = createMember(leader.core, "ada");
    await using follower = openFollower(leader, { env: { GUILDHALL_FOLLOW: "http://127.0.0.1:1" } });
    const ask = createRequester(follower.url, token);
    expect((await ask("/v1/feed")).status).toBe(200);
    const refused = await ask("/v1/feed", { method: "POST", body: { text: "Nowhere" } });
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toMatchObject([
      503,
      "5",
      { error: "unavailable", code: "leader_away" },
    ]);
    const page = await fetch(`${follower.url}/sign-in`, { headers: { accept: "text/html" } });
    expect([page.status, await page.text()]).toMatchObject([503, expect.stringContaining("<!doctype html>")]);
    // For a version that no node has, an API client gets an error and a browser gets the current state.
    const ahead = await ask("/v1/feed", { headers: { "guildhall-version": "1.999999" } });
    expect([ahead.status, await ahead.json()]).toMatchObject([503, { code: "leader_away" }]);
    const shown = await fetch(`${follower.url}/about`, {
      headers: { cookie: "__Host-guildhall-version=1.999999" },
    });
    expect(shown.status).toBe(200);
  },
);

test.concurrent("searches that tokenize in the connection's memory work at a follower", async () => {
  await using leader = openLeader();
  const { token } = createMember(leader.core, "ada");
  await using follower = openFollower(leader, { env: { GUILDHALL_FOLLOW: "http://127.0.0.1:1" } });
  for (const q of ["enginee*", "Zürich", "Übersetzu*"]) {
    const answer = await createRequester(follower.url, token)(`/v1/jobs?q=${encodeURIComponent(q)}`);
    expect([q, answer.status]).toEqual([q, 200]);
  }
});

test.concurrent(
  "a follower forwards reads before its first copy, then reads the copy, and later the copy that replaces it",
  async () => {
    await using leader = openLeader();
    const { token } = createMember(leader.core, "ada");
    await using follower = openFollower(leader, { isMoved: false });
    const ask = createRequester(follower.url, token);
    expect((await ask("/v1/feed")).status).toBe(200);
    expect(await (await fetch(`${follower.url}/readyz`)).json()).toMatchObject({ failing: ["copy"] });
    follower.updateCopy();
    await follower.until(200);
    const { token: later } = createMember(leader.core, "bob");
    expect((await createRequester(follower.url, later)("/v1/feed")).status).toBe(401);
    follower.replaceCopy();
    for (const deadline = Date.now() + 5000; Date.now() < deadline; await Bun.sleep(20))
      if ((await createRequester(follower.url, later)("/v1/feed")).status === 200) break;
    expect((await createRequester(follower.url, later)("/v1/feed")).status).toBe(200);
  },
);

test.concurrent("a forwarded request is not forwarded again", async () => {
  await using leader = openLeader();
  await using near = openFollower(leader);
  await using far = openFollower({ url: near.url, folder: leader.folder });
  const { token } = createMember(leader.core, "ada");
  near.updateCopy();
  far.updateCopy();
  const refused = await createRequester(far.url, token)("/v1/feed", {
    method: "POST",
    body: { text: "In a circle" },
  });
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: "leader_away" }]);
  expect((await createRequester(far.url, token)("/v1/feed")).status).toBe(200);
  const forwarded = await fetch(`${near.url}/v1/community`, { headers: { "guildhall-handed": "1 2 3 4 5" } });
  expect([forwarded.status, await forwarded.json()]).toMatchObject([503, { code: "leader_away" }]);
});

test.concurrent("a stream at a follower reports events that reached its copy", async () => {
  await using leader = openLeader();
  const { token, caller } = createMember(leader.core, "ada");
  const from = { address: "203.0.113.7", agent: "Firefox on Linux" };
  const { secret } = leader.core.db.transact(() => openSession(leader.core, caller.builderId ?? "", from));
  const { token: bobs } = createMember(leader.core, "bob");
  await using follower = openFollower(leader);
  const stream = await fetch(`${follower.url}/live`, { headers: { cookie: `__Host-guildhall=${secret}` } });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const waitForText = async (content: string): Promise<void> => {
    for (let text = ""; !text.includes(content);) {
      const next = await reader?.read();
      if (!next || next.done) throw new Error(`it ended after ${text}`);
      text += next.value;
    }
  };
  await waitForText('"posts":0');
  // The post is written through the same follower that serves the stream.
  await createRequester(follower.url, bobs)("/v1/feed", { method: "POST", body: { text: "News" } });
  follower.updateCopy();
  await waitForText('"posts":1');
  const page = await createRequester(follower.url, token)("/v1/feed");
  expect(await page.json()).toMatchObject({ data: [{ text: "News" }] });
  await reader?.cancel();
});

test.concurrent(
  "a follower refuses the folder of a running server, and leaves that folder unchanged",
  async () => {
    using world = createTestWorld();
    const { folder } = world;
    const held = lockFile(join(folder, "guildhall.lock"));
    writeFileSync(join(folder, "guildhall.key"), `${"0f".repeat(32)}\n`, { mode: 0o600 });
    const config = readConfig({
      GUILDHALL_DATA: folder,
      GUILDHALL_PORT: "0",
      GUILDHALL_FOLLOW: "http://127.0.0.1:1",
    });
    expect(() => follow(config, pino({ level: "silent" }))).toThrow("A follower needs its own folder");
    expect(readdirSync(folder)).not.toContain("guildhall.address");
    held?.release();
  },
);

test.concurrent("a follower refuses a CONNECT request and does not forward it", async () => {
  await using leader = openLeader();
  await using follower = openFollower(leader);
  const { port } = new URL(follower.url);
  const socket = connect(Number(port), "127.0.0.1", () =>
    socket.write("CONNECT /v1/feed HTTP/1.1\r\nHost: guild.test\r\n\r\n"),
  );
  const [head] = await new Promise<string[]>((resolve) =>
    socket.once("data", (bytes) => resolve(String(bytes).split("\r\n"))),
  );
  socket.destroy();
  expect(head).toBe("HTTP/1.1 404 Not Found");
});

/** A proxy of the leader whose `Date` header is `aheadMs` ahead of the follower's clock. */
function leaderAhead(url: string, aheadMs: () => number) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const answer = await fetch(`${url}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        redirect: "manual",
      });
      const headers = new Headers(answer.headers);
      headers.set("date", new Date(Date.now() + aheadMs()).toUTCString());
      return new Response(null, { status: answer.status, headers });
    },
  });
}

test.concurrent(
  "a follower reports a clock difference to its leader in the log, on /metrics and on /readyz",
  async () => {
    await using leader = openLeader();
    createMember(leader.core, "ada");
    let aheadMs = 60_000;
    const between = leaderAhead(leader.url, () => aheadMs);
    await using follower = openFollower(leader, { env: { GUILDHALL_FOLLOW: between.url.origin } });
    const logged = async (text: string) => {
      while (!follower.logged.some((line) => line.includes(text))) await Bun.sleep(20);
    };
    const seconds = async () => {
      const page = await (await fetch(`${follower.url}/metrics`)).text();
      return Number(/^guildhall_follower_clock_seconds (.*)$/m.exec(page)?.[1]);
    };

    await logged("clock differs from the leader's");

    expect(await seconds()).toBeWithin(-61, -56);
    const ready = (await (await fetch(`${follower.url}/readyz`)).json()) as { clock_seconds: number };
    expect(ready.clock_seconds).toBeWithin(-61, -56);

    aheadMs = -600_000;
    while (!((await seconds()) > 590)) await Bun.sleep(20);
    aheadMs = 0;
    await logged("clock agrees with the leader again");
    expect(await seconds()).toBe(0);
    await between.stop(true);
  },
);
