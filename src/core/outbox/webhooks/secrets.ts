import { DAY, HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import {
  deleteEndedSecrets,
  endNewestSecret,
  insertSecret,
  selectLivingSecrets,
  type SecretRow,
} from "./secrets-store.ts";

/** So many of one endpoint sign at most; the header that carries their signatures has an end. */
export const SECRETS_MAX = 5;
/** A secret that was replaced goes on signing for so long. */
const OVERLAP_MS = DAY;

/** Makes the first secret of an endpoint and returns it. Call it in a transaction. */
export function giveFirstSecret(core: Core, endpointId: string): string {
  const secret = `whsec_${Buffer.from(core.random.bytes(32)).toString("base64")}`;
  insertSecret(core, endpointId, core.secrets.seal("webhook-secret", endpointId, secret));
  return secret;
}

/**
 * The same for one more: the one before it goes on signing for 24 hours, and so do those before that one,
 * each until its own end. No rotation shortens what an earlier one promised, so there is one too many: throws
 * conflict where five sign. Call it in a transaction.
 */
export function giveNextSecret(core: Core, endpointId: string): string {
  const now = core.clock.now();
  refuseTooMany(selectLivingSecrets(core, [endpointId], now), now);
  deleteEndedSecrets(core, now, SECRETS_MAX);
  endNewestSecret(core, endpointId, now + OVERLAP_MS);
  return giveFirstSecret(core, endpointId);
}

/**
 * The secrets that sign for some endpoints now, the newest of each first; one that cannot be opened is left
 * out.
 */
export function livingSecrets(core: Core, endpointIds: readonly string[]): ReadonlyMap<string, string[]> {
  const living = new Map<string, string[]>(endpointIds.map((id) => [id, []]));
  for (const row of selectLivingSecrets(core, endpointIds, core.clock.now()))
    living.get(row.endpointId)?.push(...opened(core, row));
  return living;
}

/**
 * A secret that was damaged must keep neither the others of its endpoint nor other endpoints from being
 * served.
 */
function opened(core: Core, { endpointId, sealed }: SecretRow): string[] {
  try {
    return [core.secrets.open("webhook-secret", endpointId, sealed)];
  } catch {
    return [];
  }
}

/**
 * Until when each older secret of an endpoint still signs, the newest of them first. Asks no right: what
 * calls it has.
 */
export function secretEnds(core: Core, endpointId: string): number[] {
  return selectLivingSecrets(core, [endpointId], core.clock.now()).flatMap(({ endsAt }) => endsAt ?? []);
}

/** Deletes some secrets that sign no more; returns how many. Call it in a transaction. */
export function forgetEndedSecrets(core: Core, limit: number): number {
  return deleteEndedSecrets(core, core.clock.now(), limit);
}

function refuseTooMany(living: readonly SecretRow[], now: number): void {
  if (living.length < SECRETS_MAX) return;
  const oldestEndsAt = Math.min(...living.map(({ endsAt }) => endsAt ?? Infinity));
  throw refuse("secrets_too_many", { max: SECRETS_MAX, hours: Math.ceil((oldestEndsAt - now) / HOUR) });
}
