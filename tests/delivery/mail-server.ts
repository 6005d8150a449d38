import { type AddressInfo, createServer } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { authority } from "./receiver.ts";

export interface ReceivedMail {
  to: string[];
  from: string;
  isSecure: boolean;
  user: unknown;
  raw: string;
  /** Unfolded headers by lower-case name. */
  headers: Record<string, string>;
  text: string;
  /** Time of arrival on the system clock, in ms. */
  at: number;
}

export interface MailServer extends AsyncDisposable {
  port: number;
  taken: ReceivedMail[];
  /** Replies to RCPT TO by email address, as a code or a full line ("550 5.1.1 no such user"). */
  refusals: Map<string, number | string>;
  /** Replies to the mail data by email address. */
  dataRefusals: Map<string, string>;
}

/** A real SMTP server on loopback, with a certificate of the test's authority. */
export async function mailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const { cert, key } = await (await authority()).issue(["localhost", "127.0.0.1"]);
  const taken: ReceivedMail[] = [];
  const refusals: MailServer["refusals"] = new Map();
  const dataRefusals: MailServer["dataRefusals"] = new Map();
  const server = new SMTPServer({
    cert,
    key,
    authOptional: true,
    disableReverseLookup: true,
    // The mailer keeps a connection open for the next email. Closing the server ends that connection at once.
    closeTimeout: 1,
    onAuth: ({ username, password }, _, done) =>
      password === "s3cret:/" ? done(null, { user: username }) : done(new Error("no such user")),
    onRcptTo({ address }, _, done) {
      const reply = refusals.get(address);
      done(reply === undefined ? null : refusalOf(typeof reply === "string" ? reply : `${reply} not taken`));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const reply = dataRefusals.get(rcptTo[0]?.address ?? "");
        if (reply !== undefined) return done(refusalOf(reply));
        taken.push({
          to: rcptTo.map(({ address }) => address),
          from: mailFrom ? mailFrom.address : "",
          isSecure: session.secure,
          user: session.user,
          at: Date.now(),
          ...read(Buffer.concat(chunks).toString("latin1")),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  return {
    port: (server.server.address() as AddressInfo).port,
    taken,
    refusals,
    dataRefusals,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusalOf(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}

/** A server that sends its reply to MAIL FROM slowly and never finishes it. */
export function drippingServer(): Disposable & { port: number; drips: number } {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.write("220 mail.test\r\n");
    socket.on("data", (line) => {
      if (!/^MAIL/i.test(line.toString())) return void socket.write("250 mail.test\r\n");
      const dripping = setInterval(() => {
        socket.write("250-wait\r\n");
        created.drips++;
      }, 5);
      socket.on("close", () => clearInterval(dripping));
      open.push(socket);
    });
  }).listen(0, "127.0.0.1");
  const open: { destroy(): void }[] = [];
  const created = {
    port: (server.address() as AddressInfo).port,
    drips: 0,
    [Symbol.dispose]() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
  return created;
}

function read(raw: string): Pick<ReceivedMail, "raw" | "headers" | "text"> {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const headers = headersOf(head);
  const boundary = /boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1] ?? "-";
  const part = rest.join("\r\n\r\n").split(`--${boundary}`)[1] ?? "";
  const [partHead = "", ...body] = part.trimStart().split("\r\n\r\n");
  const coding = headersOf(partHead)["content-transfer-encoding"] ?? "";
  return { raw, headers, text: decode(body.join("\r\n\r\n"), coding) };
}

function headersOf(head: string): Record<string, string> {
  return Object.fromEntries(
    head
      .replaceAll(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim(),
      ]),
  ) as Record<string, string>;
}

function decode(body: string, coding: string): string {
  if (coding === "base64") return Buffer.from(body, "base64").toString();
  if (coding !== "quoted-printable") return body;
  const bytes = body
    .replaceAll(/=\r\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
