// Tests docs/contract.md#4.14 and docs/contract.md#9.4.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { block } from "../../src/core/community/messages/blocks.ts";
import {
  countUnread,
  getMessages,
  getThread,
  listMessages,
  listThreads,
  markRead,
  sendMessage,
} from "../../src/core/community/messages/messages.ts";
import { NEW_THREADS_A_DAY } from "../../src/core/community/messages/message-settings.ts";
import { previewOf } from "../../src/core/base/title.ts";
import { sized } from "../drill.ts";
import {
  createMemberToken,
  createTestWorld,
  createMember,
  openTestServer,
  type TestWorld,
} from "../support.ts";
import { call, refusalOf } from "./client.ts";
import { rows } from "./rows.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

function events(world: TestWorld): any[] {
  return rows(
    world.core,
    "SELECT body, builder_id, workspace_id FROM events WHERE type = 'dm.received' ORDER BY id",
  );
}

test("the first message creates the thread of two members, and the answer joins the same thread", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const ada = createMember(core, "ada").token;
  const bo = createMember(core, "bo").token;
  const sent = await call(server, ada, "POST /messages", { body: { to: "BO", text: "# Hi\n\n*Bo*!" } });
  expect([sent.status, sent.body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^msg_/),
      thread_id: expect.stringMatching(/^thr_/),
      from: { username: "ada", name: "Ada" },
      text: "# Hi\n\n*Bo*!",
      created_at: "2026-11-20T12:00:00.000Z",
    },
  ]);
  clock.pass(MINUTE);
  const answered = (await call(server, bo, "POST /messages", { body: { to: "ada", text: "Hello." } })).body;
  expect(answered.thread_id).toBe(sent.body.thread_id);
  const seen = (await call(server, ada, "GET /messages")).body;
  expect(seen).toEqual({
    data: [
      {
        id: answered.thread_id,
        with: { username: "bo", name: "Bo" },
        unread: 1,
        request: false,
        last: { id: answered.id, mine: false, preview: "Hello.", created_at: answered.created_at },
        created_at: sent.body.created_at,
      },
    ],
    next: null,
  });
  const [theirs] = (await call(server, bo, "GET /messages")).body.data;
  expect(theirs).toMatchObject({ with: { username: "ada" }, unread: 1, last: { mine: true } });
  for (const token of [ada, bo]) {
    const { body } = await call(server, token, `GET /messages/${answered.thread_id}`);
    expect(body).toEqual({ data: [answered, sent.body], next: null });
  }
});

test("two members who write to each other at once share one thread", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada").token;
  const bo = createMember(server.core, "bo").token;
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, nth) =>
      call(server, nth % 2 ? ada : bo, "POST /messages", {
        body: { to: nth % 2 ? "bo" : "ada", text: `${nth}` },
      }),
    ),
  );
  expect(new Set(sent.map(({ body }) => body.thread_id)).size).toBe(1);
  expect(rows(server.core, "SELECT unread FROM thread_members")).toEqual([{ unread: 10 }, { unread: 10 }]);
});

test("threads are listed by newest message and messages newest first, page by page in both directions", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { caller } = createMember(core, "ada");
  const names = ["bo", "cy", "di", "ed", "flo"];
  const others = new Map(names.map((name) => [name, createMember(core, name).caller]));
  for (const to of [...names, "cy", "bo"]) {
    clock.pass(MINUTE);
    sendMessage(core, caller, { to, text: `to ${to}` });
  }
  const order = ["bo", "cy", "flo", "ed", "di"];
  const first = listThreads(core, caller, {}, { limit: 2 });
  const [, cy] = first.nodes;
  if (!cy) throw new Error("no second thread");
  const second = listThreads(core, caller, {}, { limit: 5, cursor: first.cursorOf(cy) });
  expect([...first.nodes, ...second.nodes].map((thread) => thread.with.username)).toEqual(order);
  expect([first.hasNextPage, second.hasNextPage]).toEqual([true, false]);
  const [flo] = second.nodes;
  if (!flo) throw new Error("no third thread");
  const back = listThreads(core, caller, {}, { limit: 5, cursor: second.cursorOf(flo), backwards: true });
  expect(back.nodes).toEqual(first.nodes);
  const bo = others.get("bo");
  if (!bo) throw new Error("no bo");
  const messages = listMessages(core, bo, first.nodes[0]?.id ?? "", { limit: 1 });
  expect(messages.nodes.map(({ text }) => text)).toEqual(["to bo"]);
  expect(messages.hasNextPage).toBe(true);
  expect(() => listMessages(core, bo, first.nodes[0]?.id ?? "", { limit: 1, cursor: "x" })).toThrow("cursor");
});

test("only the two members of a thread can read it or learn that it exists", async () => {
  await using server = openTestServer();
  const { core } = server;
  const ada = createMember(core, "ada");
  createMember(core, "bo");
  const cy = createMember(core, "cy");
  createMember(core, "di");
  changeRole(core, OPERATOR, "di", "admin");
  const admin = createMemberToken(core, "di", ["admin", "messages:read", "messages:write"]);
  const { threadId, id } = sendMessage(core, ada.caller, { to: "bo", text: "secret" });
  const unknown = "thr_01kafzq8e5f2r8v0j3n6s1t4wx";
  for (const { token, caller } of [cy, admin]) {
    for (const suffix of ["", "?limit=5", "/read"]) {
      const method = suffix === "/read" ? "POST" : "GET";
      const init = suffix === "/read" ? { body: {} } : {};
      const theirs = await call(server, token, `${method} /messages/${threadId}${suffix}`, init);
      const none = await call(server, token, `${method} /messages/${unknown}${suffix}`, init);
      expect([theirs.status, theirs.text]).toEqual([404, none.text]);
    }
    expect((await call(server, token, "GET /messages")).body.data).toEqual([]);
    expect(() => getThread(core, caller, threadId)).toThrow("no thread");
    expect(getMessages(core, caller, [id])).toEqual([]);
  }
  expect(() => listThreads(core, OPERATOR, {}, { limit: 1 })).toThrow("Only a member can do this");
  const own = sendMessage(core, cy.caller, { to: "di", text: "hello" });
  expect(() => markRead(core, cy.caller, own.threadId, id)).toThrow("no such message");
  expect(
    rows(core, "SELECT unread FROM thread_members WHERE thread_id = ? ORDER BY unread", threadId),
  ).toEqual([{ unread: 0 }, { unread: 1 }]);
});

test("reading messages needs messages:read; sending and marking as read need messages:write", async () => {
  await using server = openTestServer();
  const reader = createMember(server.core, "ada", ["messages:read"]).token;
  const writer = createMember(server.core, "bo", ["messages:write"]).token;
  const body = { to: "bo", text: "x" };
  expect(await refusalOf(server, reader, "POST /messages", { body })).toBe("403");
  expect(await refusalOf(server, reader, "POST /messages/thr_x/read", { body: {} })).toBe("403");
  expect(await refusalOf(server, reader, "PUT /blocks/bo")).toBe("403");
  expect(await refusalOf(server, reader, "DELETE /blocks/bo")).toBe("403");
  for (const request of ["GET /messages", "GET /messages/thr_x", "GET /blocks"]) {
    expect([request, await refusalOf(server, writer, request)]).toEqual([request, "403"]);
  }
  expect((await call(server, writer, "POST /messages", { body: { ...body, to: "ada" } })).status).toBe(201);
});

test("a message needs a recipient and 1 to 4,000 characters", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  createMember(server.core, "bo");
  const table: [unknown, string][] = [
    [{ text: "x" }, "400 to"],
    [{ to: "bo" }, "400 text"],
    [{ to: "bo", text: "" }, "400 text"],
    [{ to: "bo", text: " \n" }, "400 text"],
    [{ to: "bo", text: "x".repeat(4001) }, "400 text"],
    [{ to: "bo", text: "a\0b" }, "400 text"],
    [{ to: 7, text: "x" }, "400 to"],
    [{ to: "nobody", text: "x" }, "404"],
    [{ to: "@bo", text: "x" }, "404"],
    [{ to: "ada", text: "x" }, "422 to"],
    [{ to: "Ada", text: "x" }, "422 to"],
  ];
  for (const [body, refusal] of table) {
    expect([body, await refusalOf(server, token, "POST /messages", { body })]).toEqual([body, refusal]);
  }
  expect([events(server), rows(server.core, "SELECT id FROM threads")]).toEqual([[], []]);
  const longest = { to: "bo", text: "🦀".repeat(4000) };
  expect((await call(server, token, "POST /messages", { body: longest })).body.text).toBe(longest.text);
});

test("a blocked sender gets the same refusal as for a suspended recipient", async () => {
  await using server = openTestServer();
  const { core } = server;
  const ada = createMember(core, "ada");
  const bo = createMember(core, "bo");
  createMember(core, "cy");
  const send = (token: string, to: string) =>
    call(server, token, "POST /messages", { body: { to, text: "x" } });
  await send(ada.token, "bo");
  for (let twice = 0; twice < 2; twice++)
    expect((await call(server, bo.token, "PUT /blocks/ADA")).status).toBe(204);
  setSuspended(core, OPERATOR, "cy", true);
  const blocked = await send(ada.token, "bo");
  const suspended = await send(ada.token, "cy");
  expect([blocked.status, blocked.text]).toEqual([403, suspended.text]);
  expect(blocked.body.message).toBe("This member does not accept messages from you.");
  expect(events(server)).toHaveLength(1);
  expect((await send(bo.token, "ada")).status).toBe(409);
  for (const { token } of [ada, bo])
    expect((await call(server, token, "GET /messages")).body.data).toHaveLength(1);
  expect((await call(server, bo.token, "GET /blocks")).body).toEqual({
    data: [{ username: "ada", name: "Ada", created_at: "2026-11-20T12:00:00.000Z" }],
    next: null,
  });
  expect((await call(server, ada.token, "GET /blocks")).body.data).toEqual([]);
  for (let twice = 0; twice < 2; twice++) {
    expect((await call(server, bo.token, "DELETE /blocks/ada")).status).toBe(204);
  }
  expect([(await send(ada.token, "bo")).status, (await send(bo.token, "ada")).status]).toEqual([201, 201]);
});

test("a block of oneself or of an unknown member is refused, and blocked members are listed page by page", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token, caller } = createMember(core, "ada");
  for (const method of ["PUT", "DELETE"]) {
    expect(await refusalOf(server, token, `${method} /blocks/nobody`)).toBe("404");
  }
  expect(await refusalOf(server, token, "PUT /blocks/ada")).toBe("422");
  const names = ["bo", "cy", "di", "ed"];
  for (const name of names) {
    createMember(core, name);
    block(core, caller, name);
    if (name === "cy") server.clock.pass(MINUTE);
  }
  const walked: string[] = [];
  for (let next: string | null = ""; next !== null;) {
    const query: string = next === "" ? "limit=1" : `limit=1&cursor=${next}`;
    const { body } = await call(server, token, `GET /blocks?${query}`);
    walked.push(...body.data.map(({ username }: { username: string }) => username));
    next = body.next;
  }
  expect(walked.toSorted()).toEqual(names);
  expect(new Set(walked.slice(0, 2))).toEqual(new Set(["di", "ed"]));
});

test("a builder starts at most twenty conversations in 24 hours, answers without limit, and gets a correct Retry-After", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const { token, caller } = createMember(core, "ada");
  const late = createMember(core, "late");
  for (let nth = 0; nth < NEW_THREADS_A_DAY; nth++) {
    createMember(core, `b${nth}`);
    sendMessage(core, caller, { to: `b${nth}`, text: "hi" });
    clock.pass(HOUR / 2);
  }
  const stranger = () => call(server, token, "POST /messages", { body: { to: "late", text: "hi" } });
  const refused = await stranger();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, String((14 * HOUR) / 1000)]);
  sendMessage(core, caller, { to: "b3", text: "again" });
  clock.pass(14 * HOUR - 1);
  expect((await stranger()).status).toBe(429);
  clock.pass(1);
  expect((await stranger()).status).toBe(201);
  createMember(core, "one-more");
  expect(await refusalOf(server, token, "POST /messages", { body: { to: "one-more", text: "x" } })).toBe(
    "429",
  );
  expect(sendMessage(core, late.caller, { to: "one-more", text: "hi" }).threadId).toMatch(/^thr_/);
});

test("dm.received is sent only to the receiver's own endpoints in workspaces that they own", async () => {
  await using server = openTestServer({ resolve: async () => ["93.184.215.14"] });
  const { core } = server;
  const ada = createMember(core, "ada");
  const bo = createMember(core, "bo");
  const cy = createMember(core, "cy");
  for (const { token } of [ada, bo, cy]) {
    const body = { url: "https://hooks.example.com/in", events: ["dm.received", "post.created"] };
    expect((await call(server, token, "POST /webhooks", { body })).status).toBe(201);
  }
  const text = `# Hello\n\n${"many **words** ".repeat(40)}`;
  const { body: sent } = await call(server, ada.token, "POST /messages", { body: { to: "bo", text } });
  const [event] = events(server);
  expect(events(server)).toHaveLength(1);
  expect([event.builder_id, event.workspace_id]).toEqual([bo.caller.builderId, null]);
  const [{ data }] = (await call(server, bo.token, "GET /events")).body.data;
  expect(data).toEqual({
    thread_id: sent.thread_id,
    from_id: ada.caller.builderId,
    preview: expect.stringMatching(/^Hello many words many .*…$/),
  });
  expect([...data.preview].length).toBeLessThanOrEqual(140);
  const owners = rows(
    core,
    `SELECT w.workspace_id AS id FROM deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id
     JOIN events e ON e.id = d.event_id WHERE e.type = 'dm.received'`,
  );
  expect(owners).toEqual([{ id: bo.caller.workspaceId }]);
  const pulled = async (token: string) => (await call(server, token, "GET /events")).body.data;
  expect([await pulled(ada.token), await pulled(cy.token)]).toEqual([[], []]);
  expect((await pulled(bo.token)).map(({ type }: { type: string }) => type)).toEqual(["dm.received"]);
});

test("a rolled-back message leaves no event and no row", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  createMember(core, "bo");
  expect(() =>
    core.db.transact(() => {
      sendMessage(core, caller, { to: "bo", text: "x" });
      throw new Error("no");
    }),
  ).toThrow("no");
  expect([events(world), rows(core, "SELECT 1 FROM threads, messages, thread_members")]).toEqual([[], []]);
});

test("a thread is marked as read up to the given message: later messages stay unread", async () => {
  await using server = openTestServer();
  const { core } = server;
  const ada = createMember(core, "ada");
  const bo = createMember(core, "bo");
  const ids = ["one", "two", "three"].map((text) => sendMessage(core, ada.caller, { to: "bo", text }).id);
  const threadId = getMessages(core, ada.caller, ids)[0]?.threadId;
  const request = `POST /messages/${threadId}/read`;
  const read = async (body: object) => (await call(server, bo.token, request, { body })).body.unread;
  expect(await read({ up_to: ids[1] })).toBe(1);
  expect(await read({ up_to: ids[0] })).toBe(1);
  expect(await read({})).toBe(0);
  sendMessage(core, ada.caller, { to: "bo", text: "four" });
  expect([countUnread(core, bo.caller), countUnread(core, ada.caller)]).toEqual([1, 0]);
  const none = "msg_01kafzq8e5f2r8v0j3n6s1t4wx";
  const refused = (up_to: unknown) => refusalOf(server, bo.token, request, { body: { up_to } });
  expect([await refused("x"), await refused(7), await refused(none)]).toEqual([
    "400 up_to",
    "400 up_to",
    "404 up_to",
  ]);
});

test("unread counts stay exact after any interleaving of three builders, even when the clock is set back", () => {
  const names = ["ada", "bo", "cy"] as const;
  const step = fc.record({
    who: fc.constantFrom(...names),
    other: fc.constantFrom(...names),
    what: fc.constantFrom("send", "send", "read", "readUpTo", "sleep", "stepBack"),
    nth: fc.nat(20),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 12, maxLength: 80 }), (steps) => {
      using world = createTestWorld();
      const { core, clock } = world;
      const callers = new Map(names.map((name) => [name, createMember(core, name).caller]));
      /** By pair of members: sender and id of each message, and the read position of each member. */
      const model = new Map<
        string,
        { threadId: string; sent: { by: string; id: string }[]; read: Map<string, number> }
      >();
      const pair = (a: string, b: string): string => [a, b].sort().join();
      for (const { who, other, what, nth } of steps) {
        const caller = callers.get(who);
        if (!caller || who === other) continue;
        const thread = model.get(pair(who, other));
        if (what === "send") {
          const { id, threadId } = sendMessage(core, caller, { to: other, text: `${nth}` });
          const known = thread ?? { threadId, sent: [], read: new Map<string, number>() };
          known.sent.push({ by: who, id });
          model.set(pair(who, other), known);
        }
        if (what === "sleep") clock.pass(nth);
        if (what === "stepBack") clock.step(-nth * 1000);
        if (!thread || (what !== "read" && what !== "readUpTo")) continue;
        const upTo = what === "read" ? thread.sent.length - 1 : nth % thread.sent.length;
        markRead(core, caller, thread.threadId, what === "read" ? undefined : thread.sent[upTo]?.id);
        thread.read.set(who, Math.max(thread.read.get(who) ?? 0, upTo + 1));
      }
      for (const [name, caller] of callers) {
        const expected = new Map<string, number>();
        for (const [names, { sent, read }] of model) {
          if (!names.split(",").includes(name)) continue;
          const other = names.split(",").find((item) => item !== name) ?? "";
          expected.set(other, sent.slice(read.get(name) ?? 0).filter(({ by }) => by !== name).length);
        }
        const threads = listThreads(core, caller, {}, { limit: 100 }).nodes;
        expect(new Map(threads.map((thread) => [thread.with.username, thread.unread]))).toEqual(expected);
        expect(countUnread(core, caller)).toBe([...expected.values()].reduce((sum, value) => sum + value, 0));
        for (const thread of threads) {
          const { sent = [] } = model.get(pair(name, thread.with.username)) ?? {};
          const listed = listMessages(core, caller, thread.id, { limit: 100 }).nodes.map(({ id }) => id);
          expect(listed).toEqual(sent.map(({ id }) => id).reverse());
        }
      }
    }),
    { numRuns: sized(20, 250) },
  );
});

test("a preview is plain text of at most 140 characters on one line", () => {
  const table: [string, string][] = [
    ["Hi.", "Hi."],
    ["# Hi\n\n- *one*\n- [two](https://two.example)", "Hi one two"],
    ["```\ncode\n```", "code"],
    ["***", "***"],
    ["🦀".repeat(140), "🦀".repeat(140)],
    ["🦀".repeat(141), `${"🦀".repeat(139)}…`],
    ["a\u0007b\u2028c", "a b c"],
  ];
  for (const [text, preview] of table) expect(previewOf(text)).toBe(preview);
});
