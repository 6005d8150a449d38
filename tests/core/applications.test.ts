// docs/contract.md#9.16: applications to join.
import { expect, test } from "bun:test";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createAccount, signIn, signUp } from "../../src/core/identity/accounts/accounts.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import { renameAccount } from "../../src/core/identity/accounts/rename.ts";
import {
  applicationBySecret,
  apply,
  approveApplication,
  declineApplication,
  forgetEndedApplications,
  listApplications,
  openApplication,
  withdrawApplication,
} from "../../src/core/identity/applications/applications.ts";
import { findBuilder } from "../../src/core/identity/builders/builders.ts";
import { createMemberToken, createTestWorld, type TestWorld } from "../support.ts";
import {
  signInOriginAt,
  outcomeOf,
  PASSWORD,
  createSignedInMember,
  refusalOf,
  countOutcomes,
  tokenIn,
} from "./people.ts";

const ALL = { limit: 100 };
const WHY = "I spin wool, and would like to learn to weave.";

function guarded(): TestWorld & Disposable {
  const world = createTestWorld();
  changeCommunitySettings(world.core, OPERATOR, { joining: "approval" });
  return world;
}

let hosts = 0;
/** Applies from a new network address each time, unless `address` is set. */
function request(core: Core, username: string, address = `198.51.100.${hosts++ % 250}`) {
  return apply(core, signInOriginAt(address), { username, password: PASSWORD, why: WHY, language: "en" });
}

const waiting = (core: Core) => listApplications(core, OPERATOR, ALL).nodes;
const idOf = (core: Core, username: string): string =>
  waiting(core).find((application) => application.username === username)?.id ?? "";
const rowsOf = (core: Core, table: string): unknown[] => core.db.prepare(`SELECT * FROM ${table}`).all();

function receivedBy(core: Core): string[] {
  return core.db
    .prepare<{ kind: string; n: number }>(
      `SELECT n.kind, (SELECT count(*) FROM notification_facts f WHERE f.group_id = n.group_id) AS n
       FROM notifications n WHERE n.kind <> 'sign_in' ORDER BY n.place`,
    )
    .all()
    .map(({ kind, n }) => `${kind} ×${n}`);
}

test("an application creates one row and no builder, and its password does not sign in", async () => {
  using world = guarded();
  const { core } = world;
  const tables = core.db
    .prepare<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
    .map(({ name }) => name);
  const counts = () => new Map(tables.map((name) => [name, rowsOf(core, name).length]));
  const before = counts();
  const { secret } = await request(core, "ada");
  const grown = [...counts()].filter(([name, count]) => count !== before.get(name)).map(([name]) => name);
  // The event for the staff names the application by its id alone.
  expect(grown.sort()).toEqual(["applications", "events"]);
  expect(applicationBySecret(core, secret)).toMatchObject({ username: "ada", state: "waiting", why: WHY });
  expect(JSON.stringify(rowsOf(core, "applications"))).not.toContain(PASSWORD);
  expect(
    (
      await refusalOf(() =>
        signIn(core, signInOriginAt("203.0.113.7"), { username: "ada", password: PASSWORD }),
      )
    ).code,
  ).toBe("still_applicant");
  // With a wrong password, an applicant and an unknown username get the same refusal.
  for (const username of ["ada", "nobody"])
    expect(
      (
        await refusalOf(() =>
          signIn(core, signInOriginAt("203.0.113.8"), { username, password: "wrong horse" }),
        )
      ).code,
    ).toBe("sign_in_wrong");
});

test("an admin approves an application once, with the password that the applicant chose", async () => {
  using world = guarded();
  const { core } = world;
  const root = await createSignedInMember(core, "root", { role: "admin" });
  const other = await createSignedInMember(core, "other", { role: "owner" });
  const { secret } = await request(core, "ada");
  const id = idOf(core, "ada");
  const decided = [
    core.db.write(() => approveApplication(core, root.caller, id, { word: "Welcome." })),
    core.db.write(() => declineApplication(core, other.caller, id)),
    core.db.write(() => approveApplication(core, root.caller, id)),
  ];
  expect(await countOutcomes(decided)).toEqual({ done: 1, not_found: 2 });
  expect(applicationBySecret(core, secret)).toMatchObject({ state: "approved", word: "Welcome.", why: "" });
  expect(waiting(core)).toEqual([]);
  const { builderId } = await signIn(core, signInOriginAt("203.0.113.7"), {
    username: "ada",
    password: PASSWORD,
  });
  expect(findBuilder(core, "ada")).toMatchObject({ id: builderId, role: "member" });
});

test("only admins, their tokens with `admin` and the operator decide, and an approval needs a recent sign-in", async () => {
  using world = guarded();
  const { core, clock } = world;
  const admin = (await createSignedInMember(core, "root", { role: "admin" })).caller;
  const others = [
    (await createSignedInMember(core, "bob")).caller,
    (await createSignedInMember(core, "mod", { role: "moderator" })).caller,
    createMemberToken(core, "root", ["moderation", "profile:write"]).caller,
  ];
  for (const username of ["ada", "eve", "nia"]) await request(core, username);
  const id = idOf(core, "ada");
  for (const caller of others) {
    expect(await outcomeOf(() => listApplications(core, caller, ALL))).toBe("forbidden");
    expect(await outcomeOf(() => approveApplication(core, caller, id))).toBe("forbidden");
    expect(await outcomeOf(() => declineApplication(core, caller, id))).toBe("forbidden");
  }
  clock.pass(HOUR);
  expect((await refusalOf(() => approveApplication(core, admin, id))).code).toBe("sign_in_again");
  expect(await outcomeOf(() => declineApplication(core, admin, id))).toBe("done");
  const { caller: token } = createMemberToken(core, "root", ["admin"]);
  expect(listApplications(core, token, ALL).nodes).toHaveLength(2);
  expect(await outcomeOf(() => approveApplication(core, token, idOf(core, "eve")))).toBe("done");
  expect(await outcomeOf(() => declineApplication(core, token, idOf(core, "nia")))).toBe("done");
});

test("deletes a declined application except for its decision, which is kept for thirty days; a withdrawn one completely", async () => {
  using world = guarded();
  const { core, clock } = world;
  await request(core, "ada");
  declineApplication(core, OPERATOR, idOf(core, "ada"), { word: "Not this time." });
  const [row] = rowsOf(core, "applications");
  expect(row).toMatchObject({ state: "declined", name: "", why: "", address: "", mail: null });
  const from = signInOriginAt("203.0.113.7");
  const { secret } = await openApplication(core, from, { username: "ada", password: PASSWORD });
  expect(applicationBySecret(core, secret)).toMatchObject({ state: "declined", word: "Not this time." });
  expect(JSON.stringify(rowsOf(core, "audit_entries"))).not.toContain("ada");
  clock.pass(30 * DAY);
  // An application that expired is hidden even before it is deleted.
  expect(applicationBySecret(core, secret)).toBeUndefined();
  await forgetEndedApplications(core);
  expect(rowsOf(core, "applications")).toEqual([]);
  const { secret: second } = await request(core, "bob");
  withdrawApplication(core, second);
  expect(rowsOf(core, "applications")).toEqual([]);
});

test("an application reserves its username on every path until it is decided or expires", async () => {
  using world = guarded();
  const { core, clock } = world;
  await createSignedInMember(core, "root", { role: "admin" });
  await request(core, "ada");
  const link = tokenIn(makeInvite(core, OPERATOR, { uses: 9, hours: 90 * 24 }).url);
  const ways = (): (() => Promise<unknown>)[] => [
    () => request(core, "ada"),
    () => signUp(core, signInOriginAt("203.0.113.9"), { username: "ada", password: PASSWORD, invite: link }),
    () => createAccount(core, OPERATOR, { username: "ada", name: "Ada", role: "member" }),
    async () => renameAccount(core, OPERATOR, "root", "ada"),
  ];
  for (const way of ways()) expect((await refusalOf(way)).code).toBe("username_taken");
  expect(await countOutcomes([request(core, "twin"), request(core, "twin")])).toEqual({
    done: 1,
    conflict: 1,
  });
  declineApplication(core, OPERATOR, idOf(core, "ada"));
  expect(await outcomeOf(() => request(core, "ada"))).toBe("done");
  clock.pass(30 * DAY);
  expect(await outcomeOf(ways()[1] ?? (() => {}))).toBe("done");
});

test("limits applications to five a day from an address and a thousand in total, with one notification", async () => {
  using world = guarded();
  const { core, clock } = world;
  await createSignedInMember(core, "root", { role: "admin" });
  for (let n = 0; n < 5; n++) await request(core, `flood${n}`, "192.0.2.1");
  const { code, retryAfterSeconds } = await refusalOf(() => request(core, "flood5", "192.0.2.1"));
  expect([code, retryAfterSeconds]).toEqual(["applications_from_here", DAY / 1000]);
  expect(receivedBy(core)).toEqual(["application_received ×5"]);
  clock.pass(DAY);
  expect(await outcomeOf(() => request(core, "later", "192.0.2.1"))).toBe("done");
  core.db.transact(() =>
    core.db
      .prepare(
        `INSERT INTO applications (id, username, name, hash, why, address, language, created_at, ends_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 994)
         SELECT 'apl_' || i, 'n' || i, '', '$argon2id$', '', '', 'en', 0, ? FROM n`,
      )
      .run(clock.steady() + DAY),
  );
  expect((await refusalOf(() => request(core, "crowd"))).code).toBe("applications_too_many");
  for (const { id } of waiting(core).slice(0, 5)) declineApplication(core, OPERATOR, id);
  expect(await outcomeOf(() => request(core, "crowd"))).toBe("done");
});

test("withdraws the notification of an application that was decided, withdrawn or expired", async () => {
  using world = guarded();
  const { core, clock } = world;
  await createSignedInMember(core, "root", { role: "admin" });
  await request(core, "one");
  approveApplication(core, OPERATOR, idOf(core, "one"));
  await request(core, "two");
  declineApplication(core, OPERATOR, idOf(core, "two"));
  withdrawApplication(core, (await request(core, "three")).secret);
  await request(core, "four");
  expect(receivedBy(core)).toEqual(["member_joined ×1", "application_received ×1"]);
  clock.pass(30 * DAY);
  await forgetEndedApplications(core);
  expect(receivedBy(core)).toEqual(["member_joined ×1"]);
});

test("counts withdrawn applications, so that one address notifies admins at most five times a day", async () => {
  using world = guarded();
  const { core, clock } = world;
  const again = async () => withdrawApplication(core, (await request(core, "ada", "192.0.2.1")).secret);
  for (let n = 0; n < 5; n++) await again();
  const refused = await refusalOf(again);
  expect([refused.code, refused.error]).toEqual(["applications_from_here", "rate_limited"]);
  // Another network address is not limited. A form that is refused for another reason does not count.
  expect(await outcomeOf(() => request(core, "ada", "192.0.2.2"))).toBe("done");
  clock.pass((refused.retryAfterSeconds ?? 0) * 1000);
  for (let n = 0; n < 3; n++) expect(await outcomeOf(again)).toBe("conflict");
  declineApplication(core, OPERATOR, idOf(core, "ada"));
  expect(await outcomeOf(again)).toBe("done");
});

test("withdraws the notification of an expired application when its username is requested again", async () => {
  using world = guarded();
  const { core, clock } = world;
  await createSignedInMember(core, "root", { role: "admin" });
  await request(core, "ada");
  clock.pass(30 * DAY);
  await request(core, "ada");
  expect(receivedBy(core)).toEqual(["application_received ×1"]);
});

test("a clock set ahead ends no application, and a clock set back prolongs none", async () => {
  using world = guarded();
  const { core, clock } = world;
  await request(core, "ada");
  clock.step(400 * DAY);
  await forgetEndedApplications(core);
  expect(waiting(core)).toHaveLength(1);
  clock.step(-800 * DAY);
  clock.pass(30 * DAY);
  expect(waiting(core)).toEqual([]);
});

test("refuses applications unless joining needs approval, and an invitation skips the approval", async () => {
  using world = guarded();
  const { core } = world;
  const form = { username: "ada", password: PASSWORD };
  expect((await refusalOf(() => signUp(core, signInOriginAt("192.0.2.7"), form))).code).toBe(
    "sign_up_by_approval",
  );
  const invite = tokenIn(makeInvite(core, OPERATOR).url);
  expect(await outcomeOf(() => signUp(core, signInOriginAt("192.0.2.7"), { ...form, invite }))).toBe("done");
  const late = refusalOf(() => request(core, "late"));
  changeCommunitySettings(core, OPERATOR, { joining: "open" });
  expect((await late).code).toBe("nobody_applies");
  for (const joining of ["open", "invite", "closed"] as const) {
    changeCommunitySettings(core, OPERATOR, { joining });
    expect((await refusalOf(() => request(core, "bob"))).code).toBe("nobody_applies");
  }
});

test("a password opens its own application in the latest browser only; a made-up secret opens none", async () => {
  using world = guarded();
  const { core } = world;
  const first = await request(core, "ada");
  const form = { username: " Ada ", password: PASSWORD };
  const second = await openApplication(core, signInOriginAt("203.0.113.7"), form);
  expect(applicationBySecret(core, first.secret)).toBeUndefined();
  expect(applicationBySecret(core, second.secret)?.username).toBe("ada");
  for (const seat of ["", "x", "A".repeat(43), `${second.secret}=`])
    expect(applicationBySecret(core, seat)).toBeUndefined();
  for (const password of ["", "wrong horse battery", "x".repeat(10_000)])
    expect(
      await outcomeOf(() => openApplication(core, signInOriginAt("203.0.113.7"), { ...form, password })),
    ).toBe("unauthorized");
  const guesses = Array.from({ length: 30 }, () =>
    openApplication(core, signInOriginAt("203.0.113.66"), { ...form, password: "no" }),
  );
  expect((await countOutcomes(guesses))["rate_limited"]).toBeGreaterThan(10);
});
