import { createHash, timingSafeEqual } from "node:crypto";
import {
  type BuilderCaller,
  type Caller,
  unknownId,
  requireAdmin,
  requirePerson,
} from "../../identity/access/caller.ts";
import { BUILDER_SCOPES, isScope, isStaffScope, type Scope } from "../../identity/access/scopes.ts";
import { requireFresh } from "../../identity/accounts/sessions.ts";
import type { AuditEvent, Detail } from "../../identity/audit/audit-events.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import type { RateTier } from "../../base/limits.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import type { SigningAlg } from "../oauth/keys.ts";
import {
  type App,
  type AppChange,
  type AppDraft,
  type AppKind,
  APPS_MAX,
  type Maker,
  RATE_FILL_MAX_MINUTES,
} from "./app.ts";
import {
  type AppRow,
  countApps,
  deleteApp,
  findAppRow,
  insertApp,
  selectAllApps,
  selectApps,
  updateApp,
} from "./apps-store.ts";
import { checkRedirect } from "./redirects.ts";
import { isMember, isWorkspace } from "../../identity/members/members.ts";

export { suspendAppsOf } from "./apps-store.ts";

/**
 * How long the old secret still works after a rotation. During this time, the app's server can switch to the
 * new secret without downtime.
 */
const SECRET_OVERLAP_MS = DAY;

/**
 * Registers an app in a workspace. The secret of a confidential app is returned here and never again. Allowed
 * for members of the workspace with a recent sign-in, and for the operator.
 * Throws:
 * - forbidden
 * - not_found if the caller is not in the workspace
 * - unprocessable for an invalid redirect URI or scope
 * - conflict if the workspace already has 25 apps
 */
export function registerApp(
  core: Core,
  caller: Caller,
  workspaceId: string,
  draft: AppDraft,
): { app: App; secret: string | null } {
  return core.db.transact(() => {
    requireMember(core, caller, workspaceId);
    requireFresh(core, caller);
    if (countApps(core, workspaceId) >= APPS_MAX) throw refuse("apps_too_many", { max: APPS_MAX });
    const createdAt = core.clock.now();
    const id = core.makeId("app", createdAt);
    const secret = draft.kind === "confidential" ? makeSecret(core) : null;
    insertApp(core, {
      id,
      workspaceId,
      createdBy: caller.builderId,
      name: draft.name.trim(),
      homepage: draft.homepage ?? null,
      kind: draft.kind,
      secretHash: secret === null ? null : hashSecret(secret),
      redirectUris: checkRedirects(draft.redirectUris),
      scopes: checkScopes(draft.scopes).join(" "),
      idTokenAlg: draft.idTokenAlg ?? "RS256",
      createdAt,
    });
    audit(core, caller, "app.registered", { name: draft.name, app: id });
    return { app: present(core, ownApp(core, caller, id)), secret };
  });
}

/**
 * Lists the apps of a workspace, newest first. Allowed for members of the workspace in a session, and for the
 * operator. Throws not_found.
 */
export function listApps(core: Core, caller: Caller, workspaceId: string): App[] {
  requireMember(core, caller, workspaceId);
  return selectApps(core, workspaceId).map((row) => present(core, row));
}

/**
 * Returns an app. Allowed for members of its workspace in a session, and for the operator. Throws not_found,
 * also for an app of another workspace.
 */
export function getApp(core: Core, caller: Caller, id: string): App {
  return present(core, ownApp(core, caller, id));
}

/**
 * Changes the given fields of an app. Live tokens lose removed scopes immediately. Allowed for members of the
 * app's workspace with a recent sign-in, and for the operator. Throws forbidden, not_found, unprocessable.
 */
export function changeApp(core: Core, caller: Caller, id: string, change: AppChange): App {
  return core.db.transact(() => {
    const row = ownApp(core, caller, id);
    requireFresh(core, caller);
    const changed = {
      ...(change.name === undefined ? {} : { name: change.name.trim() }),
      ...(change.homepage === undefined ? {} : { homepage: change.homepage }),
      ...(change.redirectUris === undefined ? {} : { redirectUris: checkRedirects(change.redirectUris) }),
      ...(change.scopes === undefined ? {} : { scopes: checkScopes(change.scopes).join(" ") }),
      ...(change.idTokenAlg === undefined ? {} : { idTokenAlg: change.idTokenAlg }),
    };
    if (Object.keys(changed).length > 0) {
      updateApp(core, id, changed);
      audit(core, caller, "app.changed", { name: row.name, app: id });
    }
    return present(core, ownApp(core, caller, id));
  });
}

/**
 * Creates a new secret, which is returned here and never again. The previous secret works for another day. To
 * invalidate a leaked secret immediately, rotate twice. Allowed for members of the app's workspace with a
 * recent sign-in, and for the operator. Throws forbidden, not_found, unprocessable for a public app.
 */
export function rotateAppSecret(core: Core, caller: Caller, id: string): { app: App; secret: string } {
  return core.db.transact(() => {
    const row = ownApp(core, caller, id);
    requireFresh(core, caller);
    if (row.kind === "public") throw refuse("app_without_secret");
    const secret = makeSecret(core);
    const previousUntil = core.clock.now() + SECRET_OVERLAP_MS;
    updateApp(core, id, { secretHash: hashSecret(secret), previousHash: row.secretHash, previousUntil });
    audit(core, caller, "app.secret-rotated", { name: row.name, app: id });
    return { app: present(core, ownApp(core, caller, id)), secret };
  });
}

/**
 * Deletes an app and all its grants. The tokens of the app stop working immediately. Rights and errors as for
 * `changeApp`.
 */
export function removeApp(core: Core, caller: Caller, id: string): void {
  core.db.transact(() => {
    const { name } = ownApp(core, caller, id);
    requireFresh(core, caller);
    deleteApp(core, id);
    audit(core, caller, "app.deleted", { name, app: id });
  });
}

/**
 * Lists the apps of all workspaces, newest first. Allowed for admins and the operator. Throws forbidden.
 * Throws bad_request for a cursor of another list.
 */
export function listAllApps(core: Core, caller: Caller, request: PageRequest): Page<App> {
  requireAdmin(caller);
  const scope = { list: "apps", filters: {} };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("app", parts[0]),
  );
  const rows = selectAllApps(core, request, key?.[0] ?? (request.backwards ? "app_" : "app_~"));
  return pageOf(
    rows.map((row) => present(core, row)),
    request,
    scope,
    ({ id }) => [id],
  );
}

/** Returns an app of any workspace. Allowed for admins and the operator. Throws forbidden, not_found. */
export function getAnyApp(core: Core, caller: Caller, id: string): App {
  requireAdmin(caller);
  return present(core, anyApp(core, id));
}

/**
 * Suspends an app. All its tokens stop working immediately. Allowed for admins with a recent sign-in, and for
 * the operator. Throws forbidden, not_found.
 */
export function suspendApp(core: Core, caller: Caller, id: string, reason: string): void {
  changeAsAdmin(core, caller, id, "app.suspended", {
    suspendedAt: core.clock.now(),
    suspendedReason: reason,
  });
}

/** Restores a suspended app. Its grants then work again. Rights and errors as for `suspendApp`. */
export function restoreApp(core: Core, caller: Caller, id: string): void {
  changeAsAdmin(core, caller, id, "app.restored", { suspendedAt: null, suspendedReason: null });
}

/**
 * Sets the rate limits of an app's callers, or removes them with null (docs/contract.md#3.2). Allowed for
 * admins with a recent sign-in, and for the operator. Throws forbidden, not_found, unprocessable for a burst
 * that takes more than ten minutes to refill.
 */
export function setAppRate(core: Core, caller: Caller, id: string, rate: RateTier | null): void {
  if (rate && rate.burst > RATE_FILL_MAX_MINUTES * rate.sustained) {
    throw refuse("burst_too_large", { minutes: RATE_FILL_MAX_MINUTES });
  }
  changeAsAdmin(core, caller, id, "app.rate-set", {
    rateSustained: rate?.sustained ?? null,
    rateBurst: rate?.burst ?? null,
  });
}

function changeAsAdmin(
  core: Core,
  caller: Caller,
  id: string,
  act: AuditEvent,
  change: Parameters<typeof updateApp>[2],
): void {
  requireAdmin(caller);
  requireFresh(core, caller);
  core.db.transact(() => {
    const { name } = anyApp(core, id);
    updateApp(core, id, change);
    audit(core, caller, act, { name, app: id });
  });
}

function anyApp(core: Core, id: string): AppRow {
  const row = findAppRow(core, id);
  if (!row) throw refuse("app_unknown");
  return row;
}

/** An app as the OAuth server sees it. */
export interface Client {
  id: string;
  name: string;
  homepage: string | null;
  kind: AppKind;
  redirectUris: string[];
  scopes: Scope[];
  maker: Maker;
  idTokenAlg: SigningAlg;
  /** Rate limits that an admin set; null if the limits of the OAuth tier apply. */
  rate: RateTier | null;
  createdAt: number;
}

/**
 * Finds an active app. Returns undefined for an app that is unknown or suspended, or whose workspace has only
 * suspended owners.
 */
export function findClient(core: Core, id: string): Client | undefined {
  const row = isId("app", id) ? findAppRow(core, id) : undefined;
  if (!row?.isActive) return undefined;
  const { name, homepage, kind, idTokenAlg, createdAt } = row;
  const [redirectUris, scopes, maker] = [addresses(row), scopesOf(row), makerOf(row)];
  return { id, name, homepage, kind, redirectUris, scopes, maker, idTokenAlg, rate: rateOf(row), createdAt };
}

function makerOf({ workspaceOwner, workspaceName }: AppRow): Maker {
  return { name: workspaceOwner ?? workspaceName, isWorkspace: workspaceOwner === null };
}

/**
 * Whether `text` is the app's secret. The previous secret also matches for a day after a rotation. The
 * comparison takes constant time.
 */
export function isAppSecret(core: Core, id: string, text: string): boolean {
  const row = findAppRow(core, id);
  const sent = hashSecret(text);
  const isOpen = row?.previousUntil != null && row.previousUntil > core.clock.now();
  const known = [
    row?.secretHash ?? UNMATCHABLE_HASH,
    (isOpen ? row?.previousHash : undefined) ?? UNMATCHABLE_HASH,
  ];
  return known.map((hash) => hash !== UNMATCHABLE_HASH && timingSafeEqual(hash, sent)).includes(true);
}

const UNMATCHABLE_HASH = Buffer.alloc(32);

function requireMember(core: Core, caller: Caller, workspaceId: string): void {
  const isTheirs =
    caller.means === "operator"
      ? isWorkspace(core, workspaceId)
      : isMember(core, requirePerson(caller).builderId, workspaceId);
  if (!isTheirs) throw unknownId(caller, "workspace");
}

function ownApp(core: Core, caller: Caller, id: string): AppRow {
  const person: BuilderCaller | undefined = caller.means === "operator" ? undefined : requirePerson(caller);
  const row = findAppRow(core, id);
  if (!row || (person && !isMember(core, person.builderId, row.workspaceId))) throw unknownId(caller, "app");
  return row;
}

function audit(core: Core, caller: Caller, act: AuditEvent, detail: Detail): void {
  recordBy(core, caller, act, caller.builderId, detail);
}

function checkRedirects(list: readonly string[]): string[] {
  list.forEach(checkRedirect);
  return [...new Set(list)];
}

function checkScopes(names: readonly string[]): Scope[] {
  for (const name of names) {
    if (isStaffScope(name)) throw refuse("app_scope_admin", { scope: name });
    if (!isScope(name)) throw refuse("scope_unknown", { scopes: BUILDER_SCOPES });
  }
  return BUILDER_SCOPES.filter((scope) => names.includes(scope));
}

function present(core: Core, row: AppRow): App {
  const { id, name, homepage, kind, createdAt, previousUntil } = row;
  return {
    id,
    name,
    homepage,
    kind,
    redirectUris: addresses(row),
    scopes: scopesOf(row),
    idTokenAlg: row.idTokenAlg,
    workspace: { id: row.workspaceId, name: row.workspaceName },
    maker: makerOf(row),
    previousSecretUntil: previousUntil !== null && previousUntil > core.clock.now() ? previousUntil : null,
    rate: rateOf(row),
    suspended: row.suspendedAt === null ? null : { at: row.suspendedAt, reason: row.suspendedReason ?? "" },
    isOrphaned: row.suspendedAt === null && row.isActive === 0,
    createdAt,
  };
}

function rateOf({ rateSustained: sustained, rateBurst: burst }: AppRow): RateTier | null {
  return sustained === null || burst === null ? null : { sustained, burst };
}

function addresses({ redirectUris }: AppRow): string[] {
  return JSON.parse(redirectUris) as string[];
}

function scopesOf({ scopes }: AppRow): Scope[] {
  const registered = scopes.split(" ");
  return BUILDER_SCOPES.filter((name) => registered.includes(name));
}

/**
 * Creates a secret from a fixed prefix and 256 random bits. The prefix lets secret scanners find a leaked
 * secret.
 */
function makeSecret(core: Core): string {
  return `guild_secret_${Buffer.from(core.random.bytes(32)).toString("base64url")}`;
}

function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
