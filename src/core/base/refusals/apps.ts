import type { Refusals } from "./refusals.ts";

/** Apps, what people allow them, and devices that wait for a code. */
export const APPS = {
  too_many_wrong_codes: {
    error: "rate_limited",
    says: "Too many wrong codes; wait {seconds:second} and try again.",
  },
  consent_without_sign_in: { error: "conflict", says: "Sign in first; then the app's wish is shown." },
  consent_over: {
    error: "not_found",
    says: "This request is over, or was begun in another browser; go back to the app and start again.",
  },
  consent_of_other: {
    error: "conflict",
    says: "Somebody else had signed in when the app asked; go back to the app and start again.",
  },
  decide_without_sign_in: {
    error: "forbidden",
    says: "Sign in first; then you can decide what an app may do.",
  },
  consent_too_wide: {
    error: "bad_request",
    says: "This form allows more than the app asks for; go back to the app and start again.",
  },
  device_code_unknown: {
    error: "not_found",
    says: "There is no device waiting with this code; look at it again, or ask it for a new one.",
  },
  consent_empty: { error: "bad_request", says: "Nothing is switched on; allow something, or refuse." },
  grant_unknown: { error: "not_found", says: "There is no connected app with that id among yours." },
  app_gone: { error: "not_found", says: "This app is gone or suspended." },
  apps_too_many: { error: "conflict", says: "This workspace has {max} apps already; delete one first." },
  app_without_secret: {
    error: "unprocessable",
    says: "A public app has no secret; it proves itself by PKCE.",
  },
  burst_too_large: {
    error: "unprocessable",
    path: "rate",
    says: "The burst must come back within {minutes} minutes: at most {minutes} times the sustained rate.",
  },
  app_unknown: { error: "not_found", says: "There is no app with that id." },
  app_scope_admin: {
    error: "unprocessable",
    path: "scopes",
    says: "No app may ask for `admin`: running the community is for people.",
  },
  redirect_spelling: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect address is no address in its plain spelling: lower-case scheme and host, no blanks, no default port.",
  },
  redirect_with_fragment: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect address must not have a part after `#`, or a backslash.",
  },
  redirect_with_credentials: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect address must not carry a user name or password.",
  },
  redirect_with_answer: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect address must not already carry one of {names}.",
  },
  redirect_host: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect address must have a host of letters, digits, dots, hyphens and underscores.",
  },
  redirect_loopback_plain: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect address must use http:// on this machine, where nobody listens in between.",
  },
  redirect_not_https: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect address must use https://; http:// is for 127.0.0.1, [::1] and localhost.",
  },
  redirect_scheme: {
    error: "unprocessable",
    path: "redirectUris",
    says: "A redirect address must use https://, http:// on this machine, or a scheme with a dot such as com.example.app:.",
  },
  app_not_yours: { error: "not_found", says: "There is no app with that id among yours." },
} as const satisfies Refusals;
