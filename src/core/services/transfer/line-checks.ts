import { findZone } from "../../base/time-zones.ts";
import { checkRedirect } from "../../delegation/apps/redirects.ts";
import { isHttpsUrl } from "../../base/check.ts";
import { isoTime } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { MODERATION_EVENTS } from "../../identity/audit/audit-events.ts";
import { isPastRetention } from "../../identity/audit/audit.ts";
import { CoreError } from "../../base/errors.ts";
import type { Line } from "./entity.ts";

/*
 * Functions for a line as a whole. They check the line, change it for the export, or remove data that its
 * builder must not see.
 */

export function checkZone({ zone }: Line): string | undefined {
  return findZone(String(zone)) === undefined ? "`zone` is not a known time zone" : undefined;
}

/** Like `checkZone`, but allows null. */
export function checkZoneIfAny(line: Line): string | undefined {
  return line["zone"] === null ? undefined : checkZone(line);
}

/**
 * Checks redirect URIs by the rules of app registration. Redirect URIs are later compared as exact strings,
 * so only the normalized spelling is accepted.
 */
export function checkRedirects({ redirect_uris: addresses }: Line): string | undefined {
  try {
    for (const address of addresses as string[]) checkRedirect(address);
    return undefined;
  } catch (error) {
    if (error instanceof CoreError) return `\`redirect_uris\`: ${error.message}`;
    throw error;
  }
}

/**
 * Disables an imported endpoint. Nothing is sent to the endpoint until its owner has stored a new secret at
 * the receiver.
 */
export function disableEndpoint(line: Line, at: number): Line {
  return line["disabled_at"] === null
    ? { ...line, disabled_at: isoTime(at), disabled_reason: "moved" }
    : line;
}

export function checkTargetUrl({
  id,
  url,
  disabled_at,
  disabled_reason,
  removed_at,
}: Line): string | undefined {
  if (disabled_at === null || disabled_reason === null)
    return "`disabled_at` must hold the time since which the endpoint is disabled";
  const isGone = removed_at !== null && url === `removed:${String(id)}`;
  return isGone || isHttpsUrl(url) ? undefined : "`url` must be an https:// URL";
}

/**
 * Checks that the envelope of an event matches its row. The envelope repeats the values of some columns, and
 * these values must be equal.
 */
export function checkBody({ id, type, body, created_at }: Line): string | undefined {
  const wrong = "`body` must be the event itself, as JSON";
  try {
    const payload = JSON.parse(String(body)) as Line | null;
    return payload?.["id"] === id && payload?.["type"] === type && payload?.["created_at"] === created_at
      ? undefined
      : wrong;
  } catch {
    return wrong;
  }
}

/**
 * Checks the params of a failed attempt. The params must be an object, because they are inserted into the
 * message of the failure.
 */
export function checkParams({ params }: Line): string | undefined {
  if (typeof params !== "string") return undefined;
  try {
    const parsed: unknown = JSON.parse(params);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return undefined;
  } catch {
    // Invalid JSON is handled by the statement after the `try`.
  }
  return "`params` must be a JSON object";
}

/**
 * Removes the member who gave the points, such as the member who liked a post. This member is never revealed.
 */
export function withoutGiver(line: Line): Line {
  return { ...line, giver_id: "" };
}

/** Removes the label of an invitation, because only the team may see the label. */
export function withoutLabel(line: Line): Line {
  return { ...line, label: "" };
}

/** Removes the moderator who settled a report, because the reporter must not learn who settled it. */
export function withoutSettler(line: Line): Line {
  return { ...line, settled_by: null };
}

/** Removes the IP address from audit entries that are past their retention. */
export function withoutExpiredAddress(line: Line, _: number, core: Core): Line {
  return isPastRetention(core, Date.parse(line["created_at"] as string)) ? { ...line, address: null } : line;
}

/**
 * Removes the IP address from audit entries about what an admin did to the member's account, and the
 * moderator from entries about decisions. The audit log hides both from the member too.
 */
export function withoutStaff(line: Line, builderId: string): Line {
  if (line["actor_id"] === null || line["actor_id"] === builderId) return line;
  const isDecision = (MODERATION_EVENTS as readonly unknown[]).includes(line["act"]);
  return { ...line, address: null, ...(isDecision ? { actor_id: null } : {}) };
}

/**
 * Removes the moderators of a decision and the data for its undo. Removes the subject of a decision about a
 * message, because the message would identify the reporter.
 */
export function withoutModerator(line: Line, builderId: string): Line {
  const isMessage = String(line["subject_id"]).startsWith("msg_");
  const subjectId = isMessage ? builderId : line["subject_id"];
  return { ...line, subject_id: subjectId, moderator_id: null, undone_by: null, undo: {} };
}

/** Removes the moderator who decided an appeal. */
export function withoutDecider(line: Line): Line {
  return { ...line, decided_by: null };
}

/** Removes the word, host or number that made a brake hold content. Only moderators know the brakes. */
export function withoutBrake(line: Line): Line {
  return { ...line, detail: "" };
}
