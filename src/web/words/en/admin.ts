import { USUAL_MESSAGE } from "../../../core/across/maintenance/maintenance.ts";
import { number, plural } from "./forms.ts";

/** What those who run the community see: the overview, the log, invites, maintenance. */
export const admin = {
  title: "Admin",
  places: {
    overview: "Overview",
    health: "Health",
    statistics: "Statistics",
    reports: "Reports",
    community: "Community",
    builders: "Builders",
    invites: "Invites",
    apps: "Apps",
    maintenance: "Maintenance",
    audit: "Audit log",
  },
  overview: {
    signUp: {
      open: "Anybody may join.",
      approval: "Whoever asks to may join once an admin has said yes, and whoever has an invite link.",
      invite: "Whoever has an invite link may join.",
      closed: "Nobody may join at the moment.",
    },
    newest: "Newest builders",
    allBuilders: "All builders",
    admins: "Who runs the community",
    lately: "What was done lately",
    wholeLog: "The whole log",
    nothing: "Nothing yet.",
    look: "Look at the server’s health",
    noReport: "No report waits for you.",
    reports: (count: number) =>
      count === 1
        ? "One report waits for you"
        : plural(count, { one: "{n} report waits for you", other: "{n} reports wait for you" }),
    reportsOrMore: (count: number) => `${number(count)} or more reports wait for you`,
  },
  backups: {
    title: "Backups",
    none: "The server makes no backups. The operator schedules them with GUILDHALL_BACKUP.",
    last: (megabytes: number, seconds: number) =>
      `The last verified backup was made at {when}: {name}, ${number(megabytes)} MB unpacked, in ${number(seconds)} s.`,
    notYet: "There is no backup yet.",
    late: "That is too long ago. The operator should look into the log.",
    failed: "The last try, at {when}, failed: {reason}",
    rehearsed: "A restore was last tried at {when}, and worked: {name}.",
    rehearsalFailed: "A restore that was tried at {when} failed: {reason}",
  },
  audit: {
    lead: (kept: string) => `Every security act of everybody: who, what, from where. Kept for ${kept}.`,
    empty: "Nothing yet",
    emptyLead: "Sign-ins, tokens, apps and what admins do will stand here.",
  },
  invites: {
    lead: {
      open: "Anybody may join; who comes by a link is noted as your guest.",
      approval: "Who comes by a link waits for no answer. You answer for who comes in by yours.",
      invite: "Nobody comes in without one. You answer for who comes in by yours.",
      closed: "Nobody may join at the moment, not even with a link.",
    },
    what: "What it is for (if you like)",
    whatHint: "Admins alone see it, such as “Meetup in May”.",
    people: "For how many people",
    long: "For how long",
    longs: { 1: "1 hour", 24: "1 day", 168: "7 days", 720: "30 days", 2160: "90 days" },
    make: "Make an invite link",
    label: "Invite link",
    shownOnce: (uses: number) =>
      plural(uses, {
        one: "Copy it now, or have it photographed: neither is shown again. It works once, until {when}.",
        other:
          "Copy it now, or have it photographed: neither is shown again. It works {n} times, until {when}.",
      }),
    copy: "Copy",
    copied: "Copied",
    code: "The same as a QR code",
    used: (used: number, uses: number) => `${number(used)} of ${number(uses)} used`,
    titled: (label: string) => `Withdraw the link “${label}”`,
    empty: "No link is open",
    emptyLead: "Make one and send it to somebody whom you want here.",
    madeByOperator: "Made {when} by the operator",
    madeBy: "Made {when} by {inviter}",
    until: "Works until {when}",
    withdraw: "Withdraw",
    withdrawOf: (minute: string) => `Withdraw the link made ${minute}`,
  },
  maintenance: {
    lead: "Everybody goes on reading, and nobody but admins changes anything. Deliveries wait, and go out when it ends.",
    now: "Now",
    since: "It has been on since {since}, until somebody ends it.",
    sinceUntil: "It has been on since {since}, until {until}.",
    end: "End maintenance",
    changeTitle: "Change what is said",
    beginTitle: "Begin",
    message: "What people are told",
    usual: USUAL_MESSAGE,
    messageHint: "A sentence or two, at the head of every page and in every refusal.",
    length: "How long",
    lengths: {
      open: "Until somebody ends it",
      quarter: "For a quarter of an hour",
      hour: "For an hour",
      fourHours: "For four hours",
    },
    asItIs: "As long as before",
    change: "Change",
    begin: "Begin maintenance",
  },
};
