// docs/contract.md#9.15: joining and invites.
import { expect, test } from "bun:test";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import {
  invitationOf,
  type InviteDraft,
  listInvites,
  makeInvite,
  withdrawInvite,
} from "../../src/core/identity/accounts/invites.ts";
import { findBuilder } from "../../src/core/identity/builders/builders.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { createTestWorld } from "../support.ts";
import { completeDeletion } from "./linked-community.ts";
import {
  signInOriginAt,
  outcomeOf,
  PASSWORD,
  createSignedInMember,
  refusalOf,
  countOutcomes,
  tokenIn,
} from "./people.ts";

const invited = (core: Core, draft: InviteDraft = {}) => tokenIn(makeInvite(core, OPERATOR, draft).url);
const join = (core: Core, username: string, invite?: string, agrees?: boolean) =>
  signUp(core, signInOriginAt(`203.0.113.${username.length}`), {
    username,
    password: PASSWORD,
    invite,
    agrees,
  });

test("the community's setting decides who may join, from the next form on, and overrides the operator's", async () => {
  using world = createTestWorld({ signup: "closed" });
  const { core } = world;
  const link = invited(core, { uses: 10 });
  const both = async (name: string) => [
    await outcomeOf(() => join(core, `${name}-alone`)),
    await outcomeOf(() => join(core, `${name}-invited`, link)),
  ];
  expect(await both("first")).toEqual(["forbidden", "forbidden"]);
  changeCommunitySettings(core, OPERATOR, { joining: "open" });
  expect(await both("second")).toEqual(["done", "done"]);
  changeCommunitySettings(core, OPERATOR, { joining: "invite" });
  expect(await both("third")).toEqual(["forbidden", "done"]);
  expect((await refusalOf(() => join(core, "fourth"))).code).toBe("sign_up_by_invitation");
  changeCommunitySettings(core, OPERATOR, { joining: null });
  expect((await refusalOf(() => join(core, "fifth", link))).code).toBe("sign_up_closed");
  changeCommunitySettings(core, OPERATOR, { joining: "open" });
  expect(await outcomeOf(() => join(core, "sixth", "no such link"))).toBe("done");
});

test("refuses a sign-up when the community closes while its password is being hashed", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core } = world;
  const late = outcomeOf(() => join(core, "late"));
  changeCommunitySettings(core, OPERATOR, { joining: "closed" });
  expect(await late).toBe("forbidden");
  expect(findBuilder(core, "late")).toBeUndefined();
});

test("an invitation closes after its number of uses, and one of two simultaneous last uses succeeds", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada", { role: "admin" });
  const { url, uses } = makeInvite(core, ada.caller, { label: " Meetup in May ", uses: 3 });
  expect(uses).toBe(3);
  await join(core, "bob", tokenIn(url));
  await join(core, "cy", tokenIn(url));
  expect(listInvites(core, ada.caller)).toMatchObject([{ label: "Meetup in May", uses: 3, used: 2 }]);
  const last = ["dee", "evan"].map((username) => join(core, username, tokenIn(url)));
  expect(await countOutcomes(last)).toEqual({ done: 1, not_found: 1 });
  expect(listInvites(core, ada.caller)).toEqual([]);
  expect(await outcomeOf(() => join(core, "frances", tokenIn(url)))).toBe("not_found");
});

test("a refused sign-up uses up no invitation", async () => {
  using world = createTestWorld();
  const { core } = world;
  await createSignedInMember(core, "ada", { role: "admin" });
  const link = invited(core, { uses: 2 });
  expect(await outcomeOf(() => join(core, "ada", link))).toBe("conflict");
  expect(listInvites(core, OPERATOR)).toMatchObject([{ used: 0 }]);
});

test("the audit log names the invitation of each new member, and admins see it", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada", { role: "admin" });
  const created = makeInvite(core, ada.caller, { label: "Meetup", uses: 2 });
  const { builderId } = await join(core, "bob", tokenIn(created.url));
  const [first] = listAudit(core, ada.caller, { of: "all", about: ada.builderId }, { limit: 1 }).nodes;
  expect(first).toMatchObject({
    act: "invite.used",
    actor: "bob",
    detail: { label: "Meetup", link: created.id },
  });
  expect(invitationOf(core, ada.caller, builderId)).toEqual({ invitedBy: "ada", label: "Meetup" });
  const bob = (await createSignedInMember(core, "cy")).caller;
  expect(await outcomeOf(() => invitationOf(core, bob, builderId))).toBe("forbidden");
  // The record of an invitation is kept after the link and the inviter are deleted. The record is deleted
  // with the invited account.
  withdrawInvite(core, ada.caller, created.id);
  await createSignedInMember(core, "root", { role: "admin" });
  core.db.transact(() => deleteAccount(core, OPERATOR, "ada", "ada"));
  completeDeletion(core);
  expect(invitationOf(core, OPERATOR, builderId)).toEqual({ invitedBy: null, label: "Meetup" });
  core.db.transact(() => deleteAccount(core, OPERATOR, "bob", "bob"));
  completeDeletion(core);
  expect(invitationOf(core, OPERATOR, builderId)).toBeUndefined();
});

test("an invitation expires on time, even while its form is open, and a clock set back restores no use", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const [hour, quarter, spent] = [{ hours: 1 }, { hours: 90 * 24 }, {}].map((draft) => invited(core, draft));
  await join(core, "bob", spent);
  clock.pass(HOUR);
  expect(await outcomeOf(() => join(core, "cy", hour))).toBe("not_found");
  clock.step(-HOUR);
  expect(await outcomeOf(() => join(core, "dee", spent))).toBe("not_found");
  clock.pass(90 * DAY - HOUR);
  expect(await outcomeOf(() => join(core, "evan", quarter))).toBe("done");
});

test("joining requires agreement to the community's rules, if it has any", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core } = world;
  expect(await outcomeOf(() => join(core, "ada"))).toBe("done");
  changeCommunitySettings(core, OPERATOR, { rules: "Be kind." });
  expect((await refusalOf(() => join(core, "bob"))).code).toBe("rules_not_agreed");
  expect(await outcomeOf(() => join(core, "bob", undefined, true))).toBe("done");
});
