// Removing many spammers at once (docs/contract.md#12.38).
import { expect, test } from "bun:test";
import { createPost, getPost } from "../../src/core/community/feed/feed.ts";
import { OPERATOR, VISITOR } from "../../src/core/identity/access/caller.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { heldHostOf } from "../../src/core/identity/held-hosts/held-hosts.ts";
import { recordSignUp } from "../../src/core/identity/sign-ups/sign-ups.ts";
import { continueRemovals } from "../../src/core/services/moderation/removal.ts";
import { previewRemoval, removeSpammers } from "../../src/core/services/moderation/spam.ts";
import { undoDecision } from "../../src/core/services/moderation/undo.ts";
import { createMember, createTestWorld } from "../support.ts";
import { createSignedInMember, outcomeOf } from "./people.ts";

test("one call removes 100 accounts with 5,000 posts, and other writers wait for short batches only", async () => {
  using world = createTestWorld();
  const { core } = world;
  const usernames = Array.from({ length: 100 }, (_, i) => `spammer-${i}`);
  const callers = usernames.map((username, i) => {
    const { caller } = createMember(core, username);
    recordSignUp(core, caller.builderId ?? "", `10.${i}.0.1`);
    return caller;
  });
  for (const caller of callers)
    core.db.transact(() => {
      for (let i = 0; i < 50; i++) createPost(core, caller, { text: `Buy https://s${i % 3}.example/${i}` });
    });
  const preview = await previewRemoval(core, OPERATOR, usernames);
  const hosts = preview.hosts.filter(({ isPreselected }) => isPreselected).map(({ host }) => host);
  expect(preview).toMatchObject({ networks: 100, counts: { members: 100, posts: 5000 } });
  expect(hosts.sort()).toEqual(["s0.example", "s1.example", "s2.example"]);

  const removed = removeSpammers(core, OPERATOR, { usernames, hosts, reason: "Advertisements" });
  expect(removed).toHaveLength(100);
  expect(heldHostOf(core, ["s1.example"])).toBe("s1.example");
  let batches = 0;
  while (core.db.transact(() => continueRemovals(core))) batches++;
  expect(batches).toBeGreaterThanOrEqual(50);
  expect(core.db.prepare("SELECT 1 FROM posts WHERE hidden_at IS NULL").get()).toBeUndefined();
  expect(core.db.prepare("SELECT 1 FROM builders WHERE suspended_at IS NULL").get()).toBeUndefined();
  expect(removeSpammers(core, OPERATOR, { usernames, hosts, reason: "Again" })).toEqual([]);
});

test("only moderators remove members of a lower role, all or none, with a reason", async () => {
  using world = createTestWorld();
  const { core } = world;
  const mo = await createSignedInMember(core, "mo", { role: "moderator" });
  const ada = await createSignedInMember(core, "ada");
  createBuilder(core, OPERATOR, { username: "root", name: "root", role: "owner" });
  createBuilder(core, OPERATOR, { username: "eve", name: "eve", role: "member" });
  const remove = (usernames: string[], reason = "Spam", caller = mo.caller) =>
    outcomeOf(() => removeSpammers(core, caller, { usernames, hosts: [], reason }));
  expect(await remove(["eve"], "Spam", ada.caller)).toBe("forbidden");
  expect(await remove(["eve", "root"])).toBe("forbidden");
  expect(await remove(["eve", "mo"])).toBe("conflict");
  expect(await remove(["eve"], "")).toBe("bad_request");
  const suspended = "SELECT username FROM builders WHERE suspended_at IS NOT NULL";
  expect(core.db.prepare(suspended).all()).toEqual([]);
  expect(await remove(["eve"])).toBe("done");
  expect(core.db.prepare(suspended).all()).toEqual([{ username: "eve" }]);
});

test("an undone decision restores the content, the standing and the holds", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "mallory");
  const post = createPost(core, caller, { text: "Buy https://spam.example" });
  const draft = {
    usernames: ["mallory"],
    hosts: ["www.Spam.example", new URL(core.origin).host],
    reason: "Spam",
  };
  const finish = () => {
    while (core.db.transact(() => continueRemovals(core)));
  };
  const [decision] = removeSpammers(core, OPERATOR, draft);
  if (!decision) throw new Error("nothing was removed");
  finish();
  expect(decision).toMatchObject({ act: "remove_spammer", builder: "mallory", reason: "Spam" });
  expect(heldHostOf(core, ["spam.example"])).toBe("spam.example");
  expect(heldHostOf(core, [new URL(core.origin).hostname])).toBeUndefined();

  undoDecision(core, OPERATOR, decision.id);
  finish();

  expect(heldHostOf(core, ["spam.example"])).toBeUndefined();
  expect(getPost(core, VISITOR, post.id).id).toBe(post.id);
  expect(core.db.prepare("SELECT 1 FROM builders WHERE suspended_at IS NOT NULL").all()).toEqual([]);
});
