import { type Counted, createDayRecorder, type DayRecorder } from "../../core/services/history/history.ts";
import type { Core } from "../../core/base/core.ts";
import { histogramOf } from "../../core/services/history/histogram.ts";
import type { HttpMetrics } from "../../http/metrics.ts";
import { freeBytes, sizeOf } from "../../files/disk-space.ts";

/** Of a server on this database in this folder (docs/contract.md#12.18). */
export function recordDays(
  core: Core,
  metrics: HttpMetrics,
  database: string,
  folder: string,
  pause: (ms: number) => Promise<void>,
): DayRecorder {
  const sizes = () => ({ databaseBytes: sizeOf(database), freeBytes: freeBytes(folder) });
  return createDayRecorder(core, () => requestCounts(metrics), sizes, pause);
}

/** What a day's figures take of the metrics: without health, metrics, and who waits for something to tell. */
export function requestCounts(metrics: HttpMetrics): Counted {
  const seconds = metrics.digests("guildhall_http_request_seconds").filter(([[way]]) => way !== OURS);
  const requests = metrics.numbers("guildhall_http_requests_total").filter(([[way]]) => way !== OURS);
  const ofKind = (wanted: string) =>
    histogramOf(seconds.filter(([[, kind]]) => kind === wanted).map(([, digest]) => digest));
  return {
    reads: ofKind("read"),
    writes: ofKind("write"),
    faults: requests
      .filter(([[, , , status]]) => status === "5xx")
      .reduce((sum, [, { value }]) => sum + value, 0),
  };
}

/** Whoever watches the server asks so often that nobody else would be seen. */
const OURS = "ops";
