// docs/contract.md#2.11: usernames and passwords.
import { expect, spyOn, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createAccount, signIn, signUp } from "../../src/core/identity/accounts/accounts.ts";
import { createPasswordLimits } from "../../src/core/identity/accounts/password-limits.ts";
import { changePassword } from "../../src/core/identity/accounts/passwords.ts";
import { sessionOf, signOut } from "../../src/core/identity/accounts/sessions.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { CoreError } from "../../src/core/base/errors.ts";
import { fakeClock, createTestWorld } from "../support.ts";
import {
  signInOriginAt,
  callerOf,
  HOME,
  outcomeOf,
  PASSWORD,
  createSignedInMember,
  refusalOf,
  countOutcomes,
} from "./people.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { accountState } from "../../src/core/identity/accounts/account-state.ts";

test("an open sign-up creates an account, a session and a personal workspace", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core } = world;
  const created = await signUp(core, HOME, { username: " Ada ", name: "", password: PASSWORD });
  expect(created.username).toBe("ada");
  const found = sessionOf(core, created.secret, "198.51.100.1");
  expect(found).toMatchObject({
    name: "ada",
    role: "member",
    session: { address: HOME.address, agent: HOME.agent, isCurrent: true },
    caller: { username: "ada", means: "session", tier: "personal", address: "198.51.100.1", appId: null },
  });
  expect(found?.caller.scopes.has("feed:write")).toBe(true);
  expect(found?.caller.scopes.has("admin")).toBe(false);
  expect(
    core.db.prepare("SELECT owner_id FROM workspaces WHERE id = ?").get(found?.caller.workspaceId),
  ).toEqual({ owner_id: found?.caller.builderId });
});

test("a closed or invite-only community refuses sign-up without an invitation", async () => {
  for (const signup of ["invite", "closed"] as const) {
    using world = createTestWorld({ signup });
    const form = { username: "ada", password: PASSWORD };
    expect(await outcomeOf(() => signUp(world.core, HOME, form))).toBe("forbidden");
    expect(world.core.db.prepare("SELECT count(*) AS n FROM builders").get()).toEqual({ n: 0 });
  }
});

test("of fifty clients that request one name at once, one gets it and the others learn that it is taken", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core } = world;
  const all = Array.from({ length: 50 }, (_, i) =>
    signUp(core, signInOriginAt(`203.0.113.${i}`), { username: "ada", password: PASSWORD }),
  );
  expect(await countOutcomes(all)).toEqual({ done: 1, conflict: 49 });
  for (const table of ["builders", "passwords", "sessions"])
    expect(core.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 1 });
});

test("accepts ASCII letters, digits, - and _ in usernames, and refuses lookalikes and reserved paths", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core, clock } = world;
  await createSignedInMember(core, "kim");
  const refused: [username: string, code: string][] = [
    ["KIM", "conflict"],
    ["Kim", "conflict"],
    // The Kelvin sign (folds to k), a Cyrillic i, a dotless i, full-width letters and a zero-width joiner.
    ["\u212Aim", "bad_request"],
    ["k\u0456m", "bad_request"],
    ["k\u0131m", "bad_request"],
    ["\uFF4B\uFF49\uFF4D", "bad_request"],
    ["ki\u200Dm", "bad_request"],
    ["kim\u202E", "bad_request"],
    ["k\u0130m", "bad_request"],
    ["\u017Fam", "bad_request"],
    ["stra\u00DFe", "bad_request"],
    ["kim\0", "bad_request"],
    ["k im", "bad_request"],
    ["k\nim", "bad_request"],
    ["@kim", "bad_request"],
    ["k.m", "bad_request"],
    ["k/m", "bad_request"],
    ["-kim", "bad_request"],
    ["kim-", "bad_request"],
    ["_kim", "bad_request"],
    ["kim_", "bad_request"],
    ["", "bad_request"],
    ["k".repeat(33), "bad_request"],
    ["me", "unprocessable"],
    ["ME", "unprocessable"],
    ["Admin", "unprocessable"],
    ["api", "unprocessable"],
    ["settings", "unprocessable"],
    ["sign-in", "unprocessable"],
    ["well-known", "unprocessable"],
  ];
  for (const [username, code] of refused) {
    clock.pass(MINUTE);
    expect([username, await outcomeOf(() => signUp(core, HOME, { username, password: PASSWORD }))]).toEqual([
      username,
      code,
    ]);
  }
});

test("requires a password of 8 to 200 characters that is neither common nor the username, and never repeats it", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core, clock } = world;
  const refused = [
    "",
    "1234567",
    "🐎".repeat(7),
    "x".repeat(201),
    "nul\0 in the middle",
    "broken \ud800 surrogate",
    "password1",
    "PassWord1",
    "Margaret",
  ];
  for (const password of refused) {
    clock.pass(MINUTE);
    const error = await refusalOf(() => signUp(core, HOME, { username: "margaret", password }));
    expect([error.error, error.details?.map(({ path }) => path)]).toEqual(["bad_request", ["password"]]);
    if (password !== "") expect(JSON.stringify([error.message, error.details])).not.toContain(password);
  }
  clock.pass(MINUTE);
  for (const [i, password] of ["🐎".repeat(8), "🐎".repeat(200), "        "].entries()) {
    await signUp(core, HOME, { username: `m${i}`, password });
    const signed = await signIn(core, HOME, { username: `m${i}`, password });
    expect(signed.username).toBe(`m${i}`);
  }
});

test("accepts a password in any Unicode composition of its letters", async () => {
  using world = createTestWorld();
  const { core } = world;
  const draft = { username: "ada", name: "Ada", role: "member" as const };
  await createAccount(core, OPERATOR, { ...draft, password: "crème brûlée".normalize("NFC") });
  const password = "crème brûlée".normalize("NFD");
  expect((await signIn(core, HOME, { username: "ada", password })).username).toBe("ada");
});

test("an unknown name, an account without a password and a wrong password get the same error after the same work", async () => {
  using world = createTestWorld({ hasRealHashes: true });
  const { core } = world;
  await createSignedInMember(core, "ada");
  await createAccount(core, OPERATOR, { username: "bob", name: "Bob", role: "member" });
  await createAccount(core, OPERATOR, { username: "eve", name: "Eve", role: "member", password: PASSWORD });
  core.db.prepare("UPDATE passwords SET hash = '$argon2id$junk' WHERE builder_id LIKE ?").run("builder_%");
  await changeHash(core, "ada");
  using verify = spyOn(Bun.password, "verify");
  const tries = [
    { username: "ada", password: "wrong but long enough" },
    { username: "nobody", password: "wrong but long enough" },
    { username: "bob", password: "wrong but long enough" },
    { username: "ada", password: "x".repeat(100_000) },
    { username: "\u212A'; --", password: "" },
  ];
  const answers = new Set<string>();
  for (const attempt of tries) {
    const { error: code, message, details } = await refusalOf(() => signIn(core, HOME, attempt));
    answers.add(JSON.stringify([code, message, details]));
  }
  expect([...answers]).toEqual([
    JSON.stringify(["unauthorized", "The username or password is wrong.", undefined]),
  ]);
  const costs = verify.mock.calls.map(([, hash]) => String(hash).split("$").slice(1, 4).join("$"));
  expect(costs).toEqual(Array.from(tries, () => "argon2id$v=19$m=32768,t=2,p=1"));
  expect(verify.mock.calls.every(([password]) => String(password).length <= 400)).toBe(true);
  // A malformed hash matches no password and is not an internal error.
  expect(await outcomeOf(() => signIn(core, HOME, { username: "eve", password: PASSWORD }))).toBe(
    "unauthorized",
  );
});

/** Stores a new valid hash of the same password, with the program's own cost parameters. */
async function changeHash(core: ReturnType<typeof createTestWorld>["core"], username: string): Promise<void> {
  const hash = await core.memory(accountState).hasher.hash(PASSWORD);
  core.db
    .prepare("UPDATE passwords SET hash = ? WHERE builder_id = (SELECT id FROM builders WHERE username = ?)")
    .run(hash, username);
}

test("tells a suspended builder about the suspension only with the correct password, and opens no session", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { secret } = await createSignedInMember(core, "ada");
  setSuspended(core, OPERATOR, "ada", true);
  expect(sessionOf(core, secret, "")).toBeUndefined();
  expect(await outcomeOf(() => signIn(core, HOME, { username: "ada", password: PASSWORD }))).toBe(
    "forbidden",
  );
  expect(await outcomeOf(() => signIn(core, HOME, { username: "ada", password: "wrong wrong" }))).toBe(
    "unauthorized",
  );
  setSuspended(core, OPERATOR, "ada", false);
  expect(sessionOf(core, secret, "")).toBeUndefined();
  expect(await outcomeOf(() => signIn(core, HOME, { username: "ada", password: PASSWORD }))).toBe("done");
});

test("an address has thirty tries over all accounts, then ten a minute, and a try after `Retry-After` is allowed", () => {
  const clock = fakeClock();
  const guard = createPasswordLimits(clock.elapsed);
  const guess = (i: number) => guard.admitGuess(`account-${i}`, "203.0.113.9", () => true);
  for (let i = 0; i < 30; i++) guess(i);
  const refused = refusedBy(() => guess(30));
  expect(refused.retryAfterSeconds).toBe(6);
  guard.admitGuess("account-1", "203.0.113.10", () => true);
  clock.pass(6000 - 1);
  expect(refusedBy(() => guess(31)).error).toBe("rate_limited");
  clock.pass(1);
  guess(32);
  expect(refusedBy(() => guess(33)).error).toBe("rate_limited");
});

test("an account has ten tries per address and a hundred in total, except at addresses that the owner used before", () => {
  const clock = fakeClock();
  const guard = createPasswordLimits(clock.elapsed);
  const owner = "203.0.113.7";
  for (let i = 0; i < 10; i++) guard.admitGuess("ada", "198.51.100.1", () => false);
  expect(refusedBy(() => guard.admitGuess("ada", "198.51.100.1", () => false)).error).toBe("rate_limited");
  for (let i = 0; i < 90; i++) guard.admitGuess("ada", `2001:db8:${i}::/64`, () => false);
  expect(refusedBy(() => guard.admitGuess("ada", "2001:db8:99::/64", () => false)).error).toBe(
    "rate_limited",
  );
  // During a permanent flood, the owner can still sign in from a network address that the owner used before.
  for (let hour = 0; hour < 48; hour++) {
    clock.pass(60 * MINUTE);
    for (let i = 0; i < 200; i++) {
      try {
        guard.admitGuess("ada", `2001:db8:${hour}:${i}::/64`, () => false);
      } catch (error) {
        expect((error as CoreError).error).toBe("rate_limited");
      }
    }
    guard.admitGuess("ada", owner, () => true);
  }
});

test("a successful sign-in does not return the tries that its address spent on other accounts", async () => {
  using world = createTestWorld();
  const { core } = world;
  await createSignedInMember(core, "mallory");
  const from = signInOriginAt("198.51.100.66");
  const mine = { username: "mallory", password: PASSWORD };
  const guesses = Array.from({ length: 25 }, (_, i) => ({ username: `victim${i}`, password: "is it this" }));
  const attempts = guesses.flatMap((guess, i) => (i < 10 ? [mine, guess] : [guess]));
  const answers = await countOutcomes(attempts.map((attempt) => signIn(core, from, attempt)));
  expect(answers).toEqual({ done: 10, unauthorized: 20, rate_limited: 5 });
});

test("of ten thousand wrong passwords few are hashed, two at a time, and the owner still signs in", async () => {
  using world = createTestWorld({ hasRealHashes: "large" });
  const { core } = world;
  const { caller } = await createSignedInMember(core, "ada");
  let running = 0;
  let most = 0;
  const real = Bun.password.verify;
  using verify = spyOn(Bun.password, "verify").mockImplementation(async (...args) => {
    most = Math.max(most, ++running);
    try {
      return await real(...args);
    } finally {
      running--;
    }
  });
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  let peak = 0;
  const flood = Array.from({ length: 10_000 }, (_, i) => {
    const from = signInOriginAt(`10.${i % 50}.${Math.floor(i / 256)}.${i % 256}`);
    const username = i % 2 === 0 ? "ada" : `user${i}`;
    return signIn(core, from, { username, password: "guess number one" }).catch((error: CoreError) => {
      peak = Math.max(peak, process.memoryUsage.rss());
      return error.error;
    });
  });
  const codes = await Promise.all(flood);
  expect(codes.filter((code) => code === "unauthorized")).toHaveLength(66);
  expect(codes.filter((code) => code === "rate_limited")).toHaveLength(10_000 - 66);
  expect(verify).toHaveBeenCalledTimes(66);
  expect(most).toBe(2);
  // At most two hashes run at once. Without this limit, the 64 threads of a pool would use 2 GiB.
  expect(peak - before).toBeLessThan(300 * 1024 * 1024);
  expect((await signIn(core, HOME, { username: "ada", password: PASSWORD })).builderId).toBe(
    caller.builderId,
  );
});

test("every sign-in opens a new session, and signing out ends only that session", async () => {
  using world = createTestWorld();
  const { core } = world;
  const first = await createSignedInMember(core, "ada");
  const second = await signIn(core, HOME, { username: "Ada", password: PASSWORD });
  expect(second.secret).not.toBe(first.secret);
  expect(second.session.id).not.toBe(first.session.id);
  signOut(core, callerOf(core, second.secret));
  expect(sessionOf(core, second.secret, "")).toBeUndefined();
  expect(sessionOf(core, first.secret, "")?.session.id).toBe(first.session.id);
});

test("a password that changes during its comparison opens no session", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = await createSignedInMember(core, "ada");
  const late = signIn(core, HOME, { username: "ada", password: PASSWORD });
  // The hash has been read, and its comparison is still running.
  core.db.transact(() => core.db.prepare("UPDATE passwords SET hash = hash || '='").run());
  expect(await outcomeOf(() => late)).toBe("unauthorized");
  await changeHash(core, "ada");
  const both = [1, 2].map((i) =>
    changePassword(core, caller, { current: PASSWORD, password: `another password ${i}` }),
  );
  expect(await countOutcomes(both)).toEqual({ done: 1, forbidden: 1 });
});

function refusedBy(work: () => void): CoreError {
  try {
    work();
  } catch (error) {
    if (error instanceof CoreError) return error;
  }
  throw new Error("it was not refused");
}
