/** @jsxImportSource @kitajs/html */
import type { Core } from "../../core/ground/core.ts";
import { type Maintenance, maintenanceOf } from "../../core/identity/maintenance/maintenance.ts";
import type { PageAsk } from "../request/route.ts";
import { Time } from "./parts.tsx";

/** At the head of every page while there is maintenance: what is said of it, and what it means for who looks. */
export function MaintenanceBar({ ask: { core, person } }: { ask: PageAsk }) {
  const told = askedFor(core);
  if (!told) return "";
  const { message, until } = told;
  return (
    <aside class="maintenance" aria-label="Maintenance">
      <p>
        <strong dir="auto" safe>
          {message}
        </strong>{" "}
        {person?.isAdmin
          ? "Nobody but admins can change anything"
          : "You can read everything, and change nothing"}
        {until === null ? (
          "."
        ) : (
          <>
            , until <Time at={until} /> UTC.
          </>
        )}
        {person?.isAdmin ? (
          <>
            {" "}
            <a href="/admin/maintenance">End it</a>
          </>
        ) : (
          ""
        )}
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
