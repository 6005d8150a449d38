import type { Core } from "../../base/core.ts";
import { builders, profileDetails } from "../../base/db/schema.ts";
import { streakDays, type Run, type ZoneSpan } from "../xp/streaks.ts";
import type { Profile } from "./profiles.ts";

export interface ProfileRow {
  id: string;
  username: string;
  name: string;
  bio: string;
  xp: number;
  joinedAt: number;
  followers: number;
  run: string | null;
  zone: string | null;
  badges: string;
  projects: string;
  details: string | null;
}

/** The optional parts of a profile. */
export interface ProfileDetails {
  place: string;
  links: readonly string[];
  pinnedProjectId: string | null;
}

/** SQL condition for an account that is suspended as a spammer. Other accounts cost no lookup. */
const IS_SPAMMER = `b.suspended_at IS NOT NULL AND EXISTS (
                SELECT 1 FROM restrictions r JOIN decisions d ON d.id = r.decision_id
                WHERE r.builder_id = b.id AND r.kind = 'suspended' AND d.act = 'remove_spammer')`;

/**
 * Selects a whole profile in one statement. A removed spammer has no bio, no details and no projects. Badges
 * and projects are JSON arrays in the order of creation. `run` and `zone` are the data to compute the current
 * streak.
 */
export const PROFILE = `SELECT b.id, b.username, b.name, iif(${IS_SPAMMER}, '', b.bio) AS bio, b.xp, b.created_at AS joinedAt, b.followers,
              (SELECT json_object('firstDay', first_day, 'lastDay', last_day, 'days', days)
               FROM streaks WHERE builder_id = b.id ORDER BY first_day DESC LIMIT 1) AS run,
              (SELECT json_object('since', since, 'zone', zone, 'dayOffset', day_offset)
               FROM time_zones WHERE builder_id = b.id AND since <= ? ORDER BY since DESC LIMIT 1) AS zone,
              (SELECT json_group_array(badge ORDER BY earned_at, badge)
               FROM builder_badges WHERE builder_id = b.id) AS badges,
              (SELECT json_group_array(json_object('id', id, 'title', title) ORDER BY id)
               FROM projects WHERE builder_id = b.id AND NOT (${IS_SPAMMER})) AS projects,
              (SELECT json_object('place', place, 'links', json(links), 'pinnedProjectId', pinned_project_id)
               FROM profile_details WHERE builder_id = b.id AND b.removed_at IS NULL AND NOT (${IS_SPAMMER})) AS details`;

export function selectProfile(core: Core, username: string): Profile | undefined {
  const now = core.clock.now();
  const row = core.db
    .prepare<ProfileRow>(`${PROFILE} FROM builders b WHERE b.username = ? AND b.removed_at IS NULL`)
    .get(now, username);
  return row && toProfile(row, now);
}

/**
 * Selects profiles by id in one statement, in any order. Includes deleted accounts only with `alsoRemoved`.
 */
export function selectProfiles(
  core: Core,
  ids: readonly string[],
  { alsoRemoved }: { alsoRemoved: boolean },
): Profile[] {
  const now = core.clock.now();
  return core.db
    .prepare<ProfileRow>(
      `${PROFILE} FROM json_each(?) wanted CROSS JOIN builders b ON b.id = wanted.value
       ${alsoRemoved ? "" : "WHERE b.removed_at IS NULL"}`,
    )
    .all(now, JSON.stringify(ids))
    .map((row) => toProfile(row, now));
}

export function toProfile(row: ProfileRow, now: number): Profile {
  const { run, zone, badges, projects, details, ...profile } = row;
  const {
    place = "",
    links = [],
    pinnedProjectId = null,
  } = details === null ? {} : (JSON.parse(details) as ProfileDetails);
  return {
    ...profile,
    place,
    links: [...links],
    pinnedProjectId,
    streakDays: run === null ? 0 : streakDays(JSON.parse(run) as Run, zoneOf(zone), now),
    badges: JSON.parse(badges),
    projects: JSON.parse(projects),
  };
}

function zoneOf(json: string | null): ZoneSpan | null {
  return json === null ? null : (JSON.parse(json) as ZoneSpan);
}

/** Selects usernames by builder id, in one statement. Leaves out unknown builders. */
export function selectUsernames(core: Core, ids: readonly string[]): ReadonlyMap<string, string> {
  const rows = core.db
    .prepare<{ id: string; username: string }>(
      "SELECT b.id, b.username FROM json_each(?) wanted CROSS JOIN builders b ON b.id = wanted.value",
    )
    .all(JSON.stringify(ids));
  return new Map(rows.map(({ id, username }) => [id, username]));
}

export function findProfileName(core: Core, builderId: string): string {
  return (
    core.db.prepare<{ name: string }>("SELECT name FROM builders WHERE id = ?").get(builderId)?.name ?? ""
  );
}

/** Stores the optional parts of a profile. Omitted parts are unchanged. */
export function updateDetails(core: Core, builderId: string, change: Partial<ProfileDetails>): void {
  core.db.insertNew(profileDetails, { builderId });
  core.db.patch(profileDetails, { builderId }, change);
}

export function updateProfile(core: Core, builderId: string, change: { name?: string; bio?: string }): void {
  core.db.patch(builders, { id: builderId }, change);
}
