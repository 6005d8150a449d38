/** @jsxImportSource @kitajs/html */
import { isAtLeast } from "../../core/identity/access/roles.ts";
import type { Core } from "../../core/base/core.ts";
import { type Maintenance, maintenanceOf } from "../../core/identity/maintenance/maintenance.ts";
import type { PageContext } from "../request/route.ts";
import { Time } from "./parts.tsx";
import { maintenanceText } from "./sentences.ts";

/**
 * The bar at the top of every page in maintenance mode. It shows the message, and what maintenance mode means
 * for admins or for other readers.
 */
export function MaintenanceBar({ ctx }: { ctx: PageContext }) {
  const maintenance = currentMaintenance(ctx.core);
  if (!maintenance) return "";
  const { message, until } = maintenance;
  const { label, ...says } = ctx.messages.layout.maintenance;
  const places = {
    message: (
      <strong dir="auto" safe>
        {maintenanceText(ctx.messages, message)}
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

/** If the database fails, the error page is rendered without the bar. */
function currentMaintenance(core: Core): Maintenance | undefined {
  try {
    return maintenanceOf(core);
  } catch {
    return undefined;
  }
}
