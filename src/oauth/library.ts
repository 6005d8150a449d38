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
 * Adapts oidc-provider where its settings (`provider.ts`) and its storage adapter (`adapter.ts`) are not
 * enough. The library expects Node, plain secrets and immediate writes. This module handles the differences:
 *
 * - `loadLibrary` suppresses the library's warning about runtimes other than Node.
 * - `patchProvider` compares hashed secrets and passes errors to the log.
 * - `runLibraryCall` gives the adapter access to the current request. Writes wait until the response is
 *   ready.
 * - `toLibraryTime` converts from the core's clock to the machine's clock, which the library reads.
 * - `toNodeRequest` creates the Node request with a socket that the library needs.
 */

export type Library = typeof import("oidc-provider");

let loading: Promise<Library> | undefined;

/**
 * Loads the library without its warning on stderr that it does not support Bun. Our tests run the library's
 * flows after each update of Bun or the library.
 */
export function loadLibrary(): Promise<Library> {
  loading ??= (async () => {
    const { warn } = console;
    console.warn = (...args) => {
      if (!String(args[0]).includes("oidc-provider WARNING: Unsupported runtime")) warn(...args);
    };
    try {
      return await import("oidc-provider");
    } finally {
      console.warn = warn;
    }
  })();
  return loading;
}

/** Changes behaviour of a provider where the library has no setting for that behaviour. */
export function patchProvider(core: Core, provider: Provider): Provider {
  // The core stores only hashes of secrets.
  provider.Client.prototype.compareClientSecret = function compare(actual: string) {
    return isAppSecret(core, this.clientId, actual);
  };
  provider.on("server_error", (_ctx, thrown) => {
    currentLibraryCall().fault = { thrown };
  });
  // These events contain the cause of a refusal, which the response does not contain.
  const noteRefusal = (_ctx: unknown, refusal: errors.OIDCProviderError): void => {
    currentLibraryCall().cause = errorDescriptionOf(refusal);
  };
  provider.on("authorization.error", noteRefusal);
  provider.on("grant.error", noteRefusal);
  provider.on("revocation.error", noteRefusal);
  provider.on("introspection.error", noteRefusal);
  provider.on("device_authorization.error", noteRefusal);
  provider.use(async (ctx, next) => {
    await next();
    currentLibraryCall().returnTo = verifiedReturn(ctx as KoaContextWithOIDC);
  });
  return provider;
}

/**
 * Returns the requested redirect URI, if the library accepts the URI for the app. The port of a loopback URI
 * may differ (RFC 8252 §7.3).
 */
function verifiedReturn({ oidc }: Partial<KoaContextWithOIDC>): LibraryCall["returnTo"] {
  const { client, params } = oidc ?? {};
  const { redirect_uri: redirectUri, state } = params ?? {};
  if (!client || typeof redirectUri !== "string" || !client.redirectUriAllowed(redirectUri)) return undefined;
  return { redirectUri, state: typeof state === "string" && state !== "" ? state : undefined };
}

/**
 * State of one request to the library. The library does not pass the request to the adapter, so the adapter
 * reads this state.
 */
export interface LibraryCall {
  endpoint: "authorize" | "token" | "revoke" | "introspect" | "device" | "page";
  /** Member who is signed in on the site. */
  person: { builderId: string; signedInAt: number } | undefined;
  /** Changes to write in one transaction when the response is ready. */
  changes: Change[];
  /** Verified access token that the request is about. */
  verifiedToken?: AccessToken | undefined;
  /** The authorization code that the client sent. */
  code?: { id: string; isConsumed: boolean; grant: GrantRef | undefined } | undefined;
  /** Successor of a refresh token that was sent again within its grace period. */
  successor?: string | undefined;
  /** Verified redirect URI with `state`. Errors may be sent to this URI. */
  returnTo?: { redirectUri: string; state: string | undefined } | undefined;
  /** Our sentence for a refusal. `undefined` if the library's sentence suffices. */
  cause?: string | undefined;
  /** Internal error, for the log. */
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
 * Returns the current time of the machine's clock in seconds. Only the library reads this clock. All other
 * code reads the core's clock, which is equal on a running server. Times are converted before they are passed
 * to the library.
 */
export function libraryNow(): number {
  return Math.floor(Date.now() / 1000);
}

/** Converts a time of the core's clock, in ms, to the library's clock, in seconds. */
export function toLibraryTime(core: Core, ms: number): number {
  return libraryNow() + Math.ceil((ms - core.clock.now()) / 1000);
}

/**
 * Converts a sign-in time for the library. A time in the future means that the clock was set back, so the
 * real age is unknown. The function then assumes the longest possible age. Requests for a fresh sign-in
 * (`prompt=login`, `max_age`) are then not satisfied.
 */
export function toSignInTime(core: Core, signedInAt: number): number {
  const now = core.clock.now();
  return toLibraryTime(core, signedInAt <= now ? signedInAt : now - SESSION_MAX_MS);
}

export interface LibraryRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string;
}

/**
 * Creates a Node request for the library. The host is always that of this site, because the library creates
 * links from the host.
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
  // Koa reads from the socket whether the connection is encrypted. This request has no real socket, so it
  // gets a substitute.
  Object.defineProperty(req, "socket", {
    value: { encrypted: origin.protocol === "https:", remoteAddress: "127.0.0.1" },
  });
  return { req: req as unknown as IncomingMessage, res: res as unknown as ServerResponse };
}
