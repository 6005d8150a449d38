// docs/contract.md#12.20, docs/threats.md#M42: how many emails one member can cause to another person.
import { expect, test } from "bun:test";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { inviteMember } from "../../src/core/delegation/workspaces/invitations.ts";
import { deleteOwnAccount } from "../../src/core/services/deletion/deletion.ts";
import { secureAccount } from "../../src/core/delegation/securing/securing.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { REFUSALS } from "../../src/core/base/refusals/refusals.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { apply } from "../../src/core/identity/applications/applications.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { inviteNewcomer } from "../../src/core/identity/mail/invitation.ts";
import {
  ownAddress,
  mailRecovery,
  removeMailAddress,
  setMailAddress,
} from "../../src/core/identity/mail/mail.ts";
import { forgetMailMarks } from "../../src/core/identity/mail/mail-limits.ts";
import {
  signInOriginAt,
  outcomeOf,
  createSignedInMember as member,
  PASSWORD,
  refusalOf,
} from "../core/people.ts";
import { createTestWorld, signedInNow } from "../support.ts";
import { openSite, signUpMember, tokenOf } from "../web/support.ts";

const policy = { signup: "open", mailFrom: "guild@guild.test" } as const;
const VICTIM = "victim@home.example";

const kindsTo = (core: ReturnType<typeof createTestWorld>["core"], address = VICTIM): string[] =>
  core.db
    .prepare<{ kind: string }>("SELECT kind FROM mails WHERE lower(address) = ? ORDER BY seq")
    .all(address)
    .map(({ kind }) => kind);

test("sends a stranger three emails a day, however often a member sets and removes their address", async () => {
  await using site = openSite({ policy });
  const ada = await signUpMember(site, "ada");
  const form_token = tokenOf(await ada.open("/settings/mail"));
  const statuses: number[] = [];

  for (let n = 0; n < 20; n++) {
    const answer = await ada.post("/settings/mail", { address: VICTIM, form_token });
    statuses.push(answer.status);
    if (answer.status === 429) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    await ada.post("/settings/mail/remove", { form_token });
    if (n < 10) site.clock.pass(MINUTE);
  }

  expect(kindsTo(site.core)).toEqual(["confirm", "confirm", "confirm"]);
  expect(statuses.filter((status) => status === 303)).toHaveLength(3);
});

test("counts all kinds and all accounts together, in any spelling of the address", async () => {
  using world = createTestWorld({ policy });
  const { core, clock } = world;
  changeCommunitySettings(core, OPERATOR, { joining: "approval" });
  const { caller } = await member(core, "ada");
  const workspace = createWorkspace(core, caller, "ada", { name: "Looms" });
  let host = 1;
  const ways: readonly (() => unknown)[] = [
    () => setMailAddress(core, signedInNow(core, caller), { address: VICTIM }),
    () => inviteNewcomer(core, OPERATOR, { address: "Victim@HOME.example" }),
    () => inviteMember(core, signedInNow(core, caller), workspace, { address: "victim+two@home.example" }),
    () =>
      apply(core, signInOriginAt(`198.51.100.${host++}`), {
        username: `zoe${host}`,
        password: PASSWORD,
        why: "I weave.",
        language: "en",
        mail: VICTIM,
      }),
  ];
  const sent = (): number => core.db.prepare("SELECT 1 FROM mails").all().length;

  for (let last = 0; last < ways.length; last++) {
    const before = sent();
    for (const [at, way] of ways.entries()) if (at !== last) await way();
    expect([last, sent() - before]).toEqual([last, 3]);
    const links = core.db.prepare("SELECT 1 FROM links").all().length;
    const refused = await refusalOf(() => ways[last]?.());
    expect([last, REFUSALS[refused.code as keyof typeof REFUSALS].error]).toEqual([last, "rate_limited"]);
    expect([sent() - before, core.db.prepare("SELECT 1 FROM links").all().length]).toEqual([3, links]);
    core.db.prepare("DELETE FROM applications").run();
    clock.pass(DAY + MINUTE);
  }

  // The limit also holds across ten members.
  const before = sent();
  for (let n = 0; n < 10; n++) {
    const each = await member(core, `mallory${n}`);
    await outcomeOf(() => setMailAddress(core, each.caller, { address: VICTIM }));
  }
  expect(sent() - before).toBe(3);
});

test("counts the spellings of one Gmail mailbox together, and keeps the dots of other domains apart", async () => {
  using world = createTestWorld({ policy });
  const { core } = world;
  const sentTo = async (spellings: readonly string[]): Promise<number> => {
    const before = core.db.prepare("SELECT 1 FROM mails").all().length;
    for (const [n, address] of spellings.entries()) {
      const { caller } = await member(core, `mallory${before}x${n}`);
      await outcomeOf(() => setMailAddress(core, caller, { address }));
    }
    return core.db.prepare("SELECT 1 FROM mails").all().length - before;
  };

  const gmail = await sentTo([
    "victim@gmail.com",
    "v.ictim@gmail.com",
    "v.i.c.t.i.m@GMail.com",
    "victim@googlemail.com",
    "Vic.tim+x@googlemail.com",
  ]);
  const others = await sentTo([
    "vic.tim@home.example",
    "v.ictim@home.example",
    "victim@home.example",
    "v.i.ctim@home.example",
    "victim@gmail.com.example",
  ]);

  expect([gmail, others]).toEqual([3, 5]);
});

test("sends a member's links to five different addresses a day", async () => {
  using world = createTestWorld({ policy });
  const { core, clock } = world;
  const { caller } = await member(core, "ada");
  const set = (n: number): void =>
    setMailAddress(core, signedInNow(core, caller), { address: `a${n}@home.example` });
  for (let n = 0; n < 5; n++) {
    set(n);
    removeMailAddress(core, signedInNow(core, caller));
    clock.pass(HOUR);
  }

  const refused = await refusalOf(() => set(5));
  expect([refused.code, refused.retryAfterSeconds]).toEqual(["mail_addresses_too_many", (19 * HOUR) / 1000]);
  // A member may set one of the five counted email addresses again.
  set(0);
  clock.pass(19 * HOUR + 1000);
  // The first email address was set again above, so this address still counts.
  expect((await refusalOf(() => set(5))).code).toBe("mail_addresses_too_many");
  clock.pass(HOUR);
  set(5);
});

test("keeps its counts when the address, the sign-ins or the account are deleted, and drops them after a day", async () => {
  using world = createTestWorld({ policy });
  const { core, clock } = world;
  for (const [n, username] of ["ada", "bob", "cleo"].entries()) {
    const { caller } = await member(core, username);
    setMailAddress(core, caller, { address: VICTIM });
    if (n === 0) removeMailAddress(core, signedInNow(core, caller));
    if (n === 1) secureAccount(core, signedInNow(core, caller), "bob", { passkeys: "all", password: true });
    if (n === 2)
      await deleteOwnAccount(core, signedInNow(core, caller), { username, proof: { password: PASSWORD } });
  }
  const { caller } = await member(core, "dave");

  expect((await refusalOf(() => setMailAddress(core, caller, { address: VICTIM }))).code).toBe(
    "mail_recipient_too_many",
  );
  clock.pass(DAY + MINUTE);
  await forgetMailMarks(core);
  expect(core.db.prepare("SELECT 1 FROM mail_marks").all()).toEqual([]);
  setMailAddress(core, signedInNow(core, caller), { address: VICTIM });
});

test("limits recovery separately: neither limit uses up the other", async () => {
  using world = createTestWorld({ policy });
  const { core, clock } = world;
  const { caller } = await member(core, "ada");
  const { builderId } = caller;
  core.db.transact(() => ownAddress(core, builderId, VICTIM));
  const recoveries = (): number =>
    core.db.prepare("SELECT 1 FROM mails WHERE kind = 'recovery' AND builder_id IS NOT NULL").all().length;
  const from = { address: "203.0.113.7", agent: "" };
  for (let n = 0; n < 3; n++) inviteNewcomer(core, OPERATOR, { address: VICTIM });

  await mailRecovery(core, from, "ada");
  expect(recoveries()).toBe(1);
  await mailRecovery(core, from, VICTIM);
  expect(recoveries()).toBe(1);

  // If a member removes and adds the email address, the limit still does not allow a second email within the
  // hour.
  removeMailAddress(core, signedInNow(core, caller));
  core.db.transact(() => ownAddress(core, builderId, VICTIM));
  await mailRecovery(core, from, "ada");
  expect(recoveries()).toBe(1);
  clock.pass(DAY + MINUTE);
  await mailRecovery(core, from, "ada");
  expect(recoveries()).toBe(2);
  for (let n = 0; n < 3; n++) inviteNewcomer(core, OPERATOR, { address: VICTIM });
  expect((await refusalOf(() => inviteNewcomer(core, OPERATOR, { address: VICTIM }))).code).toBe(
    "invitation_mails_too_many",
  );
});
