import { expect, test } from "bun:test";
import { countOf } from "../../../src/core/services/history/histogram.ts";
import { requestCounts } from "../../../src/operate/health/daily-history.ts";
import { createMember, openTestServer } from "../../support.ts";

/** docs/contract.md#12.18 */

test("the daily response times exclude health checks, metrics and long polling", async () => {
  await using server = openTestServer();
  const { core, metrics, url } = server;
  const { token } = createMember(core, "ada");
  const countsNow = () => {
    const { reads, writes, faults } = requestCounts(metrics);
    return { reads: countOf(reads), writes: countOf(writes), faults };
  };
  await server.request(token, "/feed");
  await fetch(`${url}/sign-in`);
  expect(countsNow()).toEqual({ reads: 2, writes: 0, faults: 0 });
  await server.request(token, "/feed", { method: "POST", body: { text: "First" } });
  expect(countsNow()).toEqual({ reads: 2, writes: 1, faults: 0 });
  const read = { query: "{ viewer { username } }" };
  await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(read),
  });
  expect(countsNow()).toEqual({ reads: 3, writes: 1, faults: 0 });

  await fetch(`${url}/healthz`);
  await fetch(`${url}/metrics`);
  await server.request(token, "/events?wait=1&since=2030-01-01T00:00:00Z");
  expect(countsNow()).toEqual({ reads: 3, writes: 1, faults: 0 });

  core.db.close();
  await server.request(token, "/feed");
  expect(countsNow()).toMatchObject({ faults: 1 });
});
