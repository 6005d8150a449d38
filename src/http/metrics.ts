import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export interface HttpMetrics {
  observe(method: string, status: number, ms: number): void;
  /**
   * Figures that are asked for when somebody reads the page, each with its help: one question for all of
   * them.
   */
  gauges(helps: Readonly<Record<string, string>>, ask: () => Readonly<Record<string, number>>): void;
  /** The text format of Prometheus. Holds counts and times only: no path, no builder, no address. */
  text(): Promise<string>;
  contentType: string;
}

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * With the figures of the process (memory, event loop, open files) only for a program: looking for them takes
 * a while.
 */
export function createMetrics({ ofProcess = false } = {}): HttpMetrics {
  const registry = new Registry();
  if (ofProcess) collectDefaultMetrics({ register: registry, prefix: "guildhall_" });
  const requests = new Counter({
    name: "guildhall_http_requests_total",
    help: "Requests answered, by method and status.",
    labelNames: ["method", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "guildhall_http_request_seconds",
    help: "Time from a request's arrival to its answer.",
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const questions: (() => void)[] = [];
  const counters = new Map<string, Counter.Internal>();

  return {
    observe(method, status, ms) {
      // A client may send any word as its method: only known ones become a label, so labels stay few.
      const known = METHODS.has(method) ? method : "other";
      const key = known + status;
      let counter = counters.get(key);
      if (!counter) {
        counter = requests.labels(known, String(status));
        counters.set(key, counter);
      }
      counter.inc();
      durations.observe(ms / 1000);
    },
    gauges(helps, ask) {
      const gauges = Object.entries(helps).map(([name, help]) => {
        return new Gauge({ name: `guildhall_${name}`, help, registers: [registry] });
      });
      questions.push(() => {
        const figures = ask();
        Object.keys(helps).forEach((name, index) => gauges[index]?.set(figures[name] ?? Number.NaN));
      });
    },
    async text() {
      for (const question of questions) question();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
