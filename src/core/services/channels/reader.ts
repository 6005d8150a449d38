import type { Core } from "../../base/core.ts";
import { type BuilderCaller, scopesOfPerson } from "../../identity/access/caller.ts";
import { findBuilder, findStanding } from "../../identity/builders/builders.ts";

/**
 * Returns a caller for a member, with the rights that the member has in a session. Returns undefined if the
 * member is unknown or suspended.
 */
export function readerOf(core: Core, builderId: string): BuilderCaller | undefined {
  const standing = findStanding(core, builderId);
  const builder = standing?.suspendedAt === null ? findBuilder(core, standing.username) : undefined;
  return (
    builder && {
      builderId,
      username: builder.username,
      role: builder.role,
      workspaceId: builder.workspaceId,
      scopes: scopesOfPerson(builder.role),
      tier: "personal",
      means: "session",
      credentialId: null,
      appId: null,
      rate: null,
      address: null,
    }
  );
}
