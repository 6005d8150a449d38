import { type BuilderRow, findBuilder } from "./builders-store.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { type Caller, requirePerson, requirePersonOrOperator } from "../access/caller.ts";

/**
 * Returns the builder whose data the caller may change: the person's own, or any for the operator. Throws
 * forbidden for other callers, not_found for an unknown builder.
 */
export function ownBuilder(core: Core, caller: Caller, username: string): BuilderRow {
  if (caller.means !== "operator") requirePerson(caller);
  const builder = findBuilder(core, username);
  if (!builder) throw refuse("builder_unknown");
  requirePersonOrOperator(caller, builder.id);
  return builder;
}
