import { DAY, HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse, refuseFor } from "../../base/errors.ts";
import { communitySettingsOf } from "../community-settings/community-settings.ts";
import { notifySignUpWave } from "../notifications/notify.ts";
import { networkOf } from "./networks.ts";
import {
  deleteHeldNetworks,
  deleteSomeOld,
  findNth,
  findNthFrom,
  findSignUpNetwork,
  insertHeldNetwork,
  insertSignUp,
  isNetworkHeld,
} from "./sign-ups-store.ts";

/*
 * Networks of sign-ups (docs/contract.md#12.38): brakes on a wave of new accounts. All times are steady
 * times. The brakes apply to sign-up, never to sign-in.
 */

/** How long the network of a sign-up is kept, and how long the network of a removed spammer is held. */
export const SIGN_UPS_RETENTION_MS = 30 * DAY;
/** Number of rows that one batch of the cleanup deletes. */
const BATCH = 200;

/**
 * Throws forbidden when the network of the address is held, and rate_limited when too many people signed up
 * from the network within a day. Call it again in the transaction of the sign-up. Not for people with an
 * invitation, because a member or an admin knows them.
 */
export function refuseSignUpFrom(core: Core, address: string): void {
  const network = networkOf(address);
  if (network === undefined) return;
  refuseHeldNetwork(core, address);
  const { networkSignUps: max } = communitySettingsOf(core);
  const nth = max === 0 ? undefined : findNthFrom(core, network, max);
  const waitMs = nth === undefined ? 0 : nth + DAY - core.clock.steady();
  if (waitMs > 0) throw refuseFor("sign_ups_from_network", waitMs);
}

/** Throws forbidden when the network of the address is held because of a removed spammer. */
export function refuseHeldNetwork(core: Core, address: string): void {
  const network = networkOf(address);
  if (network === undefined || !isNetworkHeld(core, network, core.clock.steady())) return;
  throw refuse("sign_up_held", { contact: communitySettingsOf(core).contact || `${core.origin}/about` });
}

/**
 * Stores the network of a new member. Notifies the team if more members joined within an hour than the
 * community expects. Call it in the transaction that adds the member.
 */
export function recordSignUp(core: Core, builderId: string, address: string): void {
  const network = networkOf(address);
  if (network === undefined) return;
  const now = core.clock.steady();
  insertSignUp(core, { builderId, network, createdAt: now });
  const { hourlySignUps: max } = communitySettingsOf(core);
  const nth = max === 0 ? undefined : findNth(core, max + 1);
  if (nth !== undefined && nth > now - HOUR) notifySignUpWave(core);
}

/** Returns the network that a member signed up from; undefined once it is deleted. */
export function signUpNetworkOf(core: Core, builderId: string): string | undefined {
  return findSignUpNetwork(core, builderId);
}

/** Holds sign-ups from a network for 30 days. Call it in the transaction of the decision. */
export function holdNetwork(core: Core, network: string, decisionId: string): void {
  insertHeldNetwork(core, { network, decisionId, endsAt: core.clock.steady() + SIGN_UPS_RETENTION_MS });
}

/** Ends the holds of a decision. Call it in the transaction that undoes the decision. */
export function releaseNetworks(core: Core, decisionId: string): void {
  deleteHeldNetworks(core, decisionId);
}

/** Deletes networks of sign-ups after 30 days, and holds that ended. Runs periodically. */
export async function forgetOldSignUps(core: Core): Promise<void> {
  const now = core.clock.steady();
  while ((await core.db.write(() => deleteSomeOld(core, now, now - SIGN_UPS_RETENTION_MS, BATCH))) > 0);
}
