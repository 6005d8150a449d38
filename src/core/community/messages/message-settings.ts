import { type Static, Type } from "@sinclair/typebox";
import { type BuilderCaller, type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { Choice } from "../../base/check.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse, refuseFor } from "../../base/errors.ts";
import { findMessagesFrom, type Recipient, selectStarts, updateMessagesFrom } from "./messages-store.ts";

/**
 * The senders from whom a builder receives messages (docs/contract.md#9.4). `contacts` are builders whom the
 * receiver follows, has written to or has answered. Builders whose message request the receiver accepted are
 * contacts too.
 */
export const MESSAGES_FROM = ["everybody", "contacts", "nobody"] as const;
export type MessagesFrom = (typeof MESSAGES_FROM)[number];

export const MessageSettings = Type.Object({
  from: Choice(
    MESSAGES_FROM,
    "The builders who can write to you: `everybody`, `contacts` (builders you follow, have written to, or have answered, and builders whose request you accepted), or `nobody`.",
    ["contacts"],
  ),
});
export type MessageSettings = Static<typeof MessageSettings>;

/** Returns the senders from whom the caller receives messages. Needs `messages:read`. */
export function getMessageSettings(core: Core, caller: Caller): MessageSettings {
  return { from: findMessagesFrom(core, requireBuilder(caller, "messages:read").builderId) };
}

/**
 * Changes the senders from whom the caller receives messages from now on. Existing messages are kept. Needs
 * `messages:write`.
 */
export function setMessageSettings(core: Core, caller: Caller, { from }: MessageSettings): MessageSettings {
  const { builderId } = requireBuilder(caller, "messages:write");
  core.db.transact(() => updateMessagesFrom(core, builderId, from));
  return { from };
}

/**
 * Rejects a message that the sender may not send to the recipient. Throws forbidden if the recipient does not
 * accept the message, and conflict if the sender has blocked the recipient. Throws unprocessable if the
 * sender is the recipient.
 */
export function refuseRecipient(senderId: string, recipient: Recipient): void {
  if (recipient.id === senderId) throw refuse("own_message");
  if (recipient.isBlocked) throw refuse("recipient_blocked");
  const isWanted =
    recipient.messagesFrom === "everybody" ||
    (recipient.messagesFrom === "contacts" && recipient.isContact === 1);
  // A block, a suspension and restrictive message settings cause the same refusal, so that the sender cannot
  // find out which of the three applies.
  if (recipient.hasBlocked || recipient.isSuspended || !isWanted) throw refuse("message_unwanted");
}

/**
 * Maximum number of conversations that a builder can start within 24 hours. The v1 specification does not set
 * this limit. Replies do not count.
 */
export const NEW_THREADS_A_DAY = 20;
/**
 * Throws rate_limited if the builder has started too many conversations within a day. The refusal contains
 * the time of the next allowed attempt.
 */
export function refuseTooManyThreads(core: Core, { builderId }: BuilderCaller): void {
  const [now, max] = [core.clock.now(), NEW_THREADS_A_DAY];
  const oldest = selectStarts(core, builderId, max)[max - 1];
  if (oldest === undefined || oldest <= now - DAY) return;
  // The wait is at most a day, even if `oldest` is in the future because the clock was set back.
  throw refuseFor("threads_too_many", Math.min(oldest + DAY - now, DAY), { max });
}
