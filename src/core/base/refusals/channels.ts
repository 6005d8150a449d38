import type { Refusals } from "./refusals.ts";

/** Refusals about push notifications, mail and feeds. */
export const CHANNELS = {
  push_not_yours: {
    error: "conflict",
    path: "endpoint",
    says: "This push endpoint is registered with other keys. Unsubscribe in the browser, then subscribe again.",
  },
  push_key_wrong: {
    error: "unprocessable",
    path: "p256dh",
    says: "`p256dh` is not a P-256 public key. Send the key of the browser's push subscription.",
  },
  mail_not_sent: {
    error: "conflict",
    says: "This community sends no email. Ask the operator to set it up.",
  },
  mail_just_sent: {
    error: "rate_limited",
    says: "A link was sent a moment ago. Check your inbox, or try again in a minute.",
  },
  mail_addresses_too_many: {
    error: "rate_limited",
    path: "address",
    says: "You asked for links to {max} different email addresses within a day. Confirm one of them, or wait {seconds:second}.",
  },
  mail_recipient_too_many: {
    error: "rate_limited",
    path: "address",
    says: "This address received {max} emails within a day. Use another address, or wait {seconds:second}.",
  },
  invitation_mails_too_many: {
    error: "rate_limited",
    says: "Too many invitations were sent by email within a day. Share the link yourself, or send it tomorrow.",
  },
  application_mails_too_many: {
    error: "rate_limited",
    says: "Too many emails were requested within a day. Leave out the email address, or try again tomorrow.",
  },
  push_unknown: { error: "not_found", says: "You have no registered browser with that id." },
} as const satisfies Refusals;
