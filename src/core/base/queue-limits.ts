/** The one rule for what may wait to leave for people, by push or by mail (docs/contract.md#12.33). */

export type Channel = "push" | "mail";

/** How many messages wait in one lane: urgent and ordinary ones are counted apart. */
export interface Waiting {
  /** For one browser, or one mailbox. */
  recipient: number;
  /** For all of one member's. */
  member: number;
  /** At one push service, or in one mail domain. */
  host: number;
}

/** A position in a queue, in the order in which its messages fall due. Times are of the steady clock. */
export interface QueuePosition {
  dueAt: number;
  seq: number;
}

/**
 * Where the walk of a recipient continues that was skipped, and when it is tried again, by the steady time.
 */
export interface Resume {
  place: number;
  at: number;
}

/**
 * There is no bound for all together: one would let a few members stop everybody. A recipient whose queue is
 * full is skipped and tried again: after 15 seconds, a digest after 15 minutes. Urgent messages have no bound
 * by host, so that an outage of a large host holds none of them back.
 */
export const WAITING_MAX: Readonly<Record<Channel, Waiting>> = {
  push: { recipient: 50, member: 200, host: 5_000 },
  mail: { recipient: 50, member: 50, host: 5_000 },
};

/** Whether one more message may wait, where so many do. */
export function mayWait(channel: Channel, isUrgent: boolean, waiting: Waiting): boolean {
  const { recipient, member, host } = WAITING_MAX[channel];
  return waiting.recipient < recipient && waiting.member < member && (isUrgent || waiting.host < host);
}

/** The host that something sent to an address counts for, whatever the port. */
export function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? "";
}
