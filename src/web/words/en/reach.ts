/** What reaches members who are not here: pushes, mails, feeds. */
export const reach = {
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
  push: {
    greeting: "This browser is told of your notifications from now on.",
  },
};
