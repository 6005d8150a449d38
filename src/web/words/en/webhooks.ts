import { decimal, list, number, plural } from "./forms.ts";

/** The endpoints of a workspace, one of them, its deliveries. */
export const webhooks = {
  title: "Webhooks",
  all: "All webhooks",
  add: "Add an endpoint",
  lead: "An endpoint of yours gets a signed request within milliseconds of what happens here, again and again for 24 hours until it answers. [How to check a signature](/docs#deliveries)",
  empty: "No endpoint yet",
  emptyLead:
    "Tell your chat, your build or your own script when somebody posts, when a job matches you, or when you get a message.",
  states: {
    off: "Off",
    disabled: "Disabled",
    on: "On",
    failing: "Failing",
    failingForADay: "Failing for a day",
  },
  form: {
    url: "Address",
    urlHint: "An https:// address that anybody on the internet could reach.",
    urlExample: "https://hooks.example.com/guildhall",
    events: "What it hears of",
    button: "Add the endpoint",
  },
  made: {
    title: "Your endpoint",
    heading: "Your endpoint is ready",
    next: "Next",
    nextLead: "Put the secret where your receiver can read it, then [send a test event]({address}).",
  },
  secret: {
    label: "Signing secret",
    copy: "Copy it now: it is not shown again. Whoever has it can send requests that look like ours.",
    lead: "A new one takes over at once; each one from before signs too for 24 hours more, so that your receiver can follow. Five can be valid at a time.",
    make: "Make a new secret",
    /** Which older ones are valid still; their ends stand in places `{0}`, `{1}`, …. */
    older: (count: number) => {
      const ends = list(Array.from({ length: count }, (_, index) => `{${index}}`));
      return count === 1
        ? `One older secret still signs, until ${ends}.`
        : plural(count, { other: `{n} older secrets still sign, until ${ends}.` });
    },
    newTitle: "A new signing secret",
    of: "For {url}",
    back: "Back to the endpoint",
  },
  endpoint: {
    title: "Webhook endpoint",
    ofApp: "The app “{app}” registered it. It ends when you [disconnect the app](/settings/connected).",
    changeTitle: "Change it",
    save: "Save",
    stop: "Stop",
    stopLead: "Pausing keeps what waits and goes on where it stopped. Deleting forgets all of it.",
    pause: "Pause deliveries",
    delete: "Delete the endpoint",
    failing: "It is failing",
    failingLead:
      "It has acknowledged nothing since {when}. What is sent to it is tried again for 24 hours; after five days without one acknowledgement it is switched off.",
    paused: "Deliveries are paused",
    pausedLead:
      "{reason} Since {when}. The newest thousand that wait are kept for three days; the others fail, and can be sent again.",
    deliver: "Deliver again",
    leave: "Leave it off",
  },
  test: {
    title: "Try it",
    lead: "A test is signed and sent as any other event, about nothing that exists: each identifier in it ends in zeros.",
    type: "Type",
    button: "Send a test event",
  },
  figures: {
    acknowledged: "Acknowledged",
    percent: (percent: number) => `${number(percent)} %`,
    median: "Median answer",
    slow: "95th percentile",
    waiting: "Waiting",
    unknown: "–",
    time: (ms: number) => (ms < 1000 ? `${number(ms)} ms` : `${decimal(ms / 1000, 1)} s`),
  },
  charts: {
    days: "Deliveries a day",
    daysInWords: (days: number, acknowledged: number, failed: number, waiting: number) =>
      `In the last ${number(days)} days ${number(acknowledged)} deliveries were acknowledged, ${number(failed)} failed and ${number(waiting)} wait.`,
    attempts: "Latest attempts, by how long the answer took",
    seconds: (seconds: number) => `${number(seconds)} s`,
    milliseconds: (ms: number) => `${number(ms)} ms`,
    acknowledged: (moment: string, ms: number) => `${moment}: ${number(ms)} ms, acknowledged`,
    failed: (moment: string, ms: number) => `${moment}: ${number(ms)} ms, failed`,
    attemptsInWords: (attempts: number, acknowledged: number) =>
      `Of the latest ${number(attempts)} attempts ${number(acknowledged)} were acknowledged.`,
  },
  deliveries: {
    title: "Deliveries",
    again: "Send again…",
    state: "State",
    all: "All",
    waiting: "Waiting",
    acknowledged: "Acknowledged",
    failed: "Failed",
    onItsWay: "On its way",
    empty: "Nothing here",
    emptyLead: "What is sent to this endpoint stands here for thirty days.",
    attempts: (count: number) => plural(count, { one: "1 attempt", other: "{n} attempts" }),
  },
  delivery: {
    title: (type: string) => `Delivery of ${type}`,
    event: "Event",
    delivery: "Delivery",
    fired: "Fired",
    attempts: "Attempts",
    attempt: (index: number) => `Attempt ${number(index)}`,
    attemptWith: (index: number, status: number) => `Attempt ${number(index)}: ${status}`,
    attemptAt: (ms: number) => `{when} · ${number(ms)} ms`,
    answer: "The beginning of the answer",
    givenUp: "Given up",
    acknowledged: "Acknowledged",
    onItsWay: "On its way",
    paused: "Waits until the endpoint is enabled",
    due: "The next attempt is due",
    next: "Next attempt {when}",
    again: "Send it again",
    now: "Try it again now",
  },
  recovery: {
    title: "Send again",
    lead: "To {url}, the oldest first. Your receiver may get an event twice: drop those whose id it knows.",
    paused: "The endpoint is paused",
    pausedLead: "Let deliveries go out again first.",
    since: "From when on",
    spans: {
      hour: "The last hour",
      day: "The last 24 hours",
      week: "The last 7 days",
      month: "The last 30 days",
    },
    /** Each figure is a number, or `orMore` of one. */
    counts: (failed: string, acknowledged: string, missed: string) =>
      `${failed} failed · ${acknowledged} acknowledged · ${missed} missed`,
    orMore: (count: number) => `${number(count)} or more`,
    what: "What",
    failed: "What failed",
    acknowledged: "What was acknowledged",
    acknowledgedHint: "For a receiver that has lost what it had.",
    any: "Both",
    beside: "Beside it",
    missed: "What it missed",
    missedHint: "What fired while it was off, or did not listen to that type yet. Each event once.",
    button: "Send them again",
  },
};
