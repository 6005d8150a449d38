// Tests docs/contract.md#12.2 for port 80.
import { afterAll, expect, test } from "bun:test";
import { createRedirects } from "../../src/http/redirects.ts";
import { listen } from "../../src/http/server.ts";
import { head, exchange } from "./raw.ts";

let isReady = true;
const server = listen("127.0.0.1", 0, () =>
  createRedirects("https://guild.example", {
    answer: (token) => (token === "open" ? "open.thumbprint" : undefined),
    isReady: () => isReady,
  }),
);
afterAll(() => server.stop(0));

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { redirect: "manual", ...init });

test("redirects reads to the configured origin with path and query, for any Host", async () => {
  for (const method of ["GET", "HEAD"]) {
    const answer = await ask("/posts/1?tag=a%20b&x", { method, headers: { host: "evil.example" } });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      308,
      "https://guild.example/posts/1?tag=a%20b&x",
    ]);
  }
  for (const target of ["//evil.example/", "/\\evil.example", "/@evil.example", "http://evil.example/x"]) {
    const { answers } = await exchange(
      server.url,
      head(`GET ${target} HTTP/1.1`, { Host: "guild.example" }),
      {
        answers: 1,
      },
    );
    const location = answers[0]?.headers.get("location");
    expect(location === undefined || new URL(location).origin === "https://guild.example").toBe(true);
  }
});

test("refuses writes and requests with a token, with a message and without a redirect", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const answer = await ask("/v1/feed", { method });
    expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
    expect(await answer.text()).toContain("Send this request to https://guild.example.");
  }
  const withToken = await ask("/v1/feed", { headers: { authorization: "Bearer guild_pat_x" } });
  expect([withToken.status, withToken.headers.get("location")]).toEqual([403, null]);
  expect(await withToken.text()).toContain("revoke any token that it contained");
});

test("answers an authority's challenge, and other challenge paths with 404 and no redirect", async () => {
  const open = await ask("/.well-known/acme-challenge/open");
  expect([open.status, await open.text()]).toEqual([200, "open.thumbprint"]);
  for (const name of ["other", "", "open/", "../acme-challenge/other", "__proto__", "a".repeat(5000)]) {
    const { status, headers } = await ask(`/.well-known/acme-challenge/${name}`);
    expect([name, status, headers.get("location")]).toEqual([name, 404, null]);
  }
});

test("does not redirect to a certificate that browsers distrust", async () => {
  isReady = false;
  const answer = await ask("/");
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "60"]);
  expect((await ask("/.well-known/acme-challenge/open")).status).toBe(200);
  isReady = true;
});
