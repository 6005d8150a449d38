import type { Core } from "../core/base/core.ts";
import { CoreError, refuseFor } from "../core/base/errors.ts";
import type { Charge } from "../core/base/limits.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import { clientKey } from "./address.ts";
import { createRateLimits } from "./rate-limits.ts";
import type { Transport, HttpRules } from "./transport.ts";
import type { Allowance, RequestContext } from "./context.ts";

/** Identifies the caller and charges the rate limit before a request is handled. */
export interface RateLimiting {
  /**
   * Returns a function that computes the IP address for rate limits on first use. See
   * `RequestContext.address`.
   */
  addressOf(context: RequestContext): () => string;
  /**
   * Authenticates and charges a request. Throws rate_limited. If the database fails, throws the database's
   * error after setting the rate headers. Returns a promise only if authentication has to wait.
   */
  begin(
    context: RequestContext,
    isFree: boolean,
    transport: Pick<Transport, "identify"> | undefined,
  ): Promise<void> | undefined;
  /** See the methods of `RequestContext` with these names. */
  charge(context: RequestContext, extra: number): Allowance;
  chargeCaller(context: RequestContext, caller: Caller): void;
  callerNow(context: RequestContext): Caller | undefined | Promise<Caller | undefined>;
  verify(context: RequestContext): Promise<unknown> | undefined;
}

export function createRateLimiting(core: Core, rules: HttpRules): RateLimiting {
  const meter = createRateLimits(core, rules);
  return {
    addressOf,
    begin,
    charge(context, extra) {
      const charged = meter.chargeMore(context.caller, context.address, extra);
      admitCharge(context, charged);
      return { remaining: charged.remaining, resetAt: core.clock.now() + charged.fullInMs };
    },
    chargeCaller(context, caller) {
      const { address, caller: payer } = context;
      chargeFirst(context, caller, address, false, undefined);
      // Refunds the token of the client's IP address only after the app has paid. If the app cannot pay, the
      // address remains charged.
      if (payer === undefined) meter.refund(address);
    },
    callerNow: (context) => meter.callerOf(context.authorization, context.address),
    verify: (context) => meter.verify(context.authorization, context.address),
  };

  function addressOf({ request, peer }: RequestContext): () => string {
    const { trustedProxies } = rules;
    let address: string | undefined;
    return () => (address ??= clientKey(peer(), request.headers.get("x-forwarded-for"), trustedProxies));
  }

  function begin(
    context: RequestContext,
    isFree: boolean,
    transport: Pick<Transport, "identify"> | undefined,
  ): Promise<void> | undefined {
    const { address } = context;
    let failure: { thrown: unknown } | undefined;
    try {
      const caller = transport?.identify
        ? transport.identify(context)
        : meter.callerOf(context.authorization, address);
      if (caller instanceof Promise) {
        return caller.then(
          (found) => chargeFirst(context, found, address, isFree, undefined),
          (thrown: unknown) =>
            chargeFirst(context, undefined, address, isFree || isRateLimit(thrown), { thrown }),
        );
      }
      context.caller = caller;
    } catch (thrown) {
      failure = { thrown };
    }
    chargeFirst(context, context.caller, address, isFree, failure);
    return undefined;
  }

  /** Charges the first token of a request. */
  function chargeFirst(
    context: RequestContext,
    caller: Caller | undefined,
    addressOf: () => string,
    isFree: boolean,
    failure: { thrown: unknown } | undefined,
  ): void {
    context.caller = caller;
    const charged = meter.charge(context.caller, addressOf, isFree);
    admitCharge(context, charged, isFree);
    if (failure) throw failure.thrown;
  }

  /** Sets the rate headers. Throws rate_limited if the bucket had too few tokens. */
  function admitCharge(context: RequestContext, charged: Charge, isFree = false): void {
    meter.setHeaders(context.headers, context.caller, charged);
    if (!charged.allowed && !isFree) throw refuseFor("too_many_requests", charged.retryInMs);
  }
}

/**
 * Whether authentication was refused with rate_limited. Such a request costs nothing, like every request over
 * the limit.
 */
function isRateLimit(thrown: unknown): boolean {
  return thrown instanceof CoreError && thrown.error === "rate_limited";
}
