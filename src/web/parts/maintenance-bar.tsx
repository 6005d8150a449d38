/** @jsxImportSource @kitajs/html */
import { isAtLeast } from "../../core/identity/access/roles.ts";
import type { Core } from "../../core/base/core.ts";
import { type Maintenance, maintenanceOf } from "../../core/identity/maintenance/maintenance.ts";
import type { PageContext } from "../request/route.ts";
import { Time } from "./parts.tsx";
import { maintenanceText } from "./sentences.ts";

/**
 * At the head of every page while there is maintenance: what is said of it, and what it means for who looks.
 */
export function MaintenanceBar({ ctx }: { ctx: PageContext }) {
  const told = askedFor(ctx.core);
  if (!told) return "";
  const { message, until } = told;
  const { label, ...says } = ctx.words.layout.maintenance;
  const places = {
    message: (
      <strong dir="auto" safe>
        {maintenanceText(ctx.words, message)}
      </strong>
    ),
  };
  return (
    <aside class="maintenance" aria-label={label}>
      <p>
        {until === null
          ? (isAtLeast(ctx.person?.role ?? null, "admin") ? says.forAdmins : says.forMembers)(places)
          : (isAtLeast(ctx.person?.role ?? null, "admin") ? says.forAdminsUntil : says.forMembersUntil)({
              ...places,
              until: <Time ctx={ctx} at={until} />,
            })}
      </p>
    </aside>
  );
}

/** A page that tells of a database that does not answer is told all the same. */
function askedFor(core: Core): Maintenance | undefined {
  try {
    return maintenanceOf(core);
  } catch {
    return undefined;
  }
}
