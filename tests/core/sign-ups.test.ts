// Networks of sign-ups: holds of removed spammers and brakes (docs/contract.md#12.38).
import { expect, test } from "bun:test";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signIn, signUp } from "../../src/core/identity/accounts/accounts.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import {
  apply,
  approveApplication,
  listApplications,
} from "../../src/core/identity/applications/applications.ts";
import { inviteNewcomer } from "../../src/core/identity/mail/invitation.ts";
import { networkOf } from "../../src/core/identity/sign-ups/networks.ts";
import {
  forgetOldSignUps,
  holdNetwork,
  recordSignUp,
  releaseNetworks,
  signUpNetworkOf,
} from "../../src/core/identity/sign-ups/sign-ups.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { createTestWorld } from "../support.ts";
import { createSignedInMember, PASSWORD, refusalOf, signInOriginAt, tokenIn } from "./people.ts";

const join = (core: Core, username: string, address: string, invite?: string) =>
  signUp(core, signInOriginAt(address), { username, password: PASSWORD, invite });

function addMember(core: Core, username: string): string {
  return createBuilder(core, OPERATOR, { username, name: username, role: "member" });
}

/** Stores a decision that a held network can refer to, and returns its id. */
function addDecision(core: Core, builderId: string): string {
  const id = `dec_${builderId.slice(8)}`;
  core.db
    .prepare(
      `INSERT INTO decisions (id, act, subject_id, builder_id, created_at)
       VALUES (?, 'remove_spammer', ?, ?, 1)`,
    )
    .run(id, builderId, builderId);
  return id;
}

test("a network is a /24 of IPv4 or a /48 of IPv6", () => {
  expect(networkOf("203.0.113.7")).toBe("203.0.113.0/24");
  expect(networkOf("::ffff:203.0.113.7")).toBe("203.0.113.0/24");
  expect(networkOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1::/48");
  expect(networkOf("2001:db8:1:2::/64")).toBe("2001:db8:1::/48");
  expect(networkOf("unknown")).toBeUndefined();
});

test("a held network stops sign-up and names the contact, but not sign-in, invitations or other networks", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core, clock } = world;
  changeCommunitySettings(core, OPERATOR, { contact: "help@guild.example" });
  await createSignedInMember(core, "ada");
  const decision = addDecision(core, addMember(core, "spammer"));
  core.db.transact(() => holdNetwork(core, "203.0.113.0/24", decision));

  const refused = await refusalOf(() => join(core, "bo", "203.0.113.99"));
  expect(refused).toMatchObject({ code: "sign_up_held", error: "forbidden" });
  expect(refused.message).toContain("help@guild.example");
  await signIn(core, signInOriginAt("203.0.113.99"), { username: "ada", password: PASSWORD });
  const invite = tokenIn(inviteNewcomer(core, OPERATOR, {}).url);
  await join(core, "cy", "203.0.113.99", invite);
  await join(core, "dee", "203.0.114.1");

  clock.pass(30 * DAY + 1);
  await join(core, "bo", "203.0.113.99");
});

test("an undone decision ends its hold, and another decision keeps its own", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core } = world;
  const [one, other] = [
    addDecision(core, addMember(core, "one")),
    addDecision(core, addMember(core, "other")),
  ];
  core.db.transact(() => {
    holdNetwork(core, "203.0.113.0/24", one);
    holdNetwork(core, "203.0.113.0/24", other);
    releaseNetworks(core, one);
  });
  expect((await refusalOf(() => join(core, "bo", "203.0.113.9"))).code).toBe("sign_up_held");
  core.db.transact(() => releaseNetworks(core, other));
  await join(core, "bo", "203.0.113.9");
});

test("a held network stops join requests, and an approved request keeps its network", async () => {
  using world = createTestWorld();
  const { core } = world;
  changeCommunitySettings(core, OPERATOR, { joining: "approval" });
  const form = { password: PASSWORD, why: "I build.", language: "en" } as const;
  await apply(core, signInOriginAt("203.0.113.9"), { ...form, username: "bo" });
  const [{ id = "" } = {}] = listApplications(core, OPERATOR, { limit: 1 }).nodes;
  const bo = approveApplication(core, OPERATOR, id);
  expect(signUpNetworkOf(core, bo)).toBe("203.0.113.0/24");

  const decision = addDecision(core, bo);
  core.db.transact(() => holdNetwork(core, "203.0.113.0/24", decision));
  const refused = await refusalOf(() =>
    apply(core, signInOriginAt("203.0.113.10"), { ...form, username: "cy" }),
  );
  expect(refused.code).toBe("sign_up_held");
});

test("sign-ups of one network are limited per day, and other networks are not", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core, clock } = world;
  for (let i = 0; i < 40; i++) recordSignUp(core, addMember(core, `student-${i}`), `203.0.113.${i}`);

  const refused = await refusalOf(() => join(core, "late", "203.0.113.200"));
  expect(refused).toMatchObject({ code: "sign_ups_from_network", error: "rate_limited" });
  expect(refused.retryAfterSeconds).toBe(DAY / 1000);
  const invite = tokenIn(inviteNewcomer(core, OPERATOR, {}).url);
  await join(core, "invited", "203.0.113.200", invite);
  await join(core, "elsewhere", "203.0.114.1");

  clock.step(-3 * DAY);
  expect((await refusalOf(() => join(core, "late", "203.0.113.200"))).code).toBe("sign_ups_from_network");
  clock.pass(DAY);
  await join(core, "late", "203.0.113.200");
});

test("a wave of sign-ups notifies the team once per hour and refuses nobody", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core, clock } = world;
  await createSignedInMember(core, "root", { role: "owner" });
  await createSignedInMember(core, "mo", { role: "moderator" });
  await createSignedInMember(core, "ada");
  const alerts = () =>
    core.db
      .prepare<{ username: string }>(
        `SELECT b.username FROM notifications n CROSS JOIN builders b ON b.id = n.builder_id
         WHERE n.kind = 'sign_up_wave' ORDER BY n.place`,
      )
      .all()
      .map(({ username }) => username);
  const wave = (from: number, to: number) => {
    for (let i = from; i < to; i++) recordSignUp(core, addMember(core, `wave-${i}`), `10.${i}.0.1`);
  };
  wave(0, 60);
  expect(alerts()).toEqual([]);
  wave(60, 90);
  expect(alerts().sort()).toEqual(["mo", "root"]);
  await join(core, "nobody-is-refused", "192.0.2.1");
  clock.pass(HOUR / 2);
  wave(90, 120);
  expect(alerts()).toHaveLength(2);
  clock.pass(HOUR / 2);
  wave(120, 160);
  expect(alerts()).toHaveLength(4);
});

test("networks of sign-ups and ended holds are deleted after 30 days", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const old = addMember(core, "old");
  recordSignUp(core, old, "203.0.113.1");
  const decision = addDecision(core, old);
  core.db.transact(() => holdNetwork(core, "203.0.113.0/24", decision));
  clock.pass(29 * DAY);
  const young = addMember(core, "young");
  recordSignUp(core, young, "203.0.113.1");
  await forgetOldSignUps(core);
  expect(signUpNetworkOf(core, old)).toBe("203.0.113.0/24");

  clock.pass(DAY);
  await forgetOldSignUps(core);

  expect(signUpNetworkOf(core, old)).toBeUndefined();
  expect(signUpNetworkOf(core, young)).toBe("203.0.113.0/24");
  expect(core.db.prepare("SELECT * FROM held_networks").all()).toEqual([]);
});
