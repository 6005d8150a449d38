import { createHash } from "node:crypto";
import type { Caller } from "../core/identity/access/caller.ts";
import { authenticateApp } from "../core/delegation/apps/app-caller.ts";
import type { Core } from "../core/base/core.ts";
import type { RequestContext } from "../http/context.ts";

/**
 * Decides who is charged for an app's request. An authenticated app is charged by its own rate limit, because
 * one server may act for thousands of members. Otherwise the address is charged, which slows down guesses of
 * secrets (docs/threats.md#D04). The library checks the credentials again and decides about the request.
 */
export interface ChargedCaller {
  /**
   * Authenticates by the header, before the body is read. A header that never worked is not checked once the
   * address has no tokens left.
   */
  byHeader(context: RequestContext): Caller | undefined;
  /** Authenticates by the form fields, after the address was charged. */
  byForm(context: RequestContext, form: URLSearchParams): Caller | undefined;
}

const KNOWN_MAX = 10_000;

export function createChargedCaller(core: Core): ChargedCaller {
  /**
   * Hashes of headers that worked. They keep an app usable when another client with the same address guesses
   * secrets.
   */
  const known = new Set<string>();

  return {
    byHeader(context) {
      const header = context.request.headers.get("authorization");
      const credentials = header === null ? undefined : basicCredentials(header);
      if (header === null || !credentials) return undefined;
      const hash = createHash("sha256").update(header).digest("base64url");
      // No await until wrong credentials are charged, so no other request runs in between.
      if (!known.has(hash) && context.charge(0).remaining === 0) return undefined;
      const caller = authenticateApp(core, ...credentials);
      known.delete(hash);
      if (caller) known.add(hash);
      const [oldest] = known.size > KNOWN_MAX ? known : [];
      if (oldest !== undefined) known.delete(oldest);
      return caller;
    },
    byForm({ hasCredentials }, form) {
      // Form fields beside a header are not credentials. Otherwise valid fields would pay for guesses in the
      // header.
      if (hasCredentials) return undefined;
      const [ids, secrets] = [form.getAll("client_id"), form.getAll("client_secret")];
      const [id, secret] = [ids[0], secrets[0]];
      if (!id || !secret || ids.length + secrets.length > 2) return undefined;
      return authenticateApp(core, id, secret);
    },
  };
}

/**
 * Replaces incomplete Basic credentials by ones that no app has. The library answers 400 to credentials
 * without id or secret, or in an unknown form. RFC 6749 §5.2 requires 401 for failed client authentication.
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

/** Parses Basic credentials. Both parts are form-encoded before they are joined (RFC 6749 §2.3.1). */
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
