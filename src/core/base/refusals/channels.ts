import type { Refusals } from "./refusals.ts";

/** What reaches members who are not here: pushes, mails, feeds. */
export const CHANNELS = {
  push_not_yours: {
    error: "conflict",
    path: "endpoint",
    says: "That address is known with other keys; have the browser unsubscribe, and subscribe anew.",
  },
  push_key_wrong: {
    error: "unprocessable",
    path: "p256dh",
    says: "That is no public key of P-256; send what the browser's subscription holds.",
  },
  mail_not_sent: {
    error: "conflict",
    says: "This community sends no mail; ask those who run it.",
  },
  mail_just_sent: {
    error: "rate_limited",
    says: "A link was sent a moment ago; look for it, or try again in a minute.",
  },
  mail_addresses_too_many: {
    error: "rate_limited",
    path: "address",
    says: "You asked for links to {max} different addresses within a day. Confirm one of them, or wait {seconds:second}.",
  },
  mail_recipient_too_many: {
    error: "rate_limited",
    path: "address",
    says: "That address was sent {max} mails within a day. Name another address, or wait {seconds:second}.",
  },
  invitation_mails_too_many: {
    error: "rate_limited",
    says: "So many invitations went out by mail within a day; hand the link over yourself, or send it tomorrow.",
  },
  application_mails_too_many: {
    error: "rate_limited",
    says: "So many mails were asked for within a day; ask without an address, or tomorrow.",
  },
  push_unknown: { error: "not_found", says: "None of your browsers has that id." },
} as const satisfies Refusals;
