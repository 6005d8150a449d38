import { plural } from "./forms.ts";

/** What stands around every page. */
export const frame = {
  skip: "Skip to the content",
  main: "Main",
  feed: "Feed",
  jobs: "Jobs",
  prompts: "Prompts",
  builders: "Builders",
  messages: "Messages",
  admin: "Admin",
  unread: "unread",
  accountOf: (name: string) => `Account of ${name}`,
  profile: "Profile",
  bookmarks: "Bookmarks",
  settings: "Settings",
  signIn: "Sign in",
  signOut: "Sign out",
  reference: "API reference",
  graphql: "GraphQL",
  language: "Language",
  sections: {
    profile: "Profile",
    account: "Account",
    notifications: "Notifications",
    tokens: "Access tokens",
    apps: "Your apps",
    connected: "Connected apps",
    webhooks: "Webhooks",
    workspaces: "Workspaces",
    following: "Following",
    activity: "Security log",
  },
  maintenance: {
    label: "Maintenance",
    forMembers: "{message} You can read everything, and change nothing.",
    forMembersUntil: "{message} You can read everything, and change nothing, until {until}.",
    forAdmins: "{message} Nobody but admins can change anything. [End it](/admin/maintenance)",
    forAdminsUntil:
      "{message} Nobody but admins can change anything, until {until}. [End it](/admin/maintenance)",
  },
  troubles: {
    label: "Webhooks that need you",
    off: "Your webhook endpoint at {host} is off since {since}. {reason}",
    failing:
      "Your webhook endpoint at {host} has acknowledged nothing since {since}; after five days it is switched off.",
    look: "Look at it",
    more: (count: number) => plural(count, { one: "And one more.", other: "And {n} more." }),
  },
  problem: {
    home: "To the front page",
    quote: "If you ask somebody about this, quote the request id {id}.",
    typed: "What you wrote",
    typedHint: "It was not saved. Copy it before you leave this page.",
  },
};

/** What the same things are called on many pages. */
export const parts = {
  preview: {
    title: "Preview",
    lead: "This is how it will look. Nobody sees it yet.",
    button: "Preview",
  },
  inAMoment: "in a moment",
  justNow: "just now",
  older: "Older",
  undo: "Undo",
  keep: "Keep it",
  /** What the script of passkeys says. */
  passkey: {
    unchanged: "Nothing was changed. Try again when you are ready.",
    unanswered: "The site did not answer as it should; load the page again.",
  },
  workspace: "Workspace",
  personal: "Personal",
};
