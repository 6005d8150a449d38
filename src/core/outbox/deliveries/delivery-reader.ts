import type { Scope } from "../../identity/access/scopes.ts";
import { readableTypesJson } from "../events/catalogue.ts";

/**
 * Who reads a delivery log. A delivery is read with the scope of its event's type. A member's messages and
 * matches are theirs alone, and so is that there were any. A delivery that a reader may not read is there for
 * somebody else, not to be seen and not to be counted, also where endpoint and workspace are shared.
 */
export interface LogReader {
  workspaceId: string;
  builderId: string;
  scopes: ReadonlySet<Scope>;
}

/** That rule, of an event `e`; takes `mayRead(reader)`. */
export const MAY_READ =
  "(e.builder_id IS NULL OR e.builder_id = ?) AND e.type IN (SELECT value FROM json_each(?))";

export function mayRead({ builderId, scopes }: LogReader): [builderId: string, types: string] {
  return [builderId, readableTypesJson(scopes)];
}
