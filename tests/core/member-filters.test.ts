// Filters of the moderators' member list (docs/contract.md#12.38).
import { expect, test } from "bun:test";
import { MINUTE } from "../../src/core/base/clock.ts";
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { listBuilders, type MemberListFilter } from "../../src/core/identity/builders/member-list.ts";
import { inviteNewcomer } from "../../src/core/identity/mail/invitation.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { createMember, createTestWorld } from "../support.ts";
import { createSignedInMember, outcomeOf, PASSWORD, signInOriginAt, tokenIn } from "./people.ts";

test("the member list filters by time, inviter, network, link host and standing, with pages", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core, clock } = world;
  const ada = createMember(core, "ada").caller as BuilderCaller;
  const root = await createSignedInMember(core, "root", { role: "owner" });
  clock.pass(5 * MINUTE);
  const join = (username: string, address: string, invite?: string) =>
    signUp(core, signInOriginAt(address), { username, password: PASSWORD, invite });
  const invite = tokenIn(inviteNewcomer(core, root.caller, { uses: 5 }).url);
  await join("bo", "203.0.113.1", invite);
  await join("cy", "203.0.113.2");
  await join("dee", "203.0.114.1");
  createPost(core, ada, { text: "Buy [here](https://WWW.spam.example/1)" });
  setSuspended(core, OPERATOR, "dee", true);
  const names = (filter: MemberListFilter) =>
    listBuilders(core, OPERATOR, filter, { limit: 10 }).nodes.map(({ username }) => username);

  expect(names({ newSince: clock.now() - MINUTE })).toEqual(["dee", "cy", "bo"]);
  expect(names({ inviter: "root" })).toEqual(["bo"]);
  expect(names({ network: "cy" })).toEqual(["cy", "bo"]);
  expect(names({ network: "ada" })).toEqual([]);
  expect(names({ linkHost: "www.Spam.example" })).toEqual(["ada"]);
  expect(names({ standing: "suspended" })).toEqual(["dee"]);
  expect(names({ standing: "active", newSince: clock.now() - MINUTE, username: "c" })).toEqual(["cy"]);
  expect(await outcomeOf(() => names({ network: "nobody" }))).toBe("not_found");

  const first = listBuilders(core, OPERATOR, { network: "bo" }, { limit: 1 });
  const [newest] = first.nodes;
  if (!newest) throw new Error("the list is empty");
  const cursor = first.cursorOf(newest);
  const second = listBuilders(core, OPERATOR, { network: "bo" }, { limit: 1, cursor });
  expect([newest, ...second.nodes].map(({ username }) => username)).toEqual(["cy", "bo"]);
  expect(await outcomeOf(() => listBuilders(core, OPERATOR, { network: "dee" }, { limit: 1, cursor }))).toBe(
    "bad_request",
  );
});
