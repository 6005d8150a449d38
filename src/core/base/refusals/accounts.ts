import type { Refusals } from "./refusals.ts";

/** Refusals about accounts: passwords, passkeys, sessions, links. */
export const ACCOUNTS = {
  sign_in_wrong: { error: "unauthorized", says: "The username or password is wrong." },
  passkey_wrong: {
    error: "unauthorized",
    says: "This passkey was not accepted. Try again, or use your password.",
  },
  passkey_unreadable: {
    error: "bad_request",
    says: "The browser's response could not be read. Try again.",
  },
  username_reserved: {
    error: "unprocessable",
    path: "username",
    says: "This username is reserved. Choose another one.",
  },
  username_looks_alike: {
    error: "unprocessable",
    path: "username",
    says: "This username looks like the name of a staff member or of this community. Choose another one.",
  },
  username_taken: {
    error: "conflict",
    path: "username",
    says: "This username is taken. Choose another one.",
  },
  username_same: {
    error: "conflict",
    path: "username",
    says: "This is already your username. Choose another one.",
  },
  renamed_lately: {
    error: "rate_limited",
    says: "You can change your username once every {days:day}. Wait {seconds:second} and try again.",
  },
  own_suspension: {
    error: "conflict",
    says: "You cannot do this to your own account. Ask another moderator or an admin.",
  },
  head_only: { error: "forbidden", says: "Only an owner of the community can do this. Ask an owner." },
  head_untouchable: {
    error: "forbidden",
    says: "{username} is an owner of the community. Only the operator can do this, at the command line.",
  },
  head_last: {
    error: "conflict",
    says: "{username} is the last active owner of the community. Make another member an owner first.",
  },
  head_own: {
    error: "conflict",
    says: "You already own this community. Choose another member to transfer it to.",
  },
  role_same: {
    error: "conflict",
    path: "role",
    says: "{username} already has this role. Choose another one.",
  },
  role_lost: {
    error: "forbidden",
    says: "Your role in the community changed in the meantime. Open the page again.",
  },
  admin_last: {
    error: "conflict",
    says: "{username} is the last active admin. Make another member an admin first.",
  },
  account_gone: { error: "not_found", says: "This account no longer exists." },
  account_suspended: {
    error: "forbidden",
    says: "This account is suspended. Ask an admin of the community.",
  },
  own_decision_unknown: { error: "not_found", says: "There is no decision about you with that id." },
  appealed_already: {
    error: "conflict",
    says: "You appealed against this decision already. Each decision takes one appeal.",
  },
  decision_over: { error: "conflict", says: "This decision was undone. No appeal is needed." },
  sign_in_again: {
    error: "forbidden",
    says: "You signed in a while ago. Confirm your identity, then try again.",
  },
  signed_out: { error: "forbidden", says: "You were signed out in the meantime. Sign in again." },
  session_unknown: { error: "not_found", says: "You have no session with that id." },
  way_in_last: {
    error: "conflict",
    says: "This would leave you no way to sign in. Keep a passkey, or set a password first.",
  },
  password_changed: { error: "forbidden", says: "Your password was changed in the meantime. Sign in again." },
  passkey_unfit: {
    error: "unprocessable",
    says: "The browser's response is not valid. Add the passkey again.",
  },
  passkey_taken: { error: "conflict", says: "This passkey is already registered." },
  passkey_unknown: { error: "not_found", says: "You have no passkey with that id." },
  passkey_last: {
    error: "conflict",
    says: "This passkey is your only way to sign in. Set a password or add another passkey first.",
  },
  passkeys_need_https: {
    error: "unprocessable",
    says: "Browsers offer passkeys only to sites with HTTPS and a host name. Set `GUILDHALL_ORIGIN` to such a URL.",
  },
  passkeys_too_many: {
    error: "conflict",
    says: "You already have {max} passkeys. Remove one that you do not need.",
  },
  link_broken: {
    error: "not_found",
    says: "This link does not work. It was used, has expired, or never existed. Ask for a new one.",
  },
  invites_too_many: {
    error: "conflict",
    says: "There are already {max} open invitation links. Withdraw one first.",
  },
  invite_unknown: { error: "not_found", says: "There is no open invitation link with that id." },
  sign_in_crowded: {
    error: "rate_limited",
    says: "Too many people are signing in right now. Wait {seconds:second} and try again.",
  },
  too_many_tries: { error: "rate_limited", says: "Too many attempts. Wait {seconds:second} and try again." },
  own_account_here: {
    error: "conflict",
    says: "You cannot delete your own account here. Delete it in your account settings.",
  },
  sign_up_closed: { error: "forbidden", says: "This community is not accepting new members at the moment." },
  sign_up_by_invitation: {
    error: "forbidden",
    says: "This community is invite-only. Ask an admin for an invitation link.",
  },
  sign_up_by_approval: {
    error: "forbidden",
    says: "New members need approval. Send a join request on the page `/sign-up`.",
  },
  sign_up_held: {
    error: "forbidden",
    says: "This community accepts no new accounts from your network at the moment. Write to {contact} for an invitation.",
  },
  sign_ups_from_network: {
    error: "rate_limited",
    says: "Many people signed up from your network today. Wait {seconds:second}, or ask for an invitation.",
  },
  removal_too_large: {
    error: "unprocessable",
    path: "usernames",
    says: "You can remove at most {max} members at once. Remove the others afterwards.",
  },
  still_applicant: {
    error: "forbidden",
    says: "Your join request is not approved yet. Sign in on the website to see its status.",
  },
  nobody_applies: {
    error: "forbidden",
    says: "No join request is needed at the moment. Open the page `/sign-up` again.",
  },
  applications_from_here: {
    error: "rate_limited",
    says: "Several join requests came from your network within a day. Try again tomorrow.",
  },
  applications_too_many: {
    error: "conflict",
    says: "Too many join requests are open. Try again in a few days.",
  },
  application_unknown: {
    error: "not_found",
    says: "This join request is no longer open. It was decided or withdrawn, or it has expired.",
  },
  rules_not_agreed: {
    error: "unprocessable",
    path: "agrees",
    says: "This community has rules. Read them and confirm that you will follow them.",
  },
  set_up_by_operator: { error: "forbidden", says: "Only the operator can set up a community." },
  set_up_done: { error: "conflict", says: "This community already has an admin. Sign in, or ask the admin." },
} as const satisfies Refusals;
