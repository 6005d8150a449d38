import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireAdmin, requirePerson } from "../../identity/access/caller.ts";
import { notify } from "../../identity/notifications/notify.ts";
import { record } from "../../identity/audit/audit.ts";
import { DAY, isoTime } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { Enum, orNull, Timestamp } from "../../base/view.ts";
import { recordWorkspaceEvent } from "../events/events.ts";
import {
  clearFailures,
  disable,
  type EndpointRow,
  selectFailing,
  selectUnhealthy,
  updateFailures,
  updateNotifiedAt,
} from "./health-store.ts";
import { servedMs } from "./served-time.ts";

export { countByState as countEndpoints, selectHealth } from "./health-store.ts";

/** Reasons for which an endpoint is disabled: the code for programs and the message for people. */
export const DISABLED_REASONS = {
  switched_off: "The owner disabled the endpoint.",
  switched_off_by_operator: "The operator disabled the endpoint.",
  gone: "The receiver responded with status 410 (Gone).",
  failing_for_days: "The receiver acknowledged nothing for five days.",
  account_suspended: "The owner’s account was suspended.",
  moved: "The community moved here from another server. Rotate the signing secret, then enable the endpoint.",
} as const;
/**
 * Earlier messages of `DISABLED_REASONS`. The audit log stores messages, so its older entries still contain
 * the earlier messages.
 */
export const FORMER_REASONS: Readonly<Record<string, DisabledCode>> = {
  "The receiver answered 410 Gone.": "gone",
  "The receiver has acknowledged nothing for five days.": "failing_for_days",
};
export type DisabledCode = keyof typeof DISABLED_REASONS;
export const DISABLED_CODES = Object.keys(DISABLED_REASONS) as DisabledCode[];

/** The stored health of an endpoint. Times are in ms since the epoch. */
export interface HealthFacts {
  /** Time of the first failed attempt since the last acknowledged attempt. */
  failingSince: number | null;
  disabledAt: number | null;
  disabledCode: DisabledCode | null;
}

export const HEALTH_STATES = ["ok", "failing", "disabled"] as const;

/** The health of an endpoint. */
export const HealthView = Type.Object(
  {
    state: Enum(
      HEALTH_STATES,
      "`ok`, `failing` (the last attempt failed), or `disabled` (nothing is sent until the endpoint is resumed).",
    ),
    failingSince: orNull(Timestamp(), {
      description:
        "The time since which the endpoint has acknowledged no delivery. `null` if the last attempt was acknowledged.",
      examples: [null],
    }),
    disabledAt: orNull(Timestamp(), {
      description: "The time at which the endpoint was disabled. `null` if the endpoint is not disabled.",
      examples: [null],
    }),
    code: orNull(Type.String(), {
      description: `Why the endpoint is disabled, as a code: ${DISABLED_CODES.join(", ")}. More codes may be added. \`null\` if the endpoint is not disabled.`,
      examples: [null],
    }),
    reason: orNull(Type.String(), {
      description: "Why the endpoint is disabled, in words. `null` if the endpoint is not disabled.",
      examples: [null],
    }),
  },
  { $id: "WebhookHealth", description: "The health of the endpoint." },
);
export type Health = Static<typeof HealthView>;

/** The part of the health that the endpoint list of the specification contains. */
export const DisabledView = Type.Object({
  at: Timestamp({ description: "The time at which the endpoint was disabled." }),
  reason: Type.String({ description: "The reason in words." }),
});

/** The health of an endpoint, and the details if it is disabled. */
export interface Condition {
  health: Health;
  /** When the endpoint was disabled, and why: the code and the message. Null for an enabled endpoint. */
  disabled: { at: number; code: DisabledCode; reason: string } | null;
}

export function healthOf({ failingSince, disabledAt, disabledCode }: HealthFacts): Condition {
  if (disabledAt === null || disabledCode === null) {
    const state = failingSince === null ? "ok" : "failing";
    return { health: { state, failingSince, disabledAt: null, code: null, reason: null }, disabled: null };
  }
  const [code, reason] = [disabledCode, DISABLED_REASONS[disabledCode]];
  return {
    health: { state: "disabled", failingSince, disabledAt, code, reason },
    disabled: { at: disabledAt, code, reason },
  };
}

/**
 * Updates the endpoint's health after an acknowledged attempt. Call it in the transaction that stores the
 * attempt.
 */
export function noteAcknowledged(core: Core, endpoint: EndpointRow): void {
  if (isFailing(endpoint)) clearFailures(core, endpoint.id);
}

/**
 * Updates the endpoint's health after a failed attempt. Once the endpoint has been failing long enough,
 * notifies the owner or disables the endpoint (docs/contract.md#6.4). Call it in the transaction that stores
 * the attempt.
 */
export function noteFailed(
  core: Core,
  endpoint: EndpointRow,
  failure: { startedAt: number; status?: number | undefined },
): void {
  const now = core.clock.now();
  const served = servedMs(core);
  const failing = {
    ...endpoint,
    failingSince: endpoint.failingSince ?? failure.startedAt,
    failedAttempts: endpoint.failedAttempts + 1,
    failingServed: endpoint.failingServed ?? served,
  };
  updateFailures(core, endpoint.id, failing);
  if (isDisabled(endpoint)) return;
  const failingMs = served - failing.failingServed;
  const isLost = failingMs >= DISABLED_AFTER_MS && failing.failedAttempts >= DISABLED_AFTER_ATTEMPTS;
  const code = isGoneStatus(failure) ? "gone" : isLost ? "failing_for_days" : undefined;
  if (code !== undefined) {
    disable(core, endpoint.id, code, now);
    notifyOwner(core, failing, code, now);
    const detail = { url: endpoint.url, reason: DISABLED_REASONS[code] };
    record(core, {
      act: "endpoint.disabled",
      actor: null,
      subject: endpoint.createdBy,
      detail,
      address: null,
    });
  } else if (failingMs >= NOTIFY_AFTER_MS && !isNotified(endpoint)) {
    updateNotifiedAt(core, endpoint.id, now);
    notifyOwner(core, failing, "failing_for_a_day", null);
  }
}

/**
 * Notifies the owner, and the workspace's other enabled endpoints that subscribe to this event. Pages also
 * show the endpoint (`listUnhealthy`).
 */
function notifyOwner(
  core: Core,
  { id, url, workspaceId, createdBy, failingSince }: EndpointRow,
  reason: DisabledCode | "failing_for_a_day",
  disabledAt: number | null,
): void {
  const reasonText = (moment: number | null) => (moment === null ? null : isoTime(moment));
  const endpoint = {
    id,
    url,
    reason,
    failing_since: reasonText(failingSince),
    disabled_at: reasonText(disabledAt),
  };
  recordWorkspaceEvent(core, workspaceId, "webhook.endpoint_disabled", { endpoint }, id);
  const kind = reason === "failing_for_a_day" ? "endpoint_failing" : "endpoint_disabled";
  if (createdBy !== null)
    notify(core, { to: createdBy, kind, subject: { type: "endpoint", id }, about: reason });
}

/** An endpoint that needs its owner's attention, with its workspace. */
export interface UnhealthyEndpoint extends Condition {
  id: string;
  url: string;
  workspaceId: string;
}

/**
 * Returns the caller's endpoints that have been failing for a day or were not disabled by the owner. Pages
 * show these endpoints until they are enabled, deleted or disabled by the owner. Includes all workspaces that
 * the caller is still in. Only a signed-in person may call this operation. Throws forbidden.
 */
export function listUnhealthy(core: Core, caller: Caller): UnhealthyEndpoint[] {
  const { builderId } = requirePerson(caller);
  const failingBefore = core.clock.now() - NOTIFY_AFTER_MS;
  return selectUnhealthy(core, builderId, failingBefore, DISABLED_BY_OTHERS).map(
    ({ id, url, workspaceId, ...facts }) => ({
      id,
      url,
      workspaceId,
      ...healthOf(facts),
    }),
  );
}

/** An endpoint that is failing or was not disabled by its owner, for admins. */
export interface FailingEndpoint extends Condition {
  /** The full URL. Show only its host, because the rest may be a secret of the owner. */
  url: string;
  /** Username of the owner. Null if the owner's account is deleted. */
  owner: string | null;
}

const FAILING_MAX = 20;

/**
 * Returns at most 20 endpoints of all owners. The endpoints that have been failing longest are first. Only
 * admins may call this operation. Throws forbidden.
 */
export function listFailing(core: Core, caller: Caller): FailingEndpoint[] {
  requireAdmin(caller);
  return selectFailing(core, DISABLED_BY_OTHERS, FAILING_MAX).map(({ url, owner, ...facts }) => ({
    url,
    owner,
    ...healthOf(facts),
  }));
}

/** Time since the first failure, without an acknowledged delivery, after which the owner is notified. */
const NOTIFY_AFTER_MS = DAY;
/**
 * A failing endpoint is disabled if both limits are reached: the served time since the first failure, and the
 * number of failed attempts. The number of attempts equals two full delivery schedules.
 */
const DISABLED_AFTER_MS = 5 * DAY;
const DISABLED_AFTER_ATTEMPTS = 14;

/** Codes of endpoints that were not disabled by their owner. */
const DISABLED_BY_OTHERS: readonly DisabledCode[] = [
  "switched_off_by_operator",
  "gone",
  "failing_for_days",
  "moved",
];

function isDisabled({ disabledAt }: Pick<HealthFacts, "disabledAt">): boolean {
  return disabledAt !== null;
}

function isFailing({ failingSince }: Pick<HealthFacts, "failingSince">): boolean {
  return failingSince !== null;
}

/** Whether the receiver is permanently gone, which status 410 means (RFC 9110 §15.5.11). */
function isGoneStatus({ status }: { status?: number | undefined }): boolean {
  return status === 410;
}

export function isFailingForADay({ failingSince }: Pick<HealthFacts, "failingSince">, now: number): boolean {
  return failingSince !== null && now - failingSince >= NOTIFY_AFTER_MS;
}

function isNotified({ notifiedAt }: EndpointRow): boolean {
  return notifiedAt !== null;
}
