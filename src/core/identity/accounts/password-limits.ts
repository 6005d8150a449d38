import { DAY, HOUR, MINUTE } from "../../base/clock.ts";
import { refuseFor } from "../../base/errors.ts";
import { createLimiter, type Limiter, refillMs, type RateTier } from "../../base/limits.ts";

/**
 * How often passwords may be tried (docs/threats.md#F03). Each try takes from three buckets, before anything
 * is hashed:
 * - the address's, whoever it tries to be: one that guesses for many accounts is stopped.
 * - the account's at this address: 1,440 guesses a day are left of a flood.
 * - the account's from everywhere, against many addresses at once. It is much wider, and does not count where
 *   the builder has a session from that address: strangers cannot lock somebody out of their own home.
 *   Passkeys never meet it.
 *
 * A browser that its builder has signed in with before (`devices.ts`) takes from a bucket of its own instead
 * of all three: whatever others do elsewhere, or from the same address, it has its ten tries. One that was
 * stolen gives a thief as many as an address has anyway.
 *
 * A right password gets its own try back, and never the tries of wrong ones: an attacker who signs in to an
 * account of their own has no more guesses than before. More than sixty successes of an account at once, or
 * ten a minute, count like guesses, because each of them costs a hash.
 *
 * Accounts go by the name that was typed, so one that nobody has is limited like any other.
 */
export interface PasswordLimits {
  /**
   * One try of a password, charged before it is compared: two at once cannot exceed a bound. Returns a
   * function that gives the try back, to be called where the password was right; a second call does nothing.
   * Throws rate_limited. `isAtHome` is asked only when it matters; `device` is one that counts as the
   * account's.
   */
  admitGuess(account: string, address: string, isAtHome: () => boolean, device?: string): () => void;
  /**
   * One try of anything else that costs work and needs no account: signing up, a one-time link, a passkey.
   * Throws rate_limited.
   */
  admitAttempt(address: string): void;
  /**
   * One application that is about to be taken down: five from an address, and one more each fifth of a day,
   * also where those before were taken back or answered and nothing of them is left to be counted. Throws
   * rate_limited.
   */
  admitApplication(address: string): void;
  /**
   * One browser that a member registers for pushes: ten at once, then one each six minutes, from all of their
   * sessions. Throws rate_limited.
   */
  admitBrowser(builderId: string): void;
  /** Whether a refused sign-in is worth an entry in the audit log: ten an hour of an account are. */
  isWorthNoting(builderId: string): boolean;
}

const PER_ADDRESS: RateTier = { sustained: 10, burst: 30 };
const PER_ACCOUNT_AND_ADDRESS: RateTier = { sustained: 1, burst: 10 };
const PER_DEVICE: RateTier = PER_ACCOUNT_AND_ADDRESS;
/** NIST SP 800-63B §5.2.2 allows a hundred failures in a row. */
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
    admitGuess(account, address, isAtHome, device) {
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
        if (!isAtHome()) guess(accounts, account, PER_ACCOUNT);
      }
      return () => {
        const own = taken.splice(0);
        if (own.length === 0 || !successes.charge(account, SUCCESSES_PER_ACCOUNT).allowed) return;
        for (const giveBack of own) giveBack();
      };
    },
    admitAttempt: (address) => take(attempts, address, ATTEMPTS_PER_ADDRESS),
    admitApplication: (address) =>
      take(applications, address, APPLICATIONS_PER_ADDRESS, "applications_from_here"),
    admitBrowser: (builderId) => take(browsers, builderId, BROWSERS_PER_ACCOUNT),
    isWorthNoting: (builderId) => notes.charge(builderId, NOTED_PER_ACCOUNT).allowed,
  };
}
