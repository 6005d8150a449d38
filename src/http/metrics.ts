import { collectDefaultMetrics, type Metric, Registry } from "prom-client";
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
 * What Prometheus reads: counts and times only, no path, no builder, no address (docs/adr/0046-metrics.md).
 */
export interface HttpMetrics {
  /** A figure under these labels, to be changed by whoever asked for it. */
  number<Name extends NumberName>(name: Name, ...labels: LabelsOf<Name>): { value: number };
  digest<Name extends DigestName>(name: Name, ...labels: LabelsOf<Name>): Digest;
  /** Gauges that are asked for when somebody reads the page; one that is undefined is absent. */
  gauges(ask: () => Readonly<Partial<Record<PlainGauge, number | undefined>>>): void;
  /** A whole metric that is asked for then: its figures, each under its labels. */
  collect<Name extends MetricName>(
    name: Name,
    ask: () => Iterable<readonly [labels: LabelsOf<Name>, figure: Name extends DigestName ? Digest : number]>,
  ): void;
  /** All digests of a name, with their labels in the table's order. */
  digests<Name extends DigestName>(name: Name): readonly (readonly [LabelsOf<Name>, Digest])[];
  /** All figures of a name likewise. */
  numbers<Name extends NumberName>(name: Name): readonly (readonly [LabelsOf<Name>, { value: number }])[];
  /** Each metric that may stand on the page. */
  described(): readonly (Pick<MetricDescription, "type" | "help" | "labels"> & { name: string })[];
  /** The text format of Prometheus. */
  text(): Promise<string>;
  contentType: string;
}

interface Line {
  labels: readonly string[];
  figure: { value: number } | Digest;
}

/** The lines of one metric, by their labels. */
type Family = Map<string, Line>;

/**
 * What the library has of the process under the names that everybody's dashboards use. Left out is what
 * promtool refuses, and what Bun has nothing to say about: heaps of V8, handles of libuv, collections of
 * garbage.
 */
const OF_PROCESS =
  /^(?:process_\w+|nodejs_(?:eventloop_lag_\w+|heap_size_\w+|external_memory_bytes|version_info))$/;

/**
 * With the figures of the process (memory, event loop, open files) only for a program: looking for them takes
 * a while.
 */
export function createMetrics({ ofProcess = false } = {}): HttpMetrics {
  const registry = new Registry();
  if (ofProcess) {
    collectDefaultMetrics({ register: registry });
    for (const { name } of registry.getMetricsAsArray())
      if (!OF_PROCESS.test(name)) registry.removeSingleMetric(name);
  }
  const families = new Map<MetricName, Family>();
  for (const [name, said] of Object.entries<MetricDescription>(METRICS)) {
    const family: Family = new Map();
    families.set(name as MetricName, family);
    registry.registerMetric(familyOf(name, said, family));
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
        for (const [name, value] of figures) if (value !== undefined) put(name, [], { value });
      });
    },
    collect(name, ask) {
      questions.push(() => {
        families.get(name)?.clear();
        for (const [labels, figure] of ask())
          put(name, labels, typeof figure === "number" ? { value: figure } : (figure as Digest));
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
          // A database that does not answer must not hide that it does not.
          unanswered.value++;
        }
      }
      return registry.metrics();
    },
    contentType: registry.contentType,
  };

  function lineOf(name: MetricName, labels: readonly string[], make: () => Line["figure"]): Line["figure"] {
    return families.get(name)?.get(labels.join("\n"))?.figure ?? put(name, labels, make());
  }

  function put(name: MetricName, labels: readonly string[], figure: Line["figure"]): Line["figure"] {
    families.get(name)?.set(labels.join("\n"), { labels, figure });
    return figure;
  }
}

type Described = Omit<MetricDescription, "labels"> & { name: string; labelNames?: readonly string[] };

/** What the library asks of a metric. It has no way to be given counts that were made elsewhere. */
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
      const named = Object.fromEntries(labelNames.map((label, place) => [label, labels[place] ?? ""]));
      return "bounds" in figure ? bucketsOf(name, named, figure) : [{ labels: named, value: figure.value }];
    }),
  });
  return { name, help, type, labelNames, get } as never;
}

function bucketsOf(name: string, labels: Record<string, string>, { bounds, counts, sum }: Digest) {
  let below = 0;
  const buckets = counts.map((count, place) => {
    below += count;
    const le = bounds[place];
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
