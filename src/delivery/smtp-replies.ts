/** A reply of the mail server, with the command that it answers. */
export interface Reply {
  command: string;
  code: number;
  text: string;
}

/** Codes for mailbox errors, in replies without an enhanced status code (RFC 5321 §4.2.3). */
const MAILBOX_CODES: ReadonlySet<number> = new Set([550, 551, 552, 553]);
/**
 * Enhanced status codes about the recipient's address or mailbox (RFC 3463 §3.2, §3.3). Excludes codes about
 * the sender (5.1.7, 5.1.8), the mail's size (5.2.3) and unspecified errors (5.2.0).
 */
const MAILBOX_STATUS = /^5\.(?:1\.(?![78]$)|2\.(?![03]$))\d{1,3}$/;
/**
 * Enhanced status code for “Mailbox full”. This code reports the size limit of the mailbox, not a rate limit.
 */
const MAILBOX_FULL = "5.2.2";
/** Terms in replies about rate limits, either of the operator's account or of the recipient. */
const RATE_TERMS = /\b(?:rate|limit\w*|too many|too quickly|per (?:second|minute|hour|day))\b/i;
/**
 * Terms in replies without a specific code. These terms mean that the operator's account is not allowed to
 * send, or not allowed to send to other domains.
 */
const OPERATOR_TERMS =
  /\b(?:sender|envelope from|relay|relaying|authenticat\w*|quota|spam\w*|reputation|block\w*|blacklist\w*|dnsbl|policy)\b/i;
/** Commands whose replies are about one email, not about all emails of this sender. */
const COMMANDS: ReadonlySet<string> = new Set(["RCPT TO", "DATA"]);

/**
 * Whether the server will never accept this email. A refusal of an earlier command is not final, because the
 * operator can fix its cause, such as a wrong password.
 */
export function isRefusal({ code, command }: Reply): boolean {
  return code >= 500 && COMMANDS.has(command);
}

/**
 * Whether the mailbox does not accept mail, regardless of this email and this sender. A reply to DATA needs
 * an enhanced status code. Otherwise a filter may have rejected text that another member wrote.
 */
export function isMailboxRefusal(reply: Reply): boolean {
  if (!isRefusal(reply)) return false;
  const status = statusOf(reply.text);
  const terms = textWithoutAddresses(reply.text);
  if (status !== MAILBOX_FULL && RATE_TERMS.test(terms)) return false;
  // Postfix uses 5.1.0 for errors of the sender. Other servers use 5.1.0 for errors of the recipient.
  if ((status === undefined || status === "5.1.0") && OPERATOR_TERMS.test(terms)) return false;
  if (status !== undefined) return MAILBOX_STATUS.test(status);
  return reply.command === "RCPT TO" && MAILBOX_CODES.has(reply.code);
}

/**
 * Returns the reply's text without email addresses, because user names in addresses could match the terms.
 */
function textWithoutAddresses(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => !word.includes("@"))
    .join(" ");
}

/**
 * Returns the enhanced status code of a reply. For example, both `550 5.1.1 no such user` and qmail's `550 no
 * such user (#5.1.1)` return `5.1.1`.
 */
function statusOf(text: string): string | undefined {
  return (/^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(text) ?? /#(5\.\d{1,3}\.\d{1,3})\b/.exec(text))?.[1];
}
