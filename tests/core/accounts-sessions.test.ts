import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { makeSetupLink, signIn } from "../../src/core/identity/accounts/accounts.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import { changePassword, makeRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { signInAgain } from "../../src/core/identity/accounts/reauthentication.ts";
import {
  endOtherSessions,
  endSession,
  forgetOldSessions,
  listSessions,
  isFresh,
  recordLastSeen,
  requireFresh,
  sessionOf,
  signOut,
  writeAs,
} from "../../src/core/identity/accounts/sessions.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { openDatabase } from "../../src/core/base/db/open.ts";
import { createTestWorld, type TestWorld } from "../support.ts";
import {
  asToken,
  signInOriginAt,
  callerOf,
  withCaller,
  HOME,
  outcomeOf,
  PASSWORD,
  createSignedInMember,
  refusalOf,
  tokenIn,
} from "./people.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { accountState } from "../../src/core/identity/accounts/account-state.ts";

const again = (world: TestWorld, username = "ada") =>
  signIn(world.core, HOME, { username, password: PASSWORD });

test("rejects a malformed session secret, and one with a changed character", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { secret } = await createSignedInMember(core, "ada");
  const last = secret.at(-2) === "A" ? "B" : "A";
  const others = ["", "x", secret.slice(1), `${secret}A`, `${secret}=`, ` ${secret}`, secret.toUpperCase()];
  others.push(secret.slice(0, -2) + last + secret.slice(-1));
  // A leaked hash from the database is not a session secret.
  const hash = core.db.prepare<{ hash: Buffer }>("SELECT hash FROM sessions").get()?.hash;
  others.push(hash?.toString("base64url") ?? "", hash?.toString("hex") ?? "");
  for (const other of others) expect(sessionOf(core, other, "")).toBeUndefined();
  expect(sessionOf(core, secret, "")).toBeDefined();
});

test("an unused session ends after 30 days, a used session after 180", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { secret } = await createSignedInMember(core, "ada");
  const idle = await again(world);
  const visit = async (): Promise<boolean> => {
    const found = sessionOf(core, secret, "") !== undefined;
    await recordLastSeen(core);
    return found;
  };
  clock.pass(29 * DAY);
  expect(await visit()).toBe(true);
  clock.pass(DAY - 1);
  expect(sessionOf(core, idle.secret, "")).toBeDefined();
  clock.pass(1);
  // `sessionOf` alone does not store that the session was used, so the first `sessionOf` call did not extend
  // the session.
  expect(sessionOf(core, idle.secret, "")).toBeUndefined();
  for (let day = 30; day < 180; day += 29) {
    expect(await visit()).toBe(true);
    clock.pass(Math.min(29, 180 - day) * DAY - (day + 29 >= 180 ? 1 : 0));
  }
  expect(await visit()).toBe(true);
  clock.pass(1);
  expect(await visit()).toBe(false);
});

test("reading a session writes nothing; last-seen times are written once an hour, in one batch", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { secret } = await createSignedInMember(core, "ada");
  const seenAt = () => core.db.prepare("SELECT last_seen_at AS at FROM sessions").get();
  const start = clock.now();
  const version = core.db.version();
  clock.pass(HOUR - 1);
  for (let i = 0; i < 100; i++) sessionOf(core, secret, "");
  await recordLastSeen(core);
  expect(core.db.version()).toBe(version);
  clock.pass(1);
  for (let i = 0; i < 100; i++) sessionOf(core, secret, "");
  expect(seenAt()).toEqual({ at: start });
  await recordLastSeen(core);
  expect(seenAt()).toEqual({ at: start + HOUR });
  expect(core.memory(accountState).lastSeen.size).toBe(0);
});

test("a clock change of a day ends no session", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { secret } = await createSignedInMember(core, "ada");
  for (const step of [25 * HOUR, -50 * HOUR, 25 * HOUR]) {
    clock.step(step);
    expect(sessionOf(core, secret, "")).toBeDefined();
    await recordLastSeen(core);
  }
  clock.pass(29 * DAY);
  expect(sessionOf(core, secret, "")).toBeDefined();
});

test("a session applies changes by another program at its next use: end, suspension, role", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { secret, session } = await createSignedInMember(core, "ada");
  expect(sessionOf(core, secret, "")?.role).toBe("member");
  changeRole(core, OPERATOR, "ada", "admin");
  expect(sessionOf(core, secret, "")?.caller.scopes.has("admin")).toBe(true);
  const other = openDatabase(join(world.folder, "guildhall.db"), { busyMs: 100 });
  other.prepare("UPDATE builders SET suspended_at = 1").run();
  expect(sessionOf(core, secret, "")).toBeUndefined();
  other.prepare("UPDATE builders SET suspended_at = NULL").run();
  expect(sessionOf(core, secret, "")).toBeDefined();
  other.prepare("DELETE FROM sessions WHERE id = ?").run(session.id);
  expect(sessionOf(core, secret, "")).toBeUndefined();
  other.close();
});

test("a member lists their own sessions, newest first, and ends one, all others or the current one", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = await createSignedInMember(core, "ada");
  const bob = await createSignedInMember(core, "bob");
  clock.pass(1000);
  const phone = await signIn(
    core,
    { address: "2001:db8::/64", agent: "Phone\r\n\u001b[31m" },
    {
      username: "ada",
      password: PASSWORD,
    },
  );
  clock.pass(1000);
  const third = await again(world);
  expect(listSessions(core, ada.caller)).toMatchObject([
    { id: third.session.id, isCurrent: false },
    { id: phone.session.id, isCurrent: false, address: "2001:db8::/64", agent: "Phone   [31m" },
    { id: ada.session.id, isCurrent: true, address: HOME.address },
  ]);
  expect(await outcomeOf(() => endSession(core, bob.caller, phone.session.id))).toBe("not_found");
  expect(sessionOf(core, phone.secret, "")).toBeDefined();
  endSession(core, ada.caller, phone.session.id);
  expect(sessionOf(core, phone.secret, "")).toBeUndefined();
  expect(await outcomeOf(() => endSession(core, ada.caller, phone.session.id))).toBe("not_found");
  expect(endOtherSessions(core, ada.caller)).toBe(1);
  expect(sessionOf(core, third.secret, "")).toBeUndefined();
  expect(sessionOf(core, ada.secret, "")).toBeDefined();
  expect(sessionOf(core, bob.secret, "")).toBeDefined();
  endSession(core, ada.caller, ada.session.id);
  expect(sessionOf(core, ada.secret, "")).toBeUndefined();
});

test("a builder has at most a hundred sessions, and a new one evicts the oldest", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada");
  core.db.transact(() => {
    for (let i = 0; i < 120; i++) {
      core.db
        .prepare(
          `INSERT INTO sessions (id, hash, builder_id, address, agent, created_at, last_seen_at, expires_at)
           VALUES (?, randomblob(32), ?, '', '', 1, 1, ?)`,
        )
        .run(core.makeId("ses", 1000 + i), ada.builderId, world.clock.now() + DAY);
    }
  });
  world.clock.pass(1);
  const last = await again(world);
  const left = listSessions(core, callerOf(core, last.secret));
  expect(left).toHaveLength(100);
  expect(left.slice(0, 2).map(({ id }) => id)).toEqual([last.session.id, ada.session.id]);
});

test("a new password ends every other session, and gives the current session a new secret", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada");
  const elsewhere = await again(world);
  const bob = await createSignedInMember(core, "bob");
  const link = makeRecovery(core, OPERATOR, "ada");
  const wrong = { current: "not this one", password: "a new password" };
  expect(await outcomeOf(() => changePassword(core, ada.caller, wrong))).toBe("bad_request");
  expect(await outcomeOf(() => changePassword(core, ada.caller, { password: "a new password" }))).toBe(
    "bad_request",
  );
  expect(
    await outcomeOf(() => changePassword(core, ada.caller, { current: PASSWORD, password: "ada" })),
  ).toBe("bad_request");
  expect(sessionOf(core, elsewhere.secret, "")).toBeDefined();

  const changed = withCaller(
    core,
    await changePassword(core, ada.caller, { current: PASSWORD, password: "a new password" }),
  );
  expect(changed.secret).not.toBe(ada.secret);
  expect(changed.session).toMatchObject({ address: HOME.address, agent: HOME.agent });
  expect(changed.session.id).not.toBe(ada.session.id);
  for (const { secret } of [ada, elsewhere]) expect(sessionOf(core, secret, "")).toBeUndefined();
  expect(sessionOf(core, bob.secret, "")).toBeDefined();
  expect(listSessions(core, changed.caller)).toHaveLength(1);
  expect(await outcomeOf(() => again(world))).toBe("unauthorized");
  await signIn(core, HOME, { username: "ada", password: "a new password" });
  expect(core.db.prepare("SELECT 1 FROM links WHERE purpose = 'recovery'").all()).toEqual([]);
  expect(link.url).toContain("/recover?token=");
});

test("a stolen session cannot be used to guess the password", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = await createSignedInMember(core, "ada");
  const answers: string[] = [];
  for (let i = 0; i < 12; i++) {
    answers.push(
      await outcomeOf(() =>
        changePassword(core, caller, { current: `guess ${i}`, password: "mine, all mine" }),
      ),
    );
  }
  expect(answers).toEqual([...Array(10).fill("bad_request"), ...Array(2).fill("rate_limited")]);
});

test("counts password guesses per session across addresses, and never locks out another session", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = await createSignedInMember(core, "ada");
  const own = withCaller(core, await signIn(core, HOME, { username: "ada", password: PASSWORD })).caller;
  const guess = (member: typeof caller, i: number, password: string) =>
    outcomeOf(() => signInAgain(core, { ...member, address: `2001:db8:${i}::/64` }, { password }));
  const answers: string[] = [];
  for (let i = 0; i < 102; i++) answers.push(await guess(caller, i, `guess ${i}`));
  expect(answers).toEqual([...Array(100).fill("bad_request"), ...Array(2).fill("rate_limited")]);
  expect(await guess(caller, 103, PASSWORD)).toBe("rate_limited");
  expect(await guess(own, 104, PASSWORD)).toBe("done");

  // Failed sign-ins by strangers do not count towards the member's own limit, even if they lock the username.
  const { caller: bob } = await createSignedInMember(core, "bob");
  for (let i = 0; i < 102; i++)
    await outcomeOf(() =>
      signIn(core, signInOriginAt(`2001:db8:f:${i}::/64`), { username: "bob", password: `guess ${i}` }),
    );
  const stranger = () =>
    signIn(core, signInOriginAt("2001:db8:e::/64"), { username: "bob", password: PASSWORD });
  expect(await outcomeOf(stranger)).toBe("rate_limited");
  expect(await guess(bob, 105, PASSWORD)).toBe("done");
});

test("a token cannot use any session operation", async () => {
  using world = createTestWorld();
  const { core } = world;
  const admin = await createSignedInMember(core, "ada", { role: "admin" });
  const token = asToken(admin.caller);
  expect(token.scopes.has("admin")).toBe(true);
  const actions: (() => unknown)[] = [
    () => signOut(core, token),
    () => listSessions(core, token),
    () => endSession(core, token, admin.session.id),
    () => endOtherSessions(core, token),
    () => changePassword(core, token, { current: PASSWORD, password: "mine, all mine" }),
    () => makeRecovery(core, token, "ada"),
    () => makeSetupLink(core, token),
    () => changeRole(core, token, "ada", "admin"),
  ];
  // The operations are refused because a token is no sign-in, not because the sign-in is too old.
  for (const action of actions)
    expect([String(action), (await refusalOf(action)).code]).toEqual([
      String(action),
      action === actions[6] ? "set_up_by_operator" : "person_only",
    ]);
  expect(sessionOf(core, admin.secret, "")).toBeDefined();
});

test("a sign-in is fresh for ten minutes, and not after the clock was set to an earlier time", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { caller } = await createSignedInMember(core, "ada");
  const fresh = async () => [isFresh(core, caller), await outcomeOf(() => requireFresh(core, caller))];
  expect(await fresh()).toEqual([true, "done"]);
  clock.pass(10 * MINUTE - 1);
  expect(await fresh()).toEqual([true, "done"]);
  clock.pass(1);
  expect(await fresh()).toEqual([false, "forbidden"]);
  clock.step(-10 * MINUTE - 1);
  expect(await fresh()).toEqual([false, "forbidden"]);
  expect(await outcomeOf(() => requireFresh(core, OPERATOR))).toBe("done");
});

test("refuses a queued write of an ended session, or of a token whose builder was suspended", async () => {
  using world = createTestWorld();
  const { core } = world;
  const here = await createSignedInMember(core, "ada");
  const there = withCaller(core, await again(world));
  const done: string[] = [];
  const write = (caller: Caller, name: string) =>
    outcomeOf(() => writeAs(core, caller, () => done.push(name)));
  expect([await write(here.caller, "here"), await write(there.caller, "there")]).toEqual(["done", "done"]);
  endOtherSessions(core, here.caller);
  expect([await write(here.caller, "still here"), await write(there.caller, "gone")]).toEqual([
    "done",
    "forbidden",
  ]);
  expect(await write(asToken(here.caller), "token")).toBe("done");
  setSuspended(core, OPERATOR, "ada", true);
  expect([await write(here.caller, "no"), await write(asToken(here.caller), "no")]).toEqual([
    "forbidden",
    "unauthorized",
  ]);
  expect(done).toEqual(["here", "there", "still here", "token"]);
});

test("deletes expired sessions and keeps the others", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  await createSignedInMember(core, "ada");
  clock.pass(29 * DAY);
  const young = await again(world);
  clock.pass(DAY);
  await forgetOldSessions(core);
  expect(core.db.prepare("SELECT id FROM sessions").all()).toEqual([{ id: young.session.id }]);
});

test("applies a new session lifetime: longer from the next use on, shorter within the hour", async () => {
  using world = createTestWorld({ policy: { signup: "open", retentionSessionsMs: 90 * DAY } });
  const { core, clock } = world;
  await createSignedInMember(core, "ada");
  const [{ expires_at: until } = { expires_at: 0 }] = core.db
    .prepare<{ expires_at: number }>("SELECT expires_at FROM sessions")
    .all();
  expect(until).toBe(clock.now() + 90 * DAY);
  clock.pass(60 * DAY);
  const young = await again(world);
  await forgetOldSessions(core);
  expect(core.db.prepare("SELECT id FROM sessions").all()).toHaveLength(2);
  clock.pass(8 * DAY);
  Object.assign(core.policy, { retentionSessionsMs: 7 * DAY });
  // The last use of the session is only recorded in memory, and still keeps the session alive.
  withCaller(core, young);
  await forgetOldSessions(core);
  expect(core.db.prepare("SELECT id, expires_at FROM sessions").all()).toEqual([
    { id: young.session.id, expires_at: clock.now() + 7 * DAY },
  ]);
});

test("the database files contain no password, session secret, link secret or token", async () => {
  using world = createTestWorld({ hasRealHashes: true });
  const { core } = world;
  const seen: string[] = [PASSWORD];
  seen.push(tokenIn(makeSetupLink(core, OPERATOR)?.url ?? ""));
  const ada = await createSignedInMember(core, "ada", { role: "admin" });
  seen.push(ada.secret, (await again(world)).secret);
  seen.push(tokenIn(makeInvite(core, ada.caller).url), tokenIn(makeRecovery(core, OPERATOR, "ada").url));
  seen.push(createToken(core, OPERATOR, "ada", { name: "t", scopes: ["feed:read"], tier: "personal" }).token);
  await signIn(core, signInOriginAt("198.51.100.1"), {
    username: "ada",
    password: "wrong one entirely",
  }).catch(() => {});
  seen.push("wrong one entirely");
  await recordLastSeen(core);
  const files = readdirSync(world.folder).map((name) => readFileSync(join(world.folder, name)));
  const stored = Buffer.concat(files);
  expect(stored.includes("$argon2id$v=19$m=32768,t=2,p=1$")).toBe(true);
  for (const secret of seen) {
    expect(secret.length).toBeGreaterThan(10);
    const raw = Buffer.from(secret, "base64url");
    expect([secret, stored.includes(secret), stored.includes(raw)]).toEqual([secret, false, false]);
  }
});
