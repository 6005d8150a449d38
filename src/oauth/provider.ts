import { randomBytes } from "node:crypto";
import type {
  Configuration,
  Grant as LibraryGrant,
  KoaContextWithOIDC,
  Provider as LibraryProvider,
} from "oidc-provider";
import { isNativeRedirect } from "../core/delegation/apps/redirects.ts";
import { BUILDER_SCOPES } from "../core/identity/access/scopes.ts";
import { DAY, MINUTE, SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { grantOf } from "../core/delegation/grants/grants.ts";
import { ACCESS_TOKEN_MS, resourceOf } from "../core/delegation/oauth/access-tokens.ts";
import {
  openSigningKeys,
  type PrivateJwk,
  SIGNING_ALGS,
  signingKeyIds,
} from "../core/delegation/oauth/keys.ts";
import { claimsOf, IDENTITY_SCOPES } from "../core/delegation/oauth/subjects.ts";
import { adapterFor, grantContents, grantKey } from "./adapter.ts";
import { type CookieNames, INTERACTION_MS } from "../http/oauth-cookies.ts";
import { currentLibraryCall, type Library, loadLibrary, patchProvider, toLibraryTime } from "./library.ts";
import { PATHS } from "./paths.ts";

const IN_SECONDS = 1 / SECOND;
/** Lifetimes of codes and tokens (docs/contract.md#7.8). */
const CODE_MS = MINUTE;
const REFRESH_TOKEN_MS = 30 * DAY;
const DEVICE_CODE_MS = 10 * MINUTE;

/**
 * Creates a function that returns the configured library. The library is loaded on first use. The keys of a
 * provider are fixed, so a key rotation creates a new provider. Providers keep no state in memory.
 */
export function createProviderSource(core: Core, cookies: CookieNames): () => Promise<LibraryProvider> {
  let made: { keyIds: string; provider: LibraryProvider } | undefined;
  const keyIds = (): string => `${signingKeyIds(core)} ${core.secrets.fingerprint()}`;
  return async () => {
    const library = await loadLibrary();
    if (made && made.keyIds === keyIds()) return made.provider;
    const keys = await openSigningKeys(core);
    const settings = configuration(library, core, keys, cookies);
    made = {
      keyIds: keyIds(),
      provider: patchProvider(core, new library.Provider(core.origin, settings)),
    };
    return made.provider;
  };
}

function configuration(
  library: Library,
  core: Core,
  keys: PrivateJwk[],
  cookies: CookieNames,
): Configuration {
  const resource = resourceOf(core);
  const isOwnToken = (
    _ctx: unknown,
    client: { clientId: string },
    token: { clientId?: string | undefined },
  ) => token.clientId === client.clientId;
  return {
    adapter: (model: string) => adapterFor(core, model),
    jwks: { keys },
    routes: {
      authorization: PATHS.authorize,
      token: PATHS.token,
      revocation: PATHS.revoke,
      introspection: PATHS.introspect,
      device_authorization: PATHS.device,
      code_verification: PATHS.devicePage,
      jwks: PATHS.jwks,
    },
    scopes: [...Object.keys(IDENTITY_SCOPES), ...BUILDER_SCOPES],
    claims: { openid: ["sub"], profile: ["preferred_username", "name", "profile"] },
    responseTypes: ["code"],
    clientAuthMethods: ["client_secret_basic", "client_secret_post", "none"],
    clientDefaults: { id_token_signed_response_alg: "RS256" },
    enabledJWA: { idTokenSigningAlgValues: [...SIGNING_ALGS] },
    pkce: { required: (ctx, client) => !maySkipPkce(ctx, client) },
    // Puts all claims into the ID token. An app that only needs to know who signs in therefore needs no
    // second request.
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      encryption: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // Disabled: signing out of an app does not sign members out of the community.
      rpInitiatedLogout: { enabled: false },
      // Disabled: `showUser` implements userinfo. The library's own userinfo accepts no tokens for the API.
      userinfo: { enabled: false },
      deviceFlow: { enabled: true },
      introspection: { enabled: true, allowedPolicy: isOwnToken },
      revocation: { enabled: true, allowedPolicy: isOwnToken },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, indicator, client) {
          if (indicator !== resource) throw new library.errors.InvalidTarget();
          return {
            scope: client.scope ?? "",
            audience: resource,
            accessTokenTTL: ACCESS_TOKEN_MS * IN_SECONDS,
            accessTokenFormat: "jwt",
            jwt: { sign: { alg: "EdDSA" } },
          };
        },
      },
    },
    formats: {
      customizers: {
        jwt(_ctx, token, jwt) {
          // `verifyAccessToken` reads these claims. Their times are times of the core's clock.
          jwt.payload["grant"] = "grantId" in token ? token.grantId : undefined;
          jwt.payload["iat"] = Math.floor(core.clock.now() * IN_SECONDS);
          jwt.payload["exp"] = Math.floor((core.clock.now() + ACCESS_TOKEN_MS) * IN_SECONDS);
        },
      },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_MS * IN_SECONDS,
      AuthorizationCode: CODE_MS * IN_SECONDS,
      DeviceCode: DEVICE_CODE_MS * IN_SECONDS,
      Grant: REFRESH_TOKEN_MS * IN_SECONDS,
      IdToken: ACCESS_TOKEN_MS * IN_SECONDS,
      Interaction: INTERACTION_MS * IN_SECONDS,
      RefreshToken: REFRESH_TOKEN_MS * IN_SECONDS,
      Session: INTERACTION_MS * IN_SECONDS,
    },
    // Every grant has a refresh token. An app therefore keeps its access until the member revokes it.
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    rotateRefreshToken: () => currentLibraryCall().successor === undefined,
    cookies: {
      names: { session: cookies.session, interaction: cookies.interaction, resume: cookies.resume },
      // The session cookie is never sent to a browser. `withSession` adds the cookie to requests, and
      // `outgoingCookies` removes it from responses.
      long: { signed: false },
      short: { signed: true, httpOnly: true, sameSite: "lax" },
      // The library signs with the first key and accepts signatures of all keys.
      keys: [...core.secrets.derivedKeys("oauth-cookies")],
    },
    clientBasedCORS: () => false,
    interactions: {
      policy: policyOf(library, core),
      url: (_ctx, interaction) => `${PATHS.consentPage}/${interaction.uid}`,
    },
    loadExistingGrant: async (ctx) => existingGrant(core, ctx),
    findAccount: (_ctx, accountId) => {
      if (!claimsOf(core, accountId, new Set())) return undefined;
      return {
        accountId,
        claims: (_use, scope) => claimsOf(core, accountId, new Set(scope.split(" "))) ?? { sub: accountId },
      };
    },
    renderError: (ctx, out) => {
      ctx.type = "json";
      ctx.body = out;
    },
  };
}

/**
 * Whether PKCE is optional for a request. Public apps must use PKCE, and apps with a secret should (RFC 9700
 * §2.1.1).
 *
 * An app with a secret that signs members in may use a nonce instead, or only `state`. Forgejo, Grafana and
 * passport do this by default, and a code is useless without the secret. An app that only uses the API has no
 * ID token with a nonce, so it needs PKCE.
 */
function maySkipPkce(ctx: KoaContextWithOIDC, client: { clientAuthMethod?: string | undefined }): boolean {
  return client.clientAuthMethod !== "none" && ctx.oidc.requestParamScopes.has("openid");
}

const NO_SCOPE =
  "None of the requested scopes is both supported by this server and registered for the app. Request at least one that is in scopes_supported of the metadata and registered for the app.";

/**
 * Returns the prompt policy. The sign-in prompt is the library's own. The consent prompt depends on our
 * grants.
 */
function policyOf({ interactionPolicy, errors }: Library, core: Core) {
  const { Check, base } = interactionPolicy;
  const policy = base();
  const login = policy.get("login");
  const consent = policy.get("consent");
  if (!login || !consent) throw new Error("the library has other prompts than it had");
  login.checks.add(
    new Check("no_scope", "no scope is asked for", (ctx) => {
      if (requestedScopes(ctx).length === 0) throw new errors.InvalidScope(NO_SCOPE, "");
      return Check.NO_NEED_TO_PROMPT;
    }),
    0,
  );
  for (const reason of ["op_scopes_missing", "op_claims_missing", "rs_scopes_missing", "rar_prompt"])
    consent.checks.remove(reason);
  consent.checks.remove("native_client_prompt");
  consent.checks.add(
    new Check("native_app", "this kind of app cannot be told from another", "interaction_required", (ctx) => {
      // Any program on the device can receive the redirect of a native app, so the member must confirm each
      // time (RFC 8252 §8.6).
      const isNative =
        ctx.oidc.client?.clientAuthMethod === "none" &&
        isNativeRedirect(String(ctx.oidc.params?.["redirect_uri"]));
      return isNative && !ctx.oidc.result?.consent;
    }),
  );
  consent.checks.add(
    new Check("scopes_missing", "not all scopes are granted", "consent_required", (ctx) => {
      const { session, client, result } = ctx.oidc;
      const granted = grantOf(core, session?.accountId ?? "", client?.clientId ?? "")?.scopes ?? [];
      const answered = new Set([...granted, ...deselectedScopes(result)]);
      return requestedScopes(ctx).some((name) => !answered.has(name));
    }),
  );
  return policy;
}

/**
 * Returns the requested scopes that the app has registered. The library has already refused scopes that exist
 * but are not registered for the app.
 */
function requestedScopes(ctx: KoaContextWithOIDC): string[] {
  const known = new Set((ctx.oidc.client?.scope ?? "").split(" "));
  return [...ctx.oidc.requestParamScopes].filter((name) => known.has(name));
}

/**
 * Returns the scopes that the member deselected on the consent page. After the consent page, these scopes are
 * not requested again.
 */
function deselectedScopes(result: unknown): string[] {
  const consent = (result as { consent?: { refused?: string[] } } | undefined)?.consent;
  return consent?.refused ?? [];
}

/** Returns the member's grant for the app, with a new token family. Returns `undefined` without a grant. */
function existingGrant(core: Core, ctx: KoaContextWithOIDC): LibraryGrant | undefined {
  const { client, account } = ctx.oidc;
  const grant = client && account ? grantOf(core, account.accountId, client.clientId) : undefined;
  if (!grant) return undefined;
  return new ctx.oidc.provider.Grant({
    ...grantContents(core, grant),
    jti: grantKey({ id: grant.id, family: newGrantFamily() }),
    exp: toLibraryTime(core, core.clock.now() + REFRESH_TOKEN_MS),
  } as ConstructorParameters<typeof ctx.oidc.provider.Grant>[0]);
}

/** Returns a random id for a token family. The family contains all tokens of one authorization. */
export function newGrantFamily(): string {
  return randomBytes(12).toString("base64url");
}
