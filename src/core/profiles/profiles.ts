import { type Caller, requireBuilder, requireScope } from "../access/caller.ts";
import { foldUsername } from "../builders/username.ts";
import type { Core } from "../core.ts";
import { notFound } from "../errors.ts";
import { selectProfile } from "./profiles-store.ts";

export interface Profile {
  id: string;
  username: string;
  name: string;
  bio: string;
  xp: number;
  /** Days in a row with activity. */
  streakDays: number;
  badges: string[];
  projects: { id: string; title: string }[];
}

/** A builder's public profile, by handle in any case (§4). Needs `profile:read`. Throws not_found. */
export function getProfile(core: Core, caller: Caller, username: string): Profile {
  requireScope(caller, "profile:read");
  const profile = selectProfile(core, foldUsername(username));
  if (!profile) throw notFound("There is no profile with that username.");
  return profile;
}

/** The profile of the token's own account (§4; «its shape: not shown», so the same as any profile). Needs `profile:read`. */
export function getOwnProfile(core: Core, caller: Caller): Profile {
  return getProfile(core, caller, requireBuilder(caller, "profile:read").username);
}
