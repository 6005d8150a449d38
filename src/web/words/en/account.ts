import { plural } from "./forms.ts";

/** How one signs in, where one is signed in, and what happened to the account. */
export const account = {
  title: "Account",
  language: {
    title: "Language and time zone",
    label: "Language",
    hint: "What pages, mails and notifications say to you is said in it. What people write stays as it is.",
    browser: "As the browser says",
    save: "Save",
  },
  password: {
    title: "Password",
    none: "You have none. To set one, [show once more that it is you]({address}).",
    current: "The one you have now",
    chosen: "A new one",
    change: "Change the password",
    set: "Set a password",
  },
  username: {
    title: "Username",
    lead: (days: number) =>
      plural(days, {
        one: "You sign in with it, and others name you by it. It can be changed once a day. The one before stays yours, and leads to you wherever it stands.",
        other:
          "You sign in with it, and others name you by it. It can be changed once in {n} days. The one before stays yours, and leads to you wherever it stands.",
      }),
    prove: "To change it, [show once more that it is you]({address}).",
    chosen: "A new username",
    change: "Change the username",
  },
  passkeys: {
    missing:
      "Browsers offer passkeys only to an https address with a name, or to http://localhost. The address of this community is {origin}.",
    missingHere: "To use passkeys on your own machine, start the server with {setting}.",
    title: "Passkeys",
    lead: "Sign in with your fingerprint, your face or a key in your pocket. A passkey works here alone, so nobody can phish it.",
    addedNeverUsed: "Added {added}, never used",
    addedAndUsed: "Added {added}, last used {used}",
    prove: "To add or remove one, [show once more that it is you]({address}).",
    remove: "Remove",
    removeOf: (name: string) => `Remove ${name}`,
    name: "What to call it",
    nameExample: "My phone",
    add: "Add a passkey",
    noScripts: "A browser makes passkeys only with scripts switched on.",
  },
  sessions: {
    title: "Where you are signed in",
    since: "since {when}",
    seen: "last seen {when}",
    now: "in use now",
    current: "This device",
    end: "End it",
    endOthers: "Sign out everywhere else",
    unknown: "An unknown browser",
    unknownOn: (system: string) => `A browser on ${system}`,
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  },
  data: {
    title: "Your data",
    lead: "All that is yours in one ZIP file: profile, posts, replies, likes, messages, jobs, prompts, projects, XP, apps, endpoints and what happened to the account. No password, token or secret is in it. Your messages are, so keep it where only you can read it.",
    download: "Download my data",
  },
  secure: {
    title: "Secure this account",
    teaser:
      "Was somebody else in it? One button ends every other session, all tokens, connected apps, webhook endpoints and links. The next page says what there is.",
    lead: "Everything on this page gives access to your account, besides your password. If you do not recognise something, secure the account: all of it ends at once and for good, and you stay signed in only here. If everything is yours, [go back to your account](/settings/account).",
    keep: "Passkeys to keep",
    keepHint: "Take the tick away from each that you do not know, and it is removed.",
    keepKnown: "Tick the passkeys that you recognise. All others are removed.",
    neverUsed: (added: string) => `added ${added}, never used`,
    used: (added: string, used: string) => `added ${added}, last used ${used}`,
    afterwards:
      "Afterwards, change your password if somebody may know it, and look at the [apps that you made](/settings/apps): their secrets and addresses stay as they are.",
    ends: "What ends",
    nothing: "There is nothing that gives access to this account now.",
    endpoints: "Those endpoints are",
    sessions: (count: number) =>
      plural(count, {
        one: "{n} session: a browser that is signed in",
        other: "{n} sessions: browsers that are signed in",
      }),
    tokens: (count: number) => plural(count, { one: "{n} access token", other: "{n} access tokens" }),
    apps: (count: number) => plural(count, { one: "{n} connected app", other: "{n} connected apps" }),
    webhooks: (count: number) =>
      plural(count, {
        one: "{n} webhook endpoint, with its deliveries",
        other: "{n} webhook endpoints, with their deliveries",
      }),
    mail: "A mail address that can recover the account",
    pendingMail: "A mail address that is not confirmed yet",
    feed: "A private feed address",
    deviceCodes: (count: number) =>
      plural(count, {
        one: "{n} device that was approved and has not signed in yet",
        other: "{n} devices that were approved and have not signed in yet",
      }),
    push: (count: number) =>
      plural(count, {
        one: "{n} browser that receives push notifications",
        other: "{n} browsers that receive push notifications",
      }),
    /** Behind the first of a long list. */
    more: (count: number) => plural(count, { one: "and {n} more", other: "and {n} more" }),
    links: (count: number) =>
      plural(count, {
        one: "{n} link that nobody has used yet",
        other: "{n} links that nobody has used yet",
      }),
    /** Links in mails that say "this was not me". */
    notMeLinks: (count: number) =>
      plural(count, {
        one: "{n} link in a security mail",
        other: "{n} links in security mails",
      }),
  },
  notMe: {
    title: "This was not me",
    lead: "This happened to the account @{username} {when}:",
    named: "It is called {name}.",
    effect:
      "If it was not you, recover your account. That signs everybody out, removes all passkeys, tokens, apps, webhook endpoints and the password, and sends mail to this address again. Then you set a new password.",
    keep: "If it was you, close this page. Nothing changes.",
    button: "Recover my account",
  },
  activity: {
    title: "Security log",
    lead: (kept: string) => `What was done to your account, by whom, and from where. Kept for ${kept}.`,
    empty: "Nothing yet",
    emptyLead: "Sign-ins, tokens, apps and the like will stand here.",
    by: (username: string) => `by @${username}`,
    about: (username: string) => `about @${username}`,
    from: (address: string) => `from ${address}`,
  },
  deletion: {
    part: "Delete the account",
    teaser: "For good, with what you wrote. The next page says what goes and what stays.",
    button: "Delete my account",
    title: "Delete your account",
    lead: "This is for good: nobody can bring it back. [Keep it](/settings/account)",
    username: "Your username, as a sign that you mean it",
    byPasskey: "Delete my account with a passkey",
    passkeyInstead: "With a passkey instead",
    passwordFirst:
      "[Set a password](/settings/account) first: whoever deletes an account shows that it is theirs.",
    goes: "What goes",
    atOnce:
      "At once: your sessions, passkeys, tokens and connected apps, your name and profile, your personal workspace and those that nobody else is in, with their webhooks and their apps, for everybody who uses them.",
    soon: "Within moments, or minutes where there is much: your posts with the replies and likes under them, your replies, likes, prompts, ratings, XP and saved searches; your conversations, for the others too; and your jobs.",
    stays: "What stays",
    others: "What others wrote elsewhere, and the XP that they earned by it.",
    shared: "What belongs to a workspace that you shared: its apps and webhooks, and jobs of its companies.",
    events:
      "Public events, with what waits to be delivered of them, and others’ private events, such as the preview of a message: until the time is over for which the operator keeps events, 30 days unless they chose another.",
    reported:
      "Moderators keep the text and your name of anything that was reported, until they decide on the report and for 30 days after.",
    sent: "What receivers were sent, which is theirs to delete, and backups that the operator has made.",
    log: (kept: string) =>
      `A line in the admins’ log that the account was deleted, for ${kept}. Your username stays taken, and so do the slugs of companies for which you alone published, so that nobody can pass for you.`,
  },
};
