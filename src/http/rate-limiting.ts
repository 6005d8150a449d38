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
  /** Returns the context's methods for rate limits and authentication. */
  of(context: () => RequestContext): Pick<RequestContext, "charge" | "chargeCaller" | "callerNow" | "verify">;
}

export function createRateLimiting(core: Core, rules: HttpRules): RateLimiting {
  const meter = createRateLimits(core, rules);
  return {
    addressOf,
    begin,
    of: (context) => ({
      charge(extra) {
        const { address, caller } = context();
        const charged = meter.chargeMore(caller, address, extra);
        admitCharge(context(), charged);
        return {
          remaining: charged.remaining,
          resetAt: core.clock.now() + charged.fullInMs,
        } satisfies Allowance;
      },
      chargeCaller(caller) {
        const { address, caller: payer } = context();
        charge(context(), caller, address, false, undefined);
        // Refunds the token of the client's IP address only after the app has paid. If the app cannot pay,
        // the address remains charged.
        if (payer === undefined) meter.refund(address);
      },
      callerNow: () => meter.callerOf(authorizationOf(context()), context().address),
      verify: () => meter.verify(authorizationOf(context()), context().address),
    }),
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
    const { headers } = context.request;
    const { address } = context;
    let failure: { thrown: unknown } | undefined;
    try {
      const caller = transport?.identify
        ? transport.identify(context)
        : meter.callerOf(headers.get("authorization"), address);
      if (caller instanceof Promise) {
        return caller.then(
          (found) => charge(context, found, address, isFree, undefined),
          (thrown: unknown) => charge(context, undefined, address, isFree || isRateLimit(thrown), { thrown }),
        );
      }
      context.caller = caller;
    } catch (thrown) {
      failure = { thrown };
    }
    charge(context, context.caller, address, isFree, failure);
    return undefined;
  }

  function charge(
    context: RequestContext,
    caller: Caller | undefined,
    addressOf: () => string,
    isFree: boolean,
    failure: { thrown: unknown } | undefined,
  ): void {
    context.caller = caller;
    const charged = meter.charge(context.caller, addressOf, isFree);
    admitCharge(context, isFree ? { ...charged, allowed: true } : charged);
    if (failure) throw failure.thrown;
  }

  /** Sets the rate headers. Throws rate_limited if the bucket had too few tokens. */
  function admitCharge(context: RequestContext, charged: Charge): void {
    meter.setHeaders(context.headers, context.caller, charged);
    if (!charged.allowed) throw refuseFor("too_many_requests", charged.retryInMs);
  }
}

function authorizationOf({ request }: RequestContext): string | null {
  return request.headers.get("authorization");
}

/**
 * Whether authentication was refused with rate_limited. Such a request costs nothing, like every request over
 * the limit.
 */
function isRateLimit(thrown: unknown): boolean {
  return thrown instanceof CoreError && thrown.error === "rate_limited";
}
