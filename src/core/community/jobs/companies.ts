import { type Caller, requireScope } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { ensureCompany, findCompany, selectCompanies } from "./jobs-store.ts";
import { isMember } from "../../identity/members/members.ts";

export interface Company {
  id: string;
  name: string;
  slug: string;
}

/** Returns companies by id. Leaves out unknown ids. Needs `jobs:read`. */
export function getCompanies(core: Core, caller: Caller, ids: readonly string[]): Company[] {
  requireScope(caller, "jobs:read");
  return selectCompanies(core, ids);
}

/** Returns a company by its slug. Needs `jobs:read`. Throws not_found. */
export function getCompany(core: Core, caller: Caller, slug: string): Company {
  requireScope(caller, "jobs:read");
  const found = findCompany(core, slug);
  if (!found) throw refuse("company_unknown");
  return { id: found.id, name: found.name, slug: found.slug };
}

/**
 * Returns the company for which the caller publishes a job. The first publisher of a slug creates the company
 * with the given name. The company belongs to that publisher and to the workspace of the request. The name
 * cannot change afterwards. Only the creator, the members of that workspace and the operator may publish for
 * the company. Throws forbidden.
 */
export function getOrCreateCompany(
  core: Core,
  caller: Caller,
  draft: { name: string; slug: string },
): Company {
  const found = findCompany(core, draft.slug);
  if (!found) {
    const createdAt = core.clock.now();
    return ensureCompany(core, {
      ...draft,
      id: core.makeId("company", createdAt),
      createdAt,
      madeBy: caller.builderId,
      workspaceId: caller.workspaceId,
    });
  }
  if (mayPublishFor(core, caller, found)) return found;
  throw refuse("company_of_others", { name: found.name, slug: found.slug });
}

function mayPublishFor(
  core: Core,
  caller: Caller,
  company: { madeBy: string | null; workspaceId: string | null },
): boolean {
  if (caller.means === "operator") return true;
  const { builderId } = caller;
  if (builderId === null) return false;
  if (company.madeBy === builderId) return true;
  return company.workspaceId !== null && isMember(core, builderId, company.workspaceId);
}
