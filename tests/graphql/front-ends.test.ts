// Tests docs/contract.md#8.6 and docs/contract.md#8.7.
import { expect, test } from "bun:test";
import type { Caller } from "../../src/core/identity/access/caller.ts";
import { BUILDER_SCOPES, type Scope } from "../../src/core/identity/access/scopes.ts";
import { renderMarkdown } from "../../src/core/base/markdown.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { likePost } from "../../src/core/community/feed/likes.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { changeJob, publishJob } from "../../src/core/community/jobs/jobs.ts";
import { block } from "../../src/core/community/messages/blocks.ts";
import { hide } from "../moderate.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { ratePrompt } from "../../src/core/community/prompts/ratings.ts";
import { deletePrompt } from "../../src/core/community/prompts/removal.ts";
import { revisePrompt } from "../../src/core/community/prompts/versions.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { addProject } from "../../src/core/community/profiles/projects.ts";
import { award } from "../../src/core/community/xp/xp.ts";
import { jobDraft } from "../spec/rows.ts";
import { createMemberToken, type TestServer, createMember, NOON, openTestServer } from "../support.ts";
import { codes, graph } from "./ask.ts";
import { fillCommunity } from "./fixture-community.ts";

/** Returns whether an operation succeeds, then rolls it back. */
function would({ core }: TestServer, action: () => unknown): boolean {
  const back = new Error("back");
  try {
    core.db.transact(() => {
      action();
      throw back;
    });
  } catch (thrown) {
    return thrown === back;
  }
  return false;
}

test("the `viewerCan` fields match the result of every operation, for every role and object", async () => {
  await using server = openTestServer();
  const { core } = server;
  const community = await fillCommunity(server);
  const { ids, ada, bo, cy } = community;
  // Hiding the parent post also hides this reply.
  const buried = replyTo(core, cy.caller, createPost(core, bo.caller, { text: "soon hidden" }).id, {
    text: "under it",
  });
  hide(core, ada.caller, buried.parentId ?? "");
  hide(core, ada.caller, ids.theirPrompt);
  const own = submitPrompt(core, bo.caller, { title: "t", body: "b", model: "m", category: "c" }).id;
  const without = (...scopes: Scope[]) =>
    createMemberToken(
      core,
      "bo",
      BUILDER_SCOPES.filter((name) => !scopes.includes(name)),
    );
  const everybody = [ada, bo, cy, without("feed:write"), without("prompts:write"), without("jobs:write")];
  const actions: Readonly<Record<string, Readonly<Record<string, (caller: Caller, id: string) => unknown>>>> =
    {
      Post: {
        viewerCanLike: (caller, id) => likePost(core, caller, id),
        viewerCanReply: (caller, id) => replyTo(core, caller, id, { text: "x" }),
        viewerCanEdit: (caller, id) => editPost(core, caller, id, { text: "x" }),
        viewerCanDelete: (caller, id) => deletePost(core, caller, id),
        viewerCanModerate: (caller, id) => hide(core, caller, id),
      },
      Job: {
        viewerCanChange: (caller, id) => changeJob(core, caller, id, { title: "x" }),
        viewerCanModerate: (caller, id) => hide(core, caller, id),
      },
      Prompt: {
        viewerCanRate: (caller, id) => ratePrompt(core, caller, id, { stars: 3 }),
        viewerCanRevise: (caller, id) => revisePrompt(core, caller, id, { body: "x", note: "y" }),
        viewerCanDelete: (caller, id) => deletePrompt(core, caller, id),
        viewerCanModerate: (caller, id) => hide(core, caller, id),
      },
    };
  const items = [
    ids.post,
    ids.theirs,
    ids.hidden,
    ids.reply,
    buried.id,
    ids.job,
    ids.ownJob,
    ids.prompt,
    ids.theirPrompt,
    own,
  ];
  const selection = Object.entries(actions).map(
    ([type, can]) => `... on ${type} { ${Object.keys(can).join(" ")} }`,
  );
  let allowed = 0;
  let refused = 0;
  for (const { token, caller } of everybody) {
    const { body } = await graph(
      server,
      token,
      `query($ids: [ID!]!) { nodes(ids: $ids) { __typename id ${selection.join(" ")} } }`,
      {
        variables: { ids: items },
      },
    );
    expect(body.errors).toBeUndefined();
    for (const { __typename, id, ...said } of body.data.nodes.filter(Boolean)) {
      const tried = Object.entries(actions[__typename] ?? {}).map(([name, act]) => [
        name,
        would(server, () => act(caller, id)),
      ]);
      expect([caller.username, id, said]).toEqual([caller.username, id, Object.fromEntries(tried)]);
      allowed += tried.filter(([, is]) => is).length;
      refused += tried.filter(([, is]) => !is).length;
    }
  }
  expect(allowed).toBeGreaterThan(40);
  expect(refused).toBeGreaterThan(40);
});

test("returns texts as safe HTML, page URLs and the progress to the next level", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token, caller } = createMember(core, "ada");
  const hostile =
    "# Hi[^1]\n\n[^1]: a note\n\n```js\nlet a\n```\n\n**bold** <script>alert(1)</script> [x](javascript:alert(1)) ![p](https://e.example.com/p.png)";
  const post = createPost(core, caller, { text: hostile });
  changeProfile(core, caller, { bio: hostile.slice(0, 400) });
  const project = addProject(core, caller, { title: "queue", description: hostile });
  addProject(core, caller, { title: "bare" });
  const job = publishJob(core, caller, jobDraft({ description: hostile }));
  const prompt = submitPrompt(core, caller, { title: "t", body: "b", model: "m", category: "c" });
  for (let i = 0; i < 30; i++) award(core, caller.builderId ?? "", "like.received", `post_${i}`, "builder_x");
  const { body } = await graph(
    server,
    token,
    `query($post: ID!, $job: ID!, $prompt: ID!) {
      post(id: $post) { textHtml url } job(id: $job) { descriptionHtml url } prompt(id: $prompt) { url }
      profile { bioHtml projects { descriptionHtml } url joinedAt xp level { number name from next progress } } }`,
    { variables: { post: post.id, job: job.id, prompt: prompt.id } },
  );
  expect(body.errors).toBeUndefined();
  const { textHtml } = body.data.post;
  expect(textHtml).toBe(renderMarkdown(hostile, { id: post.id }));
  expect(textHtml).toContain("<strong>bold</strong>");
  expect(textHtml).not.toMatch(/<script|<img|href="javascript/);
  const xp = 10 + 15 + 5 + 60;
  expect(body.data).toEqual({
    post: { textHtml, url: `https://guild.test/posts/${post.id}` },
    job: {
      descriptionHtml: renderMarkdown(hostile, { id: job.id }),
      url: `https://guild.test/jobs/${job.id}`,
    },
    prompt: { url: `https://guild.test/prompts/${prompt.id}` },
    profile: {
      bioHtml: renderMarkdown(hostile.slice(0, 400), { id: caller.builderId ?? "" }),
      projects: [{ descriptionHtml: renderMarkdown(hostile, { id: project.id }) }, { descriptionHtml: null }],
      url: "https://guild.test/@ada",
      joinedAt: new Date(NOON).toISOString(),
      xp: body.data.profile.xp,
      level: { number: 1, name: null, from: 0, next: 100, progress: body.data.profile.xp / 100 },
    },
  });
  expect(body.data.profile.xp).toBeGreaterThanOrEqual(xp);
  // A builder keeps a level after losing points.
  for (let i = 30; i < 50; i++)
    award(core, caller.builderId ?? "", "like.received", `post_${i}`, "builder_x");
  deletePost(core, caller, post.id);
  deletePrompt(core, caller, prompt.id);
  const later = (await graph(server, token, "{ profile { xp level { number name progress } } }")).body.data
    .profile;
  expect(later.level).toMatchObject({ number: 2, name: "apprentice" });
  expect(later.level.progress).toBeGreaterThanOrEqual(0);
});

test("shows viewers which members they have blocked, if the token has the scope for blocks", async () => {
  await using server = openTestServer();
  const { core } = server;
  const ada = createMember(core, "ada");
  const bo = createMember(core, "bo");
  createMember(core, "cy");
  block(core, ada.caller, "bo");
  const document = "{ builders { nodes { username viewerHasBlocked } } }";
  const nodes = (await graph(server, ada.token, document)).body.data.builders.nodes;
  expect(nodes.filter((item: { viewerHasBlocked: boolean }) => item.viewerHasBlocked)).toEqual([
    { username: "bo", viewerHasBlocked: true },
  ]);
  expect(JSON.stringify((await graph(server, bo.token, document)).body)).not.toContain("true");
  const { token } = createMemberToken(core, "ada", ["profile:read"]);
  const refused = await graph(server, token, '{ profile(username: "bo") { username viewerHasBlocked } }');
  expect([refused.body.data, codes(refused)]).toEqual([
    { profile: { username: "bo", viewerHasBlocked: null } },
    ["forbidden"],
  ]);
});

test("lists filter terms with their counts, without hidden or closed content", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token, caller } = createMember(core, "ada");
  const post = (...tags: string[]) => createPost(core, caller, { text: "x", tags });
  post("rust", "zig");
  post("rust");
  post("bread");
  deletePost(core, caller, post("gone").id);
  publishJob(core, caller, jobDraft({ stack: ["rust", "sql"], city: "berlin" }));
  publishJob(core, caller, jobDraft({ stack: ["sql"], city: "oslo" }));
  changeJob(core, caller, publishJob(core, caller, jobDraft({ stack: ["cobol"], city: "rome" })).id, {
    open: false,
  });
  for (const [model, category] of [
    ["m-1", "code"],
    ["m-2", "code"],
    ["m-2", "fun"],
  ] as const)
    submitPrompt(core, caller, { title: "t", body: "b", model, category });
  const used = "{ name count }";
  const { body } = await graph(
    server,
    token,
    `{ tags ${used} stacks ${used} cities ${used} models ${used} categories ${used} company(slug: "tidewater-systems") { name slug } }`,
  );
  const words = (...pairs: [string, number][]) => pairs.map(([name, count]) => ({ name, count }));
  expect(body).toEqual({
    data: {
      tags: words(["rust", 2], ["bread", 1], ["zig", 1]),
      stacks: words(["sql", 2], ["rust", 1]),
      cities: words(["berlin", 1], ["oslo", 1]),
      models: words(["m-2", 2], ["m-1", 1]),
      categories: words(["code", 2], ["fun", 1]),
      company: { name: "Tidewater Systems", slug: "tidewater-systems" },
    },
  });
  const missing = await graph(server, token, '{ company(slug: "nobody") { name } }');
  expect([missing.body.data, codes(missing)]).toEqual([{ company: null }, ["not_found"]]);
  const needs = {
    tags: "feed:read",
    stacks: "jobs:read",
    cities: "jobs:read",
    models: "prompts:read",
    categories: "prompts:read",
  } as const;
  for (const [field, scope] of Object.entries(needs)) {
    const lacking = createMemberToken(
      core,
      "ada",
      BUILDER_SCOPES.filter((name) => name !== scope),
    );
    expect(codes(await graph(server, lacking.token, `{ ${field} { name } }`))).toEqual(["forbidden"]);
  }
});
