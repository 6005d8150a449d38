import { rootCertificates } from "node:tls";
import type { Logger } from "pino";
import { encodeWord } from "nodemailer/lib/mime-funcs";
import { createTransport, type Transporter } from "nodemailer";
import { SECOND } from "../core/ground/clock.ts";
import type { MailEnd } from "../core/identity/mail/queue.ts";
import { isAboutMail, isMailboxRefusal, isRefusal, type Reply } from "./smtp-replies.ts";
import { addressOfServer } from "./mail-server.ts";
import { formsOfMail, type MailText } from "./mail-text.ts";

export interface MailRules {
  /** `smtp://` with STARTTLS, or `smtps://`; undefined where no mail is sent. */
  readonly smtpUrl?: string | undefined;
  /** A PEM text trusted beside the authorities that the program knows. */
  readonly smtpCa?: string | undefined;
  readonly mailFrom?: string | undefined;
}

/** A mail as it is handed to the server. */
export interface Letter {
  /** Whom it is from: what the community is called. */
  from: string;
  to: string;
  messageId: string;
  /** When it was put on its way, in ms since the epoch. */
  date: number;
  text: MailText;
}

export type SendMail = (letter: Letter) => Promise<MailEnd>;

const CONNECT_MS = 10 * SECOND;
const SILENT_MS = 30 * SECOND;
/** A server that answers by drips is never silent. A stop waits for what is under way, and is waited for 75 seconds. */
const HANDED_OVER_MS = 40 * SECOND;
/** Of one encoded word in a header (RFC 2047 §2). */
const ENCODED_MAX = 75;
const TOO_SLOW = "ETOOSLOW";

/** Hands mails to the operator's server. Never throws. The rules are read at each mail: a reload changes them. */
export function createMailer(rules: MailRules, log: Logger, withinMs: number = HANDED_OVER_MS): SendMail {
  let made: { by: string; transport: Transporter } | undefined;
  return async function send({ from, to, messageId, date, text }) {
    const { smtpUrl, smtpCa, mailFrom } = rules;
    if (smtpUrl === undefined || mailFrom === undefined) return { kind: "later" };
    const by = `${smtpUrl} ${smtpCa ?? ""}`;
    if (made?.by !== by) {
      made?.transport.close();
      made = { by, transport: createTransport(transportOptions(smtpUrl, smtpCa)) };
    }
    const { unsubscribe } = text;
    const forms = formsOfMail(text);
    try {
      const handed = made.transport.sendMail({
        // A letter beyond ASCII has nodemailer encode the name as a whole; nobody sees this one.
        from: { name: looksEncoded(from) ? `${from}\u2060` : from, address: mailFrom },
        to: { name: "", address: to },
        envelope: { from: mailFrom, to },
        messageId,
        date: new Date(date),
        ...forms,
        subject: looksEncoded(forms.subject) ? encodeWord(forms.subject, "B", ENCODED_MAX) : forms.subject,
        headers: {
          // No answer of a machine is wanted (RFC 3834 §5).
          "Auto-Submitted": "auto-generated",
          "Content-Language": text.language,
          ...(unsubscribe && {
            "List-Unsubscribe": `<${unsubscribe.href}>`,
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          }),
        },
      });
      await within(withinMs, handed);
      return { kind: "sent" };
    } catch (err) {
      const { code, reply } = partsOf(err);
      const end = endOf(code, reply, to);
      // Whose mail it is, and what the server said of them, stays out of the log.
      log.warn(
        { code, command: reply.command, responseCode: reply.code },
        isRefusal(reply) ? "a mail was refused" : "a mail could not be sent",
      );
      return end;
    }
  };
}

/** Only a reply to the recipient or the text is about this mail. All before it concerns every mail. */
function endOf(code: string, reply: Reply, address: string): MailEnd {
  if (isMailboxRefusal(reply)) return { kind: "bounced", address };
  if (isRefusal(reply)) return { kind: "refused" };
  return { kind: isAboutMail(reply) || code === TOO_SLOW ? "later" : "unreachable" };
}

/** Whether mail programs would decode words of a text that nodemailer leaves as it is (RFC 2047), also within quotes. */
function looksEncoded(text: string): boolean {
  return text.includes("=?");
}

/** Throws where it takes longer; what then comes of it is nobody's any more. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const limit = setTimeout(() => reject(Object.assign(new Error("too slow"), { code: TOO_SLOW })), ms);
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(limit);
  }
}

/** What opens a connection: with TLS always, but to this machine itself. */
export function transportOptions(smtpUrl: string, ca: string | undefined) {
  const { username, password } = new URL(smtpUrl);
  const address = addressOfServer(smtpUrl);
  return {
    ...address,
    requireTLS: !isThisMachine(address.host),
    ...(username === ""
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    tls: { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    dnsTimeout: CONNECT_MS,
    // Of a mail nothing is read from elsewhere.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host);
}

function partsOf(err: unknown): { code: string; reply: Reply } {
  const parts = (typeof err === "object" && err !== null ? err : {}) as Record<string, unknown>;
  const textOf = (name: string): string => (typeof parts[name] === "string" ? parts[name] : "");
  const { responseCode } = parts;
  const code = typeof responseCode === "number" ? responseCode : 0;
  return {
    code: textOf("code") || "unknown",
    reply: { command: textOf("command"), code, text: textOf("response") },
  };
}
