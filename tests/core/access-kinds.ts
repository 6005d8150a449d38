import { registerApp } from "../../src/core/delegation/apps/apps.ts";
import { grantAccess } from "../../src/core/delegation/grants/grants.ts";
import { commitChanges, findRecord } from "../../src/core/delegation/oauth/records.ts";
import { type AccessKind } from "../../src/core/delegation/securing/access.ts";
import { peekUnknownAccess } from "../../src/core/delegation/securing/securing.ts";
import { authenticate, createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
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
import { makeNotMeLink } from "../../src/core/identity/mail/not-me-links.ts";
import { mailsDue } from "../due-messages.ts";
import { listPushSubscriptions, subscribeToPush } from "../../src/core/outbox/push/push.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { listEndpoints, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { makeBrowser } from "../delivery/push-service.ts";
import { makeAuthenticator } from "./authenticator.ts";
import { signInOriginAt, withCaller, HOME, outcomeOf, PASSWORD, tokenIn } from "./people.ts";

type Person = Pick<SignedIn, "builderId" | "device"> & { caller: BuilderCaller };

interface Kind {
  tables: readonly string[];
  add(core: Core, ada: Person): Promise<() => boolean | Promise<boolean>>;
}

const refuses = async (work: () => unknown): Promise<boolean> => (await outcomeOf(work)) !== "done";

/**
 * Each kind of access, as a thief with a fresh session adds it to the account `ada`. The account `maker` must
 * exist.
 */
export const KINDS: Readonly<Record<AccessKind, Kind>> = {
  sessions: {
    tables: ["sessions"],
    async add(core) {
      const { secret } = await signIn(core, signInOriginAt("198.51.100.9"), {
        username: "ada",
        password: PASSWORD,
      });
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
      return () => listPasskeys(core, caller).some((passkey) => passkey.id === id);
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
      const { token = "" } = mailsDue(core, "urgent").findLast(({ kind }) => kind === "confirm") ?? {};
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
      return () => listEndpoints(core, caller).some((endpoint) => endpoint.id === id && !endpoint.disabled);
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
  notMeLinks: {
    tables: ["not_me_links"],
    async add(core, { builderId }) {
      const link = { builderId, address: "ada@home.example", what: "tokens", name: "script" } as const;
      const token = core.db.transact(() => makeNotMeLink(core, link));
      return async () => !(await refuses(() => peekUnknownAccess(core, token)));
    },
  },
};

async function appOf(core: Core): Promise<{ appId: string; scopes: readonly string[] }> {
  const maker = withCaller(core, await signIn(core, HOME, { username: "maker", password: PASSWORD }));
  const { app } = registerApp(core, maker.caller, maker.caller.workspaceId, {
    name: "Digest",
    kind: "public",
    redirectUris: ["https://app.example/cb"],
    scopes: ["feed:read"],
  });
  return { appId: app.id, scopes: ["feed:read"] };
}
