import { isIP } from "node:net";
import { connect } from "node:tls";
import { SECOND } from "../../core/base/clock.ts";
import { codeOf, messageOf } from "./format.ts";

export interface Answer {
  status: number;
  /** The first `TEXT_MAX` characters of the body. */
  text: string;
  /** Time of the `Date` header; undefined without one. */
  date: number | undefined;
}

export interface NoAnswer {
  code: string;
  reason: string;
}

export interface ShownCertificate {
  pem: string;
  /** Why browsers do not trust the certificate, as the library's error code. Undefined if they trust it. */
  untrusted: string | undefined;
}

export interface GetOptions {
  headers?: Readonly<Record<string, string>>;
  /** Whether the certificate must be trusted. Default: true. */
  isVerified?: boolean;
}

/**
 * Requests to other servers. Each URL is requested only once, because several checks may need the same
 * response.
 */
export interface Network {
  get(url: string, options?: GetOptions): Promise<Answer | NoAnswer>;
  /** Returns the certificate of a server, or undefined if no server answers. */
  certificate(host: string, port: number): Promise<ShownCertificate | undefined>;
  /** Whether the system reports that its clock is synchronized. Undefined if unknown. */
  isSynchronised(): Promise<boolean | undefined>;
}

export function isAnswer(response: Answer | NoAnswer): response is Answer {
  return "status" in response;
}

const ANSWER_MS = 5 * SECOND;
const SYSTEM_MS = 2 * SECOND;
const TEXT_MAX = 512 * 1024;
/**
 * Option of `fetch` that ignores the proxies of the environment. Only `false` does this, and Bun's types do
 * not allow `false`.
 */
const NO_PROXY = false as unknown as string;

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ConnectionRefused: "connection refused",
  ECONNRESET: "connection closed",
  ENOTFOUND: "unknown host name",
};

export function openNetwork(): Network {
  const asked = new Map<string, Promise<Answer | NoAnswer>>();
  let synchronised: Promise<boolean | undefined> | undefined;
  return {
    get(url, options = {}) {
      const known = asked.get(url) ?? ask(url, options);
      asked.set(url, known);
      return known;
    },
    certificate: fetchCertificate,
    isSynchronised: () => (synchronised ??= readClockSync()),
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
      return { code: "TimeoutError", reason: `no answer within ${ANSWER_MS / SECOND} s` };
    const code = codeOf(error);
    return { code, reason: ERROR_TEXTS[code] ?? messageOf(error) };
  }
}

/** Reads at most `TEXT_MAX` characters. The server may be a stranger's, and its response may never end. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > TEXT_MAX) break;
  }
  // Cuts the text, because a single chunk may be longer than the limit.
  return text.slice(0, TEXT_MAX);
}

function fetchCertificate(host: string, port: number): Promise<ShownCertificate | undefined> {
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

/**
 * Asks systemd, which reads the kernel's state. The time service sets that state (adjtimex(2), STA_UNSYNC).
 */
async function readClockSync(): Promise<boolean | undefined> {
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
