/**
 * The Grafana dashboard, built from the table of metrics. Its last row has a panel for each metric that the
 * panels below do not show. Each release contains the dashboard, and `bun scripts/dashboard.ts` prints it.
 */
import { METRICS, type DigestName, type MetricName } from "../src/http/metric-table.ts";

export interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: { expr: string }[];
}

export interface Dashboard {
  panels: Panel[];
  [more: string]: unknown;
}

type Query = readonly [legend: string, expression: string];

interface PanelPlan {
  title: string;
  unit: string;
  queries: readonly Query[];
  description?: string;
  isStacked?: boolean;
}

/** A single figure, with a colour per threshold and a label per value. */
interface FigurePlan extends PanelPlan {
  steps: readonly (readonly [color: string, from: number | null])[];
  words?: readonly string[];
}

const DATASOURCE = { type: "prometheus", uid: "${datasource}" };
const FIGURES_IN_A_ROW = 8;
const CHARTS_IN_A_ROW = 3;

/** Returns a selector for a metric. Grafana replaces the variables. */
const of = (metric: string, labels = ""): string =>
  `${metric}{job="$job", instance=~"$instance"${labels && `, ${labels}`}}`;
const rate = (
  metric: MetricName | `${DigestName}_${"bucket" | "count"}` | "process_cpu_seconds_total",
  labels?: string,
): string => `rate(${of(metric, labels)}[$__rate_interval])`;
const sumBy = (by: string, expression: string): string => `sum by (${by}) (${expression})`;
const quantile = (share: number, metric: DigestName, labels?: string, by = "le"): string =>
  `histogram_quantile(${share}, ${sumBy(by, rate(`${metric}_bucket`, labels))})`;
const legendOf = (labels: readonly string[]): string => labels.map((label) => `{{${label}}}`).join(" ");
/** Queries the raw metric, one line per server. */
const value = (metric: MetricName, legend = "{{instance}}", labels?: string): Query => [
  legend,
  of(metric, labels),
];
const perSecond = (metric: MetricName, ...by: string[]): Query => [
  legendOf(by),
  sumBy(by.join(", "), rate(metric)),
];
const answerTimes = (kind: string): Query[] =>
  [0.5, 0.95, 0.99].map((share) => [
    `p${share * 100}`,
    quantile(share, "guildhall_http_request_seconds", `kind="${kind}", way!="ops"`),
  ]);

const FIGURES: readonly FigurePlan[] = [
  {
    title: "State",
    unit: "none",
    queries: [value("guildhall_ready")],
    steps: [
      ["red", null],
      ["green", 1],
    ],
    words: ["not ready", "ready"],
  },
  {
    title: "Requests per second",
    unit: "reqps",
    queries: [["{{instance}}", sumBy("instance", rate("guildhall_http_requests_total", 'way!="ops"'))]],
    steps: [["green", null]],
  },
  {
    title: "Server errors",
    unit: "percentunit",
    queries: [
      [
        "{{instance}}",
        `${sumBy("instance", rate("guildhall_refusals_total", 'code="fault_of_ours"'))} / ${sumBy("instance", rate("guildhall_http_requests_total"))}`,
      ],
    ],
    steps: [
      ["green", null],
      ["orange", 0.001],
      ["red", 0.01],
    ],
  },
  {
    title: "Oldest delivery overdue",
    unit: "s",
    queries: [value("guildhall_delivery_overdue_seconds")],
    steps: [
      ["green", null],
      ["orange", 60],
      ["red", 300],
    ],
  },
  {
    title: "Free disk",
    unit: "bytes",
    queries: [value("guildhall_disk_free_bytes")],
    steps: [
      ["red", null],
      ["orange", 256 * 2 ** 20],
      ["green", 5 * 2 ** 30],
    ],
  },
  {
    title: "Backup",
    description: "Empty if no backups are scheduled.",
    unit: "none",
    queries: [value("guildhall_backup_late")],
    steps: [
      ["green", null],
      ["red", 1],
    ],
    words: ["on time", "late"],
  },
  {
    title: "Severe findings",
    description: "Findings of the server's last self-check; `guildhall doctor` says how to fix them.",
    unit: "none",
    queries: [value("guildhall_checkup_findings", "{{instance}}", 'severity="severe"')],
    steps: [
      ["green", null],
      ["red", 1],
    ],
  },
  {
    title: "Unanswered queries",
    description: "Queries of /metrics that the database did not answer.",
    unit: "none",
    queries: [value("guildhall_metrics_unanswered")],
    steps: [
      ["green", null],
      ["red", 1],
    ],
  },
];

const ROWS: Readonly<Record<string, readonly PanelPlan[]>> = {
  Requests: [
    {
      title: "Requests by interface",
      unit: "reqps",
      isStacked: true,
      queries: [perSecond("guildhall_http_requests_total", "way")],
    },
    {
      title: "Requests by status class",
      unit: "reqps",
      isStacked: true,
      queries: [perSecond("guildhall_http_requests_total", "status")],
    },
    {
      title: "Busiest routes",
      unit: "reqps",
      queries: [
        [
          "{{way}} {{method}} {{route}}",
          `topk(10, ${sumBy("way, route, method", rate("guildhall_http_requests_total", 'way!="ops"'))})`,
        ],
      ],
    },
    { title: "Answer time of reads", unit: "s", queries: answerTimes("read") },
    { title: "Answer time of writes", unit: "s", queries: answerTimes("write") },
    {
      title: "Requests by rate limit tier",
      unit: "reqps",
      isStacked: true,
      queries: [perSecond("guildhall_http_requests_by_tier_total", "tier")],
    },
    {
      title: "Refused requests",
      description: "Grouped by error code (see docs/errors.md).",
      unit: "reqps",
      queries: [["{{code}}", `topk(10, ${sumBy("code", rate("guildhall_refusals_total"))})`]],
    },
    {
      title: "Wrong credentials",
      unit: "cpm",
      queries: [["{{by}}", `${sumBy("by", rate("guildhall_sign_in_failures_total"))} * 60`]],
    },
    {
      title: "Requests in progress, bytes sent",
      unit: "short",
      queries: [
        value("guildhall_http_requests_in_flight", "in progress"),
        ["bytes per second", `sum(${rate("guildhall_http_answer_bytes_total")})`],
      ],
    },
  ],
  Deliveries: [
    {
      title: "Attempts by result",
      unit: "cps",
      isStacked: true,
      queries: [perSecond("guildhall_delivery_attempts_total", "outcome")],
    },
    {
      title: "Time from due to acknowledged",
      unit: "s",
      queries: [
        ["p50", quantile(0.5, "guildhall_delivery_seconds")],
        ["p99", quantile(0.99, "guildhall_delivery_seconds")],
        ["p99 of one attempt", quantile(0.99, "guildhall_delivery_attempt_seconds")],
      ],
    },
    {
      title: "Pending, in progress, overdue",
      unit: "short",
      queries: [
        value("guildhall_delivery_waiting", "pending"),
        value("guildhall_delivery_running", "in progress"),
        value("guildhall_delivery_overdue_seconds", "seconds overdue"),
      ],
    },
    {
      title: "Endpoints",
      unit: "short",
      isStacked: true,
      queries: [["{{state}} {{code}}", sumBy("state, code", of("guildhall_endpoints"))]],
    },
    {
      title: "Finished deliveries",
      unit: "cps",
      queries: [perSecond("guildhall_deliveries_total", "state")],
    },
    {
      title: "Delivery loop",
      unit: "short",
      queries: [
        value("guildhall_delivery_last_turn_seconds", "seconds since its last run"),
        value("guildhall_delivery_faults", "failed steps since the start"),
        value("guildhall_maintenance", "maintenance mode"),
      ],
    },
  ],
  "Database and disk": [
    {
      title: "Write and commit time",
      unit: "s",
      queries: [
        ["write p99", quantile(0.99, "guildhall_database_write_seconds", 'thread="requests"')],
        ["write p50", quantile(0.5, "guildhall_database_write_seconds", 'thread="requests"')],
        ["commit p99, {{thread}}", quantile(0.99, "guildhall_database_commit_seconds", "", "thread, le")],
      ],
    },
    {
      title: "Writes, commits and queue",
      unit: "short",
      queries: [
        ["writes per second", rate("guildhall_database_write_seconds_count", 'thread="requests"')],
        ["commits per second", rate("guildhall_database_commit_seconds_count", 'thread="requests"')],
        value("guildhall_database_writes_waiting", "waiting"),
      ],
    },
    {
      title: "Sizes",
      unit: "bytes",
      queries: [
        value("guildhall_database_bytes", "database"),
        value("guildhall_write_ahead_log_bytes", "write-ahead log"),
        value("guildhall_disk_free_bytes", "free disk"),
      ],
    },
    {
      title: "Age of the newest backup and test restore",
      unit: "s",
      queries: [
        value("guildhall_backup_age_seconds", "backup"),
        value("guildhall_backup_rehearsal_age_seconds", "test restore"),
      ],
    },
    {
      title: "Failed chores",
      unit: "short",
      queries: [
        ["{{chore}}", sumBy("chore", `increase(${of("guildhall_chore_failures_total")}[$__rate_interval])`)],
      ],
    },
    {
      title: "Certificate expires in",
      description: "Empty if the server does not handle TLS itself.",
      unit: "s",
      queries: [value("guildhall_certificate_ends_in_seconds")],
    },
  ],
  Process: [
    {
      title: "Processor",
      unit: "percentunit",
      queries: [["{{instance}}", rate("process_cpu_seconds_total")]],
    },
    {
      title: "Memory",
      unit: "bytes",
      queries: [
        ["resident", of("process_resident_memory_bytes")],
        ["heap", of("nodejs_heap_size_used_bytes")],
      ],
    },
    {
      title: "Open files",
      unit: "short",
      queries: [
        ["open", of("process_open_fds")],
        ["allowed", of("process_max_fds")],
      ],
    },
    {
      title: "Event loop lag",
      unit: "s",
      queries: [
        ["now", of("nodejs_eventloop_lag_seconds")],
        ["p99", of("nodejs_eventloop_lag_p99_seconds")],
      ],
    },
    {
      title: "Starts",
      unit: "dateTimeAsIso",
      queries: [["{{instance}}", `${of("process_start_time_seconds")} * 1000`]],
    },
    {
      title: "Versions",
      unit: "short",
      queries: [value("guildhall_build_info", "{{instance}}: {{version}} on Bun {{bun}}")],
    },
  ],
  "Mail and push": [
    {
      title: "Age of the oldest mail and push message",
      unit: "s",
      queries: [
        [
          "{{instance}}: {{lane}} {{kind}}",
          `max by (instance, kind, lane) (${of("guildhall_mail_oldest_seconds")}) > 0`,
        ],
        value("guildhall_push_oldest_seconds", "{{instance}}: push"),
      ],
    },
    {
      title: "Waiting emails and push messages",
      unit: "short",
      queries: [
        ["{{instance}}: {{lane}} mail", sumBy("instance, lane", of("guildhall_mail_waiting"))],
        value("guildhall_push_waiting", "{{instance}}: push"),
      ],
    },
    {
      title: "Failed attempts by host",
      unit: "short",
      queries: [
        [
          "mail {{host}}: {{outcome}}",
          sumBy("host, outcome", rate("guildhall_mail_attempts_total", 'outcome!="sent"')),
        ],
        [
          "push {{host}}: {{outcome}}",
          sumBy("host, outcome", rate("guildhall_push_attempts_total", 'outcome!~"sent|gone"')),
        ],
      ],
    },
  ],
};

/**
 * Returns the panel for a metric that no other panel shows. The type and the name of the metric define the
 * panel.
 */
function panelOf(name: MetricName): PanelPlan {
  const { type, labels, help } = METRICS[name];
  const title = name.replace(/^guildhall_/, "").replaceAll("_", " ");
  const plan = { title, description: help };
  if (type === "histogram")
    return {
      ...plan,
      unit: "s",
      queries: [0.5, 0.99].map((share) => [`p${share * 100}`, quantile(share, name as DigestName)]),
    };
  if (type === "counter")
    return { ...plan, unit: "cps", queries: [perSecond(name, ...["instance", ...labels])] };
  const [legend, expression] = value(name, legendOf(["instance", ...labels]));
  if (name.endsWith("_timestamp_seconds"))
    return { ...plan, unit: "s", queries: [[legend, `time() - ${expression}`]] };
  const unit = name.endsWith("_seconds") ? "s" : name.endsWith("_bytes") ? "bytes" : "short";
  return { ...plan, unit, queries: [[legend, expression]] };
}

export function dashboard(): Dashboard {
  const shown = JSON.stringify([FIGURES, ROWS]);
  const others = (Object.keys(METRICS) as MetricName[]).filter(
    (name) => !new RegExp(`\\b${name}(?:_bucket|_count)?\\{`).test(shown),
  );
  const panels: Panel[] = [];
  let y = 0;
  const row = (title: string, plans: readonly (PanelPlan | FigurePlan)[], inARow: number, h: number) => {
    const place = (x: number, w: number, height: number) => ({
      id: panels.length + 1,
      gridPos: { h: height, w, x, y },
    });
    panels.push({ ...place(0, 24, 1), type: "row", title, collapsed: false, panels: [] } as Panel);
    y += 1;
    for (const [index, plan] of plans.entries()) {
      const w = 24 / inARow;
      panels.push({ ...place((index % inARow) * w, w, h), ...content(plan) });
      if (index % inARow === inARow - 1 || index === plans.length - 1) y += h;
    }
  };
  row("At a glance", FIGURES, FIGURES_IN_A_ROW, 4);
  for (const [title, plans] of Object.entries(ROWS)) row(title, plans, CHARTS_IN_A_ROW, 8);
  row("Other metrics", others.map(panelOf), CHARTS_IN_A_ROW, 8);
  return {
    title: "Guildhall",
    uid: "guildhall",
    tags: ["guildhall"],
    timezone: "browser",
    editable: true,
    graphTooltip: 1,
    schemaVersion: 39,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    templating: {
      list: [
        { name: "datasource", label: "Data source", type: "datasource", query: "prometheus", current: {} },
        { ...variable("job", "Job", "label_values(guildhall_build_info, job)"), current: {} },
        {
          ...variable("instance", "Instance", 'label_values(guildhall_build_info{job="$job"}, instance)'),
          includeAll: true,
          multi: true,
          current: {},
        },
      ],
    },
    annotations: { list: [] },
    panels,
  };
}

function variable(name: string, label: string, query: string) {
  return { name, label, type: "query", datasource: DATASOURCE, query: { query, refId: name }, refresh: 1 };
}

function content(plan: PanelPlan | FigurePlan) {
  const { title, description, unit, queries } = plan;
  const head = {
    title,
    ...(description === undefined ? {} : { description }),
    datasource: DATASOURCE,
    targets: queries.map(([legendFormat, expr], index) => ({
      refId: "ABC"[index],
      datasource: DATASOURCE,
      expr,
      legendFormat,
      range: true,
    })),
  };
  return "steps" in plan
    ? { ...head, type: "stat", ...figure(plan) }
    : { ...head, type: "timeseries", ...chart(unit, plan.isStacked === true) };
}

function figure({ unit, steps, words }: FigurePlan) {
  const options = Object.fromEntries((words ?? []).map((text, index) => [index, { text }]));
  return {
    fieldConfig: {
      defaults: {
        unit,
        thresholds: { mode: "absolute", steps: steps.map(([color, from]) => ({ color, value: from })) },
        ...(words ? { mappings: [{ type: "value", options }] } : {}),
      },
      overrides: [],
    },
    options: {
      reduceOptions: { values: false, calcs: ["lastNotNull"], fields: "" },
      colorMode: "value",
      graphMode: "none",
      textMode: "auto",
    },
  };
}

function chart(unit: string, isStacked: boolean) {
  return {
    fieldConfig: {
      defaults: {
        unit,
        // The axis of a date must not start at zero.
        ...(unit === "dateTimeAsIso" ? {} : { min: 0 }),
        custom: {
          drawStyle: "line",
          lineWidth: 1,
          fillOpacity: isStacked ? 20 : 0,
          showPoints: "never",
          stacking: { mode: isStacked ? "normal" : "none", group: "A" },
        },
      },
      overrides: [],
    },
    options: {
      legend: { displayMode: "list", placement: "bottom", showLegend: true },
      tooltip: { mode: "multi", sort: "desc" },
    },
  };
}

if (import.meta.main) console.log(JSON.stringify(dashboard(), null, 2));
