import { createHmac, timingSafeEqual } from "node:crypto";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { findDeviceEpoch, raiseDeviceEpoch } from "./accounts-store.ts";

/**
 * Device cookies. A browser in which the account's owner has signed in gets a cookie. Password attempts with
 * this cookie have a separate bucket. So an attacker who floods the account from another browser cannot lock
 * out the account's owner (OWASP, “Slow Down Online Guessing Attacks with Device Cookies”).
 *
 * A device cookie does not sign anyone in and is valid for one account. The cookie ends with a password
 * change, after a year, and when the account is secured or suspended.
 */
export const DEVICE_MAX_MS = 365 * DAY;

/** Layout of a cookie: 48 bits of creation time in ms, a random name, and 128 bits of HMAC-SHA256. */
const TIME_BYTES = 6;
const NAME_BYTES = 12;
const PROOF_BYTES = 16;
const DEVICE = /^[A-Za-z0-9_-]{46}$/;

/** Makes a device cookie for the browser that the builder is signing in with. Nothing is stored. */
export function makeDevice(core: Core, builderId: string): string {
  const head = Buffer.alloc(TIME_BYTES + NAME_BYTES);
  head.writeUIntBE(core.clock.now(), 0, TIME_BYTES);
  head.set(core.random.bytes(NAME_BYTES), TIME_BYTES);
  const [key] = core.secrets.derivedKeys("known-devices");
  return Buffer.concat([head, proofOf(core, key, builderId, head)]).toString("base64url");
}

/**
 * Returns the name of the device when the cookie is valid for this builder, or undefined. A cookie with a
 * creation time in the future is invalid, like an expired cookie. Such a time shows that the server's clock
 * was set back. The next sign-in makes a new cookie.
 */
export function readDevice(core: Core, builderId: string, mark: string): string | undefined {
  if (!DEVICE.test(mark)) return undefined;
  const bytes = Buffer.from(mark, "base64url");
  const head = bytes.subarray(0, TIME_BYTES + NAME_BYTES);
  const ageMs = core.clock.now() - head.readUIntBE(0, TIME_BYTES);
  if (ageMs < 0 || ageMs >= DEVICE_MAX_MS) return undefined;
  // Signatures of former keys count too, because a device cookie outlives a key rotation
  // (docs/contract.md#12.9).
  const isOurs = core.secrets
    .derivedKeys("known-devices")
    .some((key) => timingSafeEqual(bytes.subarray(head.length), proofOf(core, key, builderId, head)));
  return isOurs ? head.toString("base64url") : undefined;
}

/**
 * Invalidates all device cookies of the builder. Call it in the transaction that changes the password or
 * another credential.
 */
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
