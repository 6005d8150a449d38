// Tests docs/contract.md#9.4 and docs/contract.md#9.5.
import { expect, test } from "bun:test";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { sessionOf } from "../../src/core/identity/accounts/sessions.ts";
import { DAY, HOUR, SECOND } from "../../src/core/base/clock.ts";
import { restoreBuilder, suspendBuilder } from "../moderate.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { followBuilder } from "../../src/core/community/following/following.ts";
import { setMessageSettings } from "../../src/core/community/messages/message-settings.ts";
import {
  acceptThread,
  listThreads,
  reportableMessage,
  sendMessage,
  type Thread,
} from "../../src/core/community/messages/messages.ts";
import {
  createMemberToken,
  type TestServer,
  createTestWorld,
  createMember,
  openTestServer,
} from "../support.ts";
import { call } from "./client.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";

/** Creates ada, bo and cy, who have no messages with each other. */
function settle(server: TestServer) {
  const token = (name: string) => createMember(server.core, name).token;
  return { ada: token("ada"), bo: token("bo"), cy: token("cy") };
}

const write = (server: TestServer, token: string, to: string, text = "Hello.") =>
  call(server, token, "POST /messages", { body: { to, text } });

const box = async (server: TestServer, token: string, name = "") =>
  (await call(server, token, `GET /messages${name === "" ? "" : `?box=${name}`}`)).body.data.map(
    (thread: { with: { username: string }; request: boolean }) => [thread.with.username, thread.request],
  );

test("a first message from a stranger is a request until the receiver answers or accepts; its event fires anyway", async () => {
  await using server = openTestServer();
  const { ada, bo, cy } = settle(server);
  await write(server, bo, "ada");
  const { thread_id } = (await write(server, cy, "ada")).body;
  expect(await box(server, ada, "inbox")).toEqual([]);
  expect(await box(server, ada, "requests")).toEqual([
    ["cy", true],
    ["bo", true],
  ]);
  expect(await box(server, ada)).toHaveLength(2);
  // The sender has the thread in the inbox. A second message does not accept the request.
  expect(await box(server, cy, "inbox")).toEqual([["ada", false]]);
  await write(server, cy, "ada", "Are you there?");
  expect(await box(server, ada, "inbox")).toEqual([]);
  await write(server, ada, "bo", "Hello, you.");
  const accept = () => call(server, ada, `PUT /messages/${thread_id}/acceptance`);
  expect((await accept()).body).toMatchObject({ id: thread_id, request: false });
  expect((await accept()).status).toBe(200);
  expect(await box(server, ada, "requests")).toEqual([]);
  expect(await box(server, ada, "inbox")).toEqual([
    ["bo", false],
    ["cy", false],
  ]);
  expect((await call(server, bo, `PUT /messages/${thread_id}/acceptance`)).status).toBe(404);
  expect((await call(server, ada, "GET /messages?box=attic")).status).toBe(400);
  const events = server.core.db.prepare("SELECT count(*) AS n FROM events WHERE type = 'dm.received'").get();
  expect(events).toEqual({ n: 4 });
});

test("a cursor of one box is refused in the other, and walks its own box to the end", async () => {
  await using server = openTestServer();
  const { ada } = settle(server);
  for (let i = 0; i < 5; i++) await write(server, createMember(server.core, `s${i}`).token, "ada");
  const first = (await call(server, ada, "GET /messages?box=requests&limit=2")).body;
  const walk = async (name: string) => call(server, ada, `GET /messages?${name}limit=9&cursor=${first.next}`);
  expect((await walk("box=requests&")).body.data).toHaveLength(3);
  expect((await walk("")).status).toBe(400);
  expect((await walk("box=inbox&")).status).toBe(400);
});

test("messages are open to everybody, contacts or nobody; refused senders get the same refusal as blocked senders", async () => {
  await using server = openTestServer();
  const { ada, bo, cy } = settle(server);
  const { token: dan } = createMember(server.core, "dan");
  const set = (from: string) => call(server, ada, "PUT /message-settings", { body: { from } });
  expect((await call(server, ada, "GET /message-settings")).body).toEqual({ from: "everybody" });
  await write(server, ada, "bo");
  await write(server, cy, "ada");
  expect((await set("contacts")).body).toEqual({ from: "contacts" });
  const refused = await write(server, dan, "ada");
  // Bo is a contact of ada and can write to her. Cy cannot, because ada has not accepted the request from cy.
  expect((await write(server, bo, "ada")).status).toBe(201);
  expect((await write(server, cy, "ada")).text).toBe(refused.text);
  const { id } = (await call(server, ada, "GET /messages?box=requests")).body.data[0];
  await call(server, ada, `PUT /messages/${id}/acceptance`);
  expect((await write(server, cy, "ada")).status).toBe(201);
  await set("nobody");
  for (const token of [bo, cy, dan]) expect((await write(server, token, "ada")).text).toBe(refused.text);
  await call(server, ada, "PUT /blocks/dan");
  await set("everybody");
  expect([refused.status, (await write(server, dan, "ada")).text]).toEqual([403, refused.text]);
  expect((await write(server, bo, "ada")).status).toBe(201);
  expect((await set("friends")).status).toBe(400);
});

test("a newcomer sends three messages a day to members who have not written to them; the refusal states the correct wait", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core, clock } = world;
  changeCommunitySettings(core, OPERATOR, { newcomerDays: 7 });
  for (let i = 0; i < 30; i++) createMember(core, `b${i}`);
  const from = { address: "203.0.113.7", agent: "" };
  const { secret } = await signUp(core, from, { username: "new", password: "correct horse battery" });
  const caller = sessionOf(core, secret, "")?.caller;
  if (!caller) throw new Error("not signed in");
  let next = 0;
  const begin = () => sendMessage(core, caller, { to: `b${next++}`, text: "Hi." });
  const refusal = () => {
    try {
      begin();
    } catch (error) {
      next--;
      return error as { code: string; message: string; retryAfterSeconds: number };
    }
    throw new Error("the message was not refused");
  };
  for (let i = 0; i < 3; i++) {
    begin();
    clock.pass(HOUR);
  }
  const { code, message, retryAfterSeconds } = refusal();
  expect([code, retryAfterSeconds]).toEqual(["newcomer_messages", (21 * HOUR) / SECOND]);
  expect(message).toContain("Until 2026-11-27T12:00:00.000Z, you can send 3 messages a day");
  // Writing again to a member who has not replied is refused too.
  expect(() => sendMessage(core, caller, { to: "b0", text: "Are you there?" })).toThrow("You are new here");
  // Replies and messages to contacts are not limited.
  sendMessage(core, createMemberToken(core, "b29").caller, { to: "new", text: "Welcome." });
  for (let i = 0; i < 20; i++) sendMessage(core, caller, { to: "b29", text: "Thanks." });
  clock.pass(21 * HOUR - 1);
  expect(refusal().code).toBe("newcomer_messages");
  clock.pass(1);
  begin();
  // Each of the two members becomes a contact of the other when one accepts the request or follows the
  // sender.
  const { id: query } = listThreads(
    core,
    createMemberToken(core, "b0").caller,
    {},
    { limit: 1, backwards: false },
  ).nodes[0] as Thread;
  acceptThread(core, createMemberToken(core, "b0").caller, query);
  followBuilder(core, createMemberToken(core, "b27").caller, "new");
  for (let i = 0; i < 5; i++) sendMessage(core, caller, { to: i % 2 ? "b0" : "b27", text: "Thanks." });
  const enterprise = createMemberToken(core, "new", ["messages:write"], "enterprise").caller;
  sendMessage(core, enterprise, { to: "b28", text: "Hi." });
  clock.pass(7 * DAY);
  for (let i = 0; i < 20; i++) begin();
  expect(refusal().code).toBe("threads_too_many");
});

test("members created by the operator are not newcomers", () => {
  using world = createTestWorld();
  const { core } = world;
  for (let i = 0; i < 5; i++) createMember(core, `b${i}`);
  const { caller } = createMember(core, "ada", ["messages:write"], "personal");
  for (let i = 0; i < 5; i++) sendMessage(core, caller, { to: `b${i}`, text: "Hi." });
});

test("a message can be reported; moderators see that message and its author, but no other message of the thread", async () => {
  await using server = openTestServer();
  const { ada, bo } = settle(server);
  createMember(server.core, "root");
  changeRole(server.core, OPERATOR, "root", "admin");
  const root = createMemberToken(server.core, "root", ["admin", "messages:read", "profile:read"]).token;
  const rude = (await write(server, bo, "ada", "Something **rude**.")).body;
  const later = (await write(server, bo, "ada", "A secret of theirs.")).body;
  const own = (await write(server, ada, "bo", "Leave me alone.")).body;
  const report = (token: string, body: object) =>
    call(server, token, `PUT /messages/${rude.thread_id}/report`, { body });
  const response = await report(ada, { reason: "Rude.", message: rude.id });
  expect(response.body).toMatchObject({ subject: { type: "message", id: rude.id }, reason: "Rude." });
  const { data } = (await call(server, root, "GET /reports")).body;
  expect(data.map(({ subject, reporter }: Record<string, unknown>) => [subject, reporter])).toEqual([
    [
      {
        type: "message",
        id: rude.id,
        title: "Message of @bo",
        text: "Something **rude**.",
        owner: "bo",
        hidden: false,
      },
      "ada",
    ],
  ]);
  const texts = JSON.stringify(data);
  for (const hidden of ["A secret of theirs.", "Leave me alone."]) expect(texts).not.toContain(hidden);
  // A member can report neither their own message nor a message of another thread. Without an id, the report
  // names the other member's newest message.
  expect((await report(ada, { reason: "x", message: own.id })).status).toBe(404);
  expect((await report(root, { reason: "x", message: rude.id })).status).toBe(404);
  expect((await report(ada, { reason: "x" })).body.subject.id).toBe(later.id);
  for (const id of [rude.id, own.id]) {
    expect((await call(server, root, `PUT /moderation/${id}/hidden`)).status).toBe(404);
    expect((await call(server, root, `GET /messages/${rude.thread_id}`)).status).toBe(404);
  }
});

test("a member of a thread can report only messages of the other member: the newest, or one by id", () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada, bo, eve] = ["ada", "bo", "eve"].map((name) => createMember(core, name).caller) as [
    Caller,
    Caller,
    Caller,
  ];
  const first = sendMessage(core, ada, { to: "bo", text: "one" });
  const second = sendMessage(core, ada, { to: "bo", text: "two" });
  const answer = sendMessage(core, bo, { to: "ada", text: "three" });
  const elsewhere = sendMessage(core, ada, { to: "eve", text: "four" });
  const meant = (caller: Caller, id?: string) => reportableMessage(core, caller, first.threadId, id);
  expect([meant(bo), meant(bo, first.id), meant(ada)]).toEqual([second.id, first.id, answer.id]);
  for (const [who, id] of [
    [eve, undefined],
    [eve, first.id],
    [ada, first.id],
    [bo, answer.id],
    [bo, elsewhere.id],
  ] as const)
    expect(() => meant(who, id)).toThrow();
});

test("suspending the sender settles reports about their messages, and restoring reopens them; the log has no private text", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { ada, bo } = settle(server);
  createMember(core, "root");
  changeRole(core, OPERATOR, "root", "admin");
  const root = createMemberToken(core, "root", ["admin"]).token;
  const sent = (await write(server, bo, "ada", "Something rude.")).body;
  const path = `PUT /messages/${sent.thread_id}/report`;
  const { id } = (await call(server, ada, path, { body: { reason: "Rude." } })).body;
  const outcome = async () => (await call(server, root, "GET /reports")).body.data[0].settled?.outcome;
  suspendBuilder(core, OPERATOR, "bo");
  expect(await outcome()).toBe("upheld");
  restoreBuilder(core, OPERATOR, "bo");
  expect(await outcome()).toBeUndefined();
  await call(server, root, `PUT /reports/${id}/dismissal`);
  expect(await outcome()).toBe("dismissed");
  const log = JSON.stringify(listAudit(core, OPERATOR, { of: "all" }, { limit: 100 }).nodes);
  expect(log).toContain("Message of @bo");
  expect(log).not.toContain("rude");
});

test("a message checks the receiver's setting in its own transaction", () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada, bo] = [createMember(core, "ada").caller, createMember(core, "bo").caller];
  expect(() =>
    core.db.transact(() => {
      setMessageSettings(core, ada, { from: "nobody" });
      sendMessage(core, bo, { to: "ada", text: "Hi." });
    }),
  ).toThrow("does not accept messages");
});
