import { SCOPES } from "../../identity/access/scopes.ts";
import type { Core } from "../../base/core.ts";
import { findSubjectRow } from "./subjects-store.ts";

/** What OpenID Connect adds to the API's scopes, in words for people. Any app may ask for these. */
export const IDENTITY_SCOPES = {
  openid: "Confirm who you are",
  profile: "See your username and name",
} as const;

/** Every scope that can be granted, in the order in which people read them. */
export const GRANT_SCOPES: Readonly<Record<string, string>> = { ...IDENTITY_SCOPES, ...SCOPES };

/**
 * The claims about a builder that these scopes open (OpenID Connect Core §5.4). Undefined for one who is gone
 * or suspended.
 */
export function claimsOf(
  core: Core,
  builderId: string,
  scopes: ReadonlySet<string>,
): { sub: string; [claim: string]: string } | undefined {
  const row = findSubjectRow(core, builderId);
  if (!row) return undefined;
  if (!scopes.has("profile")) return { sub: builderId };
  const { username, name } = row;
  return { sub: builderId, preferred_username: username, name, profile: `${core.origin}/@${username}` };
}
