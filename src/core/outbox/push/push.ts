import { createECDH, timingSafeEqual } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { HttpsUrl, ruled, PatternText } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { type Caller, requirePerson } from "../../identity/access/caller.ts";
import { requireStillSignedIn } from "../../identity/accounts/sessions.ts";
import { accountState } from "../../identity/accounts/account-state.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { notifyAddition } from "../../identity/notifications/notify.ts";
import { checkTarget } from "../webhooks/target.ts";
import {
  deleteSubscription,
  deleteSubscriptionsBeyond,
  deleteSubscriptionsOfSession,
  findSubscription,
  findSubscriptionAt,
  insertPushKeys,
  insertSubscription,
  selectPushKeys,
  selectSubscriptions,
} from "./push-store.ts";
import { queueWelcomePush } from "./queue.ts";

export { deleteSubscriptionsOf, selectSubscriptions } from "./push-store.ts";

/*
 * Web Push subscriptions for notifications. A subscription consists of a URL at the browser's push service
 * and keys. With these keys, only this browser can decrypt pushes (RFC 8291). The subscription belongs to the
 * session that created the subscription, and ends with the session. A signed-out browser therefore receives
 * nothing (docs/contract.md#12.19).
 */

/** A subscribed browser as pages show it. Times are in ms since the epoch. */
export interface PushSubscription {
  id: string;
  /** The browser's User-Agent. */
  agent: string;
  createdAt: number;
  /** When the browser's push service last accepted a push. Null if the service never accepted one. */
  succeededAt: number | null;
  /** Whether this is the browser that sent the request. */
  isCurrent: boolean;
}

/** A subscription as the browser reports it (`PushSubscription.toJSON()`). */
export const PushDraft = Type.Object(
  {
    endpoint: HttpsUrl(),
    /** The browser's public key, an uncompressed point of P-256. */
    p256dh: PatternText("^B[A-Za-z0-9_-]{86}$", ruled("not_of_form"), { maxLength: 87 }),
    /** The secret shared between the browser and senders. */
    auth: PatternText("^[A-Za-z0-9_-]{22}$", ruled("not_of_form"), { maxLength: 22 }),
  },
  { additionalProperties: false },
);
export type PushDraft = Static<typeof PushDraft>;

/**
 * Maximum number of subscribed browsers of a member, one per session. A further browser replaces the oldest.
 */
export const SUBSCRIPTIONS_MAX = 10;

/**
 * Returns the public key that browsers subscribe with, in base64url. Creates the key pair at the first call.
 */
export async function pushKey(core: Core): Promise<string> {
  const found = selectPushKeys(core) ?? (await core.db.write(() => selectPushKeys(core) ?? makeKeys(core)));
  return found.publicKey.toString("base64url");
}

/** Returns the key pair for signing. Returns undefined if no browser has ever requested the public key. */
export function openPushKeys(core: Core): { publicKey: Buffer; privateKey: Buffer } | undefined {
  const found = selectPushKeys(core);
  if (!found) return undefined;
  const { publicKey, sealed } = found;
  return {
    publicKey,
    privateKey: Buffer.from(core.secrets.open("push-key", PUSH_KEY_OWNER, sealed), "base64url"),
  };
}

/** Id under which the key pair is sealed. The id is constant, because only one key pair exists. */
export const PUSH_KEY_OWNER = "1";

function makeKeys(core: Core): { publicKey: Buffer; sealed: Buffer } {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(core.random.bytes(32));
  const privateKey = pair.getPrivateKey().toString("base64url").padStart(43, "A");
  const keys = {
    publicKey: pair.getPublicKey(),
    sealed: core.secrets.seal("push-key", PUSH_KEY_OWNER, privateKey),
  };
  insertPushKeys(core, { one: 1, ...keys, createdAt: core.clock.now() });
  return keys;
}

/**
 * Returns the caller's subscribed browsers, newest first. Only a signed-in person may call this operation.
 * Throws forbidden.
 */
export function listPushSubscriptions(core: Core, caller: Caller): PushSubscription[] {
  const { builderId, credentialId } = requirePerson(caller);
  return selectSubscriptions(core, builderId).map(({ sessionId, ...shown }) => ({
    ...shown,
    isCurrent: sessionId === credentialId,
  }));
}

/**
 * Subscribes this browser to notifications and sends a welcome push as confirmation. If the browser was
 * subscribed for another member, the browser now receives only the caller's notifications. A session has one
 * browser, so an earlier subscription of the session is deleted. Only a signed-in person may call this
 * operation. Throws forbidden. Throws unprocessable for a URL that `checkTarget` rejects or an invalid key.
 * Throws rate_limited for too many calls in a row. Throws conflict if the URL is already stored with other
 * keys, because a caller may know the URL of a browser without having the browser.
 */
export async function subscribeToPush(core: Core, caller: Caller, draft: PushDraft): Promise<void> {
  const { builderId, credentialId } = requirePerson(caller);
  const p256dh = Buffer.from(draft.p256dh, "base64url");
  const auth = Buffer.from(draft.auth, "base64url");
  refuseInvalidKey(p256dh);
  core.memory(accountState).attemptLimits.admitBrowser(builderId);
  const endpoint = await checkTarget(core.targets, draft.endpoint);
  await core.db.write(() => {
    requireStillSignedIn(core, caller);
    const known = findSubscriptionAt(core, endpoint);
    if (known && !(timingSafeEqual(known.p256dh, p256dh) && timingSafeEqual(known.auth, auth)))
      throw refuse("push_not_yours");
    if (known) deleteSubscription(core, known.id);
    deleteSubscriptionsOfSession(core, credentialId ?? "");
    const createdAt = core.clock.now();
    const id = core.makeId("psh", createdAt);
    const sessionId = credentialId ?? "";
    insertSubscription(core, { id, builderId, sessionId, endpoint, p256dh, auth, createdAt });
    deleteSubscriptionsBeyond(core, builderId, SUBSCRIPTIONS_MAX);
    queueWelcomePush(core, { id, endpoint });
    if (known?.builderId !== builderId) {
      const { host } = new URL(endpoint);
      recordBy(core, caller, "push.begun", builderId, { host });
      notifyAddition(core, builderId, "push", host);
    }
    core.wake();
  });
}

/**
 * Ends the subscription of one of the caller's browsers. Only a signed-in person may call this operation.
 * Throws forbidden, not_found.
 */
export function endPushSubscription(core: Core, caller: Caller, id: string): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => {
    const found = findSubscription(core, id);
    if (found?.builderId !== builderId) throw refuse("push_unknown");
    deleteSubscription(core, id);
    recordBy(core, caller, "push.ended", builderId, { host: new URL(found.endpoint).host });
  });
}

/**
 * Rejects a key that is not a point on the curve, because every push that is encrypted with such a key would
 * fail.
 */
function refuseInvalidKey(p256dh: Buffer): void {
  try {
    const probe = createECDH("prime256v1");
    probe.setPrivateKey(Buffer.alloc(32, 1));
    probe.computeSecret(p256dh);
  } catch {
    throw refuse("push_key_wrong");
  }
}
