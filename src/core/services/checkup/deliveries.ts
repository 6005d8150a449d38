import { backlog } from "../../outbox/deliveries/deliveries.ts";
import { DAY, HOUR, isoTime, MINUTE } from "../../base/clock.ts";
import { finding, type FixableFinding, note, ok, warning } from "./checkup.ts";
import { countEndpoints, selectUnfinished, type Unfinished } from "./deliveries-store.ts";
import { maintenanceOf } from "../../identity/maintenance/maintenance.ts";
import { countWithNoun } from "../../base/count-with-noun.ts";
import type { DataContext } from "./context.ts";

/** The loop looks around every second; a busy minute is no fault. */
const OVERDUE_MS = 5 * MINUTE;
const LONG_OVERDUE_MS = HOUR;
/** As its owner is told then. */
const FAILING_MS = DAY;
/** Chores go around every hour, and the largest of them take minutes. */
const UNFINISHED_MS = DAY;
/** Where so many fail, and half of all, it is hardly their receivers. */
const MANY = 3;

const SEE_LOG = "look into the server’s log for «chore failed» and «a step of the delivery loop failed»";

/** Whether deliveries go out. Without a server none do, and that is no fault. */
export function checkDeliveries(
  { db, clock }: Pick<DataContext, "db" | "clock">,
  isServed: boolean,
): FixableFinding[] {
  const { waiting, overdueMs } = backlog({ db, clock });
  const words =
    waiting === 0
      ? "no delivery waits"
      : `${countWithNoun(waiting, "delivery")} ${waiting === 1 ? "waits" : "wait"}`;
  const rest = maintenanceOf({ db, clock });
  if (rest)
    return [
      note(
        "deliveries",
        `there has been maintenance since ${isoTime(rest.since)}: nobody but admins changes anything, and ${words}`,
        "guildhall maintenance off, when it is over",
      ),
    ];
  if (!isServed || overdueMs < OVERDUE_MS)
    return [
      finding(
        "deliveries",
        waiting > 0 && !isServed ? "note" : "ok",
        waiting === 0 ? words : isServed ? `${words}, and none is late` : `${words} for a server`,
      ),
    ];
  return [
    finding(
      "deliveries",
      overdueMs < LONG_OVERDUE_MS ? "warning" : "severe",
      `${words}, the oldest has been due for ${Math.round(overdueMs / MINUTE)} minutes`,
      `${SEE_LOG}; where it tells of nothing, restart the server`,
    ),
  ];
}

/** How the endpoints of members do. Their owners are told, too. */
export function checkEndpoints({ db, clock }: DataContext): FixableFinding[] {
  const { all, on, failing, off } = countEndpoints(db, clock.now() - FAILING_MS);
  const counts = `of ${countWithNoun(all, "endpoint")} ${failing} fail for a day or longer, ${off} were switched off by that`;
  if (failing === 0 && off === 0) {
    const says = all === 0 ? "there is no endpoint" : `none of ${countWithNoun(all, "endpoint")} fails`;
    return [ok("endpoints", says)];
  }
  if (failing < MANY || 2 * failing < on) return [note("endpoints", counts)];
  return [
    warning(
      "endpoints",
      `${counts}: so many that it may be this machine`,
      "try whether this machine reaches others: names, proxy and firewall for outgoing https",
    ),
  ];
}

/** What a server does by and by, and should have done long ago. */
export function checkUnfinishedWork({ db, clock }: DataContext, isServed: boolean): FixableFinding[] {
  const found = selectUnfinished(db, clock.now() - UNFINISHED_MS);
  if (found.length === 0) return [ok("unfinished_work", "nothing has been unfinished for a day")];
  return found.map((each) =>
    finding(
      "unfinished_work",
      isServed ? "warning" : "note",
      wordsOf(each),
      isServed ? SEE_LOG : "start the server: it goes on with it",
    ),
  );
}

const WORDS: Readonly<Record<Unfinished["what"], (rows: number) => string>> = {
  account: (rows) => `rows of ${countWithNoun(rows, "deleted account")} are still there`,
  post: (rows) => `${countWithNoun(rows, "deleted post")} ${rows === 1 ? "is" : "are"} still there`,
  prompt: (rows) => `${countWithNoun(rows, "deleted prompt")} ${rows === 1 ? "is" : "are"} still there`,
  workspace: (rows) => `${countWithNoun(rows, "deleted workspace")} ${rows === 1 ? "is" : "are"} still there`,
  endpoint: (rows) => `deliveries of ${countWithNoun(rows, "removed endpoint")} are still there`,
  event: (rows) =>
    `${countWithNoun(rows, "event")} ${rows === 1 ? "has" : "have"} not reached all subscribers`,
  job: (rows) => `${countWithNoun(rows, "job")} ${rows === 1 ? "was" : "were"} not held against all filters`,
};

function wordsOf({ what, rows, since }: Unfinished): string {
  return `${WORDS[what](rows)}, since ${isoTime(since).slice(0, 10)}`;
}
