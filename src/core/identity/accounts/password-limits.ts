import { DAY, HOUR, MINUTE } from "../../base/clock.ts";
import { refuseFor } from "../../base/errors.ts";
import { createLimiter, type Limiter, refillMs, type RateTier } from "../../base/limits.ts";

/**
 * Limits on password attempts (docs/threats.md#F03). Each attempt takes from three buckets before any
 * hashing:
 *
 * - The bucket of the network address, for all accounts. This bucket stops an attacker who guesses for many
 *   accounts.
 * - The bucket of the account at this address. This bucket leaves an attacker 1,440 guesses a day.
 * - The bucket of the account from all addresses. This bucket stops guesses from many addresses and is much
 *   larger. It does not apply where the builder has a session from that address, so that strangers cannot
 *   lock a member out at home. It never applies to passkeys.
 *
 * A browser in which the builder has signed in before (`devices.ts`) takes from a bucket of the device
 * instead. The bucket of the device has ten attempts, which other clients cannot use up. A stolen device
 * cookie gives a thief no more attempts than any address has.
 *
 * A right password returns its own attempt, never the attempts of wrong passwords. So an attacker who signs
 * in to an account of their own gains no guesses. More than sixty successes of an account at once, or ten a
 * minute, count like guesses, because each success costs a hash.
 *
 * Accounts are identified by the typed name, so a name without an account is limited like any other name.
 */
export interface PasswordLimits {
  /**
   * Charges one password attempt before the comparison, so that concurrent attempts cannot exceed a limit.
   * Returns a function that refunds the attempt. Call the function after a right password; a second call does
   * nothing. `device` is a valid device cookie of the account; with a device cookie, `isKnownAddress` is not
   * called. Throws rate_limited.
   */
  admitGuess(account: string, address: string, isKnownAddress: () => boolean, device?: string): () => void;
  /**
   * Charges one attempt of other costly work without an account: sign-up, a one-time link, a passkey. Throws
   * rate_limited.
   */
  admitAttempt(address: string): void;
  /**
   * Charges one join request: five per address, then one more every 4.8 hours. Withdrawn and answered
   * requests count too, although none of their data remains. Throws rate_limited.
   */
  admitApplication(address: string): void;
  /**
   * Charges one browser that a member registers for push: ten at once, then one every six minutes, across all
   * sessions. Throws rate_limited.
   */
  admitBrowser(builderId: string): void;
  /** Whether to record a refused sign-in in the audit log: at most ten per hour and account. */
  shouldRecordRefusal(builderId: string): boolean;
}

const PER_ADDRESS: RateTier = { sustained: 10, burst: 30 };
const PER_ACCOUNT_AND_ADDRESS: RateTier = { sustained: 1, burst: 10 };
const PER_DEVICE: RateTier = PER_ACCOUNT_AND_ADDRESS;
/** NIST SP 800-63B §5.2.2 allows a hundred consecutive failures, so the burst is 100. */
const PER_ACCOUNT: RateTier = { sustained: 2, burst: 100 };
const SUCCESSES_PER_ACCOUNT: RateTier = { sustained: 10, burst: 60 };
const ATTEMPTS_PER_ADDRESS: RateTier = { sustained: 10, burst: 30 };
const APPLICATIONS_PER_ADDRESS: RateTier = { sustained: 5 / (DAY / MINUTE), burst: 5 };
const BROWSERS_PER_ACCOUNT: RateTier = { sustained: 10 / (HOUR / MINUTE), burst: 10 };
const NOTED_PER_ACCOUNT: RateTier = { sustained: 10 / (HOUR / MINUTE), burst: 10 };

export function createPasswordLimits(elapsed: () => number): PasswordLimits {
  const limiter = (tier: RateTier): Limiter => createLimiter(elapsed, refillMs(tier));
  const addresses = limiter(PER_ADDRESS);
  const pairs = limiter(PER_ACCOUNT_AND_ADDRESS);
  const accounts = limiter(PER_ACCOUNT);
  const devices = limiter(PER_DEVICE);
  const successes = limiter(SUCCESSES_PER_ACCOUNT);
  const attempts = limiter(ATTEMPTS_PER_ADDRESS);
  const applications = limiter(APPLICATIONS_PER_ADDRESS);
  const browsers = limiter(BROWSERS_PER_ACCOUNT);
  const notes = limiter(NOTED_PER_ACCOUNT);

  function take(
    from: Limiter,
    key: string,
    tier: RateTier,
    code: "too_many_tries" | "applications_from_here" = "too_many_tries",
  ): void {
    const { allowed, retryInMs } = from.charge(key, tier);
    if (!allowed) throw refuseFor(code, retryInMs);
  }

  return {
    admitGuess(account, address, isKnownAddress, device) {
      const taken: (() => void)[] = [];
      const guess = (from: Limiter, key: string, tier: RateTier): void => {
        take(from, key, tier);
        taken.push(() => from.charge(key, tier, -1));
      };
      if (device !== undefined) {
        guess(devices, device, PER_DEVICE);
      } else {
        guess(addresses, address, PER_ADDRESS);
        guess(pairs, `${account} ${address}`, PER_ACCOUNT_AND_ADDRESS);
        if (!isKnownAddress()) guess(accounts, account, PER_ACCOUNT);
      }
      return () => {
        const own = taken.splice(0);
        if (own.length === 0 || !successes.charge(account, SUCCESSES_PER_ACCOUNT).allowed) return;
        for (const refund of own) refund();
      };
    },
    admitAttempt: (address) => take(attempts, address, ATTEMPTS_PER_ADDRESS),
    admitApplication: (address) =>
      take(applications, address, APPLICATIONS_PER_ADDRESS, "applications_from_here"),
    admitBrowser: (builderId) => take(browsers, builderId, BROWSERS_PER_ACCOUNT),
    shouldRecordRefusal: (builderId) => notes.charge(builderId, NOTED_PER_ACCOUNT).allowed,
  };
}
