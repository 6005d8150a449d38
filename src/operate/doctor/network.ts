import { isIP } from "node:net";
import { connect } from "node:tls";
import { SECOND } from "../../core/base/clock.ts";
import { codeOf, messageOf } from "./format.ts";

/** What came back from an address. */
export interface Answer {
  status: number;
  /** Its beginning. */
  text: string;
  /** What its `Date` says; undefined where it says nothing. */
  date: number | undefined;
}

/** Why nothing came back. */
export interface NoAnswer {
  code: string;
  says: string;
}

/** A certificate as a browser is shown it. */
export interface ShownCertificate {
  pem: string;
  /** Why nobody vouches for it, in the word of the library; undefined where somebody does. */
  untrusted: string | undefined;
}

export interface GetOptions {
  headers?: Readonly<Record<string, string>>;
  /** Whether the certificate has to be one that browsers believe; it does, if nothing is said. */
  isVerified?: boolean;
}

/** What is asked of others: each address once, as more than one look may want to know. */
export interface Network {
  get(url: string, asking?: GetOptions): Promise<Answer | NoAnswer>;
  /** What a server shows; undefined where none answers there. */
  certificate(host: string, port: number): Promise<ShownCertificate | undefined>;
  /** Whether the system says that its clock is kept right by others; undefined where it says nothing. */
  isSynchronised(): Promise<boolean | undefined>;
}

export function isAnswer(got: Answer | NoAnswer): got is Answer {
  return "status" in got;
}

const ANSWER_MS = 5 * SECOND;
const SYSTEM_MS = 2 * SECOND;
const TEXT_MAX = 512 * 1024;
/** Of all values only this one, which the types do not know, keeps the environment's proxies out. */
const NO_PROXY = false as unknown as string;

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ConnectionRefused: "connection refused",
  ECONNRESET: "connection closed",
  ENOTFOUND: "unknown host name",
};

export function openNetwork(): Network {
  const asked = new Map<string, Promise<Answer | NoAnswer>>();
  let synchronised: Promise<boolean | undefined> | undefined;
  return {
    get(url, asking = {}) {
      const known = asked.get(url) ?? ask(url, asking);
      asked.set(url, known);
      return known;
    },
    certificate: askCertificate,
    isSynchronised: () => (synchronised ??= askSystem()),
  };
}

async function ask(url: string, { headers = {}, isVerified = true }: GetOptions): Promise<Answer | NoAnswer> {
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: { ...headers, connection: "close" },
      redirect: "manual",
      proxy: NO_PROXY,
      tls: { rejectUnauthorized: isVerified },
    });
    const date = Date.parse(answer.headers.get("date") ?? "");
    return {
      status: answer.status,
      text: await beginningOf(answer),
      date: Number.isNaN(date) ? undefined : date,
    };
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError")
      return { code: "TimeoutError", says: `no answer within ${ANSWER_MS / SECOND} s` };
    const code = codeOf(error);
    return { code, says: WORDS[code] ?? messageOf(error) };
  }
}

/** What answers there may be anybody's, and without an end. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > TEXT_MAX) break;
  }
  // A single piece may be as large as whoever sends it likes.
  return text.slice(0, TEXT_MAX);
}

function askCertificate(host: string, port: number): Promise<ShownCertificate | undefined> {
  const { promise, resolve } = Promise.withResolvers<ShownCertificate | undefined>();
  const servername = isIP(host) === 0 ? host : "";
  const socket = connect({ host, port, servername, rejectUnauthorized: false, timeout: ANSWER_MS }, () => {
    const { raw } = socket.getPeerCertificate() as { raw?: Buffer };
    const pem = raw && `-----BEGIN CERTIFICATE-----\n${raw.toString("base64")}\n-----END CERTIFICATE-----\n`;
    const untrusted = socket.authorized ? undefined : String(socket.authorizationError);
    resolve(pem === undefined ? undefined : { pem, untrusted });
    socket.destroy();
  });
  socket.on("timeout", () => socket.destroy());
  socket.on("error", () => resolve(undefined));
  socket.on("close", () => resolve(undefined));
  return promise;
}

/** systemd asks the kernel, which whoever keeps the clock tells (adjtimex(2), STA_UNSYNC). */
async function askSystem(): Promise<boolean | undefined> {
  const command = Bun.which("timedatectl");
  if (command === null) return undefined;
  const child = Bun.spawn([command, "show", "--property=NTPSynchronized", "--value"], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: SYSTEM_MS,
  });
  const text = (await new Response(child.stdout).text()).trim();
  await child.exited;
  return text === "yes" ? true : text === "no" ? false : undefined;
}
