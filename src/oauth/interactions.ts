import type { Provider } from "oidc-provider";
import { type BuilderCaller } from "../core/identity/access/caller.ts";
import { findClient, type Client } from "../core/delegation/apps/apps.ts";
import { redirectHost, redirectSource } from "../core/delegation/apps/redirects.ts";
import { MINUTE } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { CoreError, refuse, refuseFor } from "../core/base/errors.ts";
import { refuseInMaintenance } from "../core/identity/maintenance/maintenance.ts";
import { grantAccess, grantOf } from "../core/delegation/grants/grants.ts";
import { createLimiter, refillMs } from "../core/base/limits.ts";
import { resourceOf } from "../core/delegation/oauth/access-tokens.ts";
import type {
  ConsentQuestion,
  RequestedScope,
  RequestingApp,
  Consent,
  Interaction,
  Interactions,
  InteractionVisitor,
} from "../core/delegation/grants/interaction.ts";
import { commitChanges, findRecord, findRecordByUserCode } from "../core/delegation/oauth/records.ts";
import { GRANT_SCOPES, IDENTITY_SCOPES } from "../core/delegation/oauth/subjects.ts";
import { listWorkspaces } from "../core/delegation/workspaces/workspaces.ts";
import { grantKey, readGrantKey } from "./adapter.ts";
import { toNodeRequest, libraryNow, toSignInTime, runLibraryCall, newLibraryCall } from "./library.ts";
import { PATHS } from "./paths.ts";
import { newGrantFamily } from "./provider.ts";
import { INTERACTION_MS } from "../http/oauth-cookies.ts";

/**
 * Rate limit of wrong user codes per member, per minute and in a burst. Of 25 billion possible
 * codes, only a few are valid at a time.
 */
const CODE_TRIES = { sustained: 2, burst: 10 };

type LibraryInteraction = InstanceType<Provider["Interaction"]>;

/** Creates the OAuth server's operations for the consent pages. */
export function createInteractions(core: Core, getProvider: () => Promise<Provider>): Interactions {
  const tries = createLimiter(core.clock.elapsed, Math.max(refillMs(CODE_TRIES), 10 * MINUTE));
  return {
    find: (uid, visitor) => find(core, getProvider, uid, visitor),
    allow: (uid, visitor, consent) => allow(core, getProvider, uid, visitor, consent),
    deny: (uid, visitor) => deny(core, getProvider, uid, visitor),
    findDevice: (userCode, visitor) =>
      trying(visitor, ({ caller }) => deviceConsentQuestion(core, userCode, caller).question),
    allowDevice: (userCode, visitor, consent) =>
      trying(visitor, ({ caller, signedInAt }) =>
        core.db.write(() => allowDevice(core, userCode, caller, signedInAt, consent)),
      ),
    denyDevice: (userCode, visitor) =>
      trying(visitor, ({ caller }) => core.db.write(() => denyDevice(core, userCode, caller))),
  };

  /**
   * Runs work with a user code. Charges before the code is looked up, so that concurrent guesses are limited
   * too. Refunds the charge unless the code is unknown.
   */
  async function trying<Result>(
    visitor: InteractionVisitor,
    work: (person: NonNullable<InteractionVisitor["person"]>) => Result | Promise<Result>,
  ): Promise<Result> {
    const person = requirePerson(visitor);
    const { builderId } = person.caller;
    const charge = tries.charge(builderId, CODE_TRIES);
    if (!charge.allowed) throw refuseFor("too_many_wrong_codes", charge.retryInMs);
    try {
      const result = await work(person);
      tries.charge(builderId, CODE_TRIES, -1);
      return result;
    } catch (thrown) {
      if (!(thrown instanceof CoreError && thrown.error === "not_found"))
        tries.charge(builderId, CODE_TRIES, -1);
      throw thrown;
    }
  }
}

async function find(
  core: Core,
  getProvider: () => Promise<Provider>,
  uid: string,
  visitor: InteractionVisitor,
): Promise<Interaction> {
  const interaction = await openInteraction(core, await getProvider(), uid, visitor);
  const client = clientOf(core, interaction);
  const app = presentApp(client, stringParam(interaction.params["redirect_uri"]));
  const { person } = visitor;
  if (!person) return { kind: "sign-in", uid, app, isReauthentication: false };
  if (interaction.prompt.name === "login") {
    if (!isFresh(core, interaction, person)) return { kind: "sign-in", uid, app, isReauthentication: true };
    return { kind: "continue", to: await finishSignIn(core, interaction, person) };
  }
  // Another member has signed in since the request began, and now answers the request. If that sign-in
  // happened because of this request, finish the sign-in for this member. Otherwise start the request again,
  // because the app may require more than an existing sign-in.
  if (!isOf(interaction, person.caller)) {
    const isFromHere = signedInSince(core, interaction, person);
    const to = isFromHere
      ? await finishSignIn(core, interaction, person)
      : `${PATHS.authorize}?${requestOf(interaction)}`;
    return { kind: "continue", to };
  }
  return {
    kind: "consent",
    uid,
    app,
    ...consentQuestionOf(core, client, interaction.params["scope"], person.caller),
  };
}

async function allow(
  core: Core,
  getProvider: () => Promise<Provider>,
  uid: string,
  visitor: InteractionVisitor,
  consent: Consent,
): Promise<string> {
  const { caller } = requirePerson(visitor);
  const interaction = await openInteraction(core, await getProvider(), uid, visitor);
  refuseOthers(interaction, caller);
  if (interaction.prompt.name !== "consent") throw refuse("consent_without_sign_in");
  const client = clientOf(core, interaction);
  const { scopes } = consentQuestionOf(core, client, interaction.params["scope"], caller);
  const allowed = allowedOf(scopes, consent);
  if (allowed.length === 0) return deny(core, getProvider, uid, visitor);
  const refused = scopes.map(({ name }) => name).filter((name) => !allowed.includes(name));
  const refusal: Record<string, unknown> = { refused };
  interaction.result = { ...interaction.lastSubmission, consent: refusal };
  await storeResult(core, caller, interaction, () =>
    grantAccess(core, caller, { appId: client.id, scopes: allowed, workspaceId: consent.workspaceId }),
  );
  return interaction.returnTo;
}

async function deny(
  core: Core,
  getProvider: () => Promise<Provider>,
  uid: string,
  visitor: InteractionVisitor,
): Promise<string> {
  const { caller } = requirePerson(visitor);
  const interaction = await openInteraction(core, await getProvider(), uid, visitor);
  refuseOthers(interaction, caller);
  interaction.result = { error: "access_denied", error_description: "The user denied the request." };
  await storeResult(core, caller, interaction);
  return interaction.returnTo;
}

/** Completes the sign-in that the app requested. */
async function finishSignIn(
  core: Core,
  interaction: LibraryInteraction,
  { caller, signedInAt }: NonNullable<InteractionVisitor["person"]>,
): Promise<string> {
  const ts = toSignInTime(core, signedInAt);
  interaction.result = { ...interaction.lastSubmission, login: { accountId: caller.builderId, ts } };
  // The library's session may belong to another member, who was signed in when the request began. The library
  // must use the current member.
  if (interaction.session) delete (interaction.session as { uid?: string }).uid;
  await storeResult(core, caller, interaction);
  return interaction.returnTo;
}

/**
 * Whether the member's sign-in is sufficient for this request. `prompt=login` and `max_age` require a sign-in
 * because of this request.
 */
function isFresh(
  core: Core,
  interaction: LibraryInteraction,
  person: NonNullable<InteractionVisitor["person"]>,
): boolean {
  const { prompt, result } = interaction;
  if (prompt.reasons.every((reason) => reason === "no_session")) return true;
  if (result?.login?.accountId === person.caller.builderId) return true;
  return signedInSince(core, interaction, person);
}

/** Whether the member signed in after this interaction began. */
function signedInSince(
  core: Core,
  { uid }: LibraryInteraction,
  { signedInAt }: NonNullable<InteractionVisitor["person"]>,
): boolean {
  const begunAt = (findRecord(core, "Interaction", uid)?.expiresAt ?? Infinity) - INTERACTION_MS;
  // Returns false for a sign-in time in the future. Such a time means that the clock was set back.
  return signedInAt > begunAt && signedInAt <= core.clock.now();
}

/**
 * Stores the interaction's result and runs `effect` in one transaction. Throws unavailable in maintenance
 * mode.
 */
async function storeResult(
  core: Core,
  caller: BuilderCaller,
  interaction: LibraryInteraction,
  effect?: () => unknown,
): Promise<void> {
  const work = newLibraryCall("page");
  await runLibraryCall(work, () => interaction.save(interaction.exp - libraryNow()));
  await core.db.write(() => {
    refuseInMaintenance(core, caller);
    effect?.();
    commitChanges(core, work.changes);
  });
}

/**
 * Returns the interaction with the id `uid`, if this browser has the interaction's cookie. The cookie is
 * signed, and its path is limited to the page.
 */
async function openInteraction(
  core: Core,
  provider: Provider,
  uid: string,
  { cookies }: InteractionVisitor,
): Promise<LibraryInteraction> {
  const target = `${PATHS.consentPage}/${encodeURIComponent(uid)}`;
  const { req, res } = toNodeRequest(core, {
    method: "GET",
    target,
    headers: cookies === null ? {} : { cookie: cookies },
  });
  const own = provider
    .createContext(req, res)
    .cookies.get(provider.cookieName("interaction"), { signed: true });
  const interaction =
    own === uid
      ? await runLibraryCall(newLibraryCall("page"), () => provider.Interaction.find(uid))
      : undefined;
  if (!interaction) throw refuse("consent_over");
  return interaction;
}

function isOf({ session, prompt }: LibraryInteraction, { builderId }: BuilderCaller): boolean {
  return prompt.name !== "consent" || session?.accountId === builderId;
}

/** Returns the original parameters of the app's request. */
function requestOf({ params }: LibraryInteraction): URLSearchParams {
  return new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

function refuseOthers(interaction: LibraryInteraction, caller: BuilderCaller): void {
  if (!isOf(interaction, caller)) throw refuse("consent_of_other");
}

function requirePerson({ person }: InteractionVisitor): NonNullable<InteractionVisitor["person"]> {
  if (!person) throw refuse("decide_without_sign_in");
  return person;
}

function clientOf(core: Core, { params }: LibraryInteraction): Client {
  const client = findClient(core, stringParam(params["client_id"]));
  if (!client) throw refuse("app_gone");
  return client;
}

function presentApp({ id, name, homepage, maker, createdAt }: Client, redirect: string): RequestingApp {
  return {
    id,
    name,
    homepage,
    maker,
    registeredAt: createdAt,
    redirectHost: redirect === "" ? null : redirectHost(redirect),
    redirectSource: redirect === "" ? null : redirectSource(redirect),
  };
}

function consentQuestionOf(
  core: Core,
  client: Client,
  scope: unknown,
  caller: BuilderCaller,
): Pick<ConsentQuestion, "scopes" | "workspaces"> {
  const grant = grantOf(core, caller.builderId, client.id);
  const requested = new Set(typeof scope === "string" ? scope.split(" ") : []);
  const known = new Set<string>([...Object.keys(IDENTITY_SCOPES), ...client.scopes]);
  const workspaces = listWorkspaces(core, caller, caller.username).map(({ id, name }) => ({ id, name }));
  return {
    scopes: Object.entries(GRANT_SCOPES)
      .filter(([name]) => requested.has(name) && known.has(name))
      .map(([name, description]) => ({
        name,
        description,
        isGranted: grant?.scopes.includes(name) ?? false,
      })),
    workspaces: grant ? workspaces.filter(({ id }) => id === grant.workspaceId) : workspaces,
  };
}

/**
 * Returns the scopes that were granted before, and the selected scopes. Throws bad_request for a scope that
 * was not requested (docs/threats.md#E07).
 */
function allowedOf(scopes: readonly RequestedScope[], consent: Consent): string[] {
  if (consent.scopes.some((name) => !scopes.some((scope) => scope.name === name)))
    throw refuse("consent_too_wide");
  return scopes
    .filter(({ name, isGranted }) => isGranted || consent.scopes.includes(name))
    .map(({ name }) => name);
}

function waitingDevice(core: Core, userCode: string) {
  const found = findRecordByUserCode(core, userCode.toUpperCase().replace(/[^A-Z]/g, ""));
  const { accountId, error } = found?.payload ?? {};
  if (!found || found.consumedAt !== null || accountId || error || found.expiresAt <= core.clock.now())
    throw refuse("device_code_unknown");
  return found;
}

function deviceConsentQuestion(
  core: Core,
  userCode: string,
  caller: BuilderCaller,
): { question: ConsentQuestion; client: Client } {
  const { payload } = waitingDevice(core, userCode);
  const client = findClient(core, stringParam(payload["clientId"]));
  if (!client) throw refuse("app_gone");
  const params = payload["params"] as { scope?: string } | undefined;
  const code = String(payload["userCode"]);
  const question: ConsentQuestion = {
    kind: "device",
    uid: `${code.slice(0, 4)}-${code.slice(4)}`,
    app: presentApp(client, ""),
    ...consentQuestionOf(core, client, params?.scope, caller),
  };
  return { question, client };
}

function allowDevice(
  core: Core,
  userCode: string,
  caller: BuilderCaller,
  signedInAt: number,
  consent: Consent,
): void {
  refuseInMaintenance(core, caller);
  const { payload, expiresAt } = waitingDevice(core, userCode);
  const { question, client } = deviceConsentQuestion(core, userCode, caller);
  const allowed = allowedOf(question.scopes, consent);
  if (allowed.length === 0) throw refuse("consent_empty");
  const grant = grantAccess(core, caller, {
    appId: client.id,
    scopes: allowed,
    workspaceId: consent.workspaceId,
    isDevice: true,
  });
  const answer = {
    accountId: caller.builderId,
    authTime: toSignInTime(core, signedInAt),
    grantId: grantKey({ id: grant.id, family: newGrantFamily() }),
    scope: allowed.join(" "),
    resource: resourceOf(core),
  };
  putDevice(core, { ...payload, ...answer }, expiresAt);
}

function denyDevice(core: Core, userCode: string, caller: BuilderCaller): void {
  refuseInMaintenance(core, caller);
  const { payload, expiresAt } = waitingDevice(core, userCode);
  const error = { error: "access_denied", errorDescription: "The user denied the request." };
  putDevice(core, { ...payload, ...error }, expiresAt);
}

function putDevice(core: Core, payload: Record<string, unknown>, expiresAt: number): void {
  const id = String(payload["jti"]);
  const userCode = String(payload["userCode"]);
  const grant = readGrantKey(payload["grantId"]);
  commitChanges(core, [{ kind: "put", model: "DeviceCode", id, payload, expiresAt, userCode, grant }]);
}

/** Returns a parameter of the app's request, or an empty text if the parameter is not a string. */
function stringParam(value: unknown): string {
  return typeof value === "string" ? value : "";
}
