// docs/contract.md#12.20.1: SMTP replies that mean that a mailbox rejects mail.
import { expect, test } from "bun:test";
import { isMailboxRefusal, isRefusal } from "../../src/delivery/smtp-replies.ts";

/** Replies of Postfix, Exim, Exchange, Gmail, qmail, Sendmail and Amavis. */
const REPLIES: readonly [command: string, reply: string, means: "mailbox" | "refused" | "later"][] = [
  [
    "RCPT TO",
    "550 5.1.1 <a@b.c>: Recipient address rejected: User unknown in relay recipient table",
    "mailbox",
  ],
  ["RCPT TO", "550-5.1.1 The email account that you tried to reach does not exist.\n550 5.1.1 ", "mailbox"],
  [
    "RCPT TO",
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
    "mailbox",
  ],
  ["RCPT TO", "552 5.2.2 The recipient's inbox is out of storage space", "mailbox"],
  ["RCPT TO", "550 #5.1.0 Address rejected.", "mailbox"],
  ["RCPT TO", "550 sorry, no mailbox here by that name. (#5.1.1)", "mailbox"],
  ["RCPT TO", "550 Unrouteable address", "mailbox"],
  ["RCPT TO", "553 mailbox name not allowed", "mailbox"],
  ["RCPT TO", "550 no such user", "mailbox"],
  ["RCPT TO", "550 not taken", "mailbox"],
  ["RCPT TO", "550 mailbox unavailable", "mailbox"],
  ["RCPT TO", "552 Requested mail action aborted: exceeded storage allocation", "mailbox"],
  ["RCPT TO", "552 5.2.2 mailbox is over its quota limit", "mailbox"],
  // Words within the email address do not count.
  ["RCPT TO", "550 <spam-policy@limit.example>: no such user", "mailbox"],
  ["DATA", "550 5.1.1 no such user", "mailbox"],
  ["DATA", "552 5.2.2 mailbox full", "mailbox"],
  // Replies about the sender, which is the operator.
  ["RCPT TO", "550 5.1.0 <g@b.c>: Sender address rejected: User unknown in virtual mailbox table", "refused"],
  ["RCPT TO", "550 5.1.8 <g@b.c>: Sender address rejected: Domain not found", "refused"],
  ["RCPT TO", "550 5.7.1 Relaying denied", "refused"],
  ["RCPT TO", "554 5.7.1 <a@b.c>: Relay access denied", "refused"],
  ["RCPT TO", "550 relay not permitted", "refused"],
  ["RCPT TO", "530 5.7.0 Must issue a STARTTLS command first", "refused"],
  ["RCPT TO", "550 authentication required", "refused"],
  ["RCPT TO", "554 transaction failed", "refused"],
  ["RCPT TO", "553 sorry, your envelope from domain must exist", "refused"],
  ["RCPT TO", "550 Blocked - see https://www.spamhaus.org/query/ip/192.0.2.1", "refused"],
  ["RCPT TO", "550 Message rejected due to poor IP reputation", "refused"],
  ["RCPT TO", "550 listed at the DNSBL bl.example", "refused"],
  ["RCPT TO", "550 rejected by local policy", "refused"],
  // Replies about the volume that the operator sends, or that the member receives.
  [
    "RCPT TO",
    "550 Domain guild.test has exceeded the max emails per hour (500/500 (100%)) allowed. Message discarded.",
    "refused",
  ],
  ["RCPT TO", "550 You have exceeded your daily sending limit", "refused"],
  ["RCPT TO", "550 your quota is used up", "refused"],
  ["RCPT TO", "550 5.1.1 too many recipients, try fewer", "refused"],
  ["RCPT TO", "550 5.2.1 The user is receiving mail at a rate that prevents delivery", "refused"],
  ["DATA", "550 5.2.1 The user is receiving mail at a rate that prevents delivery", "refused"],
  // Replies about the content, which another member may have written.
  ["RCPT TO", "552 5.2.3 message exceeds the limit", "refused"],
  ["DATA", "552 5.2.0 message content rejected", "refused"],
  ["DATA", "550 Administrative prohibition", "refused"],
  ["DATA", "554 5.7.1 Spam message rejected", "refused"],
  ["DATA", "552 5.3.4 Message size exceeds fixed limit", "refused"],
  // Replies that are not about a single email.
  ["MAIL FROM", "550 5.1.1 no such user", "later"],
  ["AUTH PLAIN", "535 5.7.8 authentication failed", "later"],
  ["CONN", "554 5.7.1 go away", "later"],
  ["RCPT TO", "450 4.2.0 greylisted", "later"],
  ["DATA", "452 4.2.2 mailbox full", "later"],
];

test("distinguishes a mailbox that takes no mail from a refused email, a refused sender and a temporary error", () => {
  const rows = REPLIES.map(([command, text]) => {
    const reply = { command, code: Number(text.slice(0, 3)), text };
    return [command, text, isMailboxRefusal(reply) ? "mailbox" : isRefusal(reply) ? "refused" : "later"];
  });
  expect(rows).toEqual(REPLIES.map((row) => [...row]));
});
