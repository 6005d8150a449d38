import { backlog } from "../../outbox/deliveries/deliveries.ts";
import { DAY, HOUR, isoTime, MINUTE } from "../../base/clock.ts";
import { finding, type FixableFinding, note, ok, warning } from "./checkup.ts";
import { countEndpoints, selectUnfinished, type Unfinished } from "./deliveries-store.ts";
import { maintenanceOf } from "../../identity/maintenance/maintenance.ts";
import { countWithNoun } from "../../base/count-with-noun.ts";
import type { DataContext } from "./context.ts";

/**
 * The check warns if the oldest delivery has been overdue for this time. The delivery loop runs every second,
 * but a few busy minutes are not a problem.
 */
const OVERDUE_MS = 5 * MINUTE;
const LONG_OVERDUE_MS = HOUR;
/**
 * The check reports endpoints that have been failing for this time. Their owners are notified after the same
 * time.
 */
const FAILING_MS = DAY;
/**
 * The check reports background work that is older than this time. The periodic tasks run every hour, and the
 * longest tasks take minutes.
 */
const UNFINISHED_MS = DAY;
/**
 * The check suspects this server, not the receivers, if many endpoints fail. “Many” means at least this
 * number and at least half of the enabled endpoints.
 */
const MANY = 3;

const SEE_LOG = "Search the server's log for “chore failed” and “delivery loop step failed”";

/** Checks whether deliveries are sent in time. If no server runs, pending deliveries are not a problem. */
export function checkDeliveries(
  { db, clock }: Pick<DataContext, "db" | "clock">,
  isServed: boolean,
): FixableFinding[] {
  const { waiting, overdueMs } = backlog({ db, clock });
  const words =
    waiting === 0
      ? "No delivery is pending"
      : `${countWithNoun(waiting, "delivery")} ${waiting === 1 ? "is" : "are"} pending`;
  const maintenance = maintenanceOf({ db, clock });
  if (maintenance)
    return [
      note(
        "deliveries",
        `Maintenance mode has been on since ${isoTime(maintenance.since)}, so deliveries wait. ${words}.`,
        "When you are done: guildhall maintenance off",
      ),
    ];
  if (!isServed || overdueMs < OVERDUE_MS)
    return [
      finding(
        "deliveries",
        waiting > 0 && !isServed ? "note" : "ok",
        waiting === 0 ? `${words}.` : isServed ? `${words}, none is late.` : `${words} until a server runs.`,
      ),
    ];
  return [
    finding(
      "deliveries",
      overdueMs < LONG_OVERDUE_MS ? "warning" : "severe",
      `${words}, the oldest ${Math.round(overdueMs / MINUTE)} minutes late.`,
      `${SEE_LOG}. If you find neither, restart the server`,
    ),
  ];
}

/**
 * Checks the endpoints of all members. The finding is for the operator; the owners of failing endpoints get
 * their own notification.
 */
export function checkEndpoints({ db, clock }: DataContext): FixableFinding[] {
  const { all, on, failing, off } = countEndpoints(db, clock.now() - FAILING_MS);
  const counts = `Of ${countWithNoun(all, "endpoint")}, ${failing} have failed for a day or longer, and ${off} were disabled automatically`;
  if (failing === 0 && off === 0) {
    const says =
      all === 0 ? "There are no endpoints." : `None of ${countWithNoun(all, "endpoint")} is failing.`;
    return [ok("endpoints", says)];
  }
  if (failing < MANY || 2 * failing < on) return [note("endpoints", `${counts}.`)];
  return [
    warning(
      "endpoints",
      `${counts}. With so many, the cause may be this machine.`,
      "Check whether this machine reaches others: DNS, proxy, and firewall for outgoing HTTPS",
    ),
  ];
}

/** Checks for background work that should have finished long ago. */
export function checkUnfinishedWork({ db, clock }: DataContext, isServed: boolean): FixableFinding[] {
  const found = selectUnfinished(db, clock.now() - UNFINISHED_MS);
  if (found.length === 0) return [ok("unfinished_work", "No background work is overdue.")];
  return found.map((each) =>
    finding(
      "unfinished_work",
      isServed ? "warning" : "note",
      unfinishedText(each),
      isServed ? SEE_LOG : "Start the server: it continues the work",
    ),
  );
}

const UNFINISHED_TEXTS: Readonly<Record<Unfinished["what"], (rows: number) => string>> = {
  account: (rows) => `Rows of ${countWithNoun(rows, "deleted account")} have not been removed`,
  post: (rows) => `${countWithNoun(rows, "deleted post")} ${rows === 1 ? "has" : "have"} not been removed`,
  prompt: (rows) =>
    `${countWithNoun(rows, "deleted prompt")} ${rows === 1 ? "has" : "have"} not been removed`,
  workspace: (rows) =>
    `${countWithNoun(rows, "deleted workspace")} ${rows === 1 ? "has" : "have"} not been removed`,
  endpoint: (rows) => `Deliveries of ${countWithNoun(rows, "removed endpoint")} have not been removed`,
  event: (rows) =>
    `${countWithNoun(rows, "event")} ${rows === 1 ? "has" : "have"} not reached all subscribers`,
  job: (rows) =>
    `${countWithNoun(rows, "job")} ${rows === 1 ? "has" : "have"} not been compared with all job filters`,
};

function unfinishedText({ what, rows, since }: Unfinished): string {
  return `${UNFINISHED_TEXTS[what](rows)} (since ${isoTime(since).slice(0, 10)}).`;
}
