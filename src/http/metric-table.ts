import { WRITE_SECONDS } from "../core/base/db/writer.ts";
import { ATTEMPT_SECONDS, DELIVERY_SECONDS } from "../core/outbox/deliveries/counters.ts";

/** Description of a metric for Prometheus. */
export interface MetricDescription {
  type: "counter" | "gauge" | "histogram";
  help: string;
  labels: readonly string[];
  /** Upper bounds of a histogram's buckets. */
  bounds?: readonly number[];
}

/** Upper bounds of the buckets for requests and commits, in seconds. */
const QUICK = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/**
 * All metrics. docs/operating.md contains this table. Label values come from the program, such as an
 * operation, a code or a state. Label values never come from clients (docs/threats.md#M25). Hosts of push
 * services are the exception, and the number of these hosts is limited (docs/contract.md#12.20.2).
 */
export const METRICS = {
  guildhall_build_info: gauge("Always 1; the labels describe the running server.", "version", "bun"),

  guildhall_http_requests_total: counter(
    "Number of answered requests. `way`: `rest`, `graphql`, `oauth`, `pages`, `ops` (health and metrics), or `none` for unknown paths. `route`: the API operation or the pattern of the page. `route` is `unknown` if no route matches, or if the request was refused before routing. `status`: `2xx` to `5xx`.",
    "way",
    "route",
    "method",
    "status",
  ),
  guildhall_http_requests_by_tier_total: counter(
    "Number of answered requests by rate limit tier: `anonymous`, `personal`, `enterprise`.",
    "tier",
    "status",
  ),
  guildhall_http_request_seconds: histogram(
    "Time from receiving a request to its response, or to the start of a stream. `kind`: `read`, `write`, or `wait` for long polling.",
    QUICK,
    "way",
    "kind",
  ),
  guildhall_http_forwarded_unbelieved_total: counter(
    "Number of requests with an `X-Forwarded-For` header from an IP address that is not in `GUILDHALL_TRUSTED_PROXIES`. The server ignored the header.",
  ),
  guildhall_http_requests_in_flight: gauge("Number of requests in progress."),
  guildhall_streams_open: gauge("Number of open streams and waiting long polls, at most 1000."),
  guildhall_http_answer_bytes_total: counter(
    "Number of bytes sent in response bodies, without streams.",
    "way",
  ),
  guildhall_refusals_total: counter(
    "Number of refused requests by error code (docs/errors.md). `fault_of_ours` is a server error; the log has its cause.",
    "code",
  ),
  guildhall_sign_in_failures_total: counter(
    "Number of wrong credentials: passwords, passkeys, one-time links, tokens, app secrets.",
    "by",
  ),

  guildhall_delivery_last_turn_seconds: gauge(
    "Seconds since the loop that sends webhooks last ran. It runs every second.",
  ),
  guildhall_delivery_running: gauge("Number of webhook delivery attempts in progress."),
  guildhall_delivery_faults: gauge(
    "Number of errors in the loop that sends webhooks, since the start. Each unexpected end of its thread also counts. The log reports at most one error per second.",
  ),
  guildhall_delivery_waiting: gauge(
    "Number of deliveries that are pending or in progress; 10000 means 10000 or more.",
  ),
  guildhall_delivery_overdue_seconds: gauge(
    "Seconds that the oldest pending delivery is overdue; 0 in maintenance mode.",
  ),
  guildhall_maintenance: gauge("1 in maintenance mode, when only admins can write."),

  guildhall_delivery_attempts_total: counter(
    "Number of delivery attempts by result: `acknowledged`, the status class of a failure (`status_5xx`), or an error code as in delivery logs.",
    "outcome",
  ),
  guildhall_deliveries_total: counter(
    "Number of finished deliveries by result: `acknowledged`, or `failed` after the last attempt.",
    "state",
  ),
  guildhall_delivery_attempt_seconds: histogram("Duration of delivery attempts.", ATTEMPT_SECONDS),
  guildhall_delivery_seconds: histogram(
    "Time from a delivery's due time to its acknowledgement, including all attempts.",
    DELIVERY_SECONDS,
  ),
  guildhall_endpoints: gauge(
    "Number of webhook endpoints by state: `ok`, `failing`, `disabled`. `code` is the reason for disabling. Up to 10 seconds old.",
    "state",
    "code",
  ),

  guildhall_mail_waiting: gauge(
    "Number of emails that are waiting or in progress, by `kind` and `lane` (`urgent`, `ordinary`); 10000 means 10000 or more. Up to 10 seconds old.",
    "kind",
    "lane",
  ),
  guildhall_mail_oldest_seconds: gauge(
    "Seconds since the oldest email that is waiting or in progress was queued. 0 if there is none, or in maintenance mode.",
    "kind",
    "lane",
  ),
  guildhall_mail_overdue_seconds: gauge(
    "Seconds by which the oldest email that is ready to send is overdue, by `lane`; 0 in maintenance mode.",
    "lane",
  ),
  guildhall_mail_attempts_total: counter(
    "Number of attempts to send email by `kind`, `host` of the mail server, and `outcome`. Outcomes: `sent`, `later` (will be retried), `unreachable` (the server accepted no email), `refused` (the server refused this email), `bounced` (the server refused the mailbox).",
    "kind",
    "host",
    "outcome",
  ),
  guildhall_push_waiting: gauge(
    "Number of push messages that are waiting or in progress; 10000 means 10000 or more. Up to 10 seconds old.",
  ),
  guildhall_push_oldest_seconds: gauge(
    "Seconds since the oldest push message that is waiting or in progress was queued. 0 in maintenance mode.",
  ),
  guildhall_push_overdue_seconds: gauge(
    "Seconds by which the oldest push message that is ready to send is overdue; 0 in maintenance mode.",
  ),
  guildhall_push_attempts_total: counter(
    "Number of attempts to send push messages by `outcome` and by `host` of the push service. `host` is a known host, one of up to twenty others, or `other`. Outcomes: `sent`, `later` (will be retried), `refused`, `gone` (the browser unsubscribed).",
    "host",
    "outcome",
  ),

  guildhall_database_writes_waiting: gauge("Number of writes in the queue."),
  guildhall_database_commit_seconds: histogram(
    "Time from the start of a transaction until it is on disk. Many writes can share one transaction. `thread`: `requests` or `delivery`.",
    WRITE_SECONDS,
    "thread",
  ),
  guildhall_database_write_seconds: histogram(
    "Time from requesting a write until it is on disk, including waiting for other writes.",
    WRITE_SECONDS,
    "thread",
  ),

  guildhall_chore_failures_total: counter(
    "Number of failed runs of background chores. Each failure is logged, and the chore is retried.",
    "chore",
  ),
  guildhall_chore_last_success_timestamp_seconds: gauge(
    "Time when each chore last succeeded; absent before the first success.",
    "chore",
  ),

  guildhall_ready: gauge("1 if the server was ready at the last check, as /readyz reports."),
  guildhall_leads: gauge(
    "1 if this node leads and writes, 0 if another node leads in a later epoch. If two nodes have 1 for more than a few seconds, they cannot reach each other.",
  ),
  guildhall_epoch: gauge("Epoch in the database of this node. The epoch grows with each new leader."),
  guildhall_nodes_silent: gauge(
    "Number of nodes in `GUILDHALL_PEERS` that did not answer the last check. One of them may be the leader.",
  ),
  guildhall_database_bytes: gauge("Size of the database without its write-ahead log."),
  guildhall_write_ahead_log_bytes: gauge(
    "Size of `guildhall.db-wal`; it grows while another program keeps the database open for reading.",
  ),
  guildhall_disk_free_bytes: gauge(
    "Number of bytes that the server can still use on the disk of the data folder.",
  ),

  guildhall_checkup_age_seconds: gauge(
    "Seconds since the last complete `guildhall doctor` run; absent before the first.",
  ),
  guildhall_checkup_findings: gauge(
    "Number of findings of the last complete `guildhall doctor` run by `severity`: `severe`, `warning`, `note`. The log and /admin list them.",
    "severity",
  ),

  guildhall_database_troubles: gauge(
    "Number of unresolved storage errors by `kind`: `damaged`, `unreadable`, `unwritable`, `unmerged` (a failed checkpoint).",
    "kind",
  ),

  guildhall_backup_scheduled: gauge("1 if backups are scheduled, 0 if `GUILDHALL_BACKUP` is not set."),
  guildhall_backup_age_seconds: gauge(
    "Seconds since the newest verified scheduled backup; absent before the first.",
  ),
  guildhall_backup_duration_seconds: gauge("Duration of the newest verified scheduled backup."),
  guildhall_backup_bytes: gauge("Size of the newest verified scheduled backup, uncompressed."),
  guildhall_backup_failing: gauge("1 if the last scheduled backup failed."),
  guildhall_backup_late: gauge(
    "1 if the newest verified backup is older than twice `GUILDHALL_BACKUP_EVERY`.",
  ),
  guildhall_backup_rehearsal_age_seconds: gauge(
    "Seconds since the last successful test restore; absent before the first.",
  ),
  guildhall_backup_rehearsal_failing: gauge("1 if the last test restore failed."),

  guildhall_replica_age_seconds: gauge(
    "Seconds for which the replica of `GUILDHALL_REPLICA` has been behind the newest commits, or 0 if the replica has them. Absent without this setting, and on a follower.",
  ),

  guildhall_certificate_ends_in_seconds: gauge(
    "Seconds until the certificate expires, negative afterwards; absent without TLS.",
  ),

  guildhall_handed_on_total: counter(
    "Number of requests that this node forwarded to the leader. `outcome`: `answered`, `away` (no leader, or no answer), `left` (the client disconnected).",
    "outcome",
  ),
  guildhall_leader_up: gauge("1 if the leader answers this follower; absent on a leader."),
  guildhall_follower_lag_seconds: gauge(
    "Seconds for which the database copy of this follower has been behind the leader; absent on a leader.",
  ),
  guildhall_follower_clock_seconds: gauge(
    "Seconds that this follower's clock is ahead of the leader's, negative if behind; at 30 or more, the leader refuses forwarded requests. Absent on a leader.",
  ),
  guildhall_follower_waits_total: counter(
    "Number of reads that needed a newer version of the database copy. `outcome`: `reached` (the version arrived in time), `handed_on` (the read was forwarded to the leader).",
    "outcome",
  ),
  guildhall_follower_waiting: gauge(
    "Number of reads that are waiting for a newer version of the database copy.",
  ),

  guildhall_metrics_unanswered: gauge(
    "Number of queries that failed while the metrics were collected, for example because the database did not answer. The metrics that need such a query are then absent.",
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
/** Names of gauges without labels. */
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
