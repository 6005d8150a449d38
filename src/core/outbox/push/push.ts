import { createECDH, timingSafeEqual } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { HttpsUrl, ruled, Word } from "../../base/check.ts";
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
 * Which browsers are told of notifications by Web Push. A subscription is a browser's own: an address at its
 * push service, and keys with which only it reads what comes (RFC 8291). It belongs to the sign-in that made
 * it and ends with that, so that a browser that nobody is signed in with is told nothing
 * (docs/contract.md#12.19).
 */

/** A browser, as the pages show it. Times in ms since the epoch. */
export interface PushSubscription {
  id: string;
  /** What the browser said it is. */
  agent: string;
  createdAt: number;
  /** When its push service last took something; null where it never did. */
  succeededAt: number | null;
  /** Whether it is the one that asks. */
  isCurrent: boolean;
}

/** What a browser gives of its subscription (`PushSubscription.toJSON()`). */
export const PushDraft = Type.Object(
  {
    endpoint: HttpsUrl(),
    /** Its public key, an uncompressed point of P-256. */
    p256dh: Word("^B[A-Za-z0-9_-]{86}$", ruled("not_of_form"), { maxLength: 87 }),
    /** The secret that it shares with who may write to it. */
    auth: Word("^[A-Za-z0-9_-]{22}$", ruled("not_of_form"), { maxLength: 22 }),
  },
  { additionalProperties: false },
);
export type PushDraft = Static<typeof PushDraft>;

/** Browsers of one member, one for each session; beyond, the one that was added first goes. */
export const SUBSCRIPTIONS_MAX = 10;

/** The key that a browser subscribes with, in base64url; made when it is first asked for. */
export async function pushKey(core: Core): Promise<string> {
  const found = selectPushKeys(core) ?? (await core.db.write(() => selectPushKeys(core) ?? makeKeys(core)));
  return found.publicKey.toString("base64url");
}

/** Both parts, for who signs with them; undefined where nobody ever asked for the key. */
export function openPushKeys(core: Core): { publicKey: Buffer; privateKey: Buffer } | undefined {
  const found = selectPushKeys(core);
  if (!found) return undefined;
  const { publicKey, sealed } = found;
  return {
    publicKey,
    privateKey: Buffer.from(core.secrets.open("push-key", PUSH_KEY_OWNER, sealed), "base64url"),
  };
}

/** There is one. */
export const PUSH_KEY_OWNER = "1";

function makeKeys(core: Core): { publicKey: Buffer; sealed: Buffer } {
  const made = createECDH("prime256v1");
  made.setPrivateKey(core.random.bytes(32));
  const privateKey = made.getPrivateKey().toString("base64url").padStart(43, "A");
  const keys = {
    publicKey: made.getPublicKey(),
    sealed: core.secrets.seal("push-key", PUSH_KEY_OWNER, privateKey),
  };
  insertPushKeys(core, { one: 1, ...keys, createdAt: core.clock.now() });
  return keys;
}

/** The browsers of whoever asks, the newest first. For a person who has signed in; throws forbidden. */
export function listPushSubscriptions(core: Core, caller: Caller): PushSubscription[] {
  const { builderId, credentialId } = requirePerson(caller);
  return selectSubscriptions(core, builderId).map(({ sessionId, ...shown }) => ({
    ...shown,
    isCurrent: sessionId === credentialId,
  }));
}

/**
 * Has this browser told of notifications, and sends it a first word, so that its person sees that it works. A
 * browser that somebody else was told by is told of the caller's alone from now on. A session is one browser,
 * so the one that it registered before goes. For a person who has signed in. Throws forbidden; unprocessable
 * for an address that is not a push service's, by the rules of a webhook's; conflict where the address is
 * known with other keys, as of somebody who learned of it and does not hold the browser; rate_limited for too
 * many in a row.
 */
export async function subscribeToPush(core: Core, caller: Caller, draft: PushDraft): Promise<void> {
  const { builderId, credentialId } = requirePerson(caller);
  const p256dh = Buffer.from(draft.p256dh, "base64url");
  const auth = Buffer.from(draft.auth, "base64url");
  refuseNoPoint(p256dh);
  core.memory(accountState).guard.admitBrowser(builderId);
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
 * Tells one of the caller's browsers no more. For a person who has signed in. Throws forbidden, not_found.
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

/** What only looks like a point would fail at every push. */
function refuseNoPoint(p256dh: Buffer): void {
  try {
    const probe = createECDH("prime256v1");
    probe.setPrivateKey(Buffer.alloc(32, 1));
    probe.computeSecret(p256dh);
  } catch {
    throw refuse("push_key_wrong");
  }
}
