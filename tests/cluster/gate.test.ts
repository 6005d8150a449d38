// docs/contract.md#12.28 and docs/threats.md#M12: a leader with followers.
import { expect, test } from "bun:test";
import { createGate } from "../../src/cluster/request-gate.ts";
import { type SignedForward, signForward } from "../../src/cluster/signature.ts";
import { readVersion } from "../../src/cluster/version.ts";
import type { Core } from "../../src/core/base/core.ts";
import { createMember, openTestServer } from "../support.ts";

const received: number[] = [];
const gate = (core: Core) =>
  createGate(core, { isLeading: true, onEpoch: (epoch) => void received.push(epoch) });

function forward(core: Core, forwarded: Partial<SignedForward> = {}): Record<string, string> {
  const whole = { method: "GET", target: "/v1/community", address: "198.51.100.7", epoch: 1, ...forwarded };
  return { "guildhall-handed": signForward(core, whole) };
}

test("a node of a cluster sends its version with every response; a single server sends none", async () => {
  await using leader = openTestServer({ gate });
  await using alone = openTestServer();
  const { token } = createMember(leader.core, "ada");
  const read = await leader.request(token, "/feed");
  const before = readVersion(read.headers.get("guildhall-version") ?? "");
  const written = await leader.request(token, "/feed", { method: "POST", body: { text: "Hello" } });
  const after = readVersion(written.headers.get("guildhall-version") ?? "");
  expect(written.status).toBe(201);
  expect(after).toEqual({ epoch: 1, commits: leader.core.db.position().commits });
  expect(after?.commits).toBeGreaterThan(before?.commits ?? Infinity);
  expect(written.headers.has("set-cookie")).toBe(false);
  for (const path of ["/nothing", "/feed"])
    expect((await leader.request(undefined, path)).headers.get("guildhall-version")).toBe(
      `1.${after?.commits}`,
    );
  const page = await fetch(`${alone.url}/about`);
  expect(page.headers.has("guildhall-version")).toBe(false);
  expect(page.headers.getSetCookie().join()).not.toContain("version");
});

test("a page sets the version cookie only when it changed; cacheable files never set it", async () => {
  await using leader = openTestServer({ gate });
  const { core, url } = leader;
  const setBy = async (cookie: string, path = "/about"): Promise<string[]> => {
    const page = await fetch(`${url}${path}`, { headers: { cookie }, redirect: "manual" });
    return page.headers.getSetCookie().filter((line) => line.includes("guildhall-version"));
  };
  const { commits } = core.db.position();
  const line = `__Host-guildhall-version=1.${commits}; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=86400`;
  expect(await setBy("")).toEqual([line]);
  expect(await setBy(`__Host-guildhall-version=1.${commits}`)).toEqual([]);
  // A cookie with a forged version does not delay the request. The response replaces the cookie.
  expect(await setBy("__Host-guildhall-version=1.999999999")).toEqual([line]);
  expect(await setBy("__Host-guildhall-version=%22x")).toEqual([line]);
  expect(await setBy("", "/favicon.ico")).toEqual([]);
});

test("refuses a request that names a future, malformed or empty version", async () => {
  await using leader = openTestServer({ gate });
  const { epoch, commits } = leader.core.db.position();
  const ask = async (version: string) =>
    await leader.request(undefined, "/community", { headers: { "guildhall-version": version } });
  expect((await ask(`${epoch}.${commits}`)).status).toBe(200);
  for (const version of [`${epoch}.${commits + 1}`, `${epoch + 1}.0`, "x", ""]) {
    const refused = await ask(version);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: "bad_request", code: "version_ahead" },
    ]);
  }
});

test("a forwarded request counts for the client that the signed header names", async () => {
  await using leader = openTestServer({
    gate,
    env: { GUILDHALL_TRUSTED_PROXIES: "127.0.0.1", GUILDHALL_LOG_ADDRESS: "whole" },
  });
  const { core } = leader;
  const sent = { ...forward(core), "x-forwarded-for": "192.0.2.1" };
  expect((await leader.request(undefined, "/community", { headers: sent })).status).toBe(200);
  expect(leader.logged.at(-1)).toContain('"address":"198.51.100.7"');
  const again = await leader.request(undefined, "/community", { headers: sent });
  expect([again.status, await again.json()]).toMatchObject([403, { code: "handed_again" }]);
  const forged = await leader.request(undefined, "/feed", { headers: forward(core) });
  expect([forged.status, await forged.json()]).toMatchObject([403, { code: "handed_unsigned" }]);
  expect(received).toEqual([]);
  await leader.request(undefined, "/community", { headers: forward(core, { epoch: 7 }) });
  expect(received).toEqual([7]);
});
