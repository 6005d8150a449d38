import { createHash, timingSafeEqual } from "node:crypto";
import { backupHealth } from "../../core/services/backups/backups.ts";
import { OPERATOR } from "../../core/identity/access/caller.ts";
import { SECOND } from "../../core/base/clock.ts";
import type { Core } from "../../core/base/core.ts";
import { maintenanceOf } from "../../core/identity/maintenance/maintenance.ts";
import { backlog } from "../../core/outbox/deliveries/deliveries.ts";
import type { DeliveryCounters } from "../../core/outbox/deliveries/counters.ts";
import { countEndpoints } from "../../core/outbox/webhooks/health.ts";
import { refuse } from "../../core/base/errors.ts";
import { json } from "../../http/answer.ts";
import type { HttpMetrics } from "../../http/metrics.ts";
import type { Transport } from "../../http/transport.ts";
import type { RequestContext } from "../../http/context.ts";
import type { Readiness } from "./readiness.ts";

/** Answers as long as the process runs. Does not use the database and reveals nothing private. */
export function healthTransport(version: string): Transport {
  return {
    prefix: "/healthz",
    transportName: "ops",
    isCounted: false,
    handle(context) {
      refuseOther(context, "/healthz");
      return json(context, 200, { status: "ok", version }, { "cache-control": "no-store" });
    },
  };
}

/**
 * Reports to any client whether the server can work. Requests from the machine itself also get notes about
 * faults that will matter later.
 */
export function readyTransport(core: Core, readiness: Readiness, version: string): Transport {
  return {
    prefix: "/readyz",
    transportName: "ops",
    isCounted: false,
    async handle(context) {
      refuseOther(context, "/readyz");
      const failing = await readiness.refresh();
      const notes = isLocal(context) ? notesOf(core) : [];
      const { all, local } = readiness.extraStatus?.() ?? {};
      const body = {
        status: failing.length === 0 ? "ready" : "not ready",
        version,
        ...(failing.length > 0 && { failing }),
        ...(notes.length > 0 && { notes }),
        ...all,
        ...(isLocal(context) && local),
      };
      return json(context, failing.length === 0 ? 200 : 503, body, { "cache-control": "no-store" });
    },
  };
}

/** Returns false if the database does not answer. Another part of the status reports this failure. */
function isInMaintenance(core: Core): boolean {
  try {
    return maintenanceOf(core) !== undefined;
  } catch {
    return false;
  }
}

function notesOf(core: Core): string[] {
  const backups = backupHealth(core, OPERATOR);
  return [
    ...(isInMaintenance(core) ? ["maintenance"] : []),
    ...(backups?.isLate ? ["backup_late"] : []),
    ...(backups?.failed ? ["backup_failing"] : []),
    ...(backups?.rehearsal?.failed ? ["rehearsal_failing"] : []),
  ];
}

/**
 * Metrics for Prometheus. Requires the token, if one is set. Otherwise answers only requests from the machine
 * itself.
 */
export function metricsTransport(
  metrics: HttpMetrics,
  rules: { readonly metricsToken: string | undefined },
): Transport {
  return {
    prefix: "/metrics",
    transportName: "ops",
    isCounted: false,
    async handle(context) {
      refuseOther(context, "/metrics");
      const { metricsToken: token } = rules;
      const isAllowed =
        token === undefined
          ? isLocal(context)
          : isSame(context.request.headers.get("authorization") ?? "", `Bearer ${token}`);
      if (!isAllowed) throw refuse("nothing_here");
      const headers = {
        ...context.headers,
        "content-type": metrics.contentType,
        "cache-control": "no-store",
      };
      const text = await metrics.text();
      context.answerBytes = Buffer.byteLength(text);
      return new Response(text, { headers });
    },
  };
}

/** Maximum age of the cached endpoint counts, in ms. */
const ENDPOINTS_EVERY_MS = 10 * SECOND;
/** Label for the periodic work of the delivery thread. */
const UPKEEP = "upkeep of deliveries";

/** State of the delivery thread, as the thread reports it. */
export interface DeliveryHealth {
  sincePassMs: number;
  running: number;
  faults: number;
  tally: DeliveryCounters;
}

/**
 * Adds delivery metrics to `/metrics`. Operators are alerted by `guildhall_delivery_last_turn_seconds` and
 * `guildhall_delivery_overdue_seconds`.
 */
export function gaugeDelivery(metrics: HttpMetrics, core: Core, loop: { health(): DeliveryHealth }): void {
  metrics.gauges(() => {
    const { sincePassMs, running, faults, tally: counted } = loop.health();
    const { failures, succeededAt } = counted.upkeep;
    metrics.number("guildhall_chore_failures_total", UPKEEP).value = failures;
    if (succeededAt !== undefined)
      metrics.number("guildhall_chore_last_success_timestamp_seconds", UPKEEP).value = succeededAt / SECOND;
    return {
      guildhall_delivery_last_turn_seconds: sincePassMs / 1000,
      guildhall_delivery_running: running,
      guildhall_delivery_faults: faults,
    };
  });
  const tally = (): DeliveryCounters => loop.health().tally;
  metrics.collect("guildhall_delivery_attempts_total", () =>
    Object.entries(tally().attempts).map(([outcome, count]) => [[outcome], count]),
  );
  metrics.collect("guildhall_deliveries_total", () =>
    Object.entries(tally().ended).map(([state, count]) => [[state], count]),
  );
  metrics.collect("guildhall_delivery_attempt_seconds", () => [[[], tally().attemptSeconds]]);
  metrics.collect("guildhall_delivery_seconds", () => [[[], tally().deliverySeconds]]);
  let endpoints: { at: number; lines: [labels: [state: string, code: string], count: number][] } | undefined;
  metrics.collect("guildhall_endpoints", () => {
    const now = core.clock.elapsed();
    // The counts are cached, because counting twenty thousand endpoints takes 15 ms and blocks other
    // requests.
    if (!endpoints || now - endpoints.at >= ENDPOINTS_EVERY_MS) {
      const counted = countEndpoints(core).map(({ state, code, count }): [[string, string], number] => [
        [state, code ?? ""],
        count,
      ]);
      endpoints = { at: now, lines: [[["ok", ""], 0], [["failing", ""], 0], ...counted] };
    }
    return endpoints.lines;
  });
  metrics.gauges(() => {
    const { waiting, overdueMs } = backlog(core);
    return {
      guildhall_maintenance: maintenanceOf(core) ? 1 : 0,
      guildhall_delivery_waiting: waiting,
      guildhall_delivery_overdue_seconds: overdueMs / 1000,
    };
  });
}

function refuseOther(context: RequestContext, own: string): void {
  if (context.method !== "GET" || context.path !== own) throw refuse("nothing_here");
  context.route = own;
}

const FORWARDING_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];

/** Whether the request comes from this machine, and not through a proxy on it. */
function isLocal({ peer, request }: RequestContext): boolean {
  return (
    /^(?:::1$|(?:::ffff:)?127\.)/.test(peer()) &&
    !FORWARDING_HEADERS.some((name) => request.headers.has(name))
  );
}

/** Constant-time comparison. Both sides are hashed first, so lengths may differ. */
function isSame(sent: string, wanted: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(sent), hash(wanted));
}
