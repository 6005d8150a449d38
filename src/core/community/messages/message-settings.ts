import { type Static, Type } from "@sinclair/typebox";
import { type BuilderCaller, type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { Choice } from "../../base/check.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse, refuseFor } from "../../base/errors.ts";
import { findReception, type Recipient, selectStarts, updateReception } from "./messages-store.ts";

/**
 * Whose messages a builder receives (docs/contract.md#9.4). «contacts» are those whom they have written to or
 * answered, whose request they accepted, and whom they follow.
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

/** Needs `messages:read`. */
export function getMessageSettings(core: Core, caller: Caller): MessageSettings {
  return { from: findReception(core, requireBuilder(caller, "messages:read").builderId) };
}

/** What is set holds for the next message; what has come stays. Needs `messages:write`. */
export function setMessageSettings(core: Core, caller: Caller, { from }: MessageSettings): MessageSettings {
  const { builderId } = requireBuilder(caller, "messages:write");
  core.db.transact(() => updateReception(core, builderId, from));
  return { from };
}

/** Throws forbidden, conflict where the sender cannot reach them, unprocessable for oneself. */
export function refuseRecipient(senderId: string, recipient: Recipient): void {
  if (recipient.id === senderId) throw refuse("own_message");
  if (recipient.isBlocked) throw refuse("recipient_blocked");
  const isWanted =
    recipient.messagesFrom === "everybody" ||
    (recipient.messagesFrom === "contacts" && recipient.isContact === 1);
  // One sentence for the blocked, for those whose account is suspended and for those who want few messages:
  // none is the sender's business.
  if (recipient.hasBlocked || recipient.isSuspended || !isWanted) throw refuse("message_unwanted");
}

/**
 * Not shown in the specification: so many conversations may a builder begin within 24 hours. Answering is not
 * bounded.
 */
export const NEW_THREADS_A_DAY = 20;
/**
 * Throws rate_limited, with the moment when one more is let through, for whoever has begun enough
 * conversations within a day.
 */
export function refuseTooManyThreads(core: Core, { builderId }: BuilderCaller): void {
  const [now, max] = [core.clock.now(), NEW_THREADS_A_DAY];
  const oldest = selectStarts(core, builderId, max)[max - 1];
  if (oldest === undefined || oldest <= now - DAY) return;
  // A clock that was set back has begun them later.
  throw refuseFor("threads_too_many", Math.min(oldest + DAY - now, DAY), { max });
}
