// Tests docs/contract.md#4.15.
import { expect, test } from "bun:test";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { hide, restore, restoreBuilder, suspendBuilder } from "../moderate.ts";
import { forgetOldNotifications } from "../../src/core/services/notifications/notifications.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signIn } from "../../src/core/identity/accounts/accounts.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { PASSWORD, signInOriginAt, createSignedInMember } from "../core/people.ts";
import { createMemberToken, type TestServer, createMember, openTestServer } from "../support.ts";
import { call, refusalOf } from "./client.ts";

const PARTS = "id kind created_at read count actors subject".split(" ");

/** Creates ada, bo and cy. Ada has a post and has turned off notifications of badges and levels. */
async function settle(server: TestServer) {
  const [ada = "", bo = "", cy = ""] = ["ada", "bo", "cy"].map(
    (name) => createMember(server.core, name).token,
  );
  const ask = async (token: string, request: string, body?: unknown) =>
    (await call(server, token, request, body === undefined ? {} : { body })).body;
  for (const token of [ada, bo, cy])
    await ask(token, "PATCH /notifications/settings", { badge: "off", level_up: "off" });
  const { id } = await ask(ada, "POST /feed", { text: "Shipped" });
  /** Returns notifications in short form, such as `like bo cy ×2`. Unread ones are in capitals. */
  const listed = async (token: string, query = "") =>
    (await ask(token, `GET /notifications${query}`)).data.map(
      ({
        kind,
        actors,
        count,
        read,
      }: {
        kind: string;
        actors: { username: string }[];
        count: number;
        read: boolean;
      }) =>
        [
          read ? kind : kind.toUpperCase(),
          ...actors.map(({ username }) => username),
          ...(count > 1 ? [`×${count}`] : []),
        ].join(" "),
    );
  const unread = async (token: string) =>
    (await ask(token, "POST /notifications/read", { ids: [] })).unread as number;
  return { ada, bo, cy, id, ask, told: listed, unread };
}

test("a notification has the documented shape; a group that grows after it was read becomes a new notification", async () => {
  await using server = openTestServer();
  const { ada, bo, cy, id, ask, told } = await settle(server);
  await ask(bo, `PUT /feed/${id}/like`);
  server.clock.pass(1000);
  await ask(cy, `PUT /feed/${id}/like`);
  const { data, next } = await ask(ada, "GET /notifications?limit=1");
  expect(Object.keys(data[0])).toEqual(PARTS);
  const up_to = data[0].id as string;
  expect([data[0], next]).toMatchObject([
    {
      id: expect.stringMatching(/^ntf_/),
      kind: "like",
      created_at: new Date(server.clock.now()).toISOString(),
      read: false,
      count: 2,
      actors: [
        { username: "cy", name: "Cy" },
        { username: "bo", name: "Bo" },
      ],
      subject: { type: "post", id, url: `https://guild.test/posts/${id}` },
    },
    null,
  ]);
  expect(await ask(ada, "POST /notifications/read", { up_to })).toEqual({ unread: 0 });
  const dee = createMember(server.core, "dee").token;
  await ask(dee, `PUT /feed/${id}/like`);
  expect(await told(ada)).toEqual(["LIKE dee", "like cy bo ×2"]);
  // A withdrawn like is removed from read and unread groups.
  await ask(cy, `DELETE /feed/${id}/like`);
  await ask(dee, `DELETE /feed/${id}/like`);
  expect(await told(ada)).toEqual(["like bo"]);
});

test("notifications are marked by ids or up to an id; later ones and those of other members stay unread", async () => {
  await using server = openTestServer();
  const { ada, bo, cy, id, ask, told } = await settle(server);
  const reply = () => ask(bo, `POST /feed/${id}/replies`, { text: "Well done" });
  await reply();
  await ask(bo, `PUT /feed/${id}/like`);
  const [like, first] = (await ask(ada, "GET /notifications")).data;
  await reply();
  expect(await ask(cy, "POST /notifications/read", { ids: [first.id], up_to: like.id })).toEqual({
    unread: 0,
  });
  expect(await told(ada, "?unread=true")).toEqual(["REPLY bo", "LIKE bo", "REPLY bo"]);
  expect(await ask(ada, "POST /notifications/read", { ids: [first.id, first.id] })).toEqual({ unread: 2 });
  expect(await told(ada, "?unread=false")).toEqual(["reply bo"]);
  await ask(cy, `PUT /feed/${id}/like`);
  expect(await told(ada)).toEqual(["LIKE cy bo ×2", "REPLY bo", "reply bo"]);
  // This is the group's id from before cy's like. The group has changed since, so the group stays unread.
  expect(await ask(ada, "POST /notifications/read", { ids: [like.id] })).toEqual({ unread: 2 });
  expect(await ask(ada, "POST /notifications/read", { up_to: like.id })).toEqual({ unread: 2 });
  expect(await told(ada, "?kind=like&unread=true")).toEqual(["LIKE cy bo ×2"]);
  for (const [body, wrong] of [
    [{}, "400"],
    [{ up_to: "post_1" }, "400 up_to"],
    [{ ids: ["ntf_1"] }, "400 ids[0]"],
    [{ ids: Array(101).fill(like.id) }, "400 ids"],
  ] as const)
    expect(await refusalOf(server, ada, "POST /notifications/read", { body })).toBe(wrong);
  const page = await ask(ada, "GET /notifications?limit=2");
  expect((await ask(ada, `GET /notifications?limit=2&cursor=${page.next}`)).data).toHaveLength(1);
  expect((await call(server, ada, `GET /notifications?kind=like&cursor=${page.next}`)).status).toBe(400);
  expect((await call(server, bo, `GET /notifications?cursor=${page.next}`)).status).toBe(400);
});

test("blocks, suspensions, hiding and deletion apply to the list and the count", async () => {
  await using server = openTestServer();
  const { ada, bo, cy, id, ask, told, unread } = await settle(server);
  const both = async () => [await told(ada), await unread(ada)];
  for (const token of [bo, cy]) await ask(token, `PUT /feed/${id}/like`);
  const { id: reply } = await ask(bo, `POST /feed/${id}/replies`, { text: "Hm" });
  const all = [["REPLY bo", "LIKE cy bo ×2"], 2];
  expect(await both()).toEqual(all);
  await ask(ada, "PUT /blocks/bo");
  expect(await both()).toEqual([["LIKE cy"], 1]);
  await ask(ada, "DELETE /blocks/bo");
  suspendBuilder(server.core, OPERATOR, "bo");
  expect(await both()).toEqual([["LIKE cy"], 1]);
  restoreBuilder(server.core, OPERATOR, "bo");
  expect(await both()).toEqual(all);
  hide(server.core, OPERATOR, reply);
  expect(await both()).toEqual([["LIKE cy bo ×2"], 1]);
  restore(server.core, OPERATOR, reply);
  expect(await both()).toEqual(all);
  deleteAccount(server.core, OPERATOR, "bo", "bo");
  expect(await both()).toEqual([["LIKE cy"], 1]);
  await ask(ada, `DELETE /feed/${id}`);
  expect(await both()).toEqual([[], 0]);
});

test("a token sees only notifications whose subjects its scopes can read, and none about the account", async () => {
  await using server = openTestServer();
  const { core } = server;
  await createSignedInMember(core, "eve", { role: "admin" });
  await signIn(core, signInOriginAt("198.51.100.7"), { username: "eve", password: PASSWORD });
  const every = createMemberToken(core, "eve").token;
  const { bo, ask, told, unread } = await settle(server);
  const { id } = await ask(every, "POST /feed", { text: "Mine" });
  await ask(bo, `PUT /feed/${id}/like`);
  await ask(bo, "POST /messages", { to: "eve", text: "Hello" });
  await ask(bo, `PUT /feed/${id}/report`, { reason: "No" });
  expect(await told(every)).toEqual(["MESSAGE bo", "LIKE bo", "BADGE"]);
  const alone = createMemberToken(core, "eve", [
    "notifications:read",
    "notifications:write",
    "messages:read",
  ]).token;
  expect([await told(alone), await unread(alone)]).toEqual([["MESSAGE bo"], 1]);
  const [newest] = (await ask(every, "GET /notifications")).data;
  // A token without the scope does not mark the notifications that it cannot see.
  expect(await ask(alone, "POST /notifications/read", { up_to: newest.id })).toEqual({ unread: 0 });
  expect(await told(every)).toEqual(["message bo", "LIKE bo", "BADGE"]);
  const admin = createMemberToken(core, "eve", ["notifications:read", "admin"]).token;
  expect(await told(admin)).toEqual(["REPORT_WAITING"]);
  for (const request of ["GET /notifications", "POST /notifications/read", "GET /notifications/settings"])
    expect(
      (
        await call(
          server,
          createMemberToken(core, "eve", ["feed:read"]).token,
          request,
          request.startsWith("POST") ? { body: {} } : {},
        )
      ).status,
    ).toBe(403);
});

test("a muted kind creates no notifications from then on; old notifications are deleted", async () => {
  await using server = openTestServer();
  const { ada, bo, cy, id, ask, told } = await settle(server);
  expect(await ask(ada, "GET /notifications/settings")).toMatchObject({
    like: "here",
    job_match: "mail",
    badge: "off",
  });
  await ask(bo, `PUT /feed/${id}/like`);
  expect(await ask(ada, "PATCH /notifications/settings", { like: "off", reply: "push" })).toMatchObject({
    like: "off",
    reply: "push",
    message: "mail",
  });
  await ask(cy, `PUT /feed/${id}/like`);
  await ask(cy, `POST /feed/${id}/replies`, { text: "Good" });
  expect(await told(ada)).toEqual(["REPLY cy", "LIKE bo"]);
  expect(await refusalOf(server, ada, "PATCH /notifications/settings", { body: { like: "loud" } })).toBe(
    "400 like",
  );
  server.clock.pass(89 * DAY);
  await ask(bo, `POST /feed/${id}/replies`, { text: "Late" });
  server.clock.pass(2 * DAY);
  await forgetOldNotifications(server.core);
  expect(await told(ada)).toEqual(["REPLY bo"]);
});
