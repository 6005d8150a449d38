import { createHash } from "node:crypto";
import type { Caller } from "../core/identity/access/caller.ts";
import { authenticateApp } from "../core/delegation/apps/app-caller.ts";
import type { Core } from "../core/base/core.ts";
import type { RequestContext } from "../http/context.ts";

/**
 * Who pays for a request of an app: the app itself where it has proved itself, at its own rate, as one server
 * of its may ask for thousands of people; else the address, so that guessing a secret stays slow
 * (docs/threats.md#D04). Whether the request is good for anything is for the library to say, which looks at
 * the credentials again.
 */
export interface ChargedCaller {
  /**
   * Before the body is read, by the header. One that never worked is not looked up once the address has
   * nothing left.
   */
  byHeader(context: RequestContext): Caller | undefined;
  /** By the fields of the form, when the address has paid. */
  byForm(context: RequestContext, form: URLSearchParams): Caller | undefined;
}

const KNOWN_MAX = 10_000;

export function createChargedCaller(core: Core): ChargedCaller {
  /**
   * Hashes of headers that worked: an app is not shut out by guesses from the address that it shares with the
   * guesser.
   */
  const known = new Set<string>();

  return {
    byHeader(context) {
      const header = context.request.headers.get("authorization");
      const shown = header === null ? undefined : basicCredentials(header);
      if (header === null || !shown) return undefined;
      const hash = createHash("sha256").update(header).digest("base64url");
      // Nobody else comes in between here and the charge of what was wrong.
      if (!known.has(hash) && context.charge(0).remaining === 0) return undefined;
      const caller = authenticateApp(core, ...shown);
      known.delete(hash);
      if (caller) known.add(hash);
      const [oldest] = known.size > KNOWN_MAX ? known : [];
      if (oldest !== undefined) known.delete(oldest);
      return caller;
    },
    byForm({ hasCredentials }, form) {
      // Beside a header it is no credential: a right one here must not pay for guessing another one there.
      if (hasCredentials) return undefined;
      const [ids, secrets] = [form.getAll("client_id"), form.getAll("client_secret")];
      const [id, secret] = [ids[0], secrets[0]];
      if (!id || !secret || ids.length + secrets.length > 2) return undefined;
      return authenticateApp(core, id, secret);
    },
  };
}

/**
 * The header as the library reads it best: it takes Basic credentials without an id, without a secret or in
 * no known form for a malformed request (400), and to RFC 6749 §5.2 they are a client that failed to show who
 * it is (401). So it is given ones that no app has.
 */
export function withPlaceholderSecret(header: string): string {
  if (!/^basic(?: |$)/i.test(header)) return header;
  const encoded = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const [id = "", secret] = Buffer.from(encoded ?? "", "base64")
    .toString()
    .split(/:(.*)/s);
  if (id !== "" && secret) return header;
  return `Basic ${Buffer.from(`${id || "nobody"}:none`).toString("base64")}`;
}

/** RFC 6749 §2.3.1: both are encoded as in a form, and then joined. */
function basicCredentials(header: string): [id: string, secret: string] | undefined {
  const encoded = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded ?? "", "base64").toString()) ?? [];
  if (!id || !secret) return undefined;
  try {
    return [decodeForm(id), decodeForm(secret)];
  } catch {
    return undefined;
  }
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}
