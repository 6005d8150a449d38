import { ATTEMPT_MS } from "../../core/outbox/deliveries/deliveries.ts";
import { signatureHeaders } from "../signature.ts";

/** An envelope (docs/contract.md#V6.6), with the text that is sent. */
export interface PulledEvent {
  id: string;
  type: string;
  body: string;
}

/** What became of one attempt: the status of the answer; undefined where nothing answered. */
export type Forwarder = (event: PulledEvent, signal: AbortSignal) => Promise<number | undefined>;

/** Makes one POST, as the delivery of a webhook makes it, to wherever its person says. */
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
