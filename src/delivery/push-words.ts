import type { Core } from "../core/ground/core.ts";
import type { Push } from "../core/outbox/push/queue.ts";
import type { PushWords } from "./push-request.ts";

/** What the pages' catalogue says of pushes. */
export interface Sayings {
  greeting: string;
}

/** What a browser shows of a push; undefined where there is nothing to say any more. */
export function pushWords(
  { origin }: Core,
  { notificationId, subscriptionId }: Push,
  { greeting }: Sayings,
): PushWords | undefined {
  if (notificationId !== null) return undefined;
  return { title: new URL(origin).host, body: greeting, path: "/settings/browsers", tag: subscriptionId };
}
