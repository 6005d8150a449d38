import type { Core } from "../../base/core.ts";
import { deleteAppealSessionsOf } from "../../identity/accounts/appeal-sessions.ts";
import { forgetDevices } from "../../identity/accounts/devices.ts";
import { deleteLinksOf, selectLinksOf } from "../../identity/accounts/links.ts";
import { deletePasskey, selectPasskeys } from "../../identity/accounts/passkeys.ts";
import { deleteSessionsBut, selectSessions } from "../../identity/accounts/sessions.ts";
import { deleteFeedAddress, findFeedAddress } from "../../identity/feed-address/feed-address.ts";
import { deleteMailAddress, findMailAddress, pendingMailAddress } from "../../identity/mail/mail.ts";
import { deleteNotMeLinksOf, selectNotMeLinksOf } from "../../identity/mail/not-me-links.ts";
import { deleteSubscriptionsOf, selectSubscriptions } from "../../outbox/push/push.ts";
import { endpointsOfBuilder, pauseEndpointsBy, removeEndpointsBy } from "../../outbox/webhooks/webhooks.ts";
import { revokeGrantsOf, selectConnected } from "../grants/grants.ts";
import { dropRecordsOfBuilder, selectDeviceCodesOf } from "../oauth/records.ts";
import { revokeTokensOf, selectLiveTokens } from "../tokens/tokens.ts";

/*
 * The only list of the items that give access to an account, except its password (docs/contract.md#9.1).
 * Securing and suspending an account both end the items of every kind in this list. A test fails if a table
 * of such items is missing here (tests/core/access.test.ts).
 */

/** One item that gives access, such as a session or a token. */
export interface AccessEntry {
  /**
   * The name that the owner of the account sees: an email address, a browser, or a name that the owner chose.
   */
  name: string;
  /** When the item was added, in ms since the epoch; null if unknown. */
  addedAt: number | null;
}

/** The items that still give access after all other items ended. */
export interface KeptAccess {
  /** Id of the session to keep; null to end all sessions. */
  session: string | null;
  /** Ids of the passkeys to keep. */
  passkeys: readonly string[] | "all";
  /** Set if the email address is kept. Without this property, the address is removed. */
  mail?: "kept";
  /**
   * A suspension switches the owner's endpoints off (`off`). Securing the account deletes them (`removed`).
   */
  endpoints: "off" | "removed";
}

interface Access {
  list(core: Core, builderId: string, now: number): AccessEntry[];
  /** Ends everything except `kept` and returns the number of ended items. */
  end(core: Core, builderId: string, kept: KeptAccess, now: number): number;
}

/**
 * All kinds in display order. Endpoints must precede apps, because ending an app also deletes the app's
 * endpoints. Endpoints that are deleted in this way would not be counted.
 */
const ACCESS = {
  sessions: {
    list: (core, builderId, now) =>
      selectSessions(core, builderId, now).map(({ agent, createdAt }) => ({
        name: agent,
        addedAt: createdAt,
      })),
    end: (core, builderId, { session }) => {
      deleteAppealSessionsOf(core, builderId);
      return deleteSessionsBut(core, builderId, session);
    },
  },
  /** Device cookies have no rows. A counter in the account invalidates all of them. */
  devices: {
    list: () => [],
    end: (core, builderId) => {
      forgetDevices(core, builderId);
      return 0;
    },
  },
  passkeys: {
    list: (core, builderId) =>
      selectPasskeys(core, builderId).map(({ name, createdAt }) => ({ name, addedAt: createdAt })),
    end: (core, builderId, { passkeys }) => {
      if (passkeys === "all") return 0;
      const dropped = selectPasskeys(core, builderId).filter(({ id }) => !passkeys.includes(id));
      for (const { id } of dropped) deletePasskey(core, id);
      return dropped.length;
    },
  },
  mail: {
    list: (core, builderId) => {
      const row = findMailAddress(core, builderId);
      return row?.address ? [{ name: row.address, addedAt: row.confirmedAt }] : [];
    },
    end: (core, builderId, { mail }) => (mail === "kept" ? 0 : Number(deleteMailAddress(core, builderId))),
  },
  pendingMail: {
    list: (core, builderId) => {
      const pending = pendingMailAddress(core, builderId);
      return pending === null ? [] : [{ name: pending, addedAt: null }];
    },
    // Nothing is left to end, because `mail.end` already deleted the pending address.
    end: () => 0,
  },
  tokens: {
    list: (core, builderId, now) =>
      selectLiveTokens(core, builderId, now).map(({ name, createdAt }) => ({ name, addedAt: createdAt })),
    end: (core, builderId, _kept, now) => revokeTokensOf(core, { builderId }, now),
  },
  endpoints: {
    list: (core, builderId) =>
      endpointsOfBuilder(core, builderId).map(({ url, createdAt }) => ({ name: url, addedAt: createdAt })),
    end: (core, builderId, { endpoints }) =>
      endpoints === "off"
        ? pauseEndpointsBy(core, builderId, "account_suspended")
        : removeEndpointsBy(core, builderId).length,
  },
  apps: {
    list: (core, builderId) =>
      selectConnected(core, builderId).map(({ appName, createdAt }) => ({
        name: appName,
        addedAt: createdAt,
      })),
    end: (core, builderId, _kept, now) => revokeGrantsOf(core, { builderId }, now),
  },
  deviceCodes: {
    list: (core, builderId, now) =>
      selectDeviceCodesOf(core, builderId, now).map(({ name }) => ({ name, addedAt: null })),
    end: (core, builderId, _kept, now) => {
      const count = selectDeviceCodesOf(core, builderId, now).length;
      dropRecordsOfBuilder(core, builderId);
      return count;
    },
  },
  feed: {
    list: (core, builderId) => {
      const row = findFeedAddress(core, builderId);
      return row ? [{ name: "", addedAt: row.createdAt }] : [];
    },
    end: (core, builderId) => Number(deleteFeedAddress(core, builderId)),
  },
  push: {
    list: (core, builderId) =>
      selectSubscriptions(core, builderId).map(({ agent, createdAt }) => ({
        name: agent,
        addedAt: createdAt,
      })),
    // Deletes all subscriptions, including the one of the kept session. An attacker with a copy of that
    // session may have subscribed another browser.
    end: (core, builderId) => deleteSubscriptionsOf(core, builderId),
  },
  links: {
    list: (core, builderId, now) =>
      selectLinksOf(core, builderId, now).map(({ label, createdAt }) => ({
        name: label,
        addedAt: createdAt,
      })),
    end: (core, builderId) => deleteLinksOf(core, builderId),
  },
  /**
   * Links in emails about an addition to the account (a sign-in, a passkey, a token). A member opens the link
   * to report that another person made the addition.
   */
  notMeLinks: {
    list: (core, builderId, now) =>
      selectNotMeLinksOf(core, builderId, now).map(({ address, createdAt }) => ({
        name: address,
        addedAt: createdAt,
      })),
    end: (core, builderId) => deleteNotMeLinksOf(core, builderId),
  },
} as const satisfies Record<string, Access>;

export type AccessKind = keyof typeof ACCESS;
export const ACCESS_KINDS = Object.keys(ACCESS) as AccessKind[];

/** Lists everything that gives access to an account now, by kind. Checks no right. */
export function listAccess(core: Core, builderId: string): Record<AccessKind, AccessEntry[]> {
  const now = core.clock.now();
  return byKind((kind) => ACCESS[kind].list(core, builderId, now));
}

/**
 * Ends everything that gives access except `kept`. Returns the number of ended items by kind. Checks no
 * right. Call it in a transaction.
 */
export function endAccess(core: Core, builderId: string, kept: KeptAccess): Record<AccessKind, number> {
  const now = core.clock.now();
  return byKind((kind) => (ACCESS[kind] as Access).end(core, builderId, kept, now));
}

function byKind<Value>(of: (kind: AccessKind) => Value): Record<AccessKind, Value> {
  return Object.fromEntries(ACCESS_KINDS.map((kind) => [kind, of(kind)])) as Record<AccessKind, Value>;
}
