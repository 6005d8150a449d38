import type { Core } from "../../base/core.ts";
import { projects } from "../../base/db/schema.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import type { Project } from "./projects.ts";

/** Selects a builder's projects, newest first, or oldest first for a backward request. */
export function selectProjects(
  core: Core,
  builderId: string,
  request: PageRequest,
  fromId: string | undefined,
): Project[] {
  const { beyond, order } = descending(request);
  return core.db
    .prepare<Project>(
      `SELECT id, title, url, description, created_at AS createdAt FROM projects
       WHERE builder_id = ? AND id ${beyond} ? ORDER BY id ${order} LIMIT ?`,
    )
    .all(builderId, fromId ?? (request.backwards ? "" : "prj_~"), request.limit + 1);
}

export function findProject(core: Core, builderId: string, id: string): Project | undefined {
  return core.db
    .prepare<Project>(
      `SELECT id, title, url, description, created_at AS createdAt FROM projects
       WHERE id = ? AND builder_id = ?`,
    )
    .get(id, builderId);
}

/** Selects projects by id, in one statement and any order. Leaves out projects of deleted accounts. */
export function selectProjectsById(core: Core, ids: readonly string[]): Project[] {
  return core.db
    .prepare<Project>(
      `SELECT p.id, p.title, p.url, p.description, p.created_at AS createdAt
       FROM json_each(?) wanted CROSS JOIN projects p ON p.id = wanted.value
       CROSS JOIN builders b ON b.id = p.builder_id WHERE b.removed_at IS NULL`,
    )
    .all(JSON.stringify(ids));
}

export function countProjects(core: Core, builderId: string): number {
  return (
    core.db
      .prepare<{ projects: number }>("SELECT count(*) AS projects FROM projects WHERE builder_id = ?")
      .get(builderId)?.projects ?? 0
  );
}

export function insertProjects(core: Core, rows: (typeof projects.$inferInsert)[]): void {
  for (const row of rows) core.db.insert(projects, row);
}

export function updateProject(core: Core, project: Project): void {
  const { id, title, url, description } = project;
  core.db.patch(projects, { id }, { title, url, description });
}

/** Deletes a project of a builder. Returns whether the project existed. */
export function deleteProjectRow(core: Core, builderId: string, id: string): boolean {
  return (
    core.db.prepare("DELETE FROM projects WHERE id = ? AND builder_id = ?").run(id, builderId).changes > 0
  );
}
