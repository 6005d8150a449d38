/** @jsxImportSource @kitajs/html */
import { isAtLeast } from "../../core/identity/access/roles.ts";
import type { Core } from "../../core/base/core.ts";
import { type Maintenance, maintenanceOf } from "../../core/identity/maintenance/maintenance.ts";
import type { PageAsk } from "../request/route.ts";
import { Time } from "./parts.tsx";
import { maintenanceText } from "./sentences.ts";

/** At the head of every page while there is maintenance: what is said of it, and what it means for who looks. */
export function MaintenanceBar({ ask }: { ask: PageAsk }) {
  const told = askedFor(ask.core);
  if (!told) return "";
  const { message, until } = told;
  const { label, ...says } = ask.words.layout.maintenance;
  const places = {
    message: (
      <strong dir="auto" safe>
        {maintenanceText(ask.words, message)}
      </strong>
    ),
  };
  return (
    <aside class="maintenance" aria-label={label}>
      <p>
        {until === null
          ? (isAtLeast(ask.person?.role ?? null, "admin") ? says.forAdmins : says.forMembers)(places)
          : (isAtLeast(ask.person?.role ?? null, "admin") ? says.forAdminsUntil : says.forMembersUntil)({
              ...places,
              until: <Time ask={ask} at={until} />,
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
