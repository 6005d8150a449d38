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

/**
 * Maximum number of secrets of one endpoint that sign at the same time. The limit exists because the
 * signatures of all these secrets must fit into one header.
 */
export const SECRETS_MAX = 5;
/** Time for which a replaced secret still signs. */
const OVERLAP_MS = DAY;

/** Creates the first secret of an endpoint and returns it. Call it in a transaction. */
export function createFirstSecret(core: Core, endpointId: string): string {
  const secret = `whsec_${Buffer.from(core.random.bytes(32)).toString("base64")}`;
  insertSecret(core, endpointId, core.secrets.seal("webhook-secret", endpointId, secret));
  return secret;
}

/**
 * Creates a new secret and returns the new secret. The previous secret still signs for 24 hours. Older
 * secrets sign until their own end. A rotation does not shorten this time. Call it in a transaction. Throws
 * conflict if `SECRETS_MAX` secrets are signing.
 */
export function createNextSecret(core: Core, endpointId: string): string {
  const now = core.clock.now();
  refuseTooMany(selectLivingSecrets(core, [endpointId], now), now);
  deleteEndedSecrets(core, now, SECRETS_MAX);
  endNewestSecret(core, endpointId, now + OVERLAP_MS);
  return createFirstSecret(core, endpointId);
}

/**
 * Returns the secrets that sign for the endpoints now, newest first. Leaves out secrets that cannot be
 * decrypted.
 */
export function livingSecrets(core: Core, endpointIds: readonly string[]): ReadonlyMap<string, string[]> {
  const living = new Map<string, string[]>(endpointIds.map((id) => [id, []]));
  for (const row of selectLivingSecrets(core, endpointIds, core.clock.now()))
    living.get(row.endpointId)?.push(...opened(core, row));
  return living;
}

/**
 * Returns a list with the decrypted secret. Returns an empty list for a damaged secret, so that a damaged
 * secret does not block the other secrets or endpoints.
 */
function opened(core: Core, { endpointId, sealed }: SecretRow): string[] {
  try {
    return [core.secrets.open("webhook-secret", endpointId, sealed)];
  } catch {
    return [];
  }
}

/**
 * Returns when each older secret of an endpoint stops signing, newest first, in ms since the epoch. The
 * calling operation must check permissions.
 */
export function secretEnds(core: Core, endpointId: string): number[] {
  return selectLivingSecrets(core, [endpointId], core.clock.now()).flatMap(({ endsAt }) => endsAt ?? []);
}

/** Deletes at most `limit` ended secrets. Returns the number of deleted secrets. Call it in a transaction. */
export function forgetEndedSecrets(core: Core, limit: number): number {
  return deleteEndedSecrets(core, core.clock.now(), limit);
}

function refuseTooMany(living: readonly SecretRow[], now: number): void {
  if (living.length < SECRETS_MAX) return;
  const oldestEndsAt = Math.min(...living.map(({ endsAt }) => endsAt ?? Infinity));
  throw refuse("secrets_too_many", { max: SECRETS_MAX, hours: Math.ceil((oldestEndsAt - now) / HOUR) });
}
