/** What reaches members who are not here: pushes, mails, feeds. */
export const reach = {
  /** On the page of the account. */
  part: {
    title: "What reaches you elsewhere",
    hint: "[Browsers that are notified](/settings/browsers), [mail](/settings/mail), and [a feed of your own](/settings/feed).",
  },
  browsers: {
    title: "Browsers",
    lead: "A browser that you choose shows your notifications also while no page is open. It stops when you sign out in it.",
    this: "This browser",
    button: "Notify this browser",
    already: "This browser is notified.",
    needsScript: "This takes a browser that runs scripts and knows Web Push.",
    denied:
      "The browser does not let this site show notifications; allow it in the browser’s settings first.",
    failed: "The browser’s push service did not answer. Try again in a moment.",
    list: "Browsers that are notified",
    none: "None so far",
    noneHint: "Notifications wait for you on their page.",
    current: "This one",
    added: "Added {when}",
    reached: "last reached {when}",
    neverReached: "not reached yet",
    stop: "Stop",
    stopOf: (agent: string) => `Stop notifying ${agent}`,
  },
  /** Beside the forms that make links to invite somebody. */
  inviting: {
    address: "Send it to (if you like)",
    hint: "A mail address. It is forgotten once the mail has gone out.",
    sent: "It goes to {address} by mail, too.",
  },
  mail: {
    title: "Mail",
    lead: "Where you read mail, and what comes there. Nobody else sees the address.",
    none: "This community sends no mail.",
    address: "Your address",
    goes: "Mail goes to {address}.",
    recoversLater:
      "This address can recover your account {when}. Until then, a new address could be somebody else’s.",
    former:
      "Security notices still go to the address before, the last ones {when}. If somebody else reads mail there, [secure your account](/settings/account/secure).",
    pending: "A link was sent to {address}; open it within a day to confirm it.",
    bounced: {
      title: "Mail to {address} was refused {when}.",
      effect:
        "The mail server accepts no mail for this address. No notifications or digests are sent there now. Security mail, such as a recovery link, is still tried.",
      steps:
        "Correct the address below. If the mailbox works again, send the link to the same address and open it.",
      again: "Send the link again",
    },
    new: "New address",
    set: "Send the link",
    remove: "Send no mail there",
    choice: "What comes of your notifications",
    choices: {
      at_once: "Each at once",
      daily: "Once a day, about eight in the morning",
      weekly: "Once a week, on Monday about eight in the morning",
      off: "Nothing",
    },
    choiceHint:
      "Of the kinds that you have set to mail. The morning is that of your [time zone](/settings/account#language).",
    save: "Save",
    confirmTitle: "Confirm the address",
    confirmLead: "Mail of @{username} goes to {address} from now on.",
    answerLead: "The answer to @{username} goes to {address}.",
    answerConfirmed: "The answer goes there. You can close this page.",
    confirm: "Confirm it",
    confirmed: "Mail of your account goes there from now on. You can close this page.",
    endTitle: "End these mails",
    endLead:
      "After this no more mail about notifications comes to you. They go on waiting for you on their page.",
    end: "End them",
    ended: "No more mail about notifications comes to you.",
    forgot: "Or have [a link sent by mail](/recover/mail), if your account has an address.",
    recoverTitle: "A way back in",
    recoverLead:
      "Where your account has a confirmed mail address, a link comes there that sets a new password.",
    who: "Username or mail address",
    recover: "Send me a link",
    recovered:
      "If there is such an account with a confirmed address, a link is on its way. It works for an hour. No link is sent to an address that was added less than 24 hours ago.",
  },
  feed: {
    title: "A feed of your own",
    lead: "What you are told, and what those post whom you follow, in a reader of feeds. Nothing of your account itself is in it.",
    none: "It has no address yet.",
    address: "Its address",
    keep: "Whoever has it reads what you are told: give it to your reader alone. If somebody else may know it, make a new one.",
    make: "Make an address",
    renew: "Make a new one",
    end: "Take it away",
    feedTitle: (community: string, username: string) => `${community}: @${username}`,
    posted: (name: string, title: string) => `${name}: ${title}`,
  },
  push: {
    greeting: "This browser is told of your notifications from now on.",
  },
};
