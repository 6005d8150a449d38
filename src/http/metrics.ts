import { collectDefaultMetrics, type Metric, Registry } from "prom-client";
import { SECOND } from "../core/base/clock.ts";
import { type Digest, newDigest } from "../core/base/digest.ts";
import {
  type DigestName,
  type LabelsOf,
  type MetricName,
  METRICS,
  type NumberName,
  type PlainGauge,
  type MetricDescription,
} from "./metric-table.ts";

/**
 * Metrics for Prometheus. The metrics contain only counts and times, no paths, builders or IP addresses
 * (docs/adr/0046-metrics.md).
 */
export interface HttpMetrics {
  /** Returns the value of a metric with these labels. The caller changes `value`. */
  number<Name extends NumberName>(name: Name, ...labels: LabelsOf<Name>): { value: number };
  digest<Name extends DigestName>(name: Name, ...labels: LabelsOf<Name>): Digest;
  /**
   * Registers gauges. When metrics are read, `ask` returns their values. A gauge whose value is undefined is
   * omitted.
   */
  gauges(ask: () => Readonly<Partial<Record<PlainGauge, number | undefined>>>): void;
  /** Registers a metric with labels. When metrics are read, `ask` returns a value for each set of labels. */
  collect<Name extends MetricName>(
    name: Name,
    ask: () => Iterable<readonly [labels: LabelsOf<Name>, figure: Name extends DigestName ? Digest : number]>,
  ): void;
  /** Returns all histograms of a metric with their label values, in the label order of `METRICS`. */
  digests<Name extends DigestName>(name: Name): readonly (readonly [LabelsOf<Name>, Digest])[];
  /** Returns all values of a metric with their label values, in the label order of `METRICS`. */
  numbers<Name extends NumberName>(name: Name): readonly (readonly [LabelsOf<Name>, { value: number }])[];
  /** Returns the type, help text and labels of each metric. */
  described(): readonly (Pick<MetricDescription, "type" | "help" | "labels"> & { name: string })[];
  /** Returns the metrics in Prometheus' text format. */
  text(): Promise<string>;
  contentType: string;
}

interface Line {
  labels: readonly string[];
  figure: { value: number } | Digest;
}

/** Values of one metric by their label values. */
type Family = Map<string, Line>;

/**
 * Names of prom-client's process metrics that are kept. Excludes metrics that promtool rejects. Also excludes
 * metrics that Bun does not provide: V8 heaps, libuv handles and garbage collections.
 */
const PROCESS_METRICS =
  /^(?:process_\w+|nodejs_(?:eventloop_lag_\w+|heap_size_\w+|external_memory_bytes|version_info))$/;

/** How often the delay of the event loop is measured. The library wakes the idle server every 10 ms. */
const LAG_EVERY_MS = SECOND;

/**
 * Creates metrics. `ofProcess` adds metrics about memory, event loop and open files. Collecting these metrics
 * is slow, so only the server sets `ofProcess`.
 */
export function createMetrics({ ofProcess = false } = {}): HttpMetrics {
  const registry = new Registry();
  if (ofProcess) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_EVERY_MS });
    for (const { name } of registry.getMetricsAsArray())
      if (!PROCESS_METRICS.test(name)) registry.removeSingleMetric(name);
  }
  const families = new Map<MetricName, Family>();
  for (const [name, description] of Object.entries<MetricDescription>(METRICS)) {
    const family: Family = new Map();
    families.set(name as MetricName, family);
    registry.registerMetric(familyOf(name, description, family));
  }
  const questions: (() => void)[] = [];
  const unanswered = lineOf("guildhall_metrics_unanswered", [], () => ({ value: 0 })) as { value: number };

  return {
    number: (name, ...labels) => lineOf(name, labels, () => ({ value: 0 })) as { value: number },
    digest: (name, ...labels) => lineOf(name, labels, () => newDigest(METRICS[name].bounds)) as Digest,
    gauges(ask) {
      let reported: readonly MetricName[] = [];
      questions.push(() => {
        for (const name of reported) families.get(name)?.clear();
        const figures = Object.entries(ask()) as [MetricName, number | undefined][];
        reported = figures.map(([name]) => name);
        for (const [name, value] of figures) if (value !== undefined) setLine(name, [], { value });
      });
    },
    collect(name, ask) {
      questions.push(() => {
        families.get(name)?.clear();
        for (const [labels, figure] of ask())
          setLine(name, labels, typeof figure === "number" ? { value: figure } : (figure as Digest));
      });
    },
    digests: (name) =>
      [...(families.get(name)?.values() ?? [])].map(({ labels, figure }) => [labels, figure] as never),
    numbers: (name) =>
      [...(families.get(name)?.values() ?? [])].map(({ labels, figure }) => [labels, figure] as never),
    described: () =>
      registry.getMetricsAsArray().map((metric) => {
        const { name, help, type, labelNames } = metric as unknown as Described;
        return { name, help, type, labels: labelNames ?? [] };
      }),
    async text() {
      unanswered.value = 0;
      for (const question of questions) {
        try {
          question();
        } catch {
          // If the database does not respond, the other metrics must still be readable. This counter shows
          // the failure.
          unanswered.value++;
        }
      }
      return registry.metrics();
    },
    contentType: registry.contentType,
  };

  function lineOf(name: MetricName, labels: readonly string[], create: () => Line["figure"]): Line["figure"] {
    return families.get(name)?.get(labels.join("\n"))?.figure ?? setLine(name, labels, create());
  }

  function setLine(name: MetricName, labels: readonly string[], figure: Line["figure"]): Line["figure"] {
    families.get(name)?.set(labels.join("\n"), { labels, figure });
    return figure;
  }
}

type Described = Omit<MetricDescription, "labels"> & { name: string; labelNames?: readonly string[] };

/**
 * Returns a prom-client metric that reads our values. prom-client's own classes cannot import values counted
 * elsewhere.
 */
function familyOf(
  name: string,
  { help, type, labels: labelNames }: MetricDescription,
  family: Family,
): Metric {
  const get = async () => ({
    name,
    help,
    type,
    values: [...family.values()].flatMap(({ labels, figure }) => {
      const named = Object.fromEntries(labelNames.map((label, index) => [label, labels[index] ?? ""]));
      return "bounds" in figure ? bucketsOf(name, named, figure) : [{ labels: named, value: figure.value }];
    }),
  });
  return { name, help, type, labelNames, get } as never;
}

function bucketsOf(name: string, labels: Record<string, string>, { bounds, counts, sum }: Digest) {
  let below = 0;
  const buckets = counts.map((count, index) => {
    below += count;
    const le = bounds[index];
    return {
      metricName: `${name}_bucket`,
      labels: { ...labels, le: le === undefined ? "+Inf" : String(le) },
      value: below,
    };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: below },
  ];
}
