/** Limits for messages that wait to be sent by push or mail (docs/contract.md#12.33). */

export type Channel = "push" | "mail";

/** Numbers of waiting messages in a lane. Urgent and ordinary messages have separate lanes. */
export interface Waiting {
  /** Number per recipient: a browser or a mailbox. */
  recipient: number;
  /** Number per member, for all recipients of the member together. */
  member: number;
  /** Number per host: a push service or a mail domain. */
  host: number;
}

/** Position in a queue, which is ordered by due time. Times are in steady time. */
export interface QueuePosition {
  dueAt: number;
  seq: number;
}

/**
 * Position at which queueing continues for a recipient that was skipped because of a full queue. `place` is
 * the position of the last notification that was handled. `at` is the time of the retry, in steady time.
 */
export interface ResumePoint {
  place: number;
  at: number;
}

/**
 * Maximum numbers of waiting messages in a lane. The lane as a whole has no limit, because a few members
 * could use up such a limit and block everyone. When a recipient's queue is full, a notification is retried
 * after 15 seconds and a digest after 15 minutes. Urgent messages have no limit per host, so that an outage
 * of a large host does not delay them.
 */
export const WAITING_MAX: Readonly<Record<Channel, Waiting>> = {
  push: { recipient: 50, member: 200, host: 5_000 },
  mail: { recipient: 50, member: 50, host: 5_000 },
};

/** Whether the queue accepts another message with these numbers of waiting messages. */
export function canQueue(channel: Channel, isUrgent: boolean, waiting: Waiting): boolean {
  const { recipient, member, host } = WAITING_MAX[channel];
  return waiting.recipient < recipient && waiting.member < member && (isUrgent || waiting.host < host);
}

/** Returns the host of a URL without the port, for the limit per host. */
export function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? "";
}
