import { createHash } from "node:crypto";
import type { Caller } from "../core/identity/access/caller.ts";
import { authenticateApp } from "../core/delegation/apps/app-caller.ts";
import type { Core } from "../core/base/core.ts";
import type { RequestContext } from "../http/context.ts";

/**
 * Decides whose rate limit is charged for an app's request. An authenticated app is charged, because one
 * server may act for thousands of members. Otherwise the client's IP address is charged, which slows down
 * guesses of secrets (docs/threats.md#D04). Afterwards the library checks the credentials again and decides
 * about the request.
 */
export interface ChargedCaller {
  /**
   * Authenticates by the `Authorization` header, before the body is read. If the client's IP address has no
   * tokens left, only headers that worked before are checked.
   */
  byHeader(context: RequestContext): Caller | undefined;
  /** Authenticates by the form fields, after the client's IP address was charged. */
  byForm(context: RequestContext, form: URLSearchParams): Caller | undefined;
}

const KNOWN_MAX = 10_000;

export function createChargedCaller(core: Core): ChargedCaller {
  /**
   * Hashes of headers that worked. An app can therefore send requests even while another client with the same
   * IP address guesses secrets.
   */
  const known = new Set<string>();

  return {
    byHeader(context) {
      const header = context.request.headers.get("authorization");
      const credentials = header === null ? undefined : basicCredentials(header);
      if (header === null || !credentials) return undefined;
      const hash = createHash("sha256").update(header).digest("base64url");
      // This code must not await until wrong credentials are charged, so that no other request runs in
      // between.
      if (!known.has(hash) && context.charge(0).remaining === 0) return undefined;
      const caller = authenticateApp(core, ...credentials);
      known.delete(hash);
      if (caller) known.add(hash);
      const [oldest] = known.size > KNOWN_MAX ? known : [];
      if (oldest !== undefined) known.delete(oldest);
      return caller;
    },
    byForm({ hasCredentials }, form) {
      // If the request has a header, its form fields are not credentials. Otherwise valid fields would pay
      // for guesses in the header.
      if (hasCredentials) return undefined;
      const [ids, secrets] = [form.getAll("client_id"), form.getAll("client_secret")];
      const [id, secret] = [ids[0], secrets[0]];
      if (!id || !secret || ids.length + secrets.length > 2) return undefined;
      return authenticateApp(core, id, secret);
    },
  };
}

/**
 * Replaces incomplete Basic credentials by credentials that no app has. Without an id or secret, or for an
 * unknown format, the library would respond with 400. RFC 6749 §5.2 requires 401 for failed client
 * authentication.
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

/** Parses Basic credentials. The client form-encodes both parts before joining them (RFC 6749 §2.3.1). */
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
