import { APP_IS_ACTIVE } from "../../identity/members/active-app.ts";
import { ALL_EVENT_NAMES, CATALOGUE, STAFF_EVENT_NAMES } from "./catalogue.ts";

/*
 * SQL conditions for the events that an endpoint `w` may receive. The conditions are checked when an event is
 * queued and at each attempt (docs/contract.md#6.1). If a person created the endpoint, the endpoint has no
 * grant. Such an endpoint keeps the event types that were allowed when its owner chose the types.
 */

/**
 * Whether the endpoint may receive any event now. If an app created the endpoint, the app must not be
 * suspended, and the endpoint's grant must not be revoked.
 */
export const OWNER_HAS_ACCESS = `(w.grant_id IS NULL OR EXISTS (
  SELECT 1 FROM grants g CROSS JOIN apps a ON a.id = g.app_id
  WHERE g.id = w.grant_id AND +g.revoked_at IS NULL AND ${APP_IS_ACTIVE}))`;

/** The branches of a CASE from event types to scopes. Built once, because every event is checked. */
const SCOPE_OF_TYPE = ALL_EVENT_NAMES.map((name) => `WHEN '${name}' THEN '${CATALOGUE[name].scope}'`).join(
  " ",
);

const STAFF_TYPES = STAFF_EVENT_NAMES.map((name) => `'${name}'`).join(", ");

/**
 * Whether the owner of the endpoint may still read events of a type. `type` is an SQL expression. If an app
 * created the endpoint, the app needs the scope of the type. Events for the staff need an owner who is a
 * moderator or above now, so a former moderator receives no further event.
 */
export function ownerMayRead(type: string): string {
  return `(${staffMayRead(type)} AND ${appMayRead(type)})`;
}

function staffMayRead(type: string): string {
  return `(${type} NOT IN (${STAFF_TYPES}) OR EXISTS (
    SELECT 1 FROM builders c WHERE c.id = w.created_by AND c.role <> 'member' AND c.suspended_at IS NULL))`;
}

function appMayRead(type: string): string {
  const scope = `' ' || (CASE ${type} ${SCOPE_OF_TYPE} END) || ' '`;
  return `(w.grant_id IS NULL OR EXISTS (
    SELECT 1 FROM grants g CROSS JOIN apps a ON a.id = g.app_id
    WHERE g.id = w.grant_id AND instr(' ' || g.scopes || ' ', ${scope}) > 0 AND instr(' ' || a.scopes || ' ', ${scope}) > 0))`;
}
