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

/** Companies by their ids; unknown ones are left out. Needs `jobs:read`. */
export function getCompanies(core: Core, caller: Caller, ids: readonly string[]): Company[] {
  requireScope(caller, "jobs:read");
  return selectCompanies(core, ids);
}

/** A company by its slug. Needs `jobs:read`. Throws not_found. */
export function getCompany(core: Core, caller: Caller, slug: string): Company {
  requireScope(caller, "jobs:read");
  const found = findCompany(core, slug);
  if (!found) throw refuse("company_unknown");
  return { id: found.id, name: found.name, slug: found.slug };
}

/**
 * The company to publish for. Whoever names a slug first makes the company, with the name they give; it
 * belongs to the workspace they do it in. From then on its name stands, and only its maker and the members of
 * that workspace may publish for it, or anybody could speak for anybody. One that the operator made is the
 * operator's. Throws forbidden.
 */
export function companyFor(core: Core, caller: Caller, draft: { name: string; slug: string }): Company {
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
