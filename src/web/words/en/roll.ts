/** Builders as those who run the community see them, and what they can do for or against them. */
export const roll = {
  username: "Username, or how it begins",
  find: "Find",
  nobody: "Nobody has such a username",
  nobodyLead: "Only its beginning counts. [Everybody, newest first](/admin/builders)",
  more: "More",
  joined: "joined {when}",
  roles: {
    owner: "Owner",
    admin: "Admin",
    moderator: "Moderator",
    member: "Member",
  },
  notStaff: "Not staff",
  suspended: "Suspended",
  newness: {
    title: "New here",
    lead: "Until {when} there are limits for links, pictures and messages to strangers. Answer for them, and there are none any more, for good.",
    vouch: "Answer for them",
  },
  builder: {
    lead: "{name}, joined {when}. [Profile]({address})",
    invited: "Came by an invitation of {inviter}.",
    invitedAs: "Came by an invitation of {inviter}: {label}.",
    nobodyInParticular: "the operator, or of somebody who is gone",
    intruder: "Somebody else in the account",
    intruderLead:
      "Ends all that gives access to it: sessions, tokens, connected apps, webhook endpoints and links. The next page says what there is, and asks what they go on signing in with.",
    secure: "Secure the account",
    suspend: "Suspend",
    suspendLead:
      "They are signed out at once, and none of their tokens works any more. The apps that they registered stop too, for everybody who let them in, save those of a shared workspace that somebody else owns as well. Let in again, they sign in anew: their sessions, tokens, connected apps and links are ended for good, their webhook endpoints are off until they switch them on, and their apps work again. What they wrote stays.",
    suspendButton: "Suspend the account",
    delete: "Delete",
    deleteLead:
      "The account is hidden at once with everything they wrote, and nobody can sign in. After seven days it is erased for good; until then an owner can undo it. If they only have to stay out, suspend them. They can delete their account themself, at once, in its settings. The username stays taken.",
    theirUsername: "Their username, as a sign that you mean it",
    deleteButton: "Delete the account",
    suspendedSince: "Since {when} they cannot come in.",
    letIn: "Let them in again",
  },
  pending: {
    title: "Deleted accounts",
    lead: "These accounts are hidden with everything that was written there, and nobody can sign in. You can bring them back until they are erased.",
    dates: "Deleted {deleted}. Will be erased {erased}.",
    datesBy: "Deleted {deleted} by {deleter}. Will be erased {erased}.",
    undo: "Undo",
    undoOf: (username: string) => `Undo the deletion of ${username}`,
  },
  role: {
    title: "Role",
    what: "What they may do for the community",
    may: {
      member: "What everybody may.",
      moderator: "Settles reports, hides what breaks the rules, suspends members.",
      admin: "Runs the community, but for owners and other admins. Makes moderators.",
      owner: "Everything. Gives and takes every role.",
    },
    /** Why it is not for whoever looks to change. */
    fixed: {
      member: "Only an admin or owner changes that.",
      moderator: "Only an admin or owner changes that.",
      admin: "Only an owner changes that.",
      owner: "Nobody changes that but they themself, and the operator.",
    },
    give: "Change the role",
    handOverLead:
      "Or they become the owner in your place, and you an admin: only they can give it back. The other owners are notified.",
    handOver: "Hand the community over to them",
  },
  wayIn: {
    unclaimed: "Not claimed yet",
    imported: "The account was imported from {origin}, and nobody can sign in to it.",
    claimLead:
      "A link by which they set a password within seven days. Give it to them yourself, and be sure that it is them: whoever opens it is them.",
    claim: "Make a claim link",
    forgotten: "Forgotten password",
    recoveryLead:
      "A link by which they set a new one within 24 hours. Give it to them yourself, and be sure that it is them: whoever opens it is them.",
    recovery: "Make a recovery link",
  },
  recovery: {
    title: "A recovery link",
    of: (username: string) => `For @${username}`,
    label: "Recovery link",
    copy: "Copy it now: it is not shown again. It works once, until {when}, and any earlier one does no more.",
    back: "Back to the builder",
  },
  securing: {
    title: (username: string) => `Secure @${username}`,
    lead: "For when somebody else may be in this account. What stands here ends at once and for good. [Back to the builder]({address})",
    password: "The password",
    keep: "What they go on signing in with",
    keepHint:
      "Take the tick away from what somebody else may have. Who is left with nothing comes in by a recovery link.",
    button: "Secure the account",
  },
};

/** The apps of everybody, as those who run the community see them. */
export const allApps = {
  lead: "Everything that builders have registered, newest first.",
  empty: "No app yet",
  emptyLead: "Builders register them under Your apps.",
  registered: "By {maker} · registered {when}",
  ownRate: "Own rate",
  suspended: "Suspended",
  ownerSuspended: "Owner suspended",
  registeredAt: "By {maker}, registered {when}",
  rate: "Rate",
  rateLead: "For each of its callers, in place of the OAuth tier's. Leave both empty to take it back.",
  sustained: "Requests a minute",
  burst: "At once",
  setRate: "Set the rate",
  suspend: "Suspend",
  suspendLead: "All its tokens stop working at once, and nobody can let it in.",
  reason: "Why",
  reasonHint: "Its makers read it.",
  suspendButton: "Suspend the app",
  since: "Since {when}",
  restore: "Let it work again",
  facts: {
    id: "Client id",
    kind: "Kind",
    kinds: { public: "Public: it has no secret", confidential: "Confidential" },
    homepage: "Home page",
    redirects: "Redirect addresses",
    scopes: "May ask to",
    noScope: "know who signs in, nothing else",
  },
};
