import type { Severity } from "../../../src/core/services/checkup/checkup.ts";
import { type Installation, type InstallationOptions, openInstallation } from "./installation.ts";

/**
 * A fault in operation, and what each channel reports about it. This is both a row of docs/operating.md and
 * its test.
 */
export interface Fault {
  readonly name: string;
  /** Code in docs/threats.md. */
  readonly threat: string;
  readonly doctor?: { check: string; severity: Severity };
  /** Failing parts on /readyz. If omitted, /readyz returns 200. */
  readonly ready?: readonly string[] | "no server";
  readonly metric?: { name: string; is: Measure };
  /** Part of a log line, or of the error if the server does not start. */
  readonly log?: string;
  /** Part of `/admin/health`. */
  readonly page?: string;
  /** Takes more than half a minute, because some checks run once per minute. */
  readonly isLong?: true;
  /** Reason why the fault cannot be caused here, if any. */
  lacks?(): string | undefined;
  options?(): Promise<InstallationOptions> | InstallationOptions;
  /**
   * Causes the fault in a stopped community and starts what reports it. Returns a function that undoes the
   * fault.
   */
  cause(installation: Installation): Promise<(() => void | Promise<void>) | void>;
}

type Measure = { exactly: number } | { above: number } | { below: number };

/** Time limit for all reports. Some checks run once per minute. */
const REPORTED_WITHIN_MS = 150_000;
const POLL_MS = 500;

/** Causes the fault and waits for all reports of the row. Returns the missing ones. */
export async function tryFault(fault: Fault): Promise<string[]> {
  await using installation = await openInstallation(await fault.options?.());
  const undo = await fault.cause(installation);
  try {
    const until = performance.now() + REPORTED_WITHIN_MS;
    for (;;) {
      const missing = await missingOf(fault, installation);
      if (missing.length === 0 || performance.now() > until) return missing;
      await Bun.sleep(POLL_MS);
    }
  } finally {
    await undo?.();
  }
}

async function missingOf(
  { doctor, ready, metric, log, page }: Fault,
  installation: Installation,
): Promise<string[]> {
  const missing: string[] = [];
  if (ready && ready !== "no server") {
    const seen = await installation.see.ready();
    const isSo =
      seen.status === (ready.length > 0 ? 503 : 200) && ready.every((each) => seen.failing.includes(each));
    if (!isSo) missing.push(`/readyz says ${seen.status} ${seen.failing.join(", ")}`);
  }
  if (metric) {
    const seen = await installation.see.metric(metric.name);
    if (seen === undefined || !fits(Number(seen), metric.is)) missing.push(`${metric.name} is ${seen}`);
  }
  if (log !== undefined && !installation.see.log().includes(log))
    missing.push(`the log lacks «${log}»: ${installation.see.log().slice(-300)}`);
  // The doctor is the slowest channel, so it runs only once all others have reported.
  if (missing.length > 0) return missing;
  if (doctor) {
    const { checked } = await installation.see.doctor();
    const found = checked.find(
      ({ check, severity }) => check === doctor.check && severity === doctor.severity,
    );
    const findings = checked
      .filter(({ severity }) => severity !== "ok")
      .map(({ check, severity }) => `${check} ${severity}`);
    if (!found) missing.push(`doctor says ${findings.join(", ") || "that all is well"}`);
    else if (found.severity !== "ok" && !found.mend)
      missing.push(`doctor does not say what mends ${doctor.check}`);
  }
  if (page !== undefined) {
    const text = await installation.see.page();
    if (!text.includes(page)) missing.push(`the page lacks «${page}»: ${text.slice(0, 600)}`);
  }
  return missing;
}

function fits(value: number, is: Measure): boolean {
  if ("exactly" in is) return value === is.exactly;
  return "above" in is ? value > is.above : value < is.below;
}

/** The table in docs/operating.md. */
export function tableOf(faults: readonly Fault[]): string {
  const head = ["Fault", "doctor", "/readyz", "Metric", "Log", "`/admin/health`"];
  const rows = faults.map(({ name, threat, doctor, ready, metric, log, page }) => [
    `${name} ([${threat}](threats.md#${threat}))`,
    doctor ? `${doctor.severity}: \`${doctor.check}\`` : "–",
    readiness(ready),
    metric ? `\`${metric.name}\` ${describeState(metric.is)}` : "–",
    log === undefined ? "–" : `“${log}”`,
    page === undefined ? "–" : `“${page}”`,
  ]);
  const lines = [head, head.map(() => "---"), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

function readiness(ready: Fault["ready"]): string {
  if (ready === undefined) return "–";
  if (ready === "no server") return ready;
  return ready.length === 0 ? "200" : `503 ${ready.map((each) => `\`${each}\``).join(", ")}`;
}

function describeState(is: Measure): string {
  if ("exactly" in is) return String(is.exactly);
  return "above" in is ? `above ${is.above}` : `below ${is.below}`;
}
