import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { DAY, MINUTE } from "../../src/core/base/clock.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { changeJob, publishJob } from "../../src/core/community/jobs/jobs.ts";
import { hide } from "../moderate.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { deletePrompt } from "../../src/core/community/prompts/removal.ts";
import { jobDraft } from "../spec/rows.ts";
import { createMemberToken, type TestServer, createMember, openTestServer } from "../support.ts";
import { codes, graph } from "./ask.ts";

const PAGE = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";
const ids = (connection: { edges: { node: { id: string } }[] }): string[] =>
  connection.edges.map(({ node }) => node.id);

/** Reads a whole list two nodes at a time, forwards and then backwards. */
async function walk(server: TestServer, token: string, list: (args: string) => string, at: string[]) {
  const walked: string[][] = [];
  for (const [size, from, edge, more] of [
    ["first", "after", "endCursor", "hasNextPage"],
    ["last", "before", "startCursor", "hasPreviousPage"],
  ] as const) {
    const seen: string[] = [];
    let location = "";
    for (;;) {
      const { body } = await graph(server, token, list(`${size}: 2${location}`));
      expect(body.errors).toBeUndefined();
      const found = at.reduce((value, name) => value[name], body.data);
      if (size === "first") seen.push(...ids(found));
      else seen.unshift(...ids(found));
      if (!found.pageInfo[more]) break;
      location = `, ${from}: "${found.pageInfo[edge]}"`;
    }
    walked.push(seen);
  }
  return walked;
}

test("Builder.posts is the author's feed, and shares its cursors with REST", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const { token, caller } = createMember(core, "ada");
  const bo = createMember(core, "bo").caller;
  const posts = Array.from({ length: 5 }, (_, i) => {
    clock.pass(MINUTE);
    createPost(core, bo, { text: "another's" });
    return createPost(core, caller, { text: `post ${i}`, tags: ["rust"] }).id;
  });
  const hidden = createPost(core, caller, { text: "spam", tags: ["rust"] }).id;
  replyTo(core, caller, posts[0] ?? "", { text: "a reply is no post" });
  hide(core, OPERATOR, hidden);
  const list = (args: string) =>
    `{ profile(username: "ada") { posts(${args}) { edges { node { id } } ${PAGE} } } }`;
  const expected = posts.toReversed();
  expect(await walk(server, token, list, ["profile", "posts"])).toEqual([expected, expected]);

  const rest = await (await server.request(token, "/feed?author=ada&limit=2")).json();
  const { body } = await graph(server, token, list(`first: 100, after: "${rest.next}"`));
  expect(ids(body.data.profile.posts)).toEqual(expected.slice(2));
  const { endCursor } = (await graph(server, token, list("first: 2"))).body.data.profile.posts.pageInfo;
  const behind = await (await server.request(token, `/feed?author=ada&cursor=${endCursor}`)).json();
  expect(behind.data.map(({ id }: { id: string }) => id)).toEqual(expected.slice(2));
  // The cursor is invalid for another author's list.
  const other = list(`first: 1, after: "${endCursor}"`).replace('"ada"', '"bo"');
  expect(codes(await graph(server, token, other))).toEqual(["bad_request"]);
});

test("Builder.prompts lists the builder's public prompts, newest first", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const { token, caller } = createMember(core, "ada");
  const bo = createMember(core, "bo").caller;
  const draft = { title: "t", body: "b", model: "m", category: "c" };
  const prompts = Array.from({ length: 7 }, () => {
    clock.pass(MINUTE);
    submitPrompt(core, bo, draft);
    return submitPrompt(core, caller, draft).id;
  });
  hide(core, OPERATOR, prompts[2] ?? "");
  deletePrompt(core, caller, prompts[4] ?? "");
  const expected = prompts.filter((_, i) => i !== 2 && i !== 4).toReversed();
  const list = (args: string) =>
    `{ profile(username: "ada") { prompts(${args}) { edges { node { id } } ${PAGE} } } }`;
  expect(await walk(server, token, list, ["profile", "prompts"])).toEqual([expected, expected]);
});

test("Company.jobs lists the company's open jobs, newest first", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const { token, caller } = createMember(core, "ada");
  const old = publishJob(core, caller, jobDraft({ company: { name: "Lamps", slug: "lamps" } })).id;
  clock.pass(30 * DAY);
  const jobs = Array.from({ length: 6 }, () => {
    clock.pass(MINUTE);
    publishJob(core, caller, jobDraft({ company: { name: "Ropes", slug: "ropes" } }));
    return publishJob(core, caller, jobDraft({ company: { name: "Lamps", slug: "lamps" } })).id;
  });
  hide(core, OPERATOR, jobs[1] ?? "");
  changeJob(core, caller, jobs[3] ?? "", { open: false });
  const list = (args: string) =>
    `{ job(id: "${jobs[0]}") { company { jobs(${args}) { edges { node { id state } } ${PAGE} } } } }`;
  const expected = [jobs[5], jobs[4], jobs[2], jobs[0]] as string[];
  expect(await walk(server, token, list, ["job", "company", "jobs"])).toEqual([
    [...expected, old],
    [...expected, old],
  ]);
  // The jobs are more than 60 days old, but the cleanup has not removed them yet.
  clock.pass(31 * DAY);
  const { body } = await graph(server, token, list("first: 100"));
  expect(ids(body.data.job.company.jobs)).toEqual(expected);
});

test("each edge needs the scope of its target, and a missing scope leaves the rest of the response intact", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { caller } = createMember(core, "ada");
  publishJob(core, caller, jobDraft());
  const { token } = createMemberToken(core, "ada", ["profile:read", "jobs:read"]);
  const response = await graph(
    server,
    token,
    `{ profile(username: "ada") { username posts { edges { node { id } } } prompts { edges { node { id } } } }
       jobs { edges { node { company { name jobs { edges { node { id } } } } } } } }`,
  );
  expect(codes(response).sort()).toEqual(["forbidden", "forbidden"]);
  expect(response.body.data.profile).toEqual({ username: "ada", posts: null, prompts: null });
  expect(ids(response.body.data.jobs.edges[0].node.company.jobs)).toHaveLength(1);
  const feedOnly = createMemberToken(core, "ada", ["feed:read"]).token;
  expect(codes(await graph(server, feedOnly, "{ builders { edges { node { id } } } }"))).toEqual([
    "forbidden",
  ]);
});
