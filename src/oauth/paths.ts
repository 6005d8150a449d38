/** Paths of the OAuth server (docs/contract.md#7.10). */
export const PATHS = {
  authorize: "/v1/oauth/authorize",
  token: "/v1/oauth/token",
  revoke: "/v1/oauth/revoke",
  introspect: "/v1/oauth/introspect",
  device: "/v1/oauth/device",
  userinfo: "/v1/oauth/userinfo",
  jwks: "/.well-known/jwks.json",
  /** Paths of pages. */
  consentPage: "/oauth/consent",
  devicePage: "/oauth/device",
} as const;
