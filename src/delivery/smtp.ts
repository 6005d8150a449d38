import type { Readable } from "node:stream";
import { rootCertificates } from "node:tls";
import type { Logger } from "pino";
import MailComposer from "nodemailer/lib/mail-composer";
import { encodeWord } from "nodemailer/lib/mime-funcs";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { SECOND } from "../core/ground/clock.ts";
import type { MailEnd } from "../core/identity/mail/queue.ts";
import { isMailboxRefusal, isRefusal, type Reply } from "./smtp-replies.ts";
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

/** How long the server may be silent, and how long one mail may take. */
export interface MailTimes {
  silentMs: number;
  handedOverMs: number;
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
export function createMailer(
  rules: MailRules,
  log: Logger,
  { silentMs, handedOverMs }: MailTimes = { silentMs: SILENT_MS, handedOverMs: HANDED_OVER_MS },
): SendMail {
  return async function send(letter) {
    const { smtpUrl, smtpCa, mailFrom } = rules;
    if (smtpUrl === undefined || mailFrom === undefined) return { kind: "later" };
    const options = { ...transportOptions(smtpUrl, smtpCa), socketTimeout: silentMs };
    const dialogue = createDialogue(options, handedOverMs);
    try {
      await dialogue.signIn();
      const message = compose(letter, mailFrom);
      await dialogue.send(message.getEnvelope(), message.createReadStream());
      return { kind: "sent" };
    } catch (err) {
      const { code, reply } = partsOf(err);
      const end = endOf(reply, dialogue.isSignedIn(), letter.to);
      // Whose mail it is, and what the server said of them, stays out of the log.
      log.warn(
        { code, command: reply.command, responseCode: reply.code },
        isRefusal(reply) ? "a mail was refused" : "a mail could not be sent",
      );
      return end;
    } finally {
      dialogue.close();
    }
  };
}

function compose({ from, to, messageId, date, text }: Letter, mailFrom: string) {
  const { unsubscribe } = text;
  const forms = formsOfMail(text);
  return new MailComposer({
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
    // Of a mail nothing is read from elsewhere.
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
}

/**
 * Names the end of a mail that was not sent. Failures before the server accepted the sign-in, and its replies to the
 * sender, concern every mail. A server that falls silent or hangs up later may do so because of this recipient.
 */
function endOf(reply: Reply, isSignedIn: boolean, address: string): MailEnd {
  if (isMailboxRefusal(reply)) return { kind: "bounced", address };
  if (isRefusal(reply)) return { kind: "refused" };
  const isAboutSender = reply.command === "MAIL FROM" && reply.code > 0;
  return { kind: isSignedIn && !isAboutSender ? "later" : "unreachable" };
}

/** One connection for one mail. nodemailer's own transport does not say whether it failed before or after the sign-in. */
interface Dialogue {
  /** Connects, and signs in if the server asks for it. */
  signIn(): Promise<void>;
  send(envelope: SMTPConnection.Envelope, message: Readable): Promise<void>;
  isSignedIn(): boolean;
  close(): void;
}

/** `withinMs` bounds the whole dialogue. */
function createDialogue(options: ReturnType<typeof transportOptions>, withinMs: number): Dialogue {
  const connection: SMTPConnection & { allowsAuth?: boolean } = new SMTPConnection(options);
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  lost.catch(() => {});
  connection.on("error", lose);
  const limit = setTimeout(() => lose(Object.assign(new Error("too slow"), { code: TOO_SLOW })), withinMs);
  let isSignedIn = false;

  function step(run: (done: (err?: Error | null) => void) => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    run((err) => (err ? reject(err) : resolve()));
    return Promise.race([promise, lost]);
  }

  return {
    async signIn() {
      await step((done) => connection.connect(done));
      const { auth } = options;
      if (auth && connection.allowsAuth) await step((done) => connection.login({ credentials: auth }, done));
      isSignedIn = true;
    },
    send: (envelope, message) => step((done) => connection.send(envelope, message, done)),
    isSignedIn: () => isSignedIn,
    close() {
      clearTimeout(limit);
      connection.close();
    },
  };
}

/** Whether mail programs would decode words of a text that nodemailer leaves as it is (RFC 2047), also within quotes. */
function looksEncoded(text: string): boolean {
  return text.includes("=?");
}

/** What opens a connection: with TLS always, but to this machine itself. */
export function transportOptions(smtpUrl: string, ca: string | undefined) {
  const { username, password } = new URL(smtpUrl);
  const address = addressOfServer(smtpUrl);
  return {
    ...address,
    requireTLS: !isThisMachine(address.host),
    ...(username === ""
      ? { auth: undefined }
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    tls: { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    dnsTimeout: CONNECT_MS,
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
