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
  admin: "Run the community: moderate, and manage the apps and tokens of others",
} as const;

export type Scope = keyof typeof SCOPES;

export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

/** All scopes of a builder. `admin` must be requested by name. */
export const BUILDER_SCOPES: readonly Scope[] = SCOPE_NAMES.filter((name) => name !== "admin");

export function isScope(name: string): name is Scope {
  return Object.hasOwn(SCOPES, name);
}
