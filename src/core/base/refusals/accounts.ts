import type { Refusals } from "./refusals.ts";

/** Accounts: passwords, passkeys, sessions, links. */
export const ACCOUNTS = {
  sign_in_wrong: { error: "unauthorized", says: "The username or the password is wrong." },
  passkey_wrong: {
    error: "unauthorized",
    says: "This passkey was not accepted; try again, or use your password.",
  },
  passkey_unreadable: {
    error: "bad_request",
    says: "The browser sent nothing that could be read; try once more.",
  },
  username_reserved: {
    error: "unprocessable",
    path: "username",
    says: "That username is reserved; choose another.",
  },
  username_looks_alike: {
    error: "unprocessable",
    path: "username",
    says: "That username looks like the name of staff or of this community; choose another.",
  },
  username_taken: { error: "conflict", path: "username", says: "That username is taken; choose another." },
  username_same: {
    error: "conflict",
    path: "username",
    says: "That is your username already; choose another.",
  },
  renamed_lately: {
    error: "rate_limited",
    says: "A username is changed once in {days:day}; wait {seconds:second} and try again.",
  },
  own_suspension: { error: "conflict", says: "You cannot suspend yourself; ask somebody else who may." },
  head_only: { error: "forbidden", says: "Only an owner of the community can do this; ask one." },
  head_untouchable: {
    error: "forbidden",
    says: "{username} is an owner of the community: only the operator can do this to them, at the command line.",
  },
  head_last: {
    error: "conflict",
    says: "{username} is the only owner of the community who may come in; make somebody else an owner first.",
  },
  head_own: { error: "conflict", says: "You are the owner already; name somebody else." },
  role_same: { error: "conflict", path: "role", says: "{username} has this role already; choose another." },
  role_lost: {
    error: "forbidden",
    says: "Your role in the community was changed in the meantime; open the page again.",
  },
  admin_last: {
    error: "conflict",
    says: "{username} is the only admin who may come in; give somebody else the right first.",
  },
  account_gone: { error: "not_found", says: "This account is gone." },
  account_suspended: {
    error: "forbidden",
    says: "This account is suspended; ask an admin of the community.",
  },
  sign_in_again: {
    error: "forbidden",
    says: "You signed in a while ago; show once more that it is you, and try again.",
  },
  signed_out: { error: "forbidden", says: "You were signed out in the meantime; sign in again." },
  session_unknown: { error: "not_found", says: "There is no session of yours with that id." },
  way_in_last: {
    error: "conflict",
    says: "That would leave you no way to sign in; keep a passkey, or set a password first.",
  },
  password_changed: { error: "forbidden", says: "Your password was changed in the meantime; sign in again." },
  passkey_unfit: {
    error: "unprocessable",
    says: "The browser's answer does not fit; add the passkey once more.",
  },
  passkey_taken: { error: "conflict", says: "This passkey is in use already." },
  passkey_unknown: { error: "not_found", says: "There is no passkey of yours with that id." },
  passkey_last: {
    error: "conflict",
    says: "This passkey is your only way to sign in; set a password or add another one first.",
  },
  passkeys_need_https: {
    error: "unprocessable",
    says: "Browsers offer passkeys only to sites with https and a name; set GUILDHALL_ORIGIN to one.",
  },
  passkeys_too_many: {
    error: "conflict",
    says: "You have {max} passkeys already; remove one that you do not need.",
  },
  link_broken: {
    error: "not_found",
    says: "This link does not work: it was used, has expired or was never made. Ask for a new one.",
  },
  invites_too_many: { error: "conflict", says: "{max} invite links are open already; withdraw one first." },
  invite_unknown: { error: "not_found", says: "There is no open invite link with that id." },
  sign_in_crowded: {
    error: "rate_limited",
    says: "Too many people sign in at this moment; wait {seconds:second} and try again.",
  },
  too_many_tries: { error: "rate_limited", says: "Too many tries; wait {seconds:second} and try again." },
  own_account_here: { error: "conflict", says: "Delete your own account in your account's settings." },
  sign_up_closed: { error: "forbidden", says: "This community takes nobody in at the moment." },
  sign_up_by_invitation: {
    error: "forbidden",
    says: "This community is by invitation; ask one of its admins for a link.",
  },
  sign_up_by_approval: {
    error: "forbidden",
    says: "This community looks at who wants to join; say on its page for joining why you would like to.",
  },
  still_applicant: {
    error: "forbidden",
    says: "You are not let in yet; sign in on the community's page to see how it stands.",
  },
  nobody_applies: {
    error: "forbidden",
    says: "Nobody has to ask here at the moment; load the page for joining again.",
  },
  applications_from_here: {
    error: "rate_limited",
    says: "Several people have asked to join from here within a day; try again tomorrow.",
  },
  applications_too_many: {
    error: "conflict",
    says: "So many wait to be let in that nobody more is taken down; come back in some days.",
  },
  application_unknown: {
    error: "not_found",
    says: "Nobody waits there any more: it was decided already, taken back, or is over.",
  },
  rules_not_agreed: {
    error: "unprocessable",
    path: "agrees",
    says: "This community has rules; read them, and tick that you keep to them.",
  },
  set_up_by_operator: { error: "forbidden", says: "Only the operator sets a community up." },
  set_up_done: { error: "conflict", says: "This community has an admin already; sign in, or ask them." },
} as const satisfies Refusals;
