import { WRITE_SECONDS } from "../core/base/db/writer.ts";
import { ATTEMPT_SECONDS, DELIVERY_SECONDS } from "../core/outbox/deliveries/counters.ts";

/** A figure of the program, as Prometheus reads it. */
export interface MetricDescription {
  type: "counter" | "gauge" | "histogram";
  help: string;
  labels: readonly string[];
  /** The bucket bounds of a histogram. */
  bounds?: readonly number[];
}

/** Seconds of requests and commits. */
const QUICK = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/**
 * All figures there are, each said once: what is not here cannot be told, and docs/operating.md has this table.
 * A label takes its values from the program (docs/threats.md#M25): an operation, a code, a state, never what
 * somebody sent. Hosts of push services are the exception, and bounded (docs/contract.md#12.20.2).
 */
export const METRICS = {
  guildhall_build_info: gauge("1; its labels say what runs.", "version", "bun"),

  guildhall_http_requests_total: counter(
    "Requests answered. `way`: rest, graphql, oauth, pages, ops, or none where nothing is at the address. `route`: an operation of the API, the pattern of a page, never a path that was sent; unknown where there is none, and where a request was refused before one was looked for. `status`: 2xx to 5xx.",
    "way",
    "route",
    "method",
    "status",
  ),
  guildhall_http_requests_by_tier_total: counter(
    "The same by whose rate they are counted under: anonymous, personal, enterprise.",
    "tier",
    "status",
  ),
  guildhall_http_request_seconds: histogram(
    "Time from a request's arrival to its answer, or to a stream's beginning. `kind`: read, write, or wait for one that asked to be answered when there is something to tell.",
    QUICK,
    "way",
    "kind",
  ),
  guildhall_http_forwarded_unbelieved_total: counter(
    "Requests with an `X-Forwarded-For` that came from no proxy of `GUILDHALL_TRUSTED_PROXIES`, so that it was not believed.",
  ),
  guildhall_http_requests_in_flight: gauge("Requests that are not answered yet."),
  guildhall_streams_open: gauge(
    "Streams that are open, and requests that wait for something to tell; a thousand at most.",
  ),
  guildhall_http_answer_bytes_total: counter(
    "Bodies of answers, as they were sent, streams left out.",
    "way",
  ),
  guildhall_refusals_total: counter(
    "What was refused, by the `code` of docs/errors.md; `fault_of_ours` is a fault that stands in the log.",
    "code",
  ),
  guildhall_sign_in_failures_total: counter(
    "Credentials that were wrong: a password, a passkey, a one-time link, a token, an app's secret.",
    "by",
  ),

  guildhall_delivery_last_turn_seconds: gauge(
    "Since the delivery loop last looked around; it does so every second.",
  ),
  guildhall_delivery_running: gauge("Attempts under way."),
  guildhall_delivery_faults: gauge(
    "Steps of the delivery loop that failed since the start, and deaths of its thread; the log tells of them, once a second at most.",
  ),
  guildhall_delivery_waiting: gauge("Deliveries that wait or run; 10000 stands for any more."),
  guildhall_delivery_overdue_seconds: gauge(
    "How long the oldest attempt that may be made has been due; 0 in maintenance, where none may.",
  ),
  guildhall_maintenance: gauge("1 while there is maintenance: nobody but admins changes anything."),

  guildhall_delivery_attempts_total: counter(
    "Attempts by how they ended: acknowledged, the class of a status that is no 2xx (`status_5xx`), or the code of what went wrong, as delivery logs have it.",
    "outcome",
  ),
  guildhall_deliveries_total: counter(
    "Deliveries that ended: acknowledged, or failed after their last attempt.",
    "state",
  ),
  guildhall_delivery_attempt_seconds: histogram("Time that an attempt took.", ATTEMPT_SECONDS),
  guildhall_delivery_seconds: histogram(
    "Time from when a delivery was due until it was acknowledged, all its attempts included.",
    DELIVERY_SECONDS,
  ),
  guildhall_endpoints: gauge(
    "Webhook endpoints by how they do: ok, failing, disabled; `code` says why one is disabled. Up to ten seconds old.",
    "state",
    "code",
  ),

  guildhall_mail_waiting: gauge(
    "Mails that wait or are on their way, by `kind` and `lane` (urgent, ordinary); 10000 stands for any more. Up to ten seconds old.",
    "kind",
    "lane",
  ),
  guildhall_mail_oldest_seconds: gauge(
    "How long ago the oldest waiting mail was queued, its attempts included; 0 where none waits, and in maintenance.",
    "kind",
    "lane",
  ),
  guildhall_mail_overdue_seconds: gauge(
    "How long the oldest mail of a `lane` that may be sent now has been due; 0 in maintenance.",
    "lane",
  ),
  guildhall_mail_attempts_total: counter(
    "Attempts to hand over mails, by `kind`, by the `host` of the mail server, and by `outcome`: sent, later (tried again), unreachable (the server took no mail at all), refused (this mail), bounced (the mailbox).",
    "kind",
    "host",
    "outcome",
  ),
  guildhall_push_waiting: gauge(
    "Pushes that wait or are on their way; 10000 stands for any more. Up to ten seconds old.",
  ),
  guildhall_push_oldest_seconds: gauge(
    "How long ago the oldest waiting push was queued, its attempts included; 0 in maintenance.",
  ),
  guildhall_push_overdue_seconds: gauge(
    "How long the oldest push that may be sent now has been due; 0 in maintenance.",
  ),
  guildhall_push_attempts_total: counter(
    "Attempts to hand over pushes, by the `host` of the push service (those that browsers come with, twenty more, and `other`) and by `outcome`: sent, later (tried again), refused, gone (the browser unsubscribed).",
    "host",
    "outcome",
  ),

  guildhall_database_writes_waiting: gauge("Writes in the queue: each waits for those before it."),
  guildhall_database_commit_seconds: histogram(
    "Time from the beginning of a transaction until it is on disk; many writes share one. `thread`: requests, or delivery.",
    WRITE_SECONDS,
    "thread",
  ),
  guildhall_database_write_seconds: histogram(
    "Time from asking for a write until it is on disk, the wait for others included.",
    WRITE_SECONDS,
    "thread",
  ),

  guildhall_chore_failures_total: counter(
    "Chores that failed: what the server does now and then by itself. Each is in the log, and tried again.",
    "chore",
  ),
  guildhall_chore_last_success_timestamp_seconds: gauge(
    "When each chore last came to its end; absent until it has.",
    "chore",
  ),

  guildhall_ready: gauge("1 where the server can do what it is for, as /readyz says; as of the last look."),
  guildhall_leads: gauge(
    "1 where this node leads and writes; 0 once another one leads by a later epoch. Two nodes with 1 for more than a few seconds do not see each other.",
  ),
  guildhall_epoch: gauge("How many leaders the community had, as its database says."),
  guildhall_nodes_silent: gauge(
    "How many of `GUILDHALL_PEERS` did not answer the last look: whether one of them leads is not known.",
  ),
  guildhall_database_bytes: gauge("Size of the database, without its write-ahead log."),
  guildhall_write_ahead_log_bytes: gauge("Size of `guildhall.db-wal`; it grows while another program reads."),
  guildhall_disk_free_bytes: gauge("What the server may still write on the disk of the data folder."),

  guildhall_checkup_age_seconds: gauge(
    "Since everything was last looked at, as `guildhall doctor` does; absent until it was.",
  ),
  guildhall_checkup_findings: gauge(
    "What that look found. `severity`: severe, warning or note; the log and /admin say what.",
    "severity",
  ),

  guildhall_database_troubles: gauge(
    "How often statements met damage, a disk that fails or is full, and it is not past. `kind`: damaged, unreadable, unwritable, unmerged (a checkpoint).",
    "kind",
  ),

  guildhall_backup_scheduled: gauge(
    "1 where backups are scheduled, 0 where the operator has named no place.",
  ),
  guildhall_backup_age_seconds: gauge(
    "Since the newest scheduled backup that was verified; absent until there is one.",
  ),
  guildhall_backup_duration_seconds: gauge("How long it took."),
  guildhall_backup_bytes: gauge("How much it holds, unpacked."),
  guildhall_backup_failing: gauge("1 where the newest try failed."),
  guildhall_backup_late: gauge("1 where the newest good one is older than twice the time between two."),
  guildhall_backup_rehearsal_age_seconds: gauge(
    "Since a restore of the newest was last tried and worked; absent until one was.",
  ),
  guildhall_backup_rehearsal_failing: gauge("1 where the newest try of a restore failed."),

  guildhall_replica_age_seconds: gauge(
    "For how long the replica of `GUILDHALL_REPLICA` has lacked the newest commits, 0 while it has them; absent without that setting, and at a node that does not lead.",
  ),

  guildhall_certificate_ends_in_seconds: gauge(
    "How long the certificate that is shown may still be believed; absent without TLS.",
  ),

  guildhall_handed_on_total: counter(
    "Requests that this node handed on to the one that leads. `outcome`: answered, away (nobody leads, or no answer came), left (the client did).",
    "outcome",
  ),
  guildhall_leader_up: gauge("1 where the leader answers this follower; absent at a server that leads."),
  guildhall_follower_lag_seconds: gauge(
    "For how long there has been something at the leader that this follower's copy lacks; absent at a server that leads.",
  ),
  guildhall_follower_clock_seconds: gauge(
    "How far this follower's clock is ahead of its leader's, negative where it is behind; from 30 on the leader refuses what it forwards. Absent at a server that leads.",
  ),
  guildhall_follower_waits_total: counter(
    "Reads that needed what was not there yet. `outcome`: reached (it came in time), handed_on.",
    "outcome",
  ),
  guildhall_follower_waiting: gauge("Reads that wait for it now."),

  guildhall_metrics_unanswered: gauge(
    "Questions behind this page that failed, such as those to a database that does not answer; what they would tell is absent.",
  ),
} as const satisfies Readonly<Record<string, MetricDescription>>;

type Names<Type extends MetricDescription["type"]> = {
  [Name in keyof typeof METRICS]: (typeof METRICS)[Name]["type"] extends Type ? Name : never;
}[keyof typeof METRICS];

export type MetricName = keyof typeof METRICS;
export type DigestName = Names<"histogram">;
export type NumberName = Names<"counter" | "gauge">;
export type LabelsOf<Name extends MetricName> = Texts<(typeof METRICS)[Name]["labels"]>;
type Texts<Labels extends readonly string[]> = { readonly [Place in keyof Labels]: string };
/** Gauges that are one figure. */
export type PlainGauge = {
  [Name in Names<"gauge">]: (typeof METRICS)[Name]["labels"] extends readonly [] ? Name : never;
}[Names<"gauge">];

function counter<const Labels extends readonly string[]>(help: string, ...labels: Labels) {
  return { type: "counter", help, labels } as const;
}

function gauge<const Labels extends readonly string[]>(help: string, ...labels: Labels) {
  return { type: "gauge", help, labels } as const;
}

function histogram<const Labels extends readonly string[]>(
  help: string,
  bounds: readonly number[],
  ...labels: Labels
) {
  return { type: "histogram", help, bounds, labels } as const;
}
