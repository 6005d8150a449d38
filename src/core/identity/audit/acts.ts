import { countWithNoun } from "../../base/count-with-noun.ts";

/**
 * Every security act there is an entry for, in words for the people whose account it is about. A word in
 * braces stands for that part of the entry's detail, and `{tokens:token}` for a number with its noun.
 */
export const ACTS = {
  "account.created": "Made the account",
  "account.imported": "Brought the account along from {host}, where it is “{name}”",
  "account.matched": "Attributed what “{name}” wrote at {host} to the account",
  "account.downloaded": "Downloaded all of their own data",
  "account.set-up": "Set the community up as its first admin",
  "account.deleted": "Deleted the account “{username}”",
  "account.erased": "Erased the deleted account “{username}”",
  "account.undeleted": "Undid the deletion of the account",
  "account.renamed": "Changed the username “{from}” to “{to}”",
  "account.secured":
    "Secured the account: ended were {sessions:session}, {tokens:token}, {apps:connected app}, {endpoints:webhook endpoint} and {links:link}",
  "community.restored": "Restored the community from the backup of {time}",
  "charter.changed": "Changed what the community says of itself: {parts}",
  "maintenance.begun": "Began maintenance, {end}",
  "maintenance.ended": "Ended maintenance",
  "role.given": "Changed the role from {from} to {to}",
  // Of before there were roles.
  "admin.given": "Gave the right to run the community",
  "admin.taken": "Took the right to run the community",
  "builder.vouched": "Answered for the member: the limits of newcomers hold for them no more",
  "builder.suspended": "Suspended the account",
  "builder.restored": "Restored the account",
  "thing.hidden": "Hid the {kind} “{title}”",
  "thing.restored": "Restored the {kind} “{title}”",
  "reports.dismissed": "Dismissed the reports about the {kind} “{title}”",
  "reports.upheld": "Upheld the reports about a deleted {kind}",
  "reports.reopened": "Opened the reports about the {kind} “{title}” again",
  "session.opened": "Signed in with a {means}",
  "session.refused": "A sign-in with a {means} was refused",
  "session.ended": "Ended a session",
  "sessions.ended": "Signed out everywhere else",
  "password.changed": "Changed the password",
  "password.removed": "Took the password away",
  "recovery.made": "Made a recovery link",
  "recovery.used": "Set a new password by a recovery link",
  "application.approved": "Let them in, who had asked to join",
  "application.declined": "Did not let somebody in who had asked to join",
  "invite.made": "Made the invite link “{label}”",
  "invite.used": "Came in by the invite link “{label}”",
  "invite.mailed": "Sent an invite link by mail",
  "invite.withdrawn": "Withdrew an invite link",
  "passkey.added": "Added the passkey “{name}”",
  "passkey.removed": "Removed the passkey “{name}”",
  "push.begun": "Had a browser notified, by {host}",
  "push.ended": "Had a browser notified no more, by {host}",
  "feed.renewed": "Made a private feed address",
  "feed.ended": "Took the private feed address away",
  "mail.confirmed": "Confirmed a mail address",
  "mail.removed": "Took the mail address away",
  "recovery.mailed": "Had a link sent by mail that sets a new password",
  "token.made": "Made the token “{name}”",
  "token.revoked": "Revoked the token “{name}”",
  "app.registered": "Registered the app “{name}”",
  "app.changed": "Changed the app “{name}”",
  "app.secret-rotated": "Made a new secret for the app “{name}”",
  "app.deleted": "Deleted the app “{name}”",
  "app.suspended": "Suspended the app “{name}”",
  "app.restored": "Restored the app “{name}”",
  "app.rate-set": "Set the rate of the app “{name}”",
  "grant.made": "Connected the app “{name}”",
  "grant.revoked": "Disconnected the app “{name}”",
  "grant.replayed": "The tokens of the app “{name}” were revoked: one was used twice",
  "workspace.made": "Made the workspace “{name}”",
  "workspace.renamed": "Renamed the workspace “{name}” to “{to}”",
  "workspace.deleted": "Deleted the workspace “{name}”",
  "workspace.joined": "Joined the workspace “{name}”",
  "workspace.left": "Left the workspace “{name}”",
  "workspace.invited": "Made a link into the workspace “{name}”",
  "workspace.mailed": "Sent a link into the workspace “{name}” by mail",
  "workspace.uninvited": "Withdrew a link into the workspace “{name}”",
  "member.removed": "Removed a member from the workspace “{name}”",
  "member.changed": "Made a member of the workspace “{name}” its {role}",
  "endpoint.registered": "Registered the webhook endpoint {url}",
  "endpoint.moved": "Changed the address of the webhook endpoint {from} to {url}",
  "endpoint.events-changed": "Changed what the webhook endpoint {url} hears of to {events}",
  "endpoint.paused": "Switched the webhook endpoint {url} off",
  "endpoint.resumed": "Switched the webhook endpoint {url} on again",
  "endpoint.disabled": "The webhook endpoint {url} was switched off by itself: {reason}",
  "endpoint.deleted": "Deleted the webhook endpoint {url}",
  "endpoint.secret-rotated": "Made a new signing secret for the webhook endpoint {url}",
} as const;

export type Act = keyof typeof ACTS;

/** What an act was done to: names and counts, never a secret. */
export type Detail = Readonly<Record<string, string | number | boolean | null>>;

/** The entry as a sentence. An act that this program no longer knows is shown by its name. */
export function actInWords(act: string, detail: Detail): string {
  const words: string = Object.hasOwn(ACTS, act) ? ACTS[act as Act] : act;
  return words.replace(/\{(\w+)(?::([^}]+))?\}/g, (_all, part: string, noun?: string) => {
    const value = detail[part] ?? "…";
    return noun !== undefined && typeof value === "number" ? countWithNoun(value, noun) : String(value);
  });
}
