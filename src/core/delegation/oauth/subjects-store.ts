import type { Core } from "../../base/core.ts";

export interface SubjectRow {
  username: string;
  name: string;
}

/** Finds a builder who is not suspended. */
export function findSubjectRow(core: Core, builderId: string): SubjectRow | undefined {
  return core.db
    .prepare<SubjectRow>("SELECT username, name FROM builders WHERE id = ? AND suspended_at IS NULL")
    .get(builderId);
}
