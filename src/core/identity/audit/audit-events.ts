import { countWithNoun } from "../../base/count-with-noun.ts";

/**
 * Every security event of the audit log, with its text for the members concerned. `{name}` is replaced by the
 * value of `name` in the entry's detail, `{tokens:token}` by a number with its noun.
 */
export const AUDIT_EVENTS = {
  "account.created": "Created the account",
  "account.imported": "Imported the account “{name}” from {host}",
  "account.matched": "Assigned the content of “{name}” from {host} to this account",
  "account.downloaded": "Downloaded a copy of their data",
  "account.set-up": "Set up the community as its first owner",
  "account.deleted": "Deleted the account “{username}”",
  "account.erased": "Permanently erased the deleted account “{username}”",
  "account.undeleted": "Undid the deletion of the account",
  "account.renamed": "Changed the username from “{from}” to “{to}”",
  "account.secured":
    "Secured the account and ended {sessions:session}, {tokens:token}, {apps:connected app}, {endpoints:webhook endpoint}, and {links:link}",
  "community.restored": "Restored the community from the backup of {time}",
  "charter.changed": "Changed the community settings: {parts}",
  "maintenance.begun": "Started maintenance mode, {end}",
  "maintenance.ended": "Ended maintenance mode",
  "role.given": "Changed the role from {from} to {to}",
  // Events of old entries, from before roles existed.
  "admin.given": "Gave the member admin rights",
  "admin.taken": "Removed the member’s admin rights",
  "builder.vouched": "Vouched for the member and lifted the newcomer limits",
  "builder.suspended": "Suspended the account",
  "builder.removed": "Removed the account as a spammer: {reason}",
  "builder.restored": "Lifted the suspension of the account",
  "thing.hidden": "Hid the {kind} “{title}”",
  "thing.restored": "Made the {kind} “{title}” visible again",
  "thing.approved": "Approved the {kind} “{title}”",
  "thread.locked": "Locked the thread of the post “{title}”",
  "thread.unlocked": "Unlocked the thread of the post “{title}”",
  "builder.warned": "Warned the member",
  "builder.limited": "Limited the account",
  "builder.unlimited": "Lifted the limits of the account",
  "decision.undone": "Undid the decision {decision}",
  "reports.dismissed": "Dismissed the reports about the {kind} “{title}”",
  "reports.upheld": "Upheld the reports about a deleted {kind}",
  "reports.reopened": "Reopened the reports about the {kind} “{title}”",
  "session.opened": "Signed in with a {means}",
  "session.refused": "Sign-in with a {means} failed",
  "session.ended": "Ended a session",
  "appeal.session": "Signed in to read the reason of the suspension",
  "appeal.made": "Appealed against a decision",
  "appeal.decided": "Answered an appeal",
  "sessions.ended": "Ended all other sessions",
  "password.changed": "Changed the password",
  "password.removed": "Removed the password",
  "recovery.made": "Created a recovery link",
  "recovery.used": "Set a new password with a recovery link",
  "application.approved": "Approved the join request",
  "application.declined": "Declined a join request",
  "invite.made": "Created the invitation link “{label}”",
  "invite.used": "Joined with the invitation link “{label}”",
  "invite.mailed": "Sent an invitation link by email",
  "invite.withdrawn": "Withdrew an invitation link",
  "passkey.added": "Added the passkey “{name}”",
  "passkey.removed": "Removed the passkey “{name}”",
  "push.begun": "Turned on push notifications in a browser (push service: {host})",
  "push.ended": "Turned off push notifications in a browser (push service: {host})",
  "feed.renewed": "Created a private feed URL",
  "feed.ended": "Removed the private feed URL",
  "mail.confirmed": "Confirmed an email address",
  "mail.removed": "Removed the email address",
  "recovery.mailed": "Requested a recovery link by email",
  "token.made": "Created the access token “{name}”",
  "token.revoked": "Revoked the access token “{name}”",
  "app.registered": "Registered the app “{name}”",
  "app.changed": "Changed the app “{name}”",
  "app.secret-rotated": "Rotated the client secret of the app “{name}”",
  "app.deleted": "Deleted the app “{name}”",
  "app.suspended": "Suspended the app “{name}”",
  "app.restored": "Lifted the suspension of the app “{name}”",
  "app.rate-set": "Changed the rate limit of the app “{name}”",
  "grant.made": "Connected the app “{name}”",
  "grant.revoked": "Disconnected the app “{name}”",
  "grant.replayed": "The tokens of the app “{name}” were revoked because one of them was used twice",
  "workspace.made": "Created the workspace “{name}”",
  "workspace.renamed": "Renamed the workspace “{name}” to “{to}”",
  "workspace.deleted": "Deleted the workspace “{name}”",
  "workspace.joined": "Joined the workspace “{name}”",
  "workspace.left": "Left the workspace “{name}”",
  "workspace.invited": "Created an invitation link for the workspace “{name}”",
  "workspace.mailed": "Sent an invitation to the workspace “{name}” by email",
  "workspace.uninvited": "Withdrew an invitation link for the workspace “{name}”",
  "member.removed": "Removed a member from the workspace “{name}”",
  "member.changed": "Changed a member’s role in the workspace “{name}” to {role}",
  "endpoint.registered": "Added the webhook endpoint {url}",
  "endpoint.moved": "Changed the URL of the webhook endpoint from {from} to {url}",
  "endpoint.events-changed": "Changed the events of the webhook endpoint {url} to {events}",
  "endpoint.paused": "Paused the webhook endpoint {url}",
  "endpoint.resumed": "Resumed the webhook endpoint {url}",
  "endpoint.disabled": "The webhook endpoint {url} was disabled automatically: {reason}",
  "endpoint.deleted": "Deleted the webhook endpoint {url}",
  "endpoint.secret-rotated": "Rotated the signing secret of the webhook endpoint {url}",
} as const;

/** Events of moderation, which moderators see in their log. */
export const MODERATION_EVENTS = [
  "builder.removed",
  "builder.suspended",
  "builder.restored",
  "thing.hidden",
  "thing.restored",
  "builder.warned",
  "builder.limited",
  "builder.unlimited",
  "thing.approved",
  "thread.locked",
  "thread.unlocked",
  "decision.undone",
  "reports.dismissed",
  "reports.upheld",
  "reports.reopened",
  "appeal.decided",
] as const satisfies readonly (keyof typeof AUDIT_EVENTS)[];

export type AuditEvent = keyof typeof AUDIT_EVENTS;

/** Details of an event: names and counts, never a secret. */
export type Detail = Readonly<Record<string, string | number | boolean | null>>;

/** Returns the entry as a sentence. An event that this version does not know is shown by its code. */
export function eventText(act: string, detail: Detail): string {
  const text: string = Object.hasOwn(AUDIT_EVENTS, act) ? AUDIT_EVENTS[act as AuditEvent] : act;
  const told = text.replace(/\{(\w+)(?::([^}]+))?\}/g, (_all, part: string, noun?: string) => {
    const value = detail[part] ?? "…";
    return noun !== undefined && typeof value === "number" ? countWithNoun(value, noun) : String(value);
  });
  const reason = text.includes("{reason}") ? undefined : detail["reason"];
  return reason ? `${told}: ${String(reason)}` : told;
}
