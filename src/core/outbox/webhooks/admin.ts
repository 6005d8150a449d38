import { type Caller, requireAdmin, requireOperator } from "../../identity/access/caller.ts";
import { notify } from "../../identity/notifications/notify.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { disable, enable } from "./health-store.ts";
import { findAnyEndpoint, findCreator, selectAllEndpoints } from "./webhooks-store.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * Returns the webhook endpoints of all workspaces, newest first. Only admins in a session and the operator
 * may call this operation. Throws forbidden. Throws bad_request for a cursor of another list.
 */
export function listAllEndpoints(core: Core, caller: Caller, request: PageRequest): Page<Endpoint> {
  requireAdmin(caller);
  const scope = { list: "all-endpoints", filters: {} };
  const isKey = (parts: readonly (string | number)[]): parts is [string] =>
    parts.length === 1 && isId("whe", parts[0]);
  const from = cursorKey(request, scope, isKey)?.[0];
  return pageOf(selectAllEndpoints(core, request, from), request, scope, ({ id }) => [id]);
}

/**
 * Returns an endpoint of any workspace. Only admins in a session and the operator may call this operation.
 * Throws forbidden, not_found.
 */
export function getAnyEndpoint(core: Core, caller: Caller, id: string): Endpoint {
  requireAdmin(caller);
  const endpoint = findAnyEndpoint(core, id);
  if (!endpoint) throw refuse("endpoint_id_unknown");
  return endpoint;
}

/**
 * Enables or disables an endpoint of any workspace. Pages show the owner that the endpoint is disabled, and
 * the owner can enable it again. Waiting deliveries are kept as for any disabled endpoint. Only the operator
 * may call this operation. Throws forbidden, not_found.
 */
export function switchAnyEndpoint(core: Core, caller: Caller, id: string, isOn: boolean): Endpoint {
  requireOperator(caller);
  return core.db.transact(() => {
    const { url, disabled } = getAnyEndpoint(core, caller, id);
    if (isOn === (disabled === null)) return getAnyEndpoint(core, caller, id);
    if (isOn) enable(core, id);
    else disable(core, id, "switched_off_by_operator", core.clock.now());
    const owner = findCreator(core, id);
    recordBy(core, caller, isOn ? "endpoint.resumed" : "endpoint.paused", owner, { url });
    if (!isOn && owner !== null) {
      const subject = { type: "endpoint", id } as const;
      notify(core, { to: owner, kind: "endpoint_disabled", subject, about: "switched_off_by_operator" });
    }
    core.wake();
    return getAnyEndpoint(core, caller, id);
  });
}
