// Which replies mean that a mailbox takes no mail (docs/contract.md#12.20.1).
import { expect, test } from "bun:test";
import { isMailboxRefusal, isRefusal } from "../../src/delivery/smtp-replies.ts";

/** As servers say it: Postfix, Exim, Exchange, Gmail, qmail, Sendmail, Amavis. */
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
  ["DATA", "550 5.1.1 no such user", "mailbox"],
  ["DATA", "552 5.2.2 mailbox full", "mailbox"],
  // The sender, who the operator is.
  ["RCPT TO", "550 5.1.0 <g@b.c>: Sender address rejected: User unknown in virtual mailbox table", "refused"],
  ["RCPT TO", "550 5.1.8 <g@b.c>: Sender address rejected: Domain not found", "refused"],
  ["RCPT TO", "550 5.7.1 Relaying denied", "refused"],
  ["RCPT TO", "554 5.7.1 <a@b.c>: Relay access denied", "refused"],
  ["RCPT TO", "550 relay not permitted", "refused"],
  ["RCPT TO", "530 5.7.0 Must issue a STARTTLS command first", "refused"],
  ["RCPT TO", "550 authentication required", "refused"],
  ["RCPT TO", "554 transaction failed", "refused"],
  // The mail: what is in it may be another member's words.
  ["RCPT TO", "552 5.2.3 message exceeds the limit", "refused"],
  ["DATA", "550 Administrative prohibition", "refused"],
  ["DATA", "554 5.7.1 Spam message rejected", "refused"],
  ["DATA", "552 5.3.4 Message size exceeds fixed limit", "refused"],
  // Not about one mail at all.
  ["MAIL FROM", "550 5.1.1 no such user", "later"],
  ["AUTH PLAIN", "535 5.7.8 authentication failed", "later"],
  ["CONN", "554 5.7.1 go away", "later"],
  ["RCPT TO", "450 4.2.0 greylisted", "later"],
  ["DATA", "452 4.2.2 mailbox full", "later"],
];

test("tells a mailbox that takes no mail from a refused mail, a refused sender and a server that says later", () => {
  const told = REPLIES.map(([command, text]) => {
    const reply = { command, code: Number(text.slice(0, 3)), text };
    return [command, text, isMailboxRefusal(reply) ? "mailbox" : isRefusal(reply) ? "refused" : "later"];
  });
  expect(told).toEqual(REPLIES.map((row) => [...row]));
});
