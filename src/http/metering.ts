import type { Core } from "../core/ground/core.ts";
import { CoreError, refuseFor } from "../core/ground/errors.ts";
import type { Charge } from "../core/ground/limits.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import { clientKey } from "./address.ts";
import { createMeter } from "./meter.ts";
import type { Door, HttpRules } from "./door.ts";
import type { Allowance, Visit } from "./visit.ts";

/** Who asks, and what of their rate is left: found out and charged before a request goes any further. */
export interface Metering {
  /**
   * Throws rate_limited. A database that is broken is told only after the rate headers are there. Gives a promise only where who asks has to
   * be waited for.
   */
  begin(visit: Visit, isFree: boolean, door: Door | undefined): Promise<void> | undefined;
  /** What a visit can do of this by itself. */
  of(visit: () => Visit): Pick<Visit, "charge" | "payAs" | "callerNow" | "verify">;
}

export function createMetering(core: Core, rules: HttpRules): Metering {
  const meter = createMeter(core, rules.enterprise);
  return {
    begin,
    of: (visit) => ({
      charge(extra) {
        const { address, caller } = visit();
        const taken = meter.chargeMore(caller, address, extra);
        admitCharge(visit(), taken);
        return { remaining: taken.remaining, resetAt: core.clock.now() + taken.fullInMs } satisfies Allowance;
      },
      payAs(caller) {
        const { address, caller: payer } = visit();
        charge(visit(), caller, address, false, undefined);
        // Only now: what an app cannot pay for, its address has paid for.
        if (payer === undefined) meter.giveBack(address);
      },
      callerNow: () => meter.callerOf(authorizationOf(visit()), visit().address),
      verify: () => meter.verify(authorizationOf(visit()), visit().address),
    }),
  };

  function begin(visit: Visit, isFree: boolean, door: Door | undefined): Promise<void> | undefined {
    const { headers } = visit.request;
    let address: string | undefined;
    const addressOf = (): string =>
      (address ??= clientKey(visit.peer(), headers.get("x-forwarded-for"), rules.trustedProxies));
    visit.address = addressOf;
    let failure: { thrown: unknown } | undefined;
    try {
      const caller = door?.identify
        ? door.identify(visit)
        : meter.callerOf(headers.get("authorization"), addressOf);
      if (caller instanceof Promise) {
        return caller.then(
          (found) => charge(visit, found, addressOf, isFree, undefined),
          (thrown: unknown) => charge(visit, undefined, addressOf, isFree || isRateLimit(thrown), { thrown }),
        );
      }
      visit.caller = caller;
    } catch (thrown) {
      failure = { thrown };
    }
    charge(visit, visit.caller, addressOf, isFree, failure);
    return undefined;
  }

  function charge(
    visit: Visit,
    caller: Caller | undefined,
    addressOf: () => string,
    isFree: boolean,
    failure: { thrown: unknown } | undefined,
  ): void {
    visit.caller = caller;
    const taken = meter.charge(visit.caller, addressOf, isFree);
    admitCharge(visit, isFree ? { ...taken, allowed: true } : taken);
    if (failure) throw failure.thrown;
  }

  /** Shows what is left, and throws rate_limited where it was not enough. */
  function admitCharge(visit: Visit, taken: Charge): void {
    meter.show(visit.headers, visit.caller, taken);
    if (!taken.allowed) throw refuseFor("too_many_requests", taken.retryInMs);
  }
}

function authorizationOf({ request }: Visit): string | null {
  return request.headers.get("authorization");
}

/** What was refused unlooked at costs nothing, as any other request over the limit. */
function isRateLimit(thrown: unknown): boolean {
  return thrown instanceof CoreError && thrown.error === "rate_limited";
}
