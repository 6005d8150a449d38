// docs/contract.md#12.37: a locked thread and a limited member, over REST, GraphQL and pages.
import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { messagesOf } from "../../src/locale/messages.ts";
import { graph } from "../graphql/ask.ts";
import { call } from "../spec/client.ts";
import { jobDraft } from "../spec/rows.ts";
import { BUILDER_SCOPES, createMemberToken } from "../support.ts";
import {
  createAccountOf,
  type Fields,
  openSite,
  signedInAs,
  type Site,
  tokenOf,
  visibleText,
  type Visitor,
} from "./support.ts";

const LANGUAGES = ["en", "de", "es"] as const;

async function openCommunity() {
  const site = openSite();
  for (const name of ["ada", "bob", "cy"]) await createAccountOf(site, name);
  await createAccountOf(site, "mo", { role: "moderator" });
  const bob = createMemberToken(site.core, "bob", BUILDER_SCOPES);
  return { site, bob, ada: createMemberToken(site.core, "ada").caller };
}

/** Sends the form of a page in one language. */
async function send(visitor: Visitor, page: string, action: string, fields: Fields, language = "en") {
  const form_token = tokenOf(await visitor.open(page));
  return visitor.post(action, { form_token, ...fields }, { "accept-language": language });
}

async function mutate(site: Site, token: string, document: string, input: object) {
  const [name = ""] = document.split(" ");
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
  const { body } = await graph(
    site,
    token,
    `mutation($input: ${type}) { ${name}(input: $input) { ${document.slice(name.length)} } }`,
    {
      variables: { input },
    },
  );
  const [error] = body.errors ?? [];
  return { reason: error?.extensions.reason, message: error?.message, data: body.data?.[name] };
}

test("a reply to a locked thread is refused with one code by REST and GraphQL, and on the page in three languages", async () => {
  const { site, bob, ada } = await openCommunity();
  await using _ = site;
  const { core } = site;
  const post = createPost(core, ada, { text: "Cheap followers" });
  const earlier = replyTo(core, bob.caller, post.id, { text: "Why?" });
  decide(core, OPERATOR, earlier.id, { act: "lock", reason: "Off topic" });
  const visitor = signedInAs(site, "bob");

  for (const { id } of [post, earlier]) {
    const rest = await call(site, bob.token, `POST /feed/${id}/replies`, { body: { text: "So" } });
    expect([rest.status, rest.body.code]).toEqual([403, "thread_locked"]);
    const refused = await mutate(site, bob.token, "replyToPost post { id }", { id, text: "So" });
    expect([refused.reason, refused.message]).toEqual(["thread_locked", rest.body.message]);
    for (const language of LANGUAGES) {
      const shown = await visitor.open(`/posts/${id}`, { headers: { "accept-language": language } });
      const { feed, refusals } = messagesOf(language);
      const sentence = refusals.of.thread_locked;
      expect(visibleText(shown.html)).toContain(feed.post.locked);
      expect(shown.forms.map(({ action }) => action)).not.toContain(`/posts/${id}/replies`);
      const page = await send(visitor, "/", `/posts/${id}/replies`, { text: "Typed words" }, language);
      expect([page.status, visibleText(page.html).includes(sentence)]).toEqual([403, true]);
      expect(page.html).toContain("Typed words");
    }
  }

  // Moderators can still reply, by each way.
  const mo = createMemberToken(core, "mo", BUILDER_SCOPES);
  const rest = await call(site, mo.token, `POST /feed/${post.id}/replies`, { body: { text: "Locked." } });
  expect(rest.status).toBe(201);
  const reply = await mutate(site, mo.token, "replyToPost post { text }", { id: post.id, text: "Yes." });
  expect(reply.data).toEqual({ post: { text: "Yes." } });
  const moderator = signedInAs(site, "mo");
  const page = await moderator.open(`/posts/${post.id}`);
  expect((await moderator.submit(page, `/posts/${post.id}/replies`, { text: "Done." })).html).toContain(
    "Done.",
  );
});

test("content of a limited member waits for approval by REST, GraphQL and pages, and strangers get no message", async () => {
  const { site, bob, ada } = await openCommunity();
  await using _ = site;
  const { core } = site;
  const { id: root } = createPost(core, ada, { text: "Who is there?" });
  // ada wrote to bob, so they know each other. cy is a stranger.
  sendMessage(core, ada, { to: "bob", text: "Hello" });
  decide(core, OPERATOR, bob.caller.builderId ?? "", { act: "limit", reason: "Heated" });
  const visitor = signedInAs(site, "bob");
  const job = jobDraft();
  const prompt = { title: "Review", body: "You review diffs", model: "m", category: "c" };

  for (const [request, body] of [
    ["POST /feed", { text: "By REST" }],
    [`POST /feed/${root}/replies`, { text: "By REST" }],
    ["POST /jobs", job],
    ["POST /prompts", prompt],
  ] as const)
    expect([request, (await call(site, bob.token, request, { body })).status]).toEqual([request, 201]);
  for (const [document, input] of [
    ["createPost post { id }", { text: "By GraphQL" }],
    ["replyToPost post { id }", { id: root, text: "By GraphQL" }],
    ["submitPrompt prompt { id }", { ...prompt, title: "By GraphQL" }],
  ] as const)
    expect([document, (await mutate(site, bob.token, document, input)).reason]).toEqual([
      document,
      undefined,
    ]);
  for (const [page, action, fields] of [
    ["/", "/posts", { text: "By the page" }],
    [`/posts/${root}`, `/posts/${root}/replies`, { text: "By the page" }],
    ["/prompts/new", "/prompts", { ...prompt, title: "By the page" }],
  ] as const) {
    const written = await visitor.submit(await visitor.open(page), action, fields);
    expect([action, written.status]).toEqual([action, 200]);
    expect(visibleText(written.html)).toContain("Waits for approval");
  }
  expect(
    core.db.prepare("SELECT kind, brake, count(*) AS n FROM held GROUP BY kind, brake ORDER BY kind").all(),
  ).toEqual([
    { kind: "job", brake: "limited", n: 1 },
    { kind: "post", brake: "limited", n: 6 },
    { kind: "prompt", brake: "limited", n: 3 },
  ]);

  const rest = await call(site, bob.token, "POST /messages", { body: { to: "cy", text: "Hi" } });
  expect([rest.status, rest.body.code]).toEqual([403, "limited_messages"]);
  const refused = await mutate(site, bob.token, "sendMessage message { id }", { to: "cy", text: "Hi" });
  expect([refused.reason, refused.message]).toEqual(["limited_messages", rest.body.message]);
  for (const [language, says] of [
    ["en", "The moderators limited your account. You can write only to members who wrote to you"],
    ["de", "Die Moderation hat dein Konto eingeschränkt. Du kannst nur Mitgliedern schreiben"],
    ["es", "El equipo de moderación limitó tu cuenta. Solo puedes escribir a miembros"],
  ] as const) {
    const page = await send(
      visitor,
      "/messages/new",
      "/messages",
      { to: "cy", text: "Typed words" },
      language,
    );
    expect([page.status, visibleText(page.html).includes(says)]).toEqual([403, true]);
    expect(page.html).toContain("Typed words");
  }
  expect(
    (await call(site, bob.token, "POST /messages", { body: { to: "ada", text: "By REST" } })).status,
  ).toBe(201);
  const sent = await mutate(site, bob.token, "sendMessage message { text }", {
    to: "ada",
    text: "By GraphQL",
  });
  expect(sent.data).toEqual({ message: { text: "By GraphQL" } });
  const thread = await visitor.submit(await visitor.open("/messages/new"), "/messages", {
    to: "ada",
    text: "By the page",
  });
  for (const words of ["By REST", "By GraphQL", "By the page"]) expect(thread.html).toContain(words);
});
