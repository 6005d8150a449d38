// The moderators' list of posts, replies, jobs and prompts (docs/contract.md#12.38).
import { expect, test } from "bun:test";
import { MINUTE } from "../../src/core/base/clock.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { hidePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { hold } from "../../src/core/community/holding/holding.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { findBuilder } from "../../src/core/identity/builders/builders.ts";
import { inviteNewcomer } from "../../src/core/identity/mail/invitation.ts";
import { type ContentFilter, listModeratedContent } from "../../src/core/services/moderation/content.ts";
import { jobDraft } from "../spec/rows.ts";
import { createMember, createTestWorld, signedInNow } from "../support.ts";
import { createSignedInMember, outcomeOf, PASSWORD, signInOriginAt, tokenIn } from "./people.ts";

async function community() {
  const world = createTestWorld({ signup: "open" });
  const { core, clock } = world;
  const ada = createMember(core, "ada").caller as BuilderCaller;
  const root = await createSignedInMember(core, "root", { role: "owner" });
  const join = async (username: string, address: string, invite?: string) => {
    await signUp(core, signInOriginAt(address), { username, password: PASSWORD, invite });
    return signedInNow(core, { builderId: findBuilder(core, username)?.id ?? "" });
  };
  const invite = tokenIn(inviteNewcomer(core, root.caller, { uses: 5 }).url);
  const bo = await join("bo", "203.0.113.1", invite);
  const cy = await join("cy", "203.0.113.2");
  const names = new Map<string, string>();
  const add = (name: string, { id }: { id: string }) => {
    names.set(id, name);
    clock.pass(MINUTE);
    return id;
  };
  const post = add("post", createPost(core, ada, { text: "Buy [here](https://WWW.spam.example/1)" }));
  add("reply", replyTo(core, bo, post, { text: "A reply" }));
  const prompt = { title: "A prompt", body: "See https://spam.example", model: "gpt-5", category: "coding" };
  add("prompt", submitPrompt(core, cy, prompt));
  add("job", publishJob(core, OPERATOR, jobDraft({ apply_url: "https://spam.example/apply" })));
  const hidden = add("hidden", createPost(core, bo, { text: "Hidden" }));
  hidePost(core, hidden);
  const waiting = add("held", createPost(core, cy, { text: "Held" }));
  hidePost(core, waiting);
  const held = { subjectId: waiting, builderId: cy.builderId, kind: "post", isNew: true } as const;
  hold(core, { brake: "held_word", detail: "held" }, held);
  const list = (filter: ContentFilter) =>
    listModeratedContent(core, OPERATOR, filter, { limit: 10 }).nodes.map(
      ({ subject, isHeld }) => (names.get(subject.id) ?? "") + (isHeld ? "!" : ""),
    );
  return { world, core, clock, ada, list, names };
}

test("the list of content filters by kind, time, author, site, inviter, network and state", async () => {
  const { world, clock, ada, core, list } = await community();
  using _ = world;
  expect(list({})).toEqual(["held!", "hidden", "job", "prompt", "reply", "post"]);
  expect(list({ kind: "post" })).toEqual(["held!", "hidden", "post"]);
  expect(list({ kind: "reply" })).toEqual(["reply"]);
  expect(list({ kind: "job" })).toEqual(["job"]);
  expect(list({ kind: "prompt" })).toEqual(["prompt"]);
  expect(list({ newSince: clock.now() - 2.5 * MINUTE })).toEqual(["held!", "hidden"]);
  expect(list({ author: "@Bo" })).toEqual(["hidden", "reply"]);
  expect(list({ author: "bo", kind: "post" })).toEqual(["hidden"]);
  expect(list({ author: "cy", kind: "prompt" })).toEqual(["prompt"]);
  expect(list({ linkHost: "www.spam.example" })).toEqual(["job", "prompt", "post"]);
  expect(list({ inviter: "root" })).toEqual(["hidden", "reply"]);
  expect(list({ network: "bo" })).toEqual(["held!", "hidden", "prompt", "reply"]);
  expect(list({ network: "ada" })).toEqual([]);
  expect(list({ state: "visible" })).toEqual(["job", "prompt", "reply", "post"]);
  expect(list({ state: "hidden" })).toEqual(["hidden"]);
  expect(list({ state: "held" })).toEqual(["held!"]);
  expect(list({ state: "held", author: "bo" })).toEqual([]);
  expect(await outcomeOf(() => list({ author: "nobody" }))).toBe("not_found");
  expect(await outcomeOf(() => listModeratedContent(core, ada, {}, { limit: 1 }))).toBe("forbidden");
  // Content of an account that waits to be erased can be restored only with the account.
  deleteAccount(core, OPERATOR, "bo", "bo");
  expect(list({})).toEqual(["held!", "job", "prompt", "post"]);
});

test("hidden and held content is listed, however much was written since", async () => {
  const { world, core, ada, list } = await community();
  using _ = world;
  core.db
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
       INSERT INTO posts (id, author_id, text, created_at) SELECT 'post_zz' || i, ?, 'x', 1 FROM n`,
    )
    .run(ada.builderId);
  expect(list({ state: "hidden" })).toEqual(["hidden"]);
  expect(list({ state: "hidden", kind: "post" })).toEqual(["hidden"]);
  expect(list({ state: "held" })).toEqual(["held!"]);
  expect(list({ state: "visible", inviter: "root" })).toEqual([]);
});

test("pages of the list of content hold everything once, in both directions", async () => {
  const { world, core, list, names } = await community();
  using _ = world;
  const seen: string[] = [];
  let cursor: string | undefined;
  let back: string | undefined;
  for (let i = 0; i < 6; i++) {
    const page = listModeratedContent(core, OPERATOR, {}, { limit: 1, cursor });
    const [entry] = page.nodes;
    if (!entry) throw new Error("the list ends too early");
    seen.push((names.get(entry.subject.id) ?? "") + (entry.isHeld ? "!" : ""));
    cursor = page.cursorOf(entry);
    if (i === 2) back = cursor;
  }
  expect(seen).toEqual(list({}));
  const earlier = listModeratedContent(core, OPERATOR, {}, { limit: 10, cursor: back, backwards: true });
  expect(earlier.nodes.map(({ subject }) => names.get(subject.id))).toEqual(["held", "hidden"]);
  const other = () => listModeratedContent(core, OPERATOR, { kind: "job" }, { limit: 1, cursor });
  expect(await outcomeOf(other)).toBe("bad_request");
});
