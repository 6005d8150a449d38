// docs/contract.md#9.3: device cookies and limits on password guesses.
import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signIn } from "../../src/core/identity/accounts/accounts.ts";
import { DEVICE_MAX_MS, readDevice } from "../../src/core/identity/accounts/devices.ts";
import { signInAgain } from "../../src/core/identity/accounts/reauthentication.ts";
import { changePassword, makeRecovery, recover } from "../../src/core/identity/accounts/passwords.ts";
import { secureAccount } from "../../src/core/delegation/securing/securing.ts";
import { HOUR, MINUTE, SECOND } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { createTestWorld } from "../support.ts";
import { signInOriginAt, withCaller, outcomeOf, PASSWORD, createSignedInMember, tokenIn } from "./people.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { accountState } from "../../src/core/identity/accounts/account-state.ts";

const NEW = "an entirely new password";

/** Guesses from twelve network addresses until every further guess is refused. */
async function flood(core: Core, username: string): Promise<void> {
  for (let i = 1; i <= 12; i++)
    for (let n = 0; n < 10; n++)
      await outcomeOf(() =>
        core.memory(accountState).attemptLimits.admitGuess(username, `198.51.100.${i}`, () => false),
      );
}

/** Outcome of a sign-in from a new network address. */
function tryIn(core: Core, device: string | undefined, password = PASSWORD, address = "192.0.2.44") {
  return outcomeOf(() => signIn(core, { ...signInOriginAt(address), device }, { username: "ada", password }));
}

test("a flood from twelve addresses never locks out a browser that signed in before, at any address", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { device } = await createSignedInMember(core, "ada");
  await flood(core, "ada");
  expect(await tryIn(core, undefined)).toBe("rate_limited");
  expect(await tryIn(core, device)).toBe("done");
  expect(await tryIn(core, device, PASSWORD, "198.51.100.3")).toBe("done");
});

test("correct passwords use up no tries: thirty sign-ins from one address lock out nobody", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { device, ...ada } = await createSignedInMember(core, "ada");
  let { caller } = ada;
  for (let i = 0; i < 30; i++) {
    expect([i, await tryIn(core, undefined)]).toEqual([i, "done"]);
    expect([i, await tryIn(core, device)]).toEqual([i, "done"]);
    caller = withCaller(core, await signInAgain(core, caller, { password: PASSWORD })).caller;
    clock.pass(10 * SECOND);
  }
});

/** Signs in with the correct password until the guard refuses. Returns the number of sign-ins. */
async function signInOften(core: Core, from: string): Promise<number> {
  let done = 0;
  while (done < 500 && (await tryIn(core, undefined, PASSWORD, from)) === "done") done++;
  return done;
}

test("a success returns only its own try; wrong guesses by address, account and cookie still count", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { device } = await createSignedInMember(core, "ada");
  await createSignedInMember(core, "bob");
  const from = signInOriginAt("198.51.100.66");
  const guess = (username: string, of?: string) =>
    outcomeOf(() => signIn(core, { ...from, device: of }, { username, password: "is it this" }));
  // Uses 20 of the 30 tries of this network address.
  for (let i = 0; i < 20; i++) {
    expect(await guess(`victim${i}`)).toBe("unauthorized");
    expect(await tryIn(core, undefined, PASSWORD, from.address)).toBe("done");
  }
  // Uses the 10 tries of bob's account at this network address.
  for (let i = 0; i < 10; i++) expect(await guess("bob")).toBe("unauthorized");
  expect(await guess("bob")).toBe("rate_limited");
  expect(await guess("victim20")).toBe("rate_limited");
  expect(await tryIn(core, undefined, PASSWORD, from.address)).toBe("rate_limited");
  // Uses the 10 tries of the device cookie.
  for (let i = 0; i < 10; i++) {
    expect(await tryIn(core, device, "is it this")).toBe("unauthorized");
    if (i < 9) expect(await tryIn(core, device)).toBe("done");
  }
  expect(await tryIn(core, device)).toBe("rate_limited");
});

test("two simultaneous guesses do not exceed the limit, even if others succeed beside them", async () => {
  using world = createTestWorld();
  const { core } = world;
  await createSignedInMember(core, "ada");
  const guesses = Array.from({ length: 12 }, () => tryIn(core, undefined, "is it this"));
  const answers = await Promise.all([...guesses, tryIn(core, undefined)]);
  expect(answers.filter((answer) => answer === "unauthorized")).toHaveLength(10);
  expect(answers.filter((answer) => answer === "rate_limited")).toHaveLength(3);
});

test("limits successful sign-ins as well, because each costs a hash", async () => {
  using world = createTestWorld();
  const { core } = world;
  await createSignedInMember(core, "ada");
  expect(await signInOften(core, "192.0.2.44")).toBe(69);
});

test("a stolen device cookie allows ten tries and then one a minute, and uses up no other tries", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { device } = await createSignedInMember(core, "ada");
  const own = await signIn(core, signInOriginAt("203.0.113.7"), { username: "ada", password: PASSWORD });
  for (let i = 0; i < 10; i++)
    expect(await tryIn(core, device, "is it this", `192.0.2.${i}`)).toBe("unauthorized");
  expect(await tryIn(core, device, PASSWORD, "192.0.2.77")).toBe("rate_limited");
  expect(await tryIn(core, own.device)).toBe("done");
  expect(await tryIn(core, undefined)).toBe("done");
  clock.pass(MINUTE - 100);
  expect(await tryIn(core, device)).toBe("rate_limited");
  clock.pass(100);
  expect(await tryIn(core, device)).toBe("done");
});

test("ignores the device cookie of another account, and a forged, malformed, old or future one", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { device, builderId } = await createSignedInMember(core, "ada");
  const bobs = (await createSignedInMember(core, "bob")).device;
  await flood(core, "ada");
  const bytes = Buffer.from(device, "base64url");
  const mangled = Array.from({ length: bytes.length }, (_, i) => {
    const copy = Buffer.from(bytes);
    copy[i] = (copy[i] ?? 0) ^ 1;
    return copy.toString("base64url");
  });
  for (const mark of [bobs, ...mangled, device.slice(1), `${device}A`, "A".repeat(46), "", "ü".repeat(46)])
    expect([mark, readDevice(core, builderId, mark)]).toEqual([mark, undefined]);
  expect(await tryIn(core, bobs)).toBe("rate_limited");
  clock.step(-1);
  expect(readDevice(core, builderId, device)).toBeUndefined();
  clock.step(DEVICE_MAX_MS);
  expect(readDevice(core, builderId, device)).toBeDefined();
  clock.step(1);
  expect(readDevice(core, builderId, device)).toBeUndefined();
});

test("a new password, a recovery, securing and a suspension revoke all device cookies; a new session gets a new one", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  let ada = await createSignedInMember(core, "ada");
  const isKnown = (mark: string) => readDevice(core, ada.builderId, mark) !== undefined;
  const ends: [string, () => Promise<typeof ada | undefined>][] = [
    [
      "a new password",
      async () =>
        withCaller(core, await changePassword(core, ada.caller, { current: PASSWORD, password: NEW })),
    ],
    [
      "a recovery",
      async () => {
        const token = tokenIn(makeRecovery(core, OPERATOR, "ada").url);
        return withCaller(
          core,
          await recover(core, signInOriginAt("203.0.113.9"), { token, password: PASSWORD }),
        );
      },
    ],
    [
      "securing it",
      async () => {
        const keep = { passkeys: "all", password: true } as const;
        const { renewed } = secureAccount(core, ada.caller, "ada", keep);
        return renewed ? withCaller(core, renewed) : undefined;
      },
    ],
    [
      "suspending it",
      async () => {
        setSuspended(core, OPERATOR, "ada", true);
        setSuspended(core, OPERATOR, "ada", false);
        return undefined;
      },
    ],
  ];
  for (const [what, end] of ends) {
    const { device } = ada;
    expect([what, isKnown(device)]).toEqual([what, true]);
    const next = await end();
    expect([what, isKnown(device)]).toEqual([what, false]);
    if (next) ada = next;
    if (next) expect([what, isKnown(next.device)]).toEqual([what, true]);
    clock.pass(SECOND);
  }
});

test("device cookies are not stored, and a flood of them uses bounded memory", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const rows = () =>
    core.db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name LIKE '%device%'").get();
  expect(rows()).toEqual({ n: 0 });
  const { device } = await createSignedInMember(core, "ada");
  for (let i = 0; i < 300_000; i++)
    core.memory(accountState).attemptLimits.admitGuess("ada", "x", () => false, `d${i}`);
  clock.pass(HOUR);
  expect(await tryIn(core, device)).toBe("done");
});
