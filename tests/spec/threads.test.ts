// Tests docs/contract.md#4.18.
import { expect, test } from "bun:test";
import { continueDeletion, deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { newReplies } from "../../src/core/services/live/live.ts";
import { hide, restore } from "../moderate.ts";
import { getPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { listReplies, replyTo } from "../../src/core/community/feed/replies.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { graph } from "../graphql/ask.ts";
import { createTestWorld, createMember, openTestServer } from "../support.ts";
import { call, refusalOf } from "./client.ts";
import { publishPosts, rows } from "./rows.ts";

const PAGE = { limit: 100 };

test("a reply to a hidden or deleted reply remains, names its parent, still counts, and stays in the conversation's list", async () => {
  await using server = openTestServer();
  const { core } = server;
  const ada = createMember(core, "ada");
  const bo = createMember(core, "bo");
  const [id = ""] = publishPosts(server, ada.caller, "question");
  const answer = async (to: string, text: string) =>
    (await call(server, bo.token, `POST /feed/${to}/replies`, { body: { text } })).body.id as string;
  const item = await answer(id, "one");
  const two = await answer(item, "two");
  const three = await answer(two, "three");
  const four = await answer(two, "four");
  const shown = async (of: string) =>
    (await call(server, ada.token, `GET /feed/${of}/replies`)).body.data.map(
      (post: { text: string; parent_id: string; root_id: string }) => [
        post.text,
        post.parent_id,
        post.root_id,
      ],
    );
  const counts = () =>
    [id, item, two, three].map((each) => getPost(core, ada.caller, each)?.metrics.replies ?? null);
  expect(counts()).toEqual([4, 1, 2, 0]);
  hide(core, OPERATOR, two);
  expect(await shown(id)).toEqual([
    ["one", id, id],
    ["three", two, id],
    ["four", two, id],
  ]);
  expect(
    await refusalOf(server, ada.token, `POST /feed/${two}/replies`, { body: { text: "x" } }),
  ).toStartWith("404");
  expect(getPost(core, ada.caller, item).metrics.replies).toBe(0);
  hide(core, OPERATOR, four);
  restore(core, OPERATOR, two);
  expect(counts()).toEqual([3, 1, 1, 0]);
  restore(core, OPERATOR, four);
  expect(counts()).toEqual([4, 1, 2, 0]);
  deletePost(core, bo.caller, two);
  expect([id, item, three].map((each) => getPost(core, ada.caller, each).metrics.replies)).toEqual([3, 0, 0]);
  expect(await shown(id)).toEqual([
    ["one", id, id],
    ["three", two, id],
    ["four", two, id],
  ]);
  expect((await call(server, ada.token, `GET /feed/${two}/replies`)).status).toBe(404);
  const { body } = await graph(
    server,
    ada.token,
    `{ post(id: "${three}") { parent { id } root { id replies(first: 9) { totalCount nodes { text parent { text } replies { nodes { text } } } } } } }`,
  );
  expect(body.data.post).toEqual({
    parent: null,
    root: {
      id,
      replies: {
        totalCount: 3,
        nodes: [
          { text: "one", parent: { text: "question" }, replies: { nodes: [] } },
          { text: "three", parent: null, replies: { nodes: [] } },
          { text: "four", parent: null, replies: { nodes: [] } },
        ],
      },
    },
  });
  const cy = createMember(core, "cy").caller;
  const five = replyTo(core, cy, three, { text: "five" });
  const six = replyTo(core, bo.caller, five.id, { text: "six" });
  deleteAccount(core, OPERATOR, "cy", "cy");
  while (core.db.transact(() => continueDeletion(core)));
  expect([id, three, six.id].map((each) => getPost(core, ada.caller, each).metrics.replies)).toEqual([
    4, 0, 0,
  ]);
  expect(getPost(core, ada.caller, six.id).parentId).toBe(five.id);
  deletePost(core, ada.caller, id);
  expect(rows(core, "SELECT id FROM posts")).toEqual([]);
});

test("a subscription to a conversation reports replies at any depth; one to a reply reports its direct replies", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const [id = ""] = publishPosts(world, caller, "question");
  const reply = replyTo(core, caller, id, { text: "one" });
  const notifiedOf = (post: string) => {
    const channel = newReplies({ post });
    const place = channel.begin(core, caller, undefined);
    return () => channel.read(core, caller, place).events.map(({ item }) => item.text);
  };
  const [ofAll, ofOne] = [notifiedOf(id), notifiedOf(reply.id)];
  const two = replyTo(core, caller, reply.id, { text: "two" });
  replyTo(core, caller, two.id, { text: "three" });
  replyTo(core, caller, id, { text: "four" });
  expect([ofAll(), ofOne()]).toEqual([["two", "three", "four"], ["two"]]);
});

test("replying, reading and hiding need as many queries at depth 500 as at a small depth", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const [id = ""] = publishPosts(world, caller, "question");
  const chain = [replyTo(core, caller, id, { text: "0" }).id];
  const countStatements = (work: () => unknown): number => {
    const { db } = core;
    let count = 0;
    const counting = { ...db, prepare: ((sql: string) => (count++, db.prepare(sql))) as typeof db.prepare };
    (core as { db: typeof db }).db = counting;
    work();
    (core as { db: typeof db }).db = db;
    return count;
  };
  const costs = (at: string) => {
    // Separates this write from earlier ones in time.
    world.clock.pass(MINUTE);
    return [
      countStatements(() => replyTo(core, caller, at, { text: "on" })),
      countStatements(() => getPost(core, caller, at)),
      countStatements(() => listReplies(core, caller, at, PAGE)),
      countStatements(() => hide(core, OPERATOR, at)),
      countStatements(() => restore(core, OPERATOR, at)),
    ];
  };
  core.db.transact(() => {
    for (let i = 1; i < 500; i++) chain.push(replyTo(core, caller, chain.at(-1) ?? "", { text: `${i}` }).id);
  });
  // Neither of the two replies earned points. Only the first ten replies of a day earn points, and points
  // cost extra queries.
  expect(costs(chain[498] ?? "")).toEqual(costs(chain[20] ?? ""));
  deletePost(core, caller, chain[100] ?? "");
  expect(listReplies(core, caller, id, { limit: 1, backwards: true }).nodes).toHaveLength(1);
  expect(getPost(core, caller, id).metrics.replies).toBe(chain.length + 1);
});
