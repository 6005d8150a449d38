/** What the mail server answered, and to which command. */
export interface Reply {
  command: string;
  code: number;
  text: string;
}

/** Replies of a mailbox where no enhanced status code says more (RFC 5321 §4.2.3). */
const MAILBOX_CODES: ReadonlySet<number> = new Set([550, 551, 552, 553]);
/**
 * Of the recipient's address or mailbox (RFC 3463 §3.2, §3.3): not of the sender (5.1.7, 5.1.8), nor of the
 * mail's size (5.2.3), nor of anything at all (5.2.0).
 */
const MAILBOX_STATUS = /^5\.(?:1\.(?![78]$)|2\.(?![03]$))\d{1,3}$/;
/** A full mailbox is the mailbox's own limit. */
const MAILBOX_FULL = "5.2.2";
/** Words about how much the operator sends, or the member is sent. */
const RATES = /\b(?:rate|limit\w*|too many|too quickly|per (?:second|minute|hour|day))\b/i;
/**
 * Words of servers that send no code of their own for it: the operator's account may not send, or not to
 * others.
 */
const OPERATORS =
  /\b(?:sender|envelope from|relay|relaying|authenticat\w*|quota|spam\w*|reputation|block\w*|blacklist\w*|dnsbl|policy)\b/i;
/** Replies to these are about one mail, and not about all that this sender sends. */
const COMMANDS: ReadonlySet<string> = new Set(["RCPT TO", "DATA"]);

/**
 * Whether the server never takes this mail. What it refuses before, as a password, the operator can correct.
 */
export function isRefusal({ code, command }: Reply): boolean {
  return code >= 500 && COMMANDS.has(command);
}

/**
 * Whether it is the mailbox that takes no mail, and not this mail or this sender. At DATA an enhanced status
 * code has to say so: there a filter may have refused words that another member wrote.
 */
export function isMailboxRefusal(reply: Reply): boolean {
  if (!isRefusal(reply)) return false;
  const status = statusOf(reply.text);
  const words = wordsOf(reply.text);
  if (status !== MAILBOX_FULL && RATES.test(words)) return false;
  // Postfix says 5.1.0 of senders, others of recipients.
  if ((status === undefined || status === "5.1.0") && OPERATORS.test(words)) return false;
  if (status !== undefined) return MAILBOX_STATUS.test(status);
  return reply.command === "RCPT TO" && MAILBOX_CODES.has(reply.code);
}

/** The text without mail addresses: what members are called says nothing. */
function wordsOf(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => !word.includes("@"))
    .join(" ");
}

/** `5.1.1` of `550 5.1.1 no such user`, and of `550 no such user (#5.1.1)` as qmail has it. */
function statusOf(text: string): string | undefined {
  return (/^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(text) ?? /#(5\.\d{1,3}\.\d{1,3})\b/.exec(text))?.[1];
}
