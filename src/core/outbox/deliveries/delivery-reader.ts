import type { Scope } from "../../identity/access/scopes.ts";
import { readableTypesJson } from "../events/catalogue.ts";

/**
 * The reader of a delivery log. Reading a delivery needs the scope of its event type. Only the member
 * concerned may read deliveries about the member's messages and job matches, or learn that they exist. Lists
 * and counts leave out all other deliveries, even if members share the endpoint and the workspace.
 */
export interface LogReader {
  workspaceId: string;
  builderId: string;
  scopes: ReadonlySet<Scope>;
}

/** SQL condition for an event `e` that a `LogReader` may read. Takes the parameters `mayRead(reader)`. */
export const MAY_READ =
  "(e.builder_id IS NULL OR e.builder_id = ?) AND e.type IN (SELECT value FROM json_each(?))";

export function mayRead({ builderId, scopes }: LogReader): [builderId: string, types: string] {
  return [builderId, readableTypesJson(scopes)];
}
