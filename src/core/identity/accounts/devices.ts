import { createHmac, timingSafeEqual } from "node:crypto";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { findDeviceEpoch, raiseDeviceEpoch } from "./accounts-store.ts";

/**
 * A browser that somebody has signed in with carries a mark of it, and its tries of their password have a
 * bucket of their own: whoever floods the account from elsewhere cannot keep its person out (OWASP, «Slow
 * Down Online Guessing Attacks with Device Cookies»). A mark lets nobody in, is good for one account alone,
 * and ends with the password, with all others when the account is secured or suspended, and after a year.
 */
export const DEVICE_MAX_MS = 365 * DAY;

/**
 * When it was made, 48 bits of milliseconds; which one it is; and that it is ours, 128 bits of HMAC-SHA256.
 */
const TIME_BYTES = 6;
const NAME_BYTES = 12;
const PROOF_BYTES = 16;
const DEVICE = /^[A-Za-z0-9_-]{46}$/;

/** A mark for the browser that the builder signs in with at this moment. Nothing of it is stored. */
export function makeDevice(core: Core, builderId: string): string {
  const head = Buffer.alloc(TIME_BYTES + NAME_BYTES);
  head.writeUIntBE(core.clock.now(), 0, TIME_BYTES);
  head.set(core.random.bytes(NAME_BYTES), TIME_BYTES);
  const [key] = core.secrets.derivedKeys("known-devices");
  return Buffer.concat([head, proofOf(core, key, builderId, head)]).toString("base64url");
}

/**
 * What the browser is called whose mark this is, where it is one of this builder's that still counts;
 * undefined for any other. One from after now counts as little as one that is too old: the clock was set
 * back, and the next sign-in gives a new one.
 */
export function readDevice(core: Core, builderId: string, mark: string): string | undefined {
  if (!DEVICE.test(mark)) return undefined;
  const bytes = Buffer.from(mark, "base64url");
  const head = bytes.subarray(0, TIME_BYTES + NAME_BYTES);
  const ageMs = core.clock.now() - head.readUIntBE(0, TIME_BYTES);
  if (ageMs < 0 || ageMs >= DEVICE_MAX_MS) return undefined;
  // Also what a key before the present one signed: a mark outlives it (docs/contract.md#12.9).
  const isOurs = core.secrets
    .derivedKeys("known-devices")
    .some((key) => timingSafeEqual(bytes.subarray(head.length), proofOf(core, key, builderId, head)));
  return isOurs ? head.toString("base64url") : undefined;
}

/** From now on no browser counts as known. Call it in the transaction of what ends them. */
export function forgetDevices(core: Core, builderId: string): void {
  raiseDeviceEpoch(core, builderId);
}

function proofOf(core: Core, key: string, builderId: string, head: Buffer): Buffer {
  return createHmac("sha256", key)
    .update(`${builderId} ${findDeviceEpoch(core, builderId)} `)
    .update(head)
    .digest()
    .subarray(0, PROOF_BYTES);
}
