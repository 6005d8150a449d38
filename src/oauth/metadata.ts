import { BUILDER_SCOPES } from "../core/identity/access/scopes.ts";
import type { Core } from "../core/base/core.ts";
import { communitySettingsOf } from "../core/identity/community-settings/community-settings.ts";
import { resourceOf } from "../core/delegation/oauth/access-tokens.ts";
import { IDENTITY_SCOPES } from "../core/delegation/oauth/subjects.ts";
import { PATHS } from "./paths.ts";

const CLIENT_AUTH = ["client_secret_basic", "client_secret_post", "none"];
const SCOPES_SUPPORTED = [...Object.keys(IDENTITY_SCOPES), ...BUILDER_SCOPES];

/** Returns the server metadata of RFC 8414 and of OpenID Connect Discovery. Two paths serve this document. */
export function serverMetadata({ origin }: Core): Record<string, unknown> {
  return {
    issuer: origin,
    authorization_endpoint: origin + PATHS.authorize,
    token_endpoint: origin + PATHS.token,
    device_authorization_endpoint: origin + PATHS.device,
    revocation_endpoint: origin + PATHS.revoke,
    introspection_endpoint: origin + PATHS.introspect,
    userinfo_endpoint: origin + PATHS.userinfo,
    jwks_uri: origin + PATHS.jwks,
    service_documentation: `${origin}/docs`,
    scopes_supported: SCOPES_SUPPORTED,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: [
      "authorization_code",
      "refresh_token",
      "urn:ietf:params:oauth:grant-type:device_code",
    ],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: CLIENT_AUTH,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTH,
    // Tells clients that responses contain `iss`. Clients of several servers can therefore see which server
    // sent a response (RFC 9207).
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256", "EdDSA"],
    claims_supported: ["sub", "iss", "auth_time", "preferred_username", "name", "profile"],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    prompt_values_supported: ["none", "login", "consent"],
  };
}

/** Returns the protected resource metadata of RFC 9728. */
export function resourceMetadata(core: Core): Record<string, unknown> {
  return {
    resource: resourceOf(core),
    resource_name: communitySettingsOf(core).name,
    authorization_servers: [core.origin],
    jwks_uri: core.origin + PATHS.jwks,
    scopes_supported: SCOPES_SUPPORTED,
    bearer_methods_supported: ["header"],
    resource_documentation: `${core.origin}/docs`,
  };
}
