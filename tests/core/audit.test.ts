import { expect, test } from "bun:test";
import { createToken, revokeToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import {
  createAccount,
  makeSetupLink,
  setUp,
  signIn,
  signUp,
} from "../../src/core/identity/accounts/accounts.ts";
import { makeInvite, withdrawInvite } from "../../src/core/identity/accounts/invites.ts";
import { addPasskey, beginPasskey, removePasskey } from "../../src/core/identity/accounts/passkeys.ts";
import { changePassword, makeRecovery, recover } from "../../src/core/identity/accounts/passwords.ts";
import { endOtherSessions, endSession, recordLastSeen } from "../../src/core/identity/accounts/sessions.ts";
import { AUDIT_EVENTS, eventText } from "../../src/core/identity/audit/audit-events.ts";
import { type AuditEntry, forgetOldAudit, listAudit, record } from "../../src/core/identity/audit/audit.ts";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { formatsOf } from "../../src/locale/formats.ts";
import { createTestWorld } from "../support.ts";
import { makeAuthenticator } from "./authenticator.ts";
import {
  asToken,
  signInOriginAt,
  withCaller,
  HOME,
  outcomeOf,
  PASSWORD,
  createSignedInMember,
  tokenIn,
} from "./people.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { accountState } from "../../src/core/identity/accounts/account-state.ts";

const NEW = "an entirely new password";
const ALL = { limit: 100 };

function allEntries(core: Core): AuditEntry[] {
  return listAudit(core, OPERATOR, { of: "all" }, ALL).nodes.toReversed();
}

test("records every security operation with actor, operation, account and address", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const setup = tokenIn(makeSetupLink(core, OPERATOR)?.url ?? "");
  const ada = withCaller(
    core,
    await setUp(core, HOME, { token: setup, username: "ada", password: PASSWORD }),
  );
  const invite = makeInvite(core, ada.caller);
  const other = makeInvite(core, ada.caller);
  withdrawInvite(core, ada.caller, other.id);
  const form = { username: "bob", password: PASSWORD, invite: tokenIn(invite.url) };
  let bob = withCaller(core, await signUp(core, signInOriginAt("198.51.100.2"), form));
  const second = await signIn(core, HOME, { username: "bob", password: PASSWORD });
  endSession(core, bob.caller, second.session.id);
  endOtherSessions(core, bob.caller);
  const { challenge } = await beginPasskey(core, bob.caller);
  const response = await (await makeAuthenticator()).create({ challenge });
  const passkey = await addPasskey(core, bob.caller, { name: "my phone", response });
  removePasskey(core, bob.caller, passkey.id);
  const draft = { name: "my script", scopes: ["feed:read"], tier: "personal" as const };
  const { id } = createToken(core, bob.caller, "bob", draft);
  revokeToken(core, bob.caller, id);
  bob = withCaller(core, await changePassword(core, bob.caller, { current: PASSWORD, password: NEW }));
  const recovery = makeRecovery(core, ada.caller, "bob");
  await recover(core, signInOriginAt("198.51.100.3"), { token: tokenIn(recovery.url), password: PASSWORD });
  setSuspended(core, ada.caller, "bob", true);
  setSuspended(core, OPERATOR, "bob", false);
  changeRole(core, ada.caller, "bob", "admin");
  changeRole(core, ada.caller, "bob", "member");
  await createAccount(core, OPERATOR, { username: "eve", name: "Eve", role: "admin" });

  const entries = allEntries(core).map(({ actor, act, subject, address }) => [actor, act, subject, address]);
  const home = HOME.address;
  expect(entries).toEqual([
    ["ada", "account.set-up", "ada", home],
    ["ada", "session.opened", "ada", home],
    ["ada", "invite.made", "ada", home],
    ["ada", "invite.made", "ada", home],
    ["ada", "invite.withdrawn", "ada", home],
    ["bob", "invite.used", "ada", "198.51.100.2"],
    ["bob", "account.created", "bob", "198.51.100.2"],
    ["bob", "session.opened", "bob", "198.51.100.2"],
    ["bob", "session.opened", "bob", home],
    ["bob", "session.ended", "bob", home],
    ["bob", "sessions.ended", "bob", home],
    ["bob", "passkey.added", "bob", home],
    ["bob", "passkey.removed", "bob", home],
    ["bob", "token.made", "bob", home],
    ["bob", "token.revoked", "bob", home],
    ["bob", "password.changed", "bob", home],
    ["ada", "recovery.made", "bob", home],
    ["bob", "recovery.used", "bob", "198.51.100.3"],
    ["bob", "session.opened", "bob", "198.51.100.3"],
    ["ada", "builder.suspended", "bob", home],
    [null, "builder.restored", "bob", null],
    ["ada", "role.given", "bob", home],
    ["ada", "role.given", "bob", home],
    [null, "account.created", "eve", null],
    [null, "role.given", "eve", null],
  ]);
  expect(allEntries(core).every(({ createdAt }) => createdAt === clock.now())).toBe(true);
  const words = allEntries(core).map((entry) => entry.words);
  expect(words).toContain("Added the passkey “my phone”");
  expect(words).toContain("Revoked the access token “my script”");
  expect(words).toContain("Signed in with a password");
});

test("a refused operation and a failed transaction leave no entry", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada");
  const before = allEntries(core);
  await outcomeOf(() => endSession(core, ada.caller, "ses_x"));
  await outcomeOf(() => revokeToken(core, ada.caller, "tok_x"));
  await outcomeOf(() => changePassword(core, ada.caller, { current: PASSWORD, password: "ada" }));
  expect(() =>
    core.db.transact(() => {
      record(core, { act: "app.registered", actor: null, subject: null, address: null });
      throw new Error("the act failed");
    }),
  ).toThrow("the act failed");
  expect(allEntries(core)).toEqual(before);
});

test("records refused sign-ins for the account, at most ten an hour, and none for unknown names", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  await createSignedInMember(core, "ada");
  const refused = () => allEntries(core).filter(({ act }) => act === "session.refused");
  const guess = (username: string, i: number) =>
    outcomeOf(() =>
      signIn(core, signInOriginAt(`198.51.100.${i}`), { username, password: "is it this one" }),
    );
  const first = clock.now();
  await Promise.all(Array.from({ length: 15 }, (_, i) => guess("ada", i)));
  await guess("nobody", 99);
  // Failed sign-ins are buffered in memory, so that response times do not reveal whether an account exists.
  expect(refused()).toEqual([]);
  expect(core.memory(accountState).failures).toHaveLength(10);
  clock.pass(1000);
  // A successful sign-in stores the buffered failures. If no sign-in succeeds, a chore stores them.
  await signIn(core, HOME, { username: "ada", password: PASSWORD });
  expect(refused()).toHaveLength(10);
  expect(refused()[0]).toMatchObject({
    actor: null,
    subject: "ada",
    // Two passwords are hashed at a time, so either network address can be stored first.
    address: expect.stringMatching(/^198\.51\.100\.\d+$/),
    createdAt: first,
    words: "Sign-in with a password failed",
  });
  clock.pass(HOUR);
  await guess("ada", 50);
  await recordLastSeen(core);
  await recordLastSeen(core);
  expect(refused()).toHaveLength(11);
});

test("writes refused sign-ins later when a write failed", async () => {
  using world = createTestWorld();
  const { core } = world;
  await createSignedInMember(core, "ada");
  await outcomeOf(() => signIn(core, HOME, { username: "ada", password: "is it this one" }));
  setSuspended(core, OPERATOR, "ada", true);
  expect(await outcomeOf(() => signIn(core, HOME, { username: "ada", password: PASSWORD }))).toBe(
    "forbidden",
  );
  expect(core.memory(accountState).failures).toHaveLength(1);
  await recordLastSeen(core);
  expect(allEntries(core).filter(({ act }) => act === "session.refused")).toHaveLength(1);
});

test("members see entries about their own account without the admin's address; admins see all entries", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada", { role: "admin" });
  const bob = await createSignedInMember(core, "bob");
  makeRecovery(core, ada.caller, "bob");
  const mine = listAudit(core, bob.caller, { of: "mine" }, ALL).nodes;
  expect(mine.map(({ act, actor, address }) => [act, actor, address])).toEqual([
    ["recovery.made", "ada", null],
    ["session.opened", "bob", HOME.address],
    ["account.created", null, null],
  ]);
  const all = listAudit(core, ada.caller, { of: "all" }, ALL).nodes;
  expect(all[0]).toMatchObject({ act: "recovery.made", subject: "bob", address: HOME.address });
  expect(all).toHaveLength(6);
  expect(await outcomeOf(() => listAudit(core, bob.caller, { of: "all" }, ALL))).toBe("forbidden");
  expect(await outcomeOf(() => listAudit(core, asToken(ada.caller), { of: "all" }, ALL))).toBe("forbidden");
  expect(await outcomeOf(() => listAudit(core, asToken(bob.caller), { of: "mine" }, ALL))).toBe("forbidden");
  expect(await outcomeOf(() => listAudit(core, OPERATOR, { of: "mine" }, ALL))).toBe("forbidden");
});

test("pages through the log in both directions, and refuses the cursor of another list", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = await createSignedInMember(core, "ada", { role: "admin" });
  const bob = await createSignedInMember(core, "bob");
  for (let i = 0; i < 25; i++) {
    clock.pass(1);
    core.db.transact(() =>
      record(core, {
        act: "token.made",
        actor: bob.builderId,
        subject: bob.builderId,
        detail: { name: `t${i}` },
        address: null,
      }),
    );
  }
  for (const [caller, of] of [
    [bob.caller, "mine"],
    [ada.caller, "all"],
  ] as const) {
    const ids = listAudit(core, caller, { of }, ALL).nodes.map(({ id }) => id);
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const page = listAudit(core, caller, { of }, { limit: 10, cursor });
      walked.push(...page.nodes.map(({ id }) => id));
      const last = page.nodes.at(-1);
      cursor = page.hasNextPage && last ? page.cursorOf(last) : undefined;
    } while (cursor !== undefined);
    expect(walked).toEqual(ids);
    const end = listAudit(core, caller, { of }, { limit: 5, backwards: true });
    expect(end.nodes.map(({ id }) => id)).toEqual(ids.slice(-5));
  }
  const page = listAudit(core, bob.caller, { of: "mine" }, { limit: 5 });
  const [first] = page.nodes;
  const cursor = first && page.cursorOf(first);
  expect(await outcomeOf(() => listAudit(core, ada.caller, { of: "all" }, { limit: 5, cursor }))).toBe(
    "bad_request",
  );
  expect(await outcomeOf(() => listAudit(core, ada.caller, { of: "mine" }, { limit: 5, cursor }))).toBe(
    "bad_request",
  );
});

test("keeps entries for a year", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  await createSignedInMember(core, "ada");
  clock.pass(200 * DAY);
  await createSignedInMember(core, "bob");
  clock.pass(165 * DAY - 1);
  await forgetOldAudit(core);
  expect(allEntries(core)).toHaveLength(4);
  clock.pass(1);
  await forgetOldAudit(core);
  expect(allEntries(core).map(({ subject }) => subject)).toEqual(["bob", "bob"]);
});

test("keeps entries for the configured time from the next cleanup on, and pages show it", async () => {
  using world = createTestWorld({ policy: { signup: "open", retentionAuditMs: 730 * DAY } });
  const { core, clock } = world;
  await createSignedInMember(core, "ada");
  clock.pass(400 * DAY);
  await forgetOldAudit(core);
  expect(allEntries(core)).toHaveLength(2);
  Object.assign(core.policy, { retentionAuditMs: 90 * DAY });
  await forgetOldAudit(core);
  expect(allEntries(core)).toEqual([]);
  expect([90, 1, 365, 730].map((days) => formatsOf("en").retention(days * DAY))).toEqual([
    "90 days",
    "1 day",
    "1 year",
    "2 years",
  ]);
});

test("every operation has a description; an operation that a later version dropped shows its name", () => {
  for (const [act, template] of Object.entries(AUDIT_EVENTS)) {
    const parts = [...template.matchAll(/\{(\w+)(?::[^}]+)?\}/g)].map(([, part]) => [part, "something"]);
    const text = eventText(act, Object.fromEntries(parts));
    expect(text).not.toMatch(/[{}…]/);
    expect(text.length).toBeGreaterThan(10);
  }
  expect(eventText("moon.landed", {})).toBe("moon.landed");
  expect(eventText("token.made", {})).toBe("Created the access token “…”");
  expect(eventText("constructor", {})).toBe("constructor");
});
