import type { errors } from "oidc-provider";

/*
 * Maps the library's errors to sentences for app developers. Each text contains the cause, then the next
 * step. RFC 6749 §5.2 allows printable ASCII without quotation marks and backslashes. An error without an
 * entry keeps the library's sentence.
 */

const SEND_AGAIN = "Send the user to the authorization endpoint again.";
const APP_PAGE = "the app's page under /settings/apps";
const WITHOUT_PROMPT_NONE = "Send the user again without prompt=none.";

const CAUSES: ReadonlyMap<string, string> = new Map([
  // Client errors.
  [
    "client not found",
    `No active app has this client_id. Compare it with ${APP_PAGE}. The app may also be deleted or suspended.`,
  ],
  ["invalid secret provided", `The client secret is wrong. Check it, or create a new one on ${APP_PAGE}.`],
  [
    "the provided authentication mechanism does not match the registered client authentication method",
    `The app used the wrong client authentication. A confidential app sends its secret, a public app only its client_id. ${capital(APP_PAGE)} shows which type it is.`,
  ],
  [
    "no client authentication mechanism provided",
    "The client_id is missing. Send it in the form. A confidential app also sends its secret, or sends both as Authorization: Basic.",
  ],

  // Codes and tokens.
  [
    "unsupported grant_type requested",
    "The grant_type is not supported. Send authorization_code, refresh_token, or urn:ietf:params:oauth:grant-type:device_code.",
  ],
  [
    "authorization code not found",
    `The code is unknown, or an earlier exchange with it failed. ${SEND_AGAIN}`,
  ],
  [
    "authorization code is expired",
    `The code is older than 60 seconds. Exchange it as soon as it arrives. ${SEND_AGAIN}`,
  ],
  [
    "authorization code already consumed",
    `The code was used before, so its tokens are no longer valid. Use each code once. ${SEND_AGAIN}`,
  ],
  [
    "authorization code redirect_uri mismatch",
    `The redirect_uri differs from the one in the authorization request. Send exactly the same value in both. ${SEND_AGAIN}`,
  ],
  [
    "code_verifier must be provided",
    `The code_verifier is missing. Send the value that code_challenge was made from (RFC 7636). ${SEND_AGAIN}`,
  ],
  [
    "code_verifier does not match code_challenge",
    `The code_verifier does not match code_challenge, which must be BASE64URL(SHA256(code_verifier)). ${SEND_AGAIN}`,
  ],
  ["client mismatch", "The code or token belongs to another app. Send the client_id that requested it."],
  [
    "grant not found",
    `The app no longer has access: the user disconnected it, or a code or token was used twice. ${SEND_AGAIN}`,
  ],
  ["refresh token not found", `The refresh token is unknown or no longer valid. ${SEND_AGAIN}`],
  ["refresh token is expired", `The refresh token is older than 30 days. ${SEND_AGAIN}`],
  [
    "refresh token already used",
    `The refresh token was used before, so all tokens of this sign-in are no longer valid. Always store the newest refresh token. ${SEND_AGAIN}`,
  ],
  [
    "refresh token missing requested scope",
    `The request asks for scopes that the refresh token does not allow. Leave scope out, or send the user to the authorization endpoint for more scopes.`,
  ],
  ["device code not found", "The device code is unknown. Request a new one."],
  ["device code is expired", "The device code is older than ten minutes. Request a new one."],
  ["device code already consumed", "The device code was used before. Request a new one."],
  [
    "authorization request is still pending as the end-user hasn't yet completed the user interaction steps",
    "The user has not decided yet. Ask again after interval seconds.",
  ],

  // Redirect URI errors.
  [
    "redirect_uri did not match any of the client's registered redirect_uris",
    `The redirect_uri is not registered. It must match exactly. Add it on ${APP_PAGE}, or send a registered one.`,
  ],
  [
    "Authorization Server policy requires PKCE to be used for this request",
    "The code_challenge is missing. This app must use PKCE. Send code_challenge and code_challenge_method=S256 (RFC 7636).",
  ],
  [
    "not supported value of code_challenge_method",
    "The code_challenge_method is not supported. Send code_challenge_method=S256.",
  ],
  [
    "code_challenge_method must be provided",
    "The code_challenge_method is missing. Send code_challenge_method=S256.",
  ],
  [
    "requested scope is not allowed",
    `The request asks for scopes that the app has not registered. Register them on ${APP_PAGE}, or request fewer scopes.`,
  ],
  ["unsupported response_type requested", "The response_type is not supported. Send response_type=code."],
  [
    "unsupported response_mode requested",
    "The response_mode is not supported. Leave it out, or send response_mode=query.",
  ],
  ["End-User authentication is required", `The user is not signed in here. ${WITHOUT_PROMPT_NONE}`],
  ["not all scopes are granted", `The user has not allowed all requested scopes yet. ${WITHOUT_PROMPT_NONE}`],
  [
    "resource indicator is missing, or unknown",
    "The resource is not the API of this server. Leave it out, or send the one in /.well-known/oauth-protected-resource.",
  ],
  ["request_not_supported", "Request objects are not supported. Send the parameters in the query."],
]);

/**
 * Returns our sentence for a refusal of the library. Returns `undefined` if the library's own sentence
 * suffices.
 */
export function errorDescriptionOf({
  error,
  error_detail,
  error_description,
}: errors.OIDCProviderError): string | undefined {
  return CAUSES.get(error_detail ?? "") ?? CAUSES.get(error_description ?? "") ?? CAUSES.get(error);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
