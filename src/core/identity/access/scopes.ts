import { isAtLeast, type Role } from "./roles.ts";

/** Scopes of tokens (docs/contract.md#7.5), with their descriptions for the token's owner. */
export const SCOPES = {
  "feed:read": "Read the feed",
  "feed:write": "Publish posts and replies as you",
  "jobs:read": "Search the jobs board",
  "jobs:write": "Publish and edit jobs as you",
  "prompts:read": "Read the prompt library",
  "prompts:write": "Submit and rate prompts as you",
  "profile:read": "Read member profiles",
  "profile:write": "Edit your profile",
  "webhooks:read": "See the workspace's webhook endpoints and their deliveries",
  "webhooks:write": "Add, change, and delete the workspace's webhook endpoints",
  "messages:read": "Read your direct messages",
  "messages:write": "Send direct messages as you",
  "notifications:read": "Read your notifications",
  "notifications:write": "Mark notifications as read and change their settings",
  "media:write": "Upload images as you",
  moderation: "Moderate: read cases and reports, and decide about content and members",
  admin: "Run the community: moderate, and manage the apps and tokens of others",
} as const;

export type Scope = keyof typeof SCOPES;

export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

/**
 * Scopes of the staff, with the lowest role whose personal tokens may have them. They must be requested by
 * name. Apps never get them (docs/contract.md#12.23).
 */
export const STAFF_SCOPES = { moderation: "moderator", admin: "admin" } as const satisfies Partial<
  Record<Scope, Role>
>;

/** All scopes of a builder, which apps can request too. */
export const BUILDER_SCOPES: readonly Scope[] = SCOPE_NAMES.filter((name) => !isStaffScope(name));

export function isStaffScope(name: string): name is keyof typeof STAFF_SCOPES {
  return Object.hasOwn(STAFF_SCOPES, name);
}

/** Returns the scopes that a person with this role may give to a token, and has on the pages. */
export function scopesOfRole(role: Role): readonly Scope[] {
  return SCOPE_NAMES.filter((name) => !isStaffScope(name) || isAtLeast(role, STAFF_SCOPES[name]));
}

export function isScope(name: string): name is Scope {
  return Object.hasOwn(SCOPES, name);
}
