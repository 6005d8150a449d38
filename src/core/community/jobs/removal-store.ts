import type { Core } from "../../base/core.ts";

export interface OwnJob {
  id: string;
  seq: number;
  onBoard: 0 | 1;
  /**
   * Whether other builders may publish for the job's company. They are the company's creator or the members
   * of its workspace.
   */
  hasOtherPublishers: 0 | 1;
}

/** Finds any job that a builder has published. */
export function findJobOf(core: Core, builderId: string): OwnJob | undefined {
  return core.db
    .prepare<OwnJob>(
      `SELECT j.id, j.seq, j.on_board AS onBoard,
              coalesce(c.made_by <> j.published_by, 0)
              OR EXISTS (SELECT 1 FROM workspaces WHERE id = c.workspace_id AND removed_at IS NULL) AS hasOtherPublishers
       FROM jobs j INDEXED BY jobs_by_publisher CROSS JOIN companies c ON c.id = j.company_id
       WHERE j.published_by = ? LIMIT 1`,
    )
    .get(builderId);
}

/**
 * Deletes at most `limit` rows of a job: its matches first, then the job. Returns the number of deleted rows.
 */
export function deleteSomeOfJob(core: Core, id: string, limit: number): number {
  const matches = core.db
    .prepare(
      `DELETE FROM job_matches WHERE job_id = ? AND builder_id IN
         (SELECT builder_id FROM job_matches WHERE job_id = ? LIMIT ?)`,
    )
    .run(id, id, limit).changes;
  if (matches === limit) return limit;
  core.db.prepare("DELETE FROM jobs WHERE id = ?").run(id);
  return matches + 1;
}

export interface OwnCompany {
  id: string;
  /** Whether the company still has a job or a workspace. */
  isNeeded: 0 | 1;
}

/** Selects some of the companies that a builder created. */
export function selectCompaniesOf(core: Core, builderId: string, limit: number): OwnCompany[] {
  return core.db
    .prepare<OwnCompany>(
      `SELECT c.id,
              EXISTS (SELECT 1 FROM jobs WHERE company_id = c.id)
              OR EXISTS (SELECT 1 FROM workspaces WHERE id = c.workspace_id AND removed_at IS NULL) AS isNeeded
       FROM companies c INDEXED BY companies_by_maker WHERE c.made_by = ? LIMIT ?`,
    )
    .all(builderId, limit);
}

/**
 * Removes the creator of a company. If the company has no jobs and no workspace, the company then belongs to
 * the operator and loses its name. The slug remains taken, because the slug was public and must not later
 * name another company.
 */
export function removeCompanyCreator(core: Core, { id, isNeeded }: OwnCompany): void {
  const name = isNeeded === 1 ? "name" : "slug";
  core.db.prepare(`UPDATE companies SET made_by = NULL, name = ${name} WHERE id = ?`).run(id);
}
