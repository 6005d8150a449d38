// Tests docs/contract.md#5.3: positions of events after a backup is restored.
import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { HOUR } from "../../src/core/base/clock.ts";
import { deletePrivateEvents } from "../../src/core/services/deletion/deletion-store.ts";
import { listen } from "../graphql/stream.ts";
import { type TestServer, createMember, openTestServer, snapshot } from "../support.ts";
import { call } from "./client.ts";

/**
 * Returns a position and a cursor issued after the backup, and the restored community with one more event.
 */
async function afterRestore() {
  const former = openTestServer();
  const { token, caller } = createMember(former.core, "ada");
  createPost(former.core, caller, { text: "kept" });
  const [kept] = (await call(former, token, "GET /events")).body.data;
  const backup = snapshot(former);
  former.clock.pass(HOUR);
  for (const text of ["lost", "lost, too"]) createPost(former.core, caller, { text });
  const [, lost] = (await call(former, token, "GET /events")).body.data;
  const lostCursor = (await call(former, token, "GET /events?limit=2")).body.next;
  await former[Symbol.asyncDispose]();
  const server = openTestServer({ from: backup });
  server.clock.pass(2 * HOUR);
  createPost(server.core, caller, { text: "new" });
  const [, fresh] = (await call(server, token, "GET /events")).body.data;
  return { server, token, caller, kept: kept.id, lost: lost.id, lostCursor, fresh: fresh.id };
}

async function status(server: TestServer, token: string, query: string, headers = {}): Promise<unknown[]> {
  const { status, body } = await call(server, token, `GET /events${query}`, { headers });
  return [status, body?.code ?? body?.data?.length];
}

test("a position lost with the restore is 400 on every route that takes one, also after the next event", async () => {
  const { server, token, kept, lost, lostCursor, fresh } = await afterRestore();
  await using _ = server;
  const unknown = [400, "place_unknown"];
  const stream = { accept: "text/event-stream" };

  expect(lost < fresh).toBe(true);
  expect(await status(server, token, `?after=${lost}`)).toEqual(unknown);
  expect(await status(server, token, `?after=${lost}&wait=30`)).toEqual(unknown);
  expect(await status(server, token, `?after=${lost}`, stream)).toEqual(unknown);
  expect(await status(server, token, "", { ...stream, "last-event-id": lost })).toEqual(unknown);
  expect(await status(server, token, `?limit=2&cursor=${lostCursor}`)).toEqual([400, "cursor_foreign"]);
  expect(await status(server, token, `?after=${kept}`)).toEqual([200, 1]);
  expect(await status(server, token, `?after=${fresh}`)).toEqual([200, 0]);
  for (const subscription of [
    "subscription($after: ID) { postCreated(after: $after) { text } }",
    "subscription($after: ID) { jobPublished(after: $after) { title } }",
    "subscription($after: ID) { jobMatched(after: $after) { score } }",
    "subscription($after: ID) { xpLeveledUp(after: $after) { toLevel } }",
  ]) {
    await using stream = await listen(server, token, subscription, { variables: { after: lost } });
    const error = (await stream.next())?.data.errors[0];
    expect([subscription, error.extensions.reason]).toEqual([subscription, "place_unknown"]);
  }
  await using resumed = await listen(server, token, "subscription { postCreated { text } }", {
    headers: { "last-event-id": kept },
  });
  expect((await resumed.next())?.data.data.postCreated.text).toBe("new");
});

test("a stream continues after its starting event was deleted with its owner's account", async () => {
  await using server = openTestServer();
  const { core } = server;
  const ada = createMember(core, "ada");
  const bo = createMember(core, "bo");
  createPost(core, ada.caller, { text: "before" });
  sendMessage(core, ada.caller, { to: "bo", text: "private" });
  const leaving = new AbortController();
  const answer = await fetch(`${server.url}/v1/events`, {
    headers: { authorization: `Bearer ${ada.token}`, accept: "text/event-stream" },
    signal: leaving.signal,
  });
  const reader = answer.body?.getReader();
  const read = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
  expect(await read()).toBe(":\n\n");

  core.db.transact(() => deletePrivateEvents(core, bo.caller.builderId ?? "", 10));
  createPost(core, ada.caller, { text: "after" });

  expect(await read()).toContain('"title":"after"');
  leaving.abort();
});
