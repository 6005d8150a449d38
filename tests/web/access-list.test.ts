// docs/contract.md#9.1, docs/threats.md#M43: the list of accesses after a new password and after a recovery.
import { expect, test } from "bun:test";
import { ACCESS_KINDS, type AccessKind } from "../../src/core/delegation/securing/access.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { makeRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { KINDS } from "../core/access-kinds.ts";
import { callerOf } from "./sample-site.ts";
import {
  createAccountOf,
  openSite,
  PASSWORD,
  signUpMember,
  type ShownPage,
  type Site,
  type Visitor,
  visit,
  visibleText,
} from "./support.ts";

const policy = { signup: "open", mailFrom: "guild@guild.test" } as const;
const LIST = "/settings/account/secure";
const NEW = "a wholly new password";

type Check = () => boolean | Promise<boolean>;

/**
 * Creates an account to which a thief has added one access of each kind. Returns functions that report which
 * of these still work.
 */
async function compromisedAccount(site: Site) {
  await createAccountOf(site, "maker");
  const ada = await signUpMember(site, "ada");
  const caller = callerOf(site, ada);
  const stored = ACCESS_KINDS.filter((kind) => kind !== "devices");
  const works = new Map<AccessKind, Check>();
  for (const kind of stored)
    works.set(kind, await KINDS[kind].add(site.core, { builderId: caller.builderId, caller, device: "" }));
  const working = async (): Promise<AccessKind[]> => {
    const kinds: AccessKind[] = [];
    for (const [kind, look] of works) if (await look()) kinds.push(kind);
    return kinds;
  };
  return { ada, working, stored };
}

const named = (page: ShownPage): string => visibleText(page.html);

function expectList(page: ShownPage): void {
  const text = named(page);
  expect(page.address).toStartWith(LIST);
  for (const name of [
    "ada@home.example",
    "thief@evil.example",
    "script",
    "Digest",
    "phone",
    "https://hooks.example.com/1",
    "A private feed URL",
    "1 approved device",
  ])
    expect(text).toContain(name);
}

async function changePassword(ada: Visitor): Promise<ShownPage> {
  const page = await ada.open("/settings/security");
  return ada.submit(page, "/settings/account/password", { current: PASSWORD, password: NEW });
}

test("changing the password lists everything that still has access; one button revokes all of it", async () => {
  await using site = openSite({ policy, origin: "https://guild.test" });
  const { ada, working, stored } = await compromisedAccount(site);

  const list = await changePassword(ada);

  expectList(list);
  expect(named(list)).toContain("Password changed");
  // The password change itself ends three kinds of access: sessions, the push subscriptions of these
  // sessions, and recovery links.
  const ended: readonly AccessKind[] = ["sessions", "push", "links"];
  expect(await working()).toEqual(stored.filter((kind) => !ended.includes(kind)));
  const done = await ada.submit(list, LIST);
  expect(named(done)).toContain("Account secured");
  expect(await working()).toEqual([]);
  expect(named(await ada.open(LIST))).not.toContain("evil.example");
});

test("a recovery ends on the same list of remaining access", async () => {
  await using site = openSite({ policy, origin: "https://guild.test" });
  const { working } = await compromisedAccount(site);
  const { pathname, search } = new URL(makeRecovery(site.core, OPERATOR, "ada").url);
  const owner = visit(site);

  const list = await owner.submit(await owner.open(pathname + search), "/recover", { password: NEW });

  expectList(list);
  await owner.submit(list, LIST);
  expect(await working()).toEqual([]);
});

test("a passkey that its owner selects is kept", async () => {
  await using site = openSite({ policy, origin: "https://guild.test" });
  const { ada, working } = await compromisedAccount(site);
  const list = await changePassword(ada);
  const [keep = ""] = /pky_[a-z0-9]+/.exec(list.html) ?? [];

  await ada.submit(list, LIST, { keep });

  expect(await working()).toEqual(["passkeys"]);
});

test("a session without a recent sign-in sees email addresses only in part", async () => {
  await using site = openSite({ policy, origin: "https://guild.test" });
  const { ada } = await compromisedAccount(site);
  site.clock.pass(11 * MINUTE);

  const list = await ada.open(LIST);

  expect(named(list)).toContain("a…@home.example");
  expect(list.html).not.toContain("ada@home.example");
});

test("an admin sees the kinds of access but no email address", async () => {
  await using site = openSite({ policy, origin: "https://guild.test" });
  await compromisedAccount(site);
  const root = await signUpMember(site, "root", { role: "admin" });

  const page = await root.open("/admin/builders/ada/secure");

  expect(named(page)).toContain("An email address for account recovery");
  expect(page.html).not.toContain("home.example");
  expect(page.html).not.toContain("evil.example");
});
