import { HOUR } from "../core/base/clock.ts";
import { isSecureOrigin } from "./secure-origin.ts";

/** Lifetime of an authorization that a person has not finished, and of its cookies. */
export const INTERACTION_MS = HOUR;

/**
 * Names of the library's cookies. `interaction` and `resume` are short-lived and bind an authorization to its
 * browser. `session` is never sent to a browser.
 */
export interface CookieNames {
  session: string;
  interaction: string;
  resume: string;
}

/**
 * Returns the names of the cookies. The cookies have their own paths, so their names can start with
 * `__Secure-` but not with `__Host-` (RFC 6265bis §4.1.3.1).
 */
export function oauthCookieNames(origin: string): CookieNames {
  const prefix = isSecureOrigin(origin) ? "__Secure-" : "";
  return {
    session: "guildhall-oauth-session",
    interaction: `${prefix}guildhall-oauth`,
    resume: `${prefix}guildhall-oauth-resume`,
  };
}
