import { expect, test } from "bun:test";
import { createToken } from "../../src/core/access/access.ts";
import { OPERATOR } from "../../src/core/access/caller.ts";
import { deleteAccount } from "../../src/core/accounts/deletion.ts";
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from "../../src/core/accounts/passkeys.ts";
import { changePassword, makeRecovery } from "../../src/core/accounts/passwords.ts";
import { createBuilder, setAdmin } from "../../src/core/builders/builders.ts";
import { MINUTE } from "../../src/core/clock.ts";
import { makeAuthenticator } from "../core/authenticator.ts";
import { outcome } from "../core/people.ts";
import { callerOf } from "./furnished.ts";
import {
  contentsOf,
  openSite,
  PASSWORD,
  person,
  seated,
  sessionCookie,
  type Shown,
  type Site,
  tokenOf,
  type Visitor,
  visit,
  wordsOf,
} from "./support.ts";

const HERE = "/settings/account";
const CONFIRM = "/settings/confirm";
const DELETE = `${HERE}/delete`;

type Key = Awaited<ReturnType<typeof makeAuthenticator>>;

function copyOf(site: Site, visitor: Visitor): Visitor {
  return visit(site, [...visitor.cookies]);
}

/** Adds a passkey as the script of the page does. */
async function addKey(site: Site, who: Visitor): Promise<{ key: Key; shown: Shown }> {
  const key = await makeAuthenticator({ counts: false });
  const form_token = tokenOf(await who.open(HERE));
  const asked = await who.post(`${HERE}/passkeys/options`, { form_token });
  const { challenge = "none" } = asked.status === 200 ? JSON.parse(asked.html) : {};
  const response = await key.create({ challenge, origin: site.core.origin, rpId: "localhost" });
  const fields = { name: "phone", response: JSON.stringify(response), form_token };
  return { key, shown: await who.post(`${HERE}/passkeys`, fields) };
}

/** What that passkey answers to whoever asks at `path`; it says whose it is, who it asks or another. */
async function answer(
  site: Site,
  who: Visitor,
  path: string,
  key: Key,
  page: string,
  whose: Visitor = who,
): Promise<string> {
  const form_token = tokenOf(await who.open(page));
  const { challenge } = JSON.parse((await who.post(`${path}/options`, { form_token })).html);
  const userHandle = callerOf(site, whose).builderId;
  const ceremony = { challenge, userHandle, origin: site.core.origin, rpId: "localhost" };
  return JSON.stringify(await key.get(ceremony));
}

function passkeysOf(site: Site, who: Visitor): number {
  return listPasskeys(site.core, callerOf(site, who)).length;
}

test("F02 a stolen session of an hour ago adds and removes no passkey; its owner does, and shuts the thief out by it", async () => {
  await using site = openSite();
  const ada = await person(site, "ada");
  expect((await addKey(site, ada)).shown.status).toBe(303);
  site.clock.pass(60 * MINUTE);
  const thief = copyOf(site, ada);
  const before = contentsOf(site);
  const form_token = tokenOf(await thief.open(HERE));
  expect((await thief.post(`${HERE}/passkeys/options`, { form_token })).status).toBe(403);
  const { shown } = await addKey(site, thief);
  expect(wordsOf(shown.html)).toContain("show once more that it is you");
  const [passkey] = listPasskeys(site.core, callerOf(site, thief));
  await thief.post(`${HERE}/passkeys/${passkey?.id}/remove`, { form_token });
  const wrong = await thief.post(CONFIRM, { form_token, next: HERE, current: "a guessed horse" });
  expect(wrong.status).toBe(400);
  expect(wordsOf(wrong.html)).toContain("is not the password you have now");
  expect(contentsOf(site)).toBe(before);

  // The account's page shows the way in place of the forms.
  const page = await ada.open(HERE);
  expect(page.forms.filter(({ action }) => action.includes("passkeys"))).toEqual([]);
  expect(page.html).toContain(`href="${CONFIRM}?next=%2Fsettings%2Faccount"`);
  const asked = await ada.open(`${CONFIRM}?next=${encodeURIComponent(HERE)}`);
  const back = await ada.submit(asked, CONFIRM, { current: PASSWORD });
  expect(back.address).toBe(`${HERE}?notice=confirmed`);
  expect((await thief.open(HERE)).forms[0]?.action).toBe("/sign-in");
  expect((await addKey(site, ada)).shown.status).toBe(303);
  expect(passkeysOf(site, ada)).toBe(2);
  const removed = await ada.submit(await ada.open(HERE), `${HERE}/passkeys/${passkey?.id}/remove`);
  expect(wordsOf(removed.html)).toContain("The passkey is removed.");
});

test("a passkey of one's own shows as well as a password that it is you; somebody else's, or the answer to a sign-in, does not", async () => {
  await using site = openSite();
  const [ada, bob] = [await person(site, "ada"), await person(site, "bob")];
  const [{ key }, { key: bobs }] = [await addKey(site, ada), await addKey(site, bob)];
  site.core.db.prepare("DELETE FROM passwords WHERE builder_id = ?").run(callerOf(site, ada).builderId);
  site.clock.pass(11 * MINUTE);
  expect(wordsOf((await ada.open(HERE)).html)).toContain("You have none. To set one");
  const send = async (response: string) => {
    const form_token = tokenOf(await ada.open(CONFIRM));
    return ada.post(CONFIRM, { form_token, next: HERE, response });
  };
  expect((await send(await answer(site, bob, CONFIRM, bobs, CONFIRM))).status).toBe(401);
  expect((await send(await answer(site, ada, CONFIRM, bobs, CONFIRM, bob))).status).toBe(401);
  expect((await send(await answer(site, ada, "/sign-in/passkey", key, CONFIRM))).status).toBe(401);
  expect((await send("no JSON")).status).toBe(400);
  expect((await send("")).status).toBe(400);
  const good = await answer(site, ada, CONFIRM, key, CONFIRM);
  const shown = await send(good);
  expect([shown.status, shown.location]).toEqual([303, `${HERE}?notice=confirmed`]);
  expect((await send(good)).status).toBe(401);
  expect(wordsOf((await ada.open(HERE)).html)).toContain("Set a password");
});

test("what opens or closes a way into an account wants a sign-in of the last ten minutes, also when the clock was set back", async () => {
  await using site = openSite();
  const { core, clock } = site;
  for (const username of ["ada", "bob", "cy"])
    createBuilder(core, OPERATOR, { username, name: username, isAdmin: username === "ada" });
  const acts = (ada: ReturnType<typeof callerOf>): (() => unknown)[] => [
    () => beginPasskey(core, ada),
    () => removePasskey(core, ada, "pky_x"),
    () => createToken(core, ada, "ada", { name: "t", scopes: ["feed:read"], tier: "personal" }),
    () => makeRecovery(core, ada, "bob"),
    () => setAdmin(core, ada, "bob", true),
    () => deleteAccount(core, ada, "cy", "cy"),
    // Ends the session.
    () => changePassword(core, ada, { password: "another horse battery" }),
  ];
  const outcomes = async (ada: ReturnType<typeof callerOf>) => {
    const all: string[] = [];
    for (const act of acts(ada)) all.push(await outcome(act));
    return all;
  };
  const refused = acts(callerOf(site, seated(site, "ada"))).map(() => "forbidden");
  const ada = callerOf(site, seated(site, "ada"));
  clock.step(-1);
  expect(await outcomes(ada)).toEqual(refused);
  clock.step(10 * MINUTE + 1);
  expect(await outcomes(ada)).toEqual(refused);
  clock.step(-1);
  expect(await outcomes(ada)).toEqual(["done", "not_found", "done", "done", "done", "done", "done"]);

  // A ceremony that was begun in time and ends too late.
  const late = callerOf(site, seated(site, "ada"));
  const { challenge } = await beginPasskey(core, late);
  const key = await makeAuthenticator();
  const response = await key.create({ challenge, origin: core.origin, rpId: "localhost" });
  clock.step(10 * MINUTE);
  expect(await outcome(() => addPasskey(core, late, { name: "late", response }))).toBe("forbidden");
});

test("a token, too, is made after the password only where the sign-in was long ago, and the form comes back", async () => {
  await using site = openSite();
  const ada = await person(site, "ada");
  site.clock.pass(11 * MINUTE);
  const asked = await ada.open("/settings/tokens/new");
  expect(wordsOf(asked.html)).toContain("Is it you?");
  const form = await ada.submit(asked, CONFIRM, { current: PASSWORD });
  const made = await ada.submit(form, "/settings/tokens", { name: "script", scopes: "feed:read" });
  expect(made.html).toContain("guild_pat_");
});

test("where to go on after it is a page of this site and nowhere else", async () => {
  await using site = openSite();
  const ada = await person(site, "ada");
  for (const next of ["https://evil.example/", "//evil.example", "/\\evil.example"]) {
    const form_token = tokenOf(await ada.open(CONFIRM));
    const shown = await ada.post(CONFIRM, { form_token, next, current: PASSWORD });
    expect(shown.location).toBe("/?notice=confirmed");
  }
});

test("somebody deletes their account on its page, with their name and password, and is a visitor afterwards", async () => {
  await using site = openSite();
  const [ada, bob] = [await person(site, "ada"), await person(site, "bob")];
  await ada.submit(await ada.open("/"), "/posts", { text: "A loom" });
  const page = await ada.open(HERE);
  expect(page.html).toContain(`href="${DELETE}"`);
  const form = await ada.open(DELETE);
  for (const words of ["What goes", "What stays", "your conversations, for the others too"])
    expect(wordsOf(form.html)).toContain(words);
  const mistyped = await ada.submit(form, DELETE, { username: "bob", current: PASSWORD });
  expect(mistyped.status).toBe(400);
  expect(wordsOf(mistyped.html)).toContain("must be ada");
  const wrong = await ada.submit(form, DELETE, { username: "ada", current: "a guessed horse" });
  expect(wordsOf(wrong.html)).toContain("is not the password you have now");
  const thief = copyOf(site, ada);
  const shown = await ada.submit(form, DELETE, { username: "ada", current: PASSWORD });
  expect(wordsOf(shown.html)).toContain("Your account is deleted.");
  expect(ada.cookies.has(sessionCookie(site))).toBe(false);
  expect((await thief.open(HERE)).forms[0]?.action).toBe("/sign-in");
  expect((await bob.open("/@ada")).status).toBe(404);
  expect(wordsOf((await bob.open("/")).html)).not.toContain("Ada");
});

test("somebody without a password deletes their account with a passkey", async () => {
  await using site = openSite();
  const ada = await person(site, "ada");
  const { key } = await addKey(site, ada);
  const { core } = site;
  core.db.prepare("DELETE FROM passwords").run();
  site.clock.pass(60 * MINUTE);
  const response = await answer(site, ada, DELETE, key, DELETE);
  const form_token = tokenOf(await ada.open(DELETE));
  expect((await ada.post(DELETE, { form_token, username: "ada" })).status).toBe(400);
  const shown = await ada.post(DELETE, { form_token, username: "ada", response });
  expect([shown.status, shown.location]).toEqual([303, "/?notice=account-deleted"]);
});

test("who has a password and a passkey deletes their account with either", async () => {
  await using site = openSite();
  const ada = await person(site, "ada");
  const { key } = await addKey(site, ada);
  const first = await ada.open(DELETE);
  expect(first.html).toContain(`href="${DELETE}?with=passkey"`);
  expect(first.forms.find(({ action }) => action === DELETE)?.fields.map(([name]) => name)).toContain(
    "current",
  );
  const page = `${DELETE}?with=passkey`;
  const response = await answer(site, ada, DELETE, key, page);
  const form_token = tokenOf(await ada.open(page));
  const shown = await ada.post(DELETE, { form_token, username: "ada", response });
  expect([shown.status, shown.location]).toEqual([303, "/?notice=account-deleted"]);
});

test("an admin deletes somebody's account beside suspending it, and shows first that it is them", async () => {
  await using site = openSite();
  const root = await person(site, "root", { isAdmin: true });
  await person(site, "bob");
  const path = "/admin/builders/bob";
  site.clock.pass(11 * MINUTE);
  const asked = await root.submit(await root.open(path), `${path}/delete`, { username: "bob" });
  const again = await root.submit(asked, CONFIRM, { current: PASSWORD });
  expect(again.address).toBe(`${path}?notice=confirmed`);
  const mistyped = await root.submit(again, `${path}/delete`, { username: "root" });
  expect(wordsOf(mistyped.html)).toContain("must be bob");
  const shown = await root.submit(mistyped, `${path}/delete`, { username: "bob" });
  expect(wordsOf(shown.html)).toContain("The account is deleted.");
  expect((await root.open(path)).status).toBe(404);
});
