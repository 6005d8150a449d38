import { BUILDER_SCOPES, SCOPES } from "../../identity/access/scopes.ts";
import type { Core } from "../../base/core.ts";
import { findSubjectRow } from "./subjects-store.ts";

/** The OpenID Connect scopes, each with a description for the consent page. Any app may request them. */
export const IDENTITY_SCOPES = {
  openid: "Confirm who you are",
  profile: "See your username and name",
} as const;

/** Every scope that can be granted, in display order. */
export const GRANT_SCOPES: Readonly<Record<string, string>> = {
  ...IDENTITY_SCOPES,
  ...Object.fromEntries(BUILDER_SCOPES.map((name) => [name, SCOPES[name]])),
};

/**
 * Returns the claims about a builder that `scopes` permit (OpenID Connect Core §5.4). Returns undefined for a
 * deleted or suspended builder.
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
