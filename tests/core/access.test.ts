// docs/contract.md#9.1 and docs/contract.md#9.2: everything that gives access to an account.
import { expect, test } from "bun:test";
import { ACCESS_KINDS, type AccessKind } from "../../src/core/delegation/securing/access.ts";
import { previewSecuring, secureAccount } from "../../src/core/delegation/securing/securing.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import type { Core } from "../../src/core/base/core.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signIn } from "../../src/core/identity/accounts/accounts.ts";
import { CREDENTIAL } from "./credentials.ts";
import { KINDS } from "./access-kinds.ts";
import { createTestWorld } from "../support.ts";
import { HOME, PASSWORD, createSignedInMember } from "./people.ts";

/** Tables that refer to an account and contain a secret or an address, but give no access to the account. */
const NO_ACCESS: Readonly<Record<string, string>> = {
  passwords: "the password itself: changing it, and an admin who removes it, are acts of their own",
  apps: "an app's own secret opens no account without a grant; others use the app",
  idempotency_keys: "sealed answers, which only a caller who is signed in can repeat",
  applications: "an applicant is no member and has no account",
  appeal_sessions: "opens only the page of a suspended member; ends with the sessions",
  newcomer_texts: "digests of a newcomer’s texts, kept for a day",
  mails: "mails on their way; the links in them are in `links` and `mail_addresses`",
  mail_marks: "keyed marks that count mails",
  projects: "public links of a profile",
  jobs: "public links of a job",
  audit_entries: "the network address of an act that is over",
  media: "the hash of a picture's bytes",
};

const MAILING = { policy: { signup: "open" as const, mailFrom: "guild@guild.test", name: "Guild" } };

/** An account with one access of each kind, and a function that returns the kinds that work. */
async function createAccountWithAllAccess() {
  const world = createTestWorld(MAILING);
  const { core } = world;
  await createSignedInMember(core, "maker");
  const ada = await createSignedInMember(core, "ada");
  const works = new Map<AccessKind, () => boolean | Promise<boolean>>();
  for (const kind of ACCESS_KINDS) works.set(kind, await KINDS[kind].add(core, ada));
  return {
    world,
    core,
    ada,
    async working() {
      const kinds: AccessKind[] = [];
      for (const [kind, look] of works) if (await look()) kinds.push(kind);
      return kinds;
    },
    listed() {
      const { access } = previewSecuring(core, OPERATOR, "ada");
      return ACCESS_KINDS.filter((kind) => access[kind].length > 0);
    },
    [Symbol.dispose]: () => world[Symbol.dispose](),
  };
}

/** The server stores no state for device cookies, so there is nothing to list. */
const LISTED = ACCESS_KINDS.filter((kind) => kind !== "devices");

test("lists every kind of access, and securing an account ends each of them", async () => {
  using set = await createAccountWithAllAccess();
  expect(await set.working()).toEqual(ACCESS_KINDS);
  expect(set.listed()).toEqual(LISTED);

  secureAccount(set.core, OPERATOR, "ada", { passkeys: [], password: true });

  expect(await set.working()).toEqual([]);
  expect(set.listed()).toEqual([]);
});

test("a suspension ends every kind of access, and a restored account regains none", async () => {
  using set = await createAccountWithAllAccess();

  setSuspended(set.core, OPERATOR, "ada", true);
  expect(await set.working()).toEqual([]);
  setSuspended(set.core, OPERATOR, "ada", false);

  expect(await set.working()).toEqual([]);
  // Securing an account disables its endpoints, but does not delete them. The owner can enable them again.
  expect(set.listed()).toEqual(["endpoints"]);
  const { username } = await signIn(set.core, HOME, { username: "ada", password: PASSWORD });
  expect(username).toBe("ada");
});

function tablesOfAccounts({ db }: Core): string[] {
  const tables = db
    .prepare<{ name: string }>("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    .all()
    .map(({ name }) => name)
    .filter((name) => name !== "builders");
  const parents = (table: string): string[] =>
    db
      .prepare<{ parent: string }>(`SELECT "table" AS parent FROM pragma_foreign_key_list(?)`)
      .all(table)
      .map(({ parent }) => parent);
  const columns = (table: string): { name: string; type: string }[] =>
    db.prepare<{ name: string; type: string }>("SELECT name, type FROM pragma_table_info(?)").all(table);
  const ofAccount = new Set(
    tables.filter(
      (table) =>
        parents(table).includes("builders") || columns(table).some(({ name }) => name === "builder_id"),
    ),
  );
  // Adds tables that refer to a table in `HELD`. For example, an OAuth record of a grant belongs to the
  // account that granted access.
  for (let before = 0; before !== ofAccount.size;) {
    before = ofAccount.size;
    for (const table of tables)
      if (parents(table).some((parent) => ofAccount.has(parent) && HELD.includes(parent)))
        ofAccount.add(table);
  }
  return [...ofAccount].filter((table) =>
    columns(table).some(
      ({ name, type }) => type === "BLOB" || CREDENTIAL.test(name) || /endpoint$|address|url/i.test(name),
    ),
  );
}

const HELD = Object.values(KINDS).flatMap(({ tables }) => tables);
const unexplainedIn = (core: Core): string[] =>
  tablesOfAccounts(core).filter((table) => !HELD.includes(table) && NO_ACCESS[table] === undefined);

test("every table with a builder id and a secret or address is listed, or has a documented reason", () => {
  using world = createTestWorld();

  const found = tablesOfAccounts(world.core);

  expect(unexplainedIn(world.core)).toEqual([]);
  expect(Object.keys(NO_ACCESS).filter((table) => !found.includes(table) || HELD.includes(table))).toEqual(
    [],
  );
});

test("detects by its table a kind of access that the list lacks", () => {
  using world = createTestWorld();
  const { core } = world;
  const planted = [
    "CREATE TABLE app_passwords (id TEXT, builder_id TEXT REFERENCES builders (id), hash BLOB)",
    "CREATE TABLE calendar_feeds (owner TEXT REFERENCES builders (id), secret TEXT)",
    "CREATE TABLE session_keys (session TEXT REFERENCES sessions (id), public_key TEXT)",
    "CREATE TABLE nicknames (builder_id TEXT REFERENCES builders (id), name TEXT)",
  ];

  for (const sql of planted) core.db.prepare(sql).run();

  expect(unexplainedIn(core).sort()).toEqual(["app_passwords", "calendar_feeds", "session_keys"]);
});
