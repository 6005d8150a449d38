import type { Readable } from "node:stream";
import { rootCertificates } from "node:tls";
import type { Logger } from "pino";
import MailComposer from "nodemailer/lib/mail-composer";
import { encodeWord } from "nodemailer/lib/mime-funcs";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { SECOND } from "../core/base/clock.ts";
import type { MailEnd } from "../core/identity/mail/queue.ts";
import { isMailboxRefusal, isRefusal, type Reply } from "./smtp-replies.ts";
import { addressOfServer } from "./mail-server.ts";
import { formsOfMail, type MailText } from "./mail-text.ts";

export interface MailRules {
  /**
   * URL of the mail server: `smtp://` with STARTTLS, or `smtps://`. `undefined` if the server sends no mail.
   */
  readonly smtpUrl?: string | undefined;
  /** CA certificates in PEM, trusted in addition to the built-in authorities. */
  readonly smtpCa?: string | undefined;
  readonly mailFrom?: string | undefined;
}

/** One mail to send. */
export interface OutgoingMail {
  /** Sender name: the community's name. */
  from: string;
  to: string;
  messageId: string;
  /** When the mail was queued, in ms since the epoch. */
  date: number;
  text: MailText;
}

/**
 * Timeouts: the longest silence of the server (`silentMs`), and the longest time for one email (`sendMaxMs`).
 */
export interface MailTimes {
  silentMs: number;
  sendMaxMs: number;
}

export type SendMail = (mail: OutgoingMail) => Promise<MailEnd>;

const CONNECT_MS = 10 * SECOND;
const SILENT_MS = 30 * SECOND;
/** Longest time for one email, in ms. This limit stops servers that respond slowly but are never silent. */
const SEND_MAX_MS = 40 * SECOND;
/**
 * How long an idle connection is kept for the next email, in ms. The queue needs up to this time to provide
 * the next email.
 */
const IDLE_MS = SECOND / 2;
/** Maximum number of emails per connection, because servers limit this number. */
const MAILS_PER_CONNECTION = 50;
/** Maximum length of one encoded word in a header, in characters (RFC 2047 §2). */
const ENCODED_MAX = 75;
const TOO_SLOW = "ETOOSLOW";

/**
 * Creates a function that sends emails through the operator's server and never throws. The function reads the
 * rules for each email, because a reload changes them. A connection is kept for a short time, so that a
 * series of emails needs only one sign-in.
 */
export function createMailer(
  rules: MailRules,
  log: Logger,
  { silentMs, sendMaxMs }: MailTimes = { silentMs: SILENT_MS, sendMaxMs: SEND_MAX_MS },
): SendMail {
  const idle: Dialogue[] = [];

  /**
   * Returns a kept connection to the same server that still responds. Otherwise returns a new connection that
   * is not signed in.
   */
  async function open(options: TransportOptions): Promise<Dialogue> {
    const by = JSON.stringify(options);
    for (let dialogue = idle.pop(); dialogue; dialogue = idle.pop()) {
      dialogue.startTimeout(sendMaxMs);
      if (dialogue.by === by && (await dialogue.isAnswering())) return dialogue;
      dialogue.close();
    }
    const dialogue = createDialogue(options, by);
    dialogue.startTimeout(sendMaxMs);
    return dialogue;
  }

  function keepOpen(dialogue: Dialogue): void {
    idle.push(dialogue);
    dialogue.pause(IDLE_MS, () => {
      const at = idle.indexOf(dialogue);
      if (at >= 0) idle.splice(at, 1);
    });
  }

  return async function send(mail) {
    const { smtpUrl, smtpCa, mailFrom } = rules;
    if (smtpUrl === undefined || mailFrom === undefined) return { kind: "later" };
    const dialogue = await open({ ...transportOptions(smtpUrl, smtpCa), socketTimeout: silentMs });
    try {
      if (!dialogue.isSignedIn()) await dialogue.signIn();
      const message = compose(mail, mailFrom);
      await dialogue.send(message.getEnvelope(), message.createReadStream());
      if (dialogue.sent() < MAILS_PER_CONNECTION) keepOpen(dialogue);
      else dialogue.close();
      return { kind: "sent" };
    } catch (err) {
      dialogue.close();
      const { code, reply } = partsOf(err);
      const end = endOf(reply, dialogue, mail.to);
      // The log omits the recipient and the server's text about the recipient.
      log.warn(
        { code, command: reply.command, responseCode: reply.code },
        isRefusal(reply) ? "mail refused" : "mail not sent",
      );
      return end;
    }
  };
}

function compose({ from, to, messageId, date, text }: OutgoingMail, mailFrom: string) {
  const { unsubscribe } = text;
  const forms = formsOfMail(text);
  return new MailComposer({
    // The word joiner is an invisible non-ASCII character. Any non-ASCII character makes nodemailer encode
    // the whole name.
    from: { name: looksEncoded(from) ? `${from}\u2060` : from, address: mailFrom },
    to: { name: "", address: to },
    envelope: { from: mailFrom, to },
    messageId,
    date: new Date(date),
    ...forms,
    subject: looksEncoded(forms.subject) ? encodeWord(forms.subject, "B", ENCODED_MAX) : forms.subject,
    headers: {
      // Asks receivers not to send automatic replies (RFC 3834 §5).
      "Auto-Submitted": "auto-generated",
      "Content-Language": text.language,
      ...(unsubscribe && {
        "List-Unsubscribe": `<${unsubscribe.href}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
    // The content of an email must not make nodemailer read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
}

/**
 * Returns the result of an email that was not sent. Failures before the sign-in, and replies to `MAIL FROM`,
 * affect every email. After the sign-in, silence or a lost connection may be caused by one recipient. If
 * emails were already sent on this connection, a reply to `MAIL FROM` may only mean that the connection has
 * sent enough.
 */
function endOf(reply: Reply, dialogue: Dialogue, address: string): MailEnd {
  if (isMailboxRefusal(reply)) return { kind: "bounced", address };
  if (isRefusal(reply)) return { kind: "refused" };
  const isAboutSender = reply.command === "MAIL FROM" && reply.code > 0 && dialogue.sent() === 0;
  return { kind: dialogue.isSignedIn() && !isAboutSender ? "later" : "unreachable" };
}

/**
 * One SMTP connection. nodemailer's own transport is not used, because it does not report whether a failure
 * happened before or after the sign-in.
 */
interface Dialogue {
  /** Options of the connection, as JSON. */
  by: string;
  /** Connects, and signs in if the server requires it. */
  signIn(): Promise<void>;
  send(envelope: SMTPConnection.Envelope, message: Readable): Promise<void>;
  isSignedIn(): boolean;
  /** Whether the server still responds to commands. */
  isAnswering(): Promise<boolean>;
  /** Number of emails the server accepted on this connection. */
  sent(): number;
  /** Starts a timeout of `withinMs` ms, which ends at `pause` or `close`. */
  startTimeout(withinMs: number): void;
  /** Closes the connection after `ms` unless `startTimeout` is called before. */
  pause(ms: number, closed: () => void): void;
  close(): void;
}

function createDialogue(options: TransportOptions, by: string): Dialogue {
  const connection: SMTPConnection & { allowsAuth?: boolean } = new SMTPConnection(options);
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  lost.catch(() => {});
  connection.on("error", lose);
  connection.on("end", () => lose(new Error("the server hung up")));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSignedIn = false;
  let sent = 0;

  function step(run: (done: (err?: Error | null) => void) => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    run((err) => (err ? reject(err) : resolve()));
    return Promise.race([promise, lost]);
  }

  function close(): void {
    clearTimeout(timer);
    connection.close();
  }

  return {
    by,
    async signIn() {
      await step((done) => connection.connect(done));
      const { auth } = options;
      if (auth && connection.allowsAuth) await step((done) => connection.login({ credentials: auth }, done));
      isSignedIn = true;
    },
    async send(envelope, message) {
      await step((done) => connection.send(envelope, message, done));
      sent++;
    },
    isSignedIn: () => isSignedIn,
    isAnswering: () =>
      step((done) => connection.reset(done)).then(
        () => true,
        () => false,
      ),
    sent: () => sent,
    startTimeout(withinMs) {
      clearTimeout(timer);
      const late = Object.assign(new Error("too slow"), { code: TOO_SLOW });
      timer = setTimeout(() => lose(late), withinMs);
    },
    pause(ms, closed) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        close();
        closed();
      }, ms);
    },
    close,
  };
}

/**
 * Whether a text contains a part that mail programs decode although nodemailer did not encode it (RFC 2047).
 * Mail programs decode such parts within quotes too.
 */
function looksEncoded(text: string): boolean {
  return text.includes("=?");
}

type TransportOptions = ReturnType<typeof transportOptions>;

/** Returns the connection options. TLS is required, except for a server on this machine. */
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
