import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signIn } from "../../src/core/identity/accounts/accounts.ts";
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  canUsePasskeys,
  listPasskeys,
  removePasskey,
  signInByPasskey,
} from "../../src/core/identity/accounts/passkeys.ts";
import { endSession, sessionOf } from "../../src/core/identity/accounts/sessions.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { createChallenges } from "../../src/core/identity/accounts/challenges.ts";
import { seededBytes } from "../../src/demo/seeded-bytes.ts";
import { fakeClock, createTestWorld, type TestWorld } from "../support.ts";
import { type Ceremony, makeAuthenticator } from "./authenticator.ts";
import {
  asToken,
  withCaller,
  HOME,
  outcomeOf,
  PASSWORD,
  createSignedInMember,
  countOutcomes,
} from "./people.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

type Authenticator = Awaited<ReturnType<typeof makeAuthenticator>>;
type Person = Awaited<ReturnType<typeof createSignedInMember>>;

async function enrolPasskey(world: TestWorld, { caller }: Person, key: Authenticator, name = "my phone") {
  const { challenge } = await beginPasskey(world.core, caller);
  return addPasskey(world.core, caller, { name, response: await key.create({ challenge }) });
}

/** Signs in with the passkey. `wrong` overrides parts of a valid ceremony. */
async function enterWith(
  world: TestWorld,
  key: Authenticator,
  userHandle: string,
  wrong: Partial<Ceremony> = {},
) {
  const { challenge } = await beginPasskeySignIn(world.core, HOME);
  return signInByPasskey(world.core, HOME, await key.get({ challenge, userHandle, ...wrong }));
}

test("a passkey signs its builder in without username or password", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = await createSignedInMember(core, "ada");
  const options = await beginPasskey(core, ada.caller);
  expect(options).toMatchObject({
    rp: { id: "guild.test" },
    user: { id: Buffer.from(ada.builderId).toString("base64url"), name: "ada" },
    attestation: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    timeout: 5 * MINUTE,
  });
  const key = await makeAuthenticator();
  const response = await key.create({ challenge: options.challenge });
  const passkey = await addPasskey(core, ada.caller, { name: "my phone", response });
  expect(listPasskeys(core, ada.caller)).toEqual([passkey]);
  expect(passkey).toMatchObject({ name: "my phone", lastUsedAt: null });
  expect(core.db.prepare("SELECT transports FROM passkeys").get()).toEqual({
    transports: '["hybrid","internal"]',
  });
  expect((await beginPasskey(core, ada.caller)).excludeCredentials).toMatchObject([{ id: key.id }]);

  clock.pass(MINUTE);
  const requestOptions = await beginPasskeySignIn(core, HOME);
  expect(requestOptions).toMatchObject({ rpId: "guild.test", userVerification: "required" });
  expect(requestOptions.allowCredentials ?? []).toEqual([]);
  const signed = await enterWith(world, key, ada.builderId);
  expect(signed.secret).not.toBe(ada.secret);
  expect(sessionOf(core, signed.secret, "")?.caller.username).toBe("ada");
  expect(listPasskeys(core, ada.caller)[0]?.lastUsedAt).toBe(clock.now());
});

test("refuses every wrong response with the same error, and opens no session", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = await createSignedInMember(core, "ada");
  const bob = await createSignedInMember(core, "bob");
  const key = await makeAuthenticator();
  const stranger = await makeAuthenticator();
  await enrolPasskey(world, ada, key);
  const wrongs: Partial<Ceremony>[] = [
    { origin: "https://evil.example" },
    { origin: "http://guild.test" },
    { rpId: "evil.example" },
    { isVerified: false },
    { type: "webauthn.create" },
    { challenge: Buffer.alloc(32, 1).toString("base64url") },
    { userHandle: bob.builderId },
    { userHandle: "" },
  ];
  const sessions = () => core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM sessions").get()?.n;
  const before = sessions();
  for (const wrong of wrongs) {
    clock.pass(MINUTE);
    expect([wrong, await outcomeOf(() => enterWith(world, key, ada.builderId, wrong))]).toEqual([
      wrong,
      "unauthorized",
    ]);
  }
  expect(await outcomeOf(() => enterWith(world, stranger, ada.builderId))).toBe("unauthorized");
  const { challenge } = await beginPasskeySignIn(core, HOME);
  const good = await key.get({ challenge, userHandle: ada.builderId });
  const foreign = await stranger.get({ challenge, userHandle: ada.builderId });
  const forged = { ...good, response: { ...good.response, signature: foreign.response.signature } };
  const junk = [
    forged,
    null,
    7,
    "x",
    [],
    {},
    { id: key.id },
    { ...good, rawId: "other" },
    { ...good, response: null },
    { ...good, response: { ...good.response, clientDataJSON: "!!!" } },
    { ...good, response: { ...good.response, authenticatorData: "AAAA" } },
    { ...good, id: { toString: "x" } },
  ];
  for (const sent of junk) {
    clock.pass(MINUTE / 10);
    expect(await outcomeOf(() => signInByPasskey(core, HOME, sent))).toBe("unauthorized");
  }
  expect(sessions()).toBe(before);
  expect(await outcomeOf(() => enterWith(world, key, ada.builderId))).toBe("done");
});

test("a challenge is valid once and for five minutes, even for two simultaneous uses", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = await createSignedInMember(core, "ada");
  const key = await makeAuthenticator({ counts: false });
  await enrolPasskey(world, ada, key);
  const userHandle = ada.builderId;
  const { challenge } = await beginPasskeySignIn(core, HOME);
  const answer = await key.get({ challenge, userHandle });
  const both = [1, 2].map(() => signInByPasskey(core, HOME, answer));
  expect(await countOutcomes(both)).toEqual({ done: 1, unauthorized: 1 });
  expect(await outcomeOf(() => signInByPasskey(core, HOME, answer))).toBe("unauthorized");

  const late = await beginPasskeySignIn(core, HOME);
  clock.pass(5 * MINUTE);
  const lateAnswer = await key.get({ challenge: late.challenge, userHandle });
  expect(await outcomeOf(() => signInByPasskey(core, HOME, lateAnswer))).toBe("unauthorized");
  const other = await beginPasskey(core, ada.caller);
  const crossed = await key.get({ challenge: other.challenge, userHandle });
  expect(await outcomeOf(() => signInByPasskey(core, HOME, crossed))).toBe("unauthorized");
});

test("refuses a signature counter that does not increase, which indicates a copy; accepts one that is always zero", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada");
  const key = await makeAuthenticator();
  await enrolPasskey(world, ada, key);
  const enterAt = (counter: number) => outcomeOf(() => enterWith(world, key, ada.builderId, { counter }));
  expect(await enterAt(10)).toBe("done");
  expect(await enterAt(10)).toBe("unauthorized");
  expect(await enterAt(9)).toBe("unauthorized");
  expect(await enterAt(0)).toBe("unauthorized");
  expect(await enterAt(11)).toBe("done");
  // The passkey and a copy of it sign in at the same moment. Only one sign-in succeeds.
  const [a, b] = await Promise.all(
    [12, 13].map(async (counter) => {
      const { challenge } = await beginPasskeySignIn(core, HOME);
      return key.get({ challenge, userHandle: ada.builderId, counter });
    }),
  );
  const both = [a, b].map((answer) => signInByPasskey(core, HOME, answer));
  expect(await countOutcomes(both)).toEqual({ done: 1, unauthorized: 1 });

  const still = await makeAuthenticator({ counts: false });
  await enrolPasskey(world, ada, still, "my key");
  for (let i = 0; i < 2; i++) await enterWith(world, still, ada.builderId);
});

test("adds a passkey only in the session that asked, for this origin, with user verification", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = await createSignedInMember(core, "ada");
  const bob = await createSignedInMember(core, "bob");
  const key = await makeAuthenticator();
  const wrongs: Partial<Ceremony>[] = [
    { origin: "https://evil.example" },
    { rpId: "evil.example" },
    { isVerified: false },
    { type: "webauthn.get" },
    { challenge: "made-up" },
  ];
  for (const wrong of wrongs) {
    const { challenge } = await beginPasskey(core, ada.caller);
    const response = await key.create({ challenge, ...wrong });
    expect([wrong, await outcomeOf(() => addPasskey(core, ada.caller, { name: "x", response }))]).toEqual([
      wrong,
      "unprocessable",
    ]);
  }
  const { challenge } = await beginPasskey(core, ada.caller);
  const response = await key.create({ challenge });
  expect(await outcomeOf(() => addPasskey(core, bob.caller, { name: "x", response }))).toBe("unprocessable");
  // Bob's attempt used up ada's challenge, so her own response is refused too.
  expect(await outcomeOf(() => addPasskey(core, ada.caller, { name: "x", response }))).toBe("unprocessable");
  for (const junk of [null, 7, {}, { id: "a", rawId: "a", type: "public-key", response: {} }])
    expect(await outcomeOf(() => addPasskey(core, ada.caller, { name: "x", response: junk }))).toBe(
      "unprocessable",
    );
  const late = await beginPasskey(core, ada.caller);
  clock.pass(5 * MINUTE);
  const lateResponse = await key.create({ challenge: late.challenge });
  expect(await outcomeOf(() => addPasskey(core, ada.caller, { name: "x", response: lateResponse }))).toBe(
    "unprocessable",
  );
  for (const name of ["", "  ", "a\nb", "x".repeat(101)])
    expect(await outcomeOf(() => addPasskey(core, ada.caller, { name, response }))).toBe("bad_request");
  expect(listPasskeys(core, ada.caller)).toEqual([]);
});

test("refuses an attestation with certificates unread, because checking them would open connections", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada");
  const key = await makeAuthenticator();
  const { challenge } = await beginPasskey(core, ada.caller);
  const response = await key.create({ challenge, certificates: [Buffer.from("a certificate")] });
  expect(await outcomeOf(() => addPasskey(core, ada.caller, { name: "x", response }))).toBe("unprocessable");
  // The refusal of the certificates came before the challenge was consumed, so the challenge still works.
  const plain = await key.create({ challenge });
  expect(await outcomeOf(() => addPasskey(core, ada.caller, { name: "x", response: plain }))).toBe("done");
});

test("a passkey belongs to one builder, who has at most twenty and cannot remove the last sign-in method", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada");
  const bob = await createSignedInMember(core, "bob");
  const key = await makeAuthenticator();
  const first = await enrolPasskey(world, ada, key);
  expect(await outcomeOf(() => enrolPasskey(world, bob, key))).toBe("conflict");
  expect(await outcomeOf(() => removePasskey(core, bob.caller, first.id))).toBe("not_found");
  for (let i = 1; i < 20; i++) await enrolPasskey(world, ada, await makeAuthenticator(), `key ${i}`);
  expect(await outcomeOf(() => beginPasskey(core, ada.caller))).toBe("conflict");
  for (const { id } of listPasskeys(core, ada.caller).slice(0, 19)) removePasskey(core, ada.caller, id);
  expect(listPasskeys(core, ada.caller)).toEqual([first]);

  core.db.prepare("DELETE FROM passwords WHERE builder_id = ?").run(ada.builderId);
  expect(await outcomeOf(() => removePasskey(core, ada.caller, first.id))).toBe("conflict");
  await enrolPasskey(world, ada, await makeAuthenticator(), "another");
  removePasskey(core, ada.caller, first.id);
  expect(await outcomeOf(() => enterWith(world, key, ada.builderId))).toBe("unauthorized");
});

test("a suspension ends passkeys permanently, and an ended session adds none", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada");
  const key = await makeAuthenticator();
  await enrolPasskey(world, ada, key);
  setSuspended(core, OPERATOR, "ada", true);
  expect(await outcomeOf(() => enterWith(world, key, ada.builderId))).toBe("unauthorized");
  setSuspended(core, OPERATOR, "ada", false);
  expect(await outcomeOf(() => enterWith(world, key, ada.builderId))).toBe("unauthorized");
  const again = withCaller(core, await signIn(core, HOME, { username: "ada", password: PASSWORD }));
  const { challenge } = await beginPasskey(core, again.caller);
  const response = await (await makeAuthenticator()).create({ challenge });
  const late = addPasskey(core, again.caller, { name: "late", response });
  endSession(core, again.caller, again.session.id);
  expect(await outcomeOf(() => late)).toBe("forbidden");
});

test("a token cannot list, add or remove passkeys", async () => {
  using world = createTestWorld();
  const { core } = world;
  const token = asToken((await createSignedInMember(core, "ada")).caller);
  for (const action of [
    () => listPasskeys(core, token),
    () => beginPasskey(core, token),
    () => addPasskey(core, token, { name: "x", response: {} }),
    () => removePasskey(core, token, "pky_x"),
  ])
    expect(await outcomeOf(action)).toBe("forbidden");
});

test("offers passkeys on https and localhost, not on plain http or IP addresses", () => {
  const origins: [origin: string, offered: boolean][] = [
    ["https://guild.example", true],
    ["https://guild.example:8443", true],
    ["http://localhost:8787", true],
    ["http://guild.example", false],
    ["http://127.0.0.1:8787", false],
    ["https://[2001:db8::1]", false],
  ];
  using world = createTestWorld();
  for (const [origin, offered] of origins)
    expect([origin, canUsePasskeys({ ...world.core, origin })]).toEqual([origin, offered]);
});

test("a flood of challenges evicts the oldest of its own kind, and memory stays bounded", () => {
  const clock = fakeClock();
  const challenges = createChallenges(clock.elapsed, seededBytes(5));
  const adding = challenges.make("registration", "ses_1");
  const first = challenges.make("sign-in", "");
  const second = challenges.make("sign-in", "");
  for (let i = 0; i < 9_999; i++) challenges.make("sign-in", "");
  expect(challenges.take("sign-in", "", first)).toBe(false);
  expect(challenges.take("sign-in", "", second)).toBe(true);
  expect(challenges.take("registration", "ses_1", adding)).toBe(true);
});
