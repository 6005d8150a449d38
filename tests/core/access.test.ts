// What docs/contract.md#9.1 and docs/contract.md#9.2 promise of everything that gives access to an account.
import { expect, test } from "bun:test";
import { registerApp } from "../../src/core/delegation/apps/apps.ts";
import { grantAccess } from "../../src/core/delegation/grants/grants.ts";
import { commitChanges, findRecord } from "../../src/core/delegation/oauth/records.ts";
import { ACCESS_KINDS, type AccessKind } from "../../src/core/delegation/securing/access.ts";
import { previewSecuring, secureAccount } from "../../src/core/delegation/securing/securing.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { authenticate, createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { MINUTE } from "../../src/core/ground/clock.ts";
import type { Core } from "../../src/core/ground/core.ts";
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signIn } from "../../src/core/identity/accounts/accounts.ts";
import { readDevice } from "../../src/core/identity/accounts/devices.ts";
import { addPasskey, beginPasskey, listPasskeys } from "../../src/core/identity/accounts/passkeys.ts";
import { makeRecovery, peekRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { sessionOf, type SignedIn } from "../../src/core/identity/accounts/sessions.ts";
import { ownerOfFeed, renewFeedAddress } from "../../src/core/identity/feed-address/feed-address.ts";
import {
  mailRecovery,
  ownAddress,
  peekConfirmation,
  setMailAddress,
} from "../../src/core/identity/mail/mail.ts";
import { dueMails } from "../../src/core/identity/mail/queue.ts";
import { listPushSubscriptions, subscribeToPush } from "../../src/core/outbox/push/push.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { listEndpoints, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { CREDENTIAL } from "./credentials.ts";
import { makeBrowser } from "../delivery/push-service.ts";
import { makeWorld } from "../support.ts";
import { makeAuthenticator } from "./authenticator.ts";
import { at, enter, HOME, outcome, PASSWORD, person, tokenIn } from "./people.ts";

type Person = SignedIn & { caller: BuilderCaller };

/** How one kind is added, and how to tell whether it works. */
interface Kind {
  /** Tables that hold it. */
  tables: readonly string[];
  add(core: Core, ada: Person): Promise<() => boolean | Promise<boolean>>;
}

const refuses = async (work: () => unknown): Promise<boolean> => (await outcome(work)) !== "done";

const KINDS: Readonly<Record<AccessKind, Kind>> = {
  sessions: {
    tables: ["sessions"],
    async add(core) {
      const { secret } = await signIn(core, at("198.51.100.9"), { username: "ada", password: PASSWORD });
      return () => sessionOf(core, secret, HOME.address) !== undefined;
    },
  },
  devices: {
    tables: [],
    async add(core, { builderId, device }) {
      return () => readDevice(core, builderId, device) !== undefined;
    },
  },
  passkeys: {
    tables: ["passkeys"],
    async add(core, { caller }) {
      const { challenge } = await beginPasskey(core, caller);
      const response = await (await makeAuthenticator()).create({ challenge });
      const { id } = await addPasskey(core, caller, { name: "phone", response });
      return () => listPasskeys(core, caller).some((one) => one.id === id);
    },
  },
  mail: {
    tables: ["mail_addresses"],
    async add(core, { builderId }) {
      core.db.transact(() => ownAddress(core, builderId, "ada@home.example"));
      return async () => {
        const recoveries = () =>
          core.db.prepare("SELECT 1 FROM mails WHERE kind = 'recovery' AND builder_id IS NOT NULL").all()
            .length;
        const before = recoveries();
        await mailRecovery(core, HOME, "ada");
        return recoveries() > before;
      };
    },
  },
  pendingMail: {
    tables: ["mail_addresses"],
    async add(core, { caller }) {
      setMailAddress(core, caller, { address: "thief@evil.example" });
      const { token = "" } =
        dueMails(core, { isUrgent: true, running: [] }, 1000).findLast(({ kind }) => kind === "confirm") ??
        {};
      return async () => !(await refuses(() => peekConfirmation(core, token)));
    },
  },
  tokens: {
    tables: ["tokens"],
    async add(core, { caller }) {
      const draft = { name: "script", scopes: ["feed:read"], tier: "personal" as const };
      const { token } = createToken(core, caller, "ada", draft);
      return () => authenticate(core, token, () => true) !== undefined;
    },
  },
  endpoints: {
    tables: ["webhook_endpoints", "webhook_secrets"],
    async add(core, { caller }) {
      const url = "https://hooks.example.com/1" as CheckedUrl;
      const { id } = registerEndpoint(core, caller, { url, events: ["post.created"] });
      return () => listEndpoints(core, caller).some((one) => one.id === id && !one.disabled);
    },
  },
  apps: {
    tables: ["grants", "oauth_records"],
    async add(core, { caller }) {
      const { id } = grantAccess(core, caller, { ...(await appOf(core)), workspaceId: caller.workspaceId });
      const sql = "SELECT 1 FROM grants WHERE id = ? AND revoked_at IS NULL";
      return () => core.db.prepare(sql).get(id) !== undefined;
    },
  },
  deviceCodes: {
    tables: ["oauth_records"],
    async add(core, { caller }) {
      const { id } = grantAccess(core, caller, { ...(await appOf(core)), workspaceId: caller.workspaceId });
      const expiresAt = core.clock.now() + 10 * MINUTE;
      const code = { kind: "put", model: "DeviceCode", id: "code", payload: {}, expiresAt } as const;
      commitChanges(core, [{ ...code, grant: { id, family: "family" } }]);
      return () => findRecord(core, "DeviceCode", "code") !== undefined;
    },
  },
  feed: {
    tables: ["feed_addresses"],
    async add(core, { caller }) {
      const secret = /guild_feed_[\w-]+/.exec(renewFeedAddress(core, caller))?.[0] ?? "";
      return () => ownerOfFeed(core, secret) !== undefined;
    },
  },
  push: {
    tables: ["push_subscriptions"],
    async add(core, { caller }) {
      const draft = { endpoint: "https://push.example.com/1", ...makeBrowser().keys };
      await subscribeToPush(core, caller, draft);
      return () => listPushSubscriptions(core, caller).length > 0;
    },
  },
  links: {
    tables: ["links"],
    async add(core) {
      const token = tokenIn(makeRecovery(core, OPERATOR, "ada").url);
      return async () => !(await refuses(() => peekRecovery(core, token)));
    },
  },
};

/** Tables that refer to an account and hold something secret, or an address, and give no access to the account. */
const NO_ACCESS: Readonly<Record<string, string>> = {
  passwords: "the password itself: changing it, and an admin who removes it, are acts of their own",
  apps: "an app's own secret opens no account without a grant; others use the app",
  idempotency_keys: "sealed answers, which only a caller who is signed in can repeat",
  applications: "an applicant is no member and has no account",
  mails: "mails on their way; the links in them are in `links` and `mail_addresses`",
  mail_marks: "keyed marks that count mails",
  projects: "public links of a profile",
  jobs: "public links of a job",
  audit_entries: "the network address of an act that is over",
  media: "the hash of a picture's bytes",
};

async function appOf(core: Core): Promise<{ appId: string; scopes: readonly string[] }> {
  const maker = enter(core, await signIn(core, HOME, { username: "maker", password: PASSWORD }));
  const { app } = registerApp(core, maker.caller, maker.caller.workspaceId, {
    name: "Digest",
    kind: "public",
    redirectUris: ["https://app.example/cb"],
    scopes: ["feed:read"],
  });
  return { appId: app.id, scopes: ["feed:read"] };
}

const MAILING = { policy: { signup: "open" as const, mailFrom: "guild@guild.test", name: "Guild" } };

/** An account with one of each kind, and what works of it. */
async function furnished() {
  const world = makeWorld(MAILING);
  const { core } = world;
  await person(core, "maker");
  const ada = await person(core, "ada");
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

/** Device cookies hold no state on the server, so there is nothing to list. */
const LISTED = ACCESS_KINDS.filter((kind) => kind !== "devices");

test("the list names every kind of access, and securing ends each of them", async () => {
  using set = await furnished();
  expect(await set.working()).toEqual(ACCESS_KINDS);
  expect(set.listed()).toEqual(LISTED);

  secureAccount(set.core, OPERATOR, "ada", { passkeys: [], password: true });

  expect(await set.working()).toEqual([]);
  expect(set.listed()).toEqual([]);
});

test("a suspension ends every kind of access, and restoring the account brings none of it back", async () => {
  using set = await furnished();

  setSuspended(set.core, OPERATOR, "ada", true);
  expect(await set.working()).toEqual([]);
  setSuspended(set.core, OPERATOR, "ada", false);

  expect(await set.working()).toEqual([]);
  // The owner finds the endpoints switched off, and switches on the ones they still want.
  expect(set.listed()).toEqual(["endpoints"]);
  const { username } = await signIn(set.core, HOME, { username: "ada", password: PASSWORD });
  expect(username).toBe("ada");
});

/** Tables that refer to an account and hold a secret or an address. */
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
  // Also over a listed table: a record of a grant belongs to the account that granted it.
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

test("a table that refers to an account and holds a secret or an address is in the list, or is explained", () => {
  using world = makeWorld();

  const found = tablesOfAccounts(world.core);

  expect(unexplainedIn(world.core)).toEqual([]);
  expect(Object.keys(NO_ACCESS).filter((table) => !found.includes(table) || HELD.includes(table))).toEqual(
    [],
  );
});

test("a new kind of access that the list lacks is found by its table", () => {
  using world = makeWorld();
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
