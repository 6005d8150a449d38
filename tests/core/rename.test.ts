// docs/contract.md#4.16: renamed accounts.
import { expect, test } from "bun:test";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { createPost, listFeed } from "../../src/core/community/feed/feed.ts";
import { followBuilder } from "../../src/core/community/following/following.ts";
import { mentionsOf } from "../../src/core/community/mentions/mentions.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { getProfile } from "../../src/core/community/profiles/profiles.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { changeUsername, renameAccount } from "../../src/core/identity/accounts/rename.ts";
import { authenticate } from "../../src/core/delegation/tokens/tokens.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { createMemberToken, createTestWorld, createMember, signedInNow } from "../support.ts";
import { openSite, PASSWORD, signUpMember, visit, visibleText } from "../web/support.ts";
import { completeDeletion } from "./linked-community.ts";
import { outcomeOf } from "./people.ts";
import { createCallers } from "./workspace-parts.ts";

const account = "/settings/account";
const PAGE = { limit: 10 };

test("an old name leads to the new one everywhere, and stays reserved", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo, root } = createCallers(core, "ada", "bo", "root");
  changeRole(core, OPERATOR, "root", "admin");
  const { token } = createMemberToken(core, "bo");
  const post = createPost(core, ada, { text: "@bo" });
  const own = createPost(core, bo, { text: "mine" });
  changeUsername(core, bo, "bob");
  const later = createPost(core, ada, { text: "@Bo and @bob" });
  expect(mentionsOf(core, [post.id, later.id])).toEqual(
    new Map([
      [post.id, new Map([["bo", "bob"]])],
      [
        later.id,
        new Map([
          ["bo", "bob"],
          ["bob", "bob"],
        ]),
      ],
    ]),
  );
  for (const handle of ["bo", "Bo", "bob"]) {
    expect(getProfile(core, ada, handle)).toMatchObject({ id: bo.builderId, username: "bob" });
    expect(listFeed(core, ada, { author: handle }, PAGE).nodes.map(({ id }) => id)).toEqual([own.id]);
  }
  sendMessage(core, ada, { to: "bo", text: "hello" });
  followBuilder(core, ada, "bo");
  // A token keeps working after a rename. The next request with the token has the new username.
  expect(authenticate(core, token, () => true)?.username).toBe("bob");
  expect(core.db.prepare("SELECT name FROM workspaces WHERE owner_id = ?").get(bo.builderId)).toEqual({
    name: "bob",
  });
  expect(
    listAudit(core, signedInNow(core, root), { of: "all" }, PAGE).nodes.map(({ words }) => words),
  ).toContain("Changed the username from “bo” to “bob”");

  expect(await outcomeOf(() => createMember(core, "bo"))).toBe("conflict");
  expect(await outcomeOf(() => changeUsername(core, ada, "bo"))).toBe("conflict");
  expect(await outcomeOf(() => changeUsername(core, ada, "bob"))).toBe("conflict");
  // After the account is deleted, both names stay reserved forever.
  deleteAccount(core, signedInNow(core, root), "bob", "bob");
  expect(await outcomeOf(() => getProfile(core, ada, "bo"))).toBe("not_found");
  completeDeletion(core);
  for (const name of ["bo", "bob"]) expect(await outcomeOf(() => createMember(core, name))).toBe("conflict");
  expect(mentionsOf(core, [post.id, later.id]).size).toBe(0);
});

test("a member with a recent sign-in renames their account once in thirty days; the operator renames any", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { ada, bo } = createCallers(core, "ada", "bo");
  for (const name of ["ada", "admin", "bo"])
    expect([name, await outcomeOf(() => changeUsername(core, ada, name))]).not.toEqual([name, "done"]);
  changeUsername(core, ada, "lovelace");
  const again = () => signedInNow(core, ada);
  expect(await outcomeOf(() => changeUsername(core, again(), "countess"))).toBe("rate_limited");
  clock.pass(30 * DAY - 1000);
  expect(await outcomeOf(() => changeUsername(core, again(), "countess"))).toBe("rate_limited");
  clock.pass(1000);
  expect(await outcomeOf(() => changeUsername(core, ada, "countess"))).toBe("forbidden");
  // A member may take a former username back. The member's other former username still leads to the member.
  changeUsername(core, again(), "ada");
  expect(getProfile(core, bo, "lovelace").username).toBe("ada");
  const { caller } = createMemberToken(core, "ada");
  expect(await outcomeOf(() => changeUsername(core, caller, "x"))).toBe("forbidden");
  expect(await outcomeOf(() => renameAccount(core, again(), "bo", "x"))).toBe("forbidden");
  renameAccount(core, OPERATOR, "lovelace", "augusta");
  expect(getProfile(core, bo, "ada").username).toBe("augusta");
  expect(await outcomeOf(() => renameAccount(core, OPERATOR, "nobody", "x"))).toBe("not_found");
});

test("the account page changes the username, and the old address redirects", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const bad = await ada.submit(await ada.open(account), `${account}/username`, { username: "-x" });
  expect(bad.status).toBe(400);
  const done = await ada.submit(await ada.open(account), `${account}/username`, { username: "@Lovelace" });
  expect(visibleText(done.html)).toContain("Username changed.");
  expect(visibleText(done.html)).toContain("@lovelace");
  const old = await visit(site).open("/@Ada?cursor=x");
  expect([old.status, old.location]).toEqual([308, "/@lovelace?cursor=x"]);
  expect((await visit(site).open("/@ada/prompts")).location).toBe("/@lovelace/prompts");
  expect((await visit(site).open("/@Lovelace")).status).toBe(200);
  const signedIn = async (username: string) => {
    const at = visit(site);
    await at.submit(await at.open("/sign-in"), "/sign-in", { username, password: PASSWORD });
    return visibleText((await at.open(account)).html).includes("@lovelace");
  };
  expect([await signedIn("lovelace"), await signedIn("ada")]).toEqual([true, false]);
});
