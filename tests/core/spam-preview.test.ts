// The preview of a removal of spammers (docs/contract.md#12.38).
import { expect, test } from "bun:test";
import { DAY } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { heldAmong } from "../../src/core/community/holding/holding.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { recordSignUp } from "../../src/core/identity/sign-ups/sign-ups.ts";
import { hide } from "../moderate.ts";
import { previewRemoval } from "../../src/core/services/moderation/spam.ts";
import { createMember, createMemberToken, createTestWorld } from "../support.ts";
import { createSignedInMember, HOME, outcomeOf, PASSWORD } from "./people.ts";

const member = (core: Core, username: string) => createMember(core, username).caller as BuilderCaller;

test("the preview counts content, and preselects only hosts that no other member linked in 90 days", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const [ada, bo, mallory, eve] = ["ada", "bo", "mallory", "eve"].map((name) => member(core, name)) as [
    BuilderCaller,
    BuilderCaller,
    BuilderCaller,
    BuilderCaller,
  ];
  createPost(core, ada, { text: "https://old.example/1" });
  clock.pass(91 * DAY);
  const post = createPost(core, ada, { text: "See [docs](https://www.docs.example/x) and bad.example" });
  const hidden = createPost(core, bo, { text: "https://hidden.example" });
  hide(core, OPERATOR, hidden.id);
  const links = ["spam.example", "docs.example", "old.example", "hidden.example", "bad.example"];
  for (const host of links) createPost(core, mallory, { text: `Buy [now](https://${host}/?a)` });
  createPost(core, mallory, { text: `Buy at ${core.origin}/posts/1 and https://spam.example/2` });
  replyTo(core, eve, post.id, { text: "Buy https://spam.example" });
  sendMessage(core, eve, { to: "ada", text: "Buy https://private.example" });
  recordSignUp(core, mallory.builderId, "203.0.113.4");
  recordSignUp(core, eve.builderId, "203.0.113.5");

  const preview = await previewRemoval(core, OPERATOR, ["Mallory", "@eve", "mallory"]);

  expect(
    preview.members.map(({ username, posts, replies, messages }) => [username, posts, replies, messages]),
  ).toEqual([
    ["mallory", 6, 0, 0],
    ["eve", 0, 1, 1],
  ]);
  expect(preview.counts).toMatchObject({ members: 2, posts: 6, replies: 1, messages: 1 });
  expect(preview.networks).toBe(1);
  expect(preview.hosts[0]).toEqual({ host: "spam.example", isPreselected: true, otherMembers: 0 });
  const chosen = preview.hosts.filter(({ isPreselected }) => isPreselected).map(({ host }) => host);
  expect(chosen.sort()).toEqual(["hidden.example", "old.example", "spam.example"]);
  expect(preview.hosts.find(({ host }) => host === "docs.example")?.otherMembers).toBe(1);
  expect(preview.hosts.map(({ host }) => host)).not.toContain(new URL(core.origin).hostname);
});

test("the preview counts posts that wait for approval, with their links", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core } = world;
  for (const name of ["mallory", "eve"]) {
    await signUp(core, HOME, { username: name, password: PASSWORD });
    const { caller } = createMemberToken(core, name, undefined, "personal");
    const { id } = createPost(core, caller, { text: `Buy https://spam.example/${name}` });
    expect(heldAmong(core, [id]).get(id)?.brake).toBe("newcomer_links");
  }

  const [one, both] = [
    await previewRemoval(core, OPERATOR, ["mallory"]),
    await previewRemoval(core, OPERATOR, ["mallory", "eve"]),
  ];

  expect(one.hosts).toEqual([{ host: "spam.example", isPreselected: false, otherMembers: 1 }]);
  expect(both.hosts).toEqual([{ host: "spam.example", isPreselected: true, otherMembers: 0 }]);
  expect([one.counts.posts, both.counts.posts]).toEqual([1, 2]);
});

test("only moderators see a preview, which marks members of the same or a higher role", async () => {
  using world = createTestWorld();
  const { core } = world;
  const root = await createSignedInMember(core, "root", { role: "owner" });
  const mo = await createSignedInMember(core, "mo", { role: "moderator" });
  const ada = await createSignedInMember(core, "ada");
  expect(await outcomeOf(() => previewRemoval(core, ada.caller, ["mo"]))).toBe("forbidden");
  expect(await outcomeOf(() => previewRemoval(core, mo.caller, ["nobody"]))).toBe("not_found");
  const many = Array.from({ length: 201 }, () => "ada");
  expect(await outcomeOf(() => previewRemoval(core, mo.caller, many))).toBe("unprocessable");
  const { members, counts } = await previewRemoval(core, mo.caller, ["root", "mo", "ada"]);
  expect(members.map(({ refused }) => refused?.code)).toEqual([
    "head_untouchable",
    "own_suspension",
    undefined,
  ]);
  expect(counts.members).toBe(1);
  expect((await previewRemoval(core, root.caller, ["mo"])).members[0]?.refused).toBeUndefined();
});
