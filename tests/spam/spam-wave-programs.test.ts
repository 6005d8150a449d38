// Clears a wave of 100 accounts and 500 posts by the API and by commands (docs/contract.md#12.38).
import { expect, test } from "bun:test";
import { isoTime, MINUTE } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { command } from "../command.ts";
import { createMemberToken, openTestServer } from "../support.ts";
import { finish, flood, PLACES, placesWith, SPAMMERS } from "./wave.ts";

/** A server with the wave, at the present time, because commands use the system's clock. */
async function openWave() {
  const server = openTestServer();
  const { clock } = server;
  clock.pass(Date.now() - clock.now() - 3 * MINUTE);
  const since = isoTime(clock.now());
  clock.pass(1000);
  const reader = flood(server);
  expect(await placesWith(server, reader)).toEqual(PLACES);
  return { server, since, reader };
}

const heldHosts = (core: Core): string[] =>
  core.db
    .prepare<{ host: string }>("SELECT DISTINCT host FROM held_hosts ORDER BY host")
    .all()
    .map(({ host }) => host);

test("a token with `moderation` finds the wave, previews and removes it, and undoes the removal", async () => {
  const { server, since, reader } = await openWave();
  await using _server = server;
  createBuilder(server.core, OPERATOR, { username: "mo", name: "Mo", role: "moderator" });
  const { token } = createMemberToken(server.core, "mo", ["moderation"]);
  const send = async (path: string, init: { method: string; body?: unknown } = { method: "GET" }) => {
    const answer = await server.request(token, path, init);
    expect([path, answer.ok ? "" : await answer.text()]).toEqual([path, ""]);
    return (await answer.json()) as any;
  };
  const query = new URLSearchParams({ new_since: since, link_host: "pills.example", limit: "100" });
  const members: { username: string }[] = (await send(`/members?${query}`)).data;
  const usernames = members.map(({ username }) => username);
  expect(usernames).toHaveLength(SPAMMERS);

  const preview = await send("/removals/preview", { method: "POST", body: { usernames } });
  expect(preview.counts).toMatchObject({ members: SPAMMERS, posts: 5 * SPAMMERS });
  const hosts = preview.hosts.flatMap((each: any) => (each.is_preselected ? [each.host] : []));
  const body = { usernames, hosts, reason: "Advertisements" };
  const { decisions } = await send("/removals", { method: "POST", body });
  finish(server);
  expect(await placesWith(server, reader)).toEqual([]);
  expect(heldHosts(server.core)).toEqual(["pills.example", "shop.pills.example"]);

  for (const { id } of decisions) await send(`/decisions/${id}/undone`, { method: "PUT" });
  finish(server);
  expect(await placesWith(server, reader)).toEqual(PLACES);
  expect(heldHosts(server.core)).toEqual([]);
});

test("commands find the wave, preview and remove it, and undo the removal", async () => {
  const { server, since, reader } = await openWave();
  await using _server = server;
  const type = async (...args: string[]) => {
    const { code, stdout, stderr } = await command(server, args);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t"));
  };
  const filter = ["--new-since", since, "--link-host", "pills.example"];
  const names = (await type("builder", "list", ...filter)).map(([name = ""]) => name);
  expect(names).toHaveLength(SPAMMERS);

  const preview = await type("builder", "spam", ...names, "--preview");
  const hosts = preview.slice(SPAMMERS).map(([host = ""]) => host);
  expect(hosts).toEqual(["pills.example", "shop.pills.example"]);
  const held = hosts.flatMap((host) => ["--host", host]);
  const removed = await type("builder", "spam", ...names, ...held, "--reason", "Advertisements");
  finish(server);
  expect(await placesWith(server, reader)).toEqual([]);
  expect(heldHosts(server.core)).toEqual(hosts);

  const undone = await type("case", "undo", ...removed.map(([, decision = ""]) => decision));
  expect(undone).toHaveLength(SPAMMERS);
  finish(server);
  expect(await placesWith(server, reader)).toEqual(PLACES);
  expect(heldHosts(server.core)).toEqual([]);
});
