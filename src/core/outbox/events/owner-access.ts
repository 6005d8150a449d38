import { APP_IS_ACTIVE } from "../../identity/members/working-app.ts";
import { ALL_EVENT_NAMES, CATALOGUE } from "./catalogue.ts";

/*
 * What an endpoint `w` may be sent, as conditions of statements: asked when an event goes out to its
 * subscribers, and at each attempt again (docs/contract.md#6.1). A person's endpoint has no grant and keeps
 * the types that it was allowed when they were chosen.
 */

/** Whether anything may go out now: the app that made it is not suspended, and what it was granted stands. */
export const OWNER_HAS_ACCESS = `(w.grant_id IS NULL OR EXISTS (
  SELECT 1 FROM grants g CROSS JOIN apps a ON a.id = g.app_id
  WHERE g.id = w.grant_id AND +g.revoked_at IS NULL AND ${APP_IS_ACTIVE}))`;

/** Whether the app that made it may still read events of a type; `type` is a place in the statement. */
export function ownerMayRead(type: string): string {
  const scope = `' ' || (CASE ${type} ${ALL_EVENT_NAMES.map((name) => `WHEN '${name}' THEN '${CATALOGUE[name].scope}'`).join(" ")} END) || ' '`;
  return `(w.grant_id IS NULL OR EXISTS (
    SELECT 1 FROM grants g CROSS JOIN apps a ON a.id = g.app_id
    WHERE g.id = w.grant_id AND instr(' ' || g.scopes || ' ', ${scope}) > 0 AND instr(' ' || a.scopes || ' ', ${scope}) > 0))`;
}
