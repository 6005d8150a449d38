import type { Refusals } from "./refusals.ts";

/** Refusals about apps, their authorization and device codes. */
export const APPS = {
  too_many_wrong_codes: {
    error: "rate_limited",
    says: "Too many wrong codes. Wait {seconds:second} and try again.",
  },
  consent_without_sign_in: { error: "conflict", says: "Sign in first to see what the app asks for." },
  consent_over: {
    error: "not_found",
    says: "This request has ended, or was started in another browser. Go back to the app and start again.",
  },
  consent_of_other: {
    error: "conflict",
    says: "Another member was signed in when the app asked. Go back to the app and start again.",
  },
  decide_without_sign_in: {
    error: "forbidden",
    says: "Sign in first to decide what the app may do.",
  },
  consent_too_wide: {
    error: "bad_request",
    says: "This form allows more than the app asks for. Go back to the app and start again.",
  },
  device_code_unknown: {
    error: "not_found",
    says: "No device is waiting with this code. Check the code, or get a new one on the device.",
  },
  consent_empty: {
    error: "bad_request",
    says: "No permission is selected. Allow at least one, or deny the request.",
  },
  grant_unknown: { error: "not_found", says: "You have no connected app with that id." },
  app_gone: { error: "not_found", says: "This app was deleted or suspended." },
  apps_too_many: { error: "conflict", says: "This workspace already has {max} apps. Delete one first." },
  app_without_secret: {
    error: "unprocessable",
    says: "A public app has no client secret. Use PKCE instead.",
  },
  burst_too_large: {
    error: "unprocessable",
    path: "rate",
    says: "The burst is too large. It must be at most {minutes} × the requests per minute of the sustained rate.",
  },
  app_unknown: { error: "not_found", says: "There is no app with that id." },
  app_scope_admin: {
    error: "unprocessable",
    path: "scopes",
    says: "Apps cannot ask for the scope `{scope}`. Leave it out.",
  },
  redirect_spelling: {
    error: "unprocessable",
    path: "redirectUris",
    says: "One of the redirect URLs is not valid or not normalized. Use a lowercase scheme and host, no spaces, and no default port.",
  },
  redirect_with_fragment: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect URL must not contain `#` or a backslash.",
  },
  redirect_with_credentials: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect URL must not contain a username or password.",
  },
  redirect_with_answer: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect URL must not already contain one of these parameters: {names}.",
  },
  redirect_host: {
    error: "unprocessable",
    path: "redirectUris",
    says: "The host of a redirect URL must consist of letters, digits, dots, hyphens, and underscores.",
  },
  redirect_loopback_plain: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect URL to the local machine must use `http://`.",
  },
  redirect_not_https: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect URL must use `https://`. Only `127.0.0.1`, `[::1]`, and `localhost` can use `http://`.",
  },
  redirect_scheme: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect URL must use `https://`, `http://` to the local machine, or a scheme with a dot, such as `com.example.app:/callback`.",
  },
  app_not_yours: { error: "not_found", says: "You have no app with that id." },
} as const satisfies Refusals;
