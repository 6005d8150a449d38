import {
  type RequestCounts,
  createDayRecorder,
  type DayRecorder,
} from "../../core/services/history/history.ts";
import type { Core } from "../../core/base/core.ts";
import { histogramOf } from "../../core/services/history/histogram.ts";
import type { HttpMetrics } from "../../http/metrics.ts";
import { freeBytes, sizeOf } from "../../files/disk-space.ts";

/** Creates the recorder of daily figures for a server (docs/contract.md#12.18). */
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

/**
 * Reads from the metrics what the daily figures need: reads, writes and faults. Leaves out health checks and
 * metrics requests. Long polls are neither reads nor writes.
 */
export function requestCounts(metrics: HttpMetrics): RequestCounts {
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

/**
 * Transport of health checks and metrics, which is left out. Monitoring sends so many of these requests that
 * they would hide all others.
 */
const OURS = "ops";
