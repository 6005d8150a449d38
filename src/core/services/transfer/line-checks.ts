import { findZone } from "../../base/time-zones.ts";
import { checkRedirect } from "../../delegation/apps/redirects.ts";
import { isHttpsUrl } from "../../base/check.ts";
import { isoTime } from "../../base/clock.ts";
import { CoreError } from "../../base/errors.ts";
import type { Line } from "./entity.ts";

/*
 * What no single column can say of a line: what is wrong with it as a whole, in words; how it leaves where
 * that is not as it stands; and what of it its own builder could never read.
 */

export function checkZone({ zone }: Line): string | undefined {
  return findZone(String(zone)) === undefined ? "`zone` is not a known time zone" : undefined;
}

/** The same where none may be said. */
export function checkZoneIfAny(line: Line): string | undefined {
  return line["zone"] === null ? undefined : checkZone(line);
}

/** The same as at the registration of an app: the address is compared letter by letter later. */
export function checkRedirects({ redirect_uris: addresses }: Line): string | undefined {
  try {
    for (const address of addresses as string[]) checkRedirect(address);
    return undefined;
  } catch (error) {
    if (error instanceof CoreError) return `\`redirect_uris\`: ${error.message}`;
    throw error;
  }
}

/** Nothing goes out to where it went before, until its owner has given it a new secret. */
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

/** The envelope of an event says once more what its columns say. */
export function checkBody({ id, type, body, created_at }: Line): string | undefined {
  const wrong = "`body` must be the event itself, as JSON";
  try {
    const said = JSON.parse(String(body)) as Line | null;
    return said?.["id"] === id && said?.["type"] === type && said?.["created_at"] === created_at
      ? undefined
      : wrong;
  } catch {
    return wrong;
  }
}

/** Params of a failure are made into its sentence. */
export function checkParams({ params }: Line): string | undefined {
  if (typeof params !== "string") return undefined;
  try {
    const said: unknown = JSON.parse(params);
    if (typeof said === "object" && said !== null && !Array.isArray(said)) return undefined;
  } catch {
    // Said below.
  }
  return "`params` must be a JSON object";
}

/** Who gave it, such as by a like, is told to nobody. */
export function withoutGiver(line: Line): Line {
  return { ...line, giver_id: "" };
}

/** What those who run the community call an invitation is theirs. */
export function withoutLabel(line: Line): Line {
  return { ...line, label: "" };
}

/** Which moderator settled a report is not for whom it came from. */
export function withoutSettler(line: Line): Line {
  return { ...line, settled_by: null };
}

/** Where an admin sits is not for those whose account they look after: as in the audit log itself. */
export function withoutAdminAddress(line: Line, builderId: string): Line {
  const isTheirs = line["actor_id"] === null || line["actor_id"] === builderId;
  return isTheirs ? line : { ...line, address: null };
}
