import { ATTEMPT_MS } from "../../core/outbox/deliveries/deliveries.ts";
import { signatureHeaders } from "../signature.ts";

/** An envelope (docs/contract.md#V6.6) and its exact text as sent. */
export interface PulledEvent {
  id: string;
  type: string;
  body: string;
}

/** Makes one attempt. Returns the response status, or `undefined` without a response. */
export type Forwarder = (event: PulledEvent, signal: AbortSignal) => Promise<number | undefined>;

/**
 * Creates a forwarder that sends each event to the developer's URL. The request is a POST like that of a
 * webhook delivery.
 */
export function forwarder(url: string, secret: string, userAgent: string): Forwarder {
  return async ({ id, body }, signal) => {
    try {
      const answer = await fetch(url, {
        method: "POST",
        redirect: "manual",
        headers: {
          "content-type": "application/json",
          "user-agent": userAgent,
          ...signatureHeaders({
            eventId: id,
            seconds: Math.floor(Date.now() / 1000),
            body,
            secrets: [secret],
          }),
        },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]),
      });
      await answer.body?.cancel();
      return answer.status;
    } catch {
      return undefined;
    }
  };
}
