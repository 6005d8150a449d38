import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { toReqRes } from "fetch-to-node";
import type { errors, KoaContextWithOIDC, Provider } from "oidc-provider";
import { isAppSecret } from "../core/delegation/apps/apps.ts";
import type { AccessToken } from "../core/delegation/oauth/access-tokens.ts";
import type { Change, GrantRef } from "../core/delegation/oauth/records.ts";
import type { Core } from "../core/base/core.ts";
import { errorDescriptionOf } from "./error-descriptions.ts";
import { SESSION_MAX_MS } from "../core/identity/accounts/sessions.ts";

/*
 * What oidc-provider has to be told beside its settings (`provider.ts`) and what it stores (`adapter.ts`). It
 * is made for a server on Node that keeps secrets as they are and writes whatever it is told at once; this
 * program is none of that. So here stands
 *
 * - how it is loaded: it warns of every runtime but Node (`loadLibrary`);
 * - what it compares and what it tells: secrets are hashes, and faults are the log's (`patchProvider`);
 * - for which request it works: its adapter is not told, and nothing may be written before the answer is
 *   there (`runLibraryCall`);
 * - what time it is: it reads the machine's clock, where the core's decides (`toLibraryTime`);
 * - what a request is: it wants one of Node's, with a socket (`toNodeRequest`).
 */

export type Library = typeof import("oidc-provider");

let loading: Promise<Library> | undefined;

/** It says on stderr that it does not know Bun; our suite runs its flows on every change of either. */
export function loadLibrary(): Promise<Library> {
  loading ??= (async () => {
    const { warn } = console;
    console.warn = (...words) => {
      if (!String(words[0]).includes("oidc-provider WARNING: Unsupported runtime")) warn(...words);
    };
    try {
      return await import("oidc-provider");
    } finally {
      console.warn = warn;
    }
  })();
  return loading;
}

/** Has a provider do what none of its settings says. */
export function patchProvider(core: Core, provider: Provider): Provider {
  // Only hashes of secrets are kept, so there is nothing else to compare with.
  provider.Client.prototype.compareClientSecret = function compare(actual: string) {
    return isAppSecret(core, this.clientId, actual);
  };
  provider.on("server_error", (_ctx, thrown) => {
    currentLibraryCall().fault = { thrown };
  });
  // The library's events of a refusal, whose answer names no cause.
  const note = (_ctx: unknown, refusal: errors.OIDCProviderError): void => {
    currentLibraryCall().cause = errorDescriptionOf(refusal);
  };
  provider.on("authorization.error", note);
  provider.on("grant.error", note);
  provider.on("revocation.error", note);
  provider.on("introspection.error", note);
  provider.on("device_authorization.error", note);
  provider.use(async (ctx, next) => {
    await next();
    currentLibraryCall().returnTo = verifiedReturn(ctx as KoaContextWithOIDC);
  });
  return provider;
}

/**
 * The app's address as it was asked for, once the library has found the app and compared (the loopback port
 * is free, RFC 8252 §7.3).
 */
function verifiedReturn({ oidc }: Partial<KoaContextWithOIDC>): LibraryCall["returnTo"] {
  const { client, params } = oidc ?? {};
  const { redirect_uri: redirectUri, state } = params ?? {};
  if (!client || typeof redirectUri !== "string" || !client.redirectUriAllowed(redirectUri)) return undefined;
  return { redirectUri, state: typeof state === "string" && state !== "" ? state : undefined };
}

/**
 * What the OAuth server library does for one request: it asks and changes through an adapter that knows no
 * request.
 */
export interface LibraryCall {
  endpoint: "authorize" | "token" | "revoke" | "introspect" | "device" | "page";
  /** Who has signed in on the site. */
  person: { builderId: string; signedInAt: number } | undefined;
  /** Written in one go when the answer is there. */
  changes: Change[];
  /** The access token that the request is about, verified. */
  presented?: AccessToken | undefined;
  /** The authorization code that was shown. */
  code?: { id: string; isConsumed: boolean; grant: GrantRef | undefined } | undefined;
  /** A refresh token was shown again within its grace: this one has taken its place already. */
  successor?: string | undefined;
  /**
   * Where the app may be told of a fault: its own redirect address, verified, with the `state` to give back.
   */
  returnTo?: { redirectUri: string; state: string | undefined } | undefined;
  /** Why the library refused, and what to do next; undefined where its own sentence says enough. */
  cause?: string | undefined;
  /** What went wrong inside, for the log. */
  fault?: { thrown: unknown };
}

export function newLibraryCall(
  endpoint: LibraryCall["endpoint"],
  person?: LibraryCall["person"],
): LibraryCall {
  return { endpoint, person, changes: [] };
}

const storage = new AsyncLocalStorage<LibraryCall>();

export function runLibraryCall<Result>(work: LibraryCall, run: () => Result): Result {
  return storage.run(work, run);
}

export function currentLibraryCall(): LibraryCall {
  const work = storage.getStore();
  if (!work) throw new Error("the OAuth server was asked outside of a request");
  return work;
}

/**
 * The library reads the machine's clock, the rest of the program the core's. They are the same in a running
 * server; whatever goes over is translated, so that there is one clock that decides.
 */
export function libraryNow(): number {
  return Math.floor(Date.now() / 1000);
}

/** Milliseconds of the core's clock → seconds of the library's. */
export function toLibraryTime(core: Core, ms: number): number {
  return libraryNow() + Math.ceil((ms - core.clock.now()) / 1000);
}

/**
 * When somebody signed in, as the library is told it. Where the clock was set back since, nobody knows how
 * long ago that was: as long as can be, so that who wants it done anew (`prompt=login`, `max_age`) is not
 * content with it.
 */
export function toSignInTime(core: Core, signedInAt: number): number {
  const now = core.clock.now();
  return toLibraryTime(core, signedInAt <= now ? signedInAt : now - SESSION_MAX_MS);
}

export interface LibraryRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body?: string;
}

/**
 * The request as Node would have it. The host is the site's own, whatever the client sent: links are made
 * from it.
 */
export function toNodeRequest(
  core: Core,
  { method, target, headers, body }: LibraryRequest,
): { req: IncomingMessage; res: ServerResponse } {
  const origin = new URL(core.origin);
  const { req, res } = toReqRes(
    new Request(`${core.origin}${target}`, {
      method,
      headers: {
        ...headers,
        host: origin.host,
        ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
      },
      ...(body === undefined ? {} : { body }),
    }),
  );
  // Koa reads whether the connection is encrypted from the socket, which there is none of here.
  Object.defineProperty(req, "socket", {
    value: { encrypted: origin.protocol === "https:", remoteAddress: "127.0.0.1" },
  });
  return { req: req as unknown as IncomingMessage, res: res as unknown as ServerResponse };
}
