import type { MailKind } from "../../../core/identity/mail/queue.ts";
import type { Severity } from "../../../core/services/checkup/checkup.ts";
import { compact, decimal, number, plural } from "./forms.ts";

const things = (count: number): string =>
  count === 1 ? "one thing" : plural(count, { one: "{n} thing", other: "{n} things" });

const severities: Readonly<Record<Severity, string>> = {
  severe: "Severe",
  warning: "Warning",
  note: "Note",
  ok: "Well",
};

const outgoingKinds: Readonly<Record<MailKind, string>> = {
  confirm: "Address confirmations",
  moved: "Notices to an earlier address",
  recovery: "Recovery links",
  notification: "Notifications by mail",
  digest: "Digests",
  invitation: "Invitations",
  applied: "Confirmations of join requests",
  answered: "Answers to join requests",
};

/** How the server and the community do. What the doctor finds is said by the doctor, to the operator. */
export const health = {
  title: "Health",
  lead: "How this server and the community do. Days are those of UTC.",
  look: "Look at everything now",
  actNow: (severe: number, warnings: number) =>
    `Act now: ${things(severe)} ${severe === 1 ? "is" : "are"} severe${warnings > 0 ? `, and ${things(warnings)} should be looked at` : ""}.`,
  works: (warnings: number) => `It works, and ${things(warnings)} should be looked at.`,
  well: "All is well.",
  doctor: "guildhall doctor",
  notYet: "The server has not been looked through yet; {command} does it at once.",
  lookedThrough:
    "Looked through {when}; backups, deliveries and what is met while it serves are of this moment.",
  severities,
  found: "What was found",
  mend: "To mend it: {command}",
  thingsAreWell: (count: number) =>
    count === 1
      ? "One thing is well"
      : plural(count, { one: "{n} thing is well", other: "{n} things are well" }),
  failing: {
    title: "Webhook endpoints that fail",
    none: "None fails, and none is off that its owner did not switch off.",
    nobodys: "Nobody’s",
    of: "Of {owner}",
    acknowledgesNothing: "Acknowledges nothing",
    since: "since {when}",
    off: "Off",
    failing: "Failing",
  },
  outgoing: {
    title: "Mail and push",
    lead: "What waits to leave to members now, and the attempts since the server started.",
    none: "Nothing waits, and nothing was sent since the server started.",
    urgent: "Urgent notifications by mail",
    pushes: "Pushes to browsers",
    queue: "Waiting messages",
    attempts: "Attempts by host",
    columns: {
      what: "Kind",
      waiting: "Waiting",
      oldest: "Oldest",
      host: "Host",
      sent: "Sent",
      failed: "Failed",
    },
    mail: "Mail",
    push: "Push",
    others: "Other hosts",
    kinds: outgoingKinds,
  },
  today: {
    title: "Today",
    active: "Active today",
    requests: "Requests",
    reads: "Reads, 99 of 100 within",
    faults: "Faults of ours",
  },
  month: {
    title: "The last thirty days",
    activeTitle: "Members active a day",
    active: "active",
    writtenTitle: "Written a day",
    posts: "posts",
    replies: "replies",
    newTitle: "New a day",
    signUps: "sign-ups",
    jobs: "jobs",
    prompts: "prompts",
    attemptsTitle: "Attempts of deliveries a day",
    acknowledged: "acknowledged",
    failed: "failed",
    readsTitle: "Reads answered within",
    writesTitle: "Writes answered within",
    half: "half of them",
    nearlyAll: "99 of 100",
    faultsTitle: "Requests that a fault of ours ended",
    faults: "faults",
    sizeTitle: "Size of the database",
    size: "size",
    freeTitle: "Free on its disk",
    free: "free",
  },
  /** A figure in few signs. */
  figures: {
    unknown: "–",
    count: (value: number) => (value < 10_000 ? number(Math.round(value * 10) / 10) : compact(value)),
    time: (ms: number) =>
      ms >= 1000
        ? `${decimal(ms / 1000, 1)} s`
        : `${number(ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms))} ms`,
  },
  /** What a drawing shows, for whoever does not see it. */
  charts: {
    nothing: "Nothing is known of these days yet.",
    today: "today",
    ofDay: (day: string, figures: readonly string[]) => `${day}: ${figures.join(", ")}`,
    figure: (value: string, of: string) => `${value} ${of}`,
    noFigure: (of: string) => `nothing known ${of}`,
    point: (day: string, of: string, value: string) => `${day}: ${of} ${value}`,
    whole: (title: string, series: readonly string[]) => `${title}. ${series.join(" ")}`,
    onlyToday: (of: string, today: string | undefined) => `${of}: ${ofToday(today)}.`,
    series: (of: string, today: string | undefined, least: string, most: string, mean: string) =>
      `${of}: ${ofToday(today)}, on the days before ${least} to ${most}, ${mean} on average.`,
  },
};

function ofToday(today: string | undefined): string {
  return today === undefined ? "nothing known of today" : `today ${today}`;
}
