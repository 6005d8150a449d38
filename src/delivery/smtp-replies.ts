/** A reply of the mail server and the command it belongs to. */
export interface Reply {
  command: string;
  code: number;
  text: string;
}

/** Mailbox errors in replies without an enhanced status code (RFC 5321 §4.2.3). */
const MAILBOX_CODES: ReadonlySet<number> = new Set([550, 551, 552, 553]);
/**
 * Enhanced status codes about the recipient's address or mailbox (RFC 3463 §3.2, §3.3). Excludes codes about
 * the sender (5.1.7, 5.1.8), the mail's size (5.2.3) and unspecified errors (5.2.0).
 */
const MAILBOX_STATUS = /^5\.(?:1\.(?![78]$)|2\.(?![03]$))\d{1,3}$/;
/** “Mailbox full”, a limit of the mailbox itself. */
const MAILBOX_FULL = "5.2.2";
/** Terms about rate limits of the operator or of the recipient. */
const RATE_TERMS = /\b(?:rate|limit\w*|too many|too quickly|per (?:second|minute|hour|day))\b/i;
/** Terms of servers without specific codes: the operator's account may not send, or not to others. */
const OPERATOR_TERMS =
  /\b(?:sender|envelope from|relay|relaying|authenticat\w*|quota|spam\w*|reputation|block\w*|blacklist\w*|dnsbl|policy)\b/i;
/** Commands whose replies are about one mail, not about everything this sender sends. */
const COMMANDS: ReadonlySet<string> = new Set(["RCPT TO", "DATA"]);

/**
 * Whether the server will never accept this mail. The operator can fix earlier refusals, such as a wrong
 * password.
 */
export function isRefusal({ code, command }: Reply): boolean {
  return code >= 500 && COMMANDS.has(command);
}

/**
 * Whether the mailbox does not accept mail, regardless of this mail and this sender. At DATA this requires an
 * enhanced status code, because a filter may have rejected text of another member.
 */
export function isMailboxRefusal(reply: Reply): boolean {
  if (!isRefusal(reply)) return false;
  const status = statusOf(reply.text);
  const terms = textWithoutAddresses(reply.text);
  if (status !== MAILBOX_FULL && RATE_TERMS.test(terms)) return false;
  // Postfix uses 5.1.0 for senders, other servers use it for recipients.
  if ((status === undefined || status === "5.1.0") && OPERATOR_TERMS.test(terms)) return false;
  if (status !== undefined) return MAILBOX_STATUS.test(status);
  return reply.command === "RCPT TO" && MAILBOX_CODES.has(reply.code);
}

/** Returns the text without mail addresses, because user names could match the terms. */
function textWithoutAddresses(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => !word.includes("@"))
    .join(" ");
}

/** Returns `5.1.1` for `550 5.1.1 no such user` and for qmail's `550 no such user (#5.1.1)`. */
function statusOf(text: string): string | undefined {
  return (/^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(text) ?? /#(5\.\d{1,3}\.\d{1,3})\b/.exec(text))?.[1];
}
