import { eq } from "drizzle-orm";
import type { Core } from "../core.ts";
import { builderBadges, builders, projects } from "../db/schema.ts";
import type { Profile } from "./profiles.ts";

interface ProfileRow {
  id: string;
  username: string;
  name: string;
  bio: string;
  xp: number;
  streakDays: number;
  badges: string;
  projects: string;
}

/** One statement for the whole profile: badges and projects come as JSON, each in the order they came to be. */
export function selectProfile(core: Core, username: string): Profile | undefined {
  const row = core.db
    .prepare<ProfileRow>(
      `SELECT b.id, b.username, b.name, b.bio, b.xp, b.streak_days AS streakDays,
              (SELECT json_group_array(badge ORDER BY earned_at, badge)
               FROM builder_badges WHERE builder_id = b.id) AS badges,
              (SELECT json_group_array(json_object('id', id, 'title', title) ORDER BY id)
               FROM projects WHERE builder_id = b.id) AS projects
       FROM builders b WHERE b.username = ?`,
    )
    .get(username);
  return row && { ...row, badges: JSON.parse(row.badges), projects: JSON.parse(row.projects) };
}

export function findProfileName(core: Core, builderId: string): string {
  const row = core.db.orm
    .select({ name: builders.name })
    .from(builders)
    .where(eq(builders.id, builderId))
    .get();
  return row?.name ?? "";
}

export function insertBadges(
  core: Core,
  rows: { builderId: string; badge: string; earnedAt: number }[],
): void {
  if (rows.length > 0) core.db.orm.insert(builderBadges).values(rows).run();
}

export function insertProjects(
  core: Core,
  rows: { id: string; builderId: string; title: string; createdAt: number }[],
): void {
  if (rows.length > 0) core.db.orm.insert(projects).values(rows).run();
}
