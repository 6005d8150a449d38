import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireAdmin } from "../access/caller.ts";
import type { Role } from "../access/roles.ts";
import { record } from "../audit/audit.ts";
import { accentTones, DEFAULT_ACCENT } from "../community-settings/accent.ts";
import {
  CommunitySettingsDraft,
  communitySettingsOf,
  putCommunitySettings,
} from "../community-settings/community-settings.ts";
import { findApplicant } from "../builders/applicants.ts";
import { addBuilder, BuilderDraft, refuseUsername } from "../builders/builders.ts";
import { refuseLinkInName } from "../builders/author.ts";
import { foldUsername, Username } from "../builders/username.ts";
import { check } from "../../base/check.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { CoreError, refuse } from "../../base/errors.ts";
import { anyAdmin, findAccount, findPasswordHash, putPassword } from "./accounts-store.ts";
import { readDevice } from "./devices.ts";
import { noteFailure, writeWithFailures } from "./failures.ts";
import { peekInvite, useInvite } from "./invites.ts";
import { makeLink, peekLink, useLink } from "./links.ts";
import { deleteUnusedLink, deleteUnusedLinks, selectOpenLinks } from "./links-store.ts";
import { isPassword, Password, refuseBadPassword, refuseWeak } from "./password.ts";
import {
  openSessionWithNotice,
  requireStillSignedIn,
  openRecordedSession,
  type SignedIn,
  type SignInOrigin,
} from "./sessions.ts";
import { hasSessionAt } from "./sessions-store.ts";
import { recordSignUp, refuseSignUpFrom } from "../sign-ups/sign-ups.ts";
import { createBuilder, notifyOfMember } from "./administration.ts";
import { accountState } from "./account-state.ts";

export const NewAccount = Type.Object({
  username: Username,
  name: BuilderDraft.properties.name,
  password: Password,
});
export type NewAccount = Static<typeof NewAccount>;

/** Input for a new account. An empty name defaults to the username. */
export type AccountForm = { username: string; name?: string | undefined; password: string };

/**
 * Input for an account that a person creates for themselves. `agrees` means agreement to the rules. This
 * agreement is required when the community has rules.
 */
export type JoiningForm = AccountForm & { agrees?: boolean | undefined };

/**
 * Creates an account as the community allows (`communitySettingsOf(core).joining`, docs/contract.md#9.15) and
 * signs the builder in. `invite` is the token of an invite link. A valid invite is used up, even when the
 * community requires no invite. An invite-only community requires an invite.
 *
 * Throws forbidden when sign-up is closed or needs an invitation, and for a held network
 * (`refuseSignUpFrom`).
 * Throws not_found for an invalid invite, and conflict for a taken username. Throws unprocessable for a
 * reserved username and for rules that are not agreed to. Also throws bad_request and rate_limited.
 */
export async function signUp(
  core: Core,
  from: SignInOrigin,
  form: JoiningForm & { invite?: string | undefined },
): Promise<SignedIn> {
  const account = checkAccount(form);
  core.memory(accountState).attemptLimits.admitAttempt(from.address);
  const admit = (): string | undefined => {
    const invite = requireSignUpAllowed(core, form.invite);
    if (invite === undefined) refuseSignUpFrom(core, from.address);
    return invite;
  };
  admit();
  requireRulesAccepted(core, form);
  refuseUsername(core, account.username);
  const hash = await core.memory(accountState).hasher.hash(account.password);
  return core.db.write(() => {
    // Check again in the transaction: sign-up may have closed while the password was hashed.
    const invite = admit();
    const builderId = addAccount(core, account, hash, "member");
    recordSignUp(core, builderId, from.address);
    if (invite !== undefined) useInvite(core, invite, builderId, from.address);
    const by = invite === undefined ? "sign-up" : "invite";
    record(core, {
      act: "account.created",
      actor: builderId,
      subject: builderId,
      detail: { by },
      address: from.address,
    });
    notifyOfMember(core, { id: builderId, username: account.username });
    return openRecordedSession(core, builderId, from, "password");
  });
}

/**
 * Returns the invite to use up, or undefined when there is no invite to use up. Throws forbidden when sign-up
 * is not allowed, not_found for an invalid invite.
 */
function requireSignUpAllowed(core: Core, invite: string | undefined): string | undefined {
  const { joining } = communitySettingsOf(core);
  if (joining === "closed") throw refuse("sign_up_closed");
  // No invite is needed, so ignore an invalid one.
  if (joining === "open") return invite && isValidInvite(core, invite) ? invite : undefined;
  if (!invite) throw refuse(joining === "approval" ? "sign_up_by_approval" : "sign_up_by_invitation");
  peekInvite(core, invite);
  return invite;
}

/** Throws unprocessable when the community has rules and the person does not agree. */
export function requireRulesAccepted(core: Core, { agrees = false }: JoiningForm): void {
  if (communitySettingsOf(core).rules !== "" && !agrees) throw refuse("rules_not_agreed");
}

function isValidInvite(core: Core, invite: string): boolean {
  try {
    peekInvite(core, invite);
    return true;
  } catch (error) {
    if (error instanceof CoreError && error.error === "not_found") return false;
    throw error;
  }
}

/** Lifetime of a set-up link. While no admin exists, each start of the server makes a new link. */
const SETUP_LIFETIME_MS = 7 * DAY;

/**
 * Makes the link that creates the first admin. Keeps the latest earlier link and deletes older links. Returns
 * undefined when the community has an admin, even a suspended one. In this case, the operator uses `builder
 * recover` and `builder admin`. For the operator; throws forbidden.
 */
export function makeSetupLink(core: Core, caller: Caller): { url: string; expiresAt: number } | undefined {
  if (caller.means !== "operator") throw refuse("set_up_by_operator");
  return core.db.transact(() => {
    if (anyAdmin(core)) return undefined;
    // Keep the latest link: a link that `guildhall setup` printed must survive the start of the server.
    const [, ...older] = selectOpenLinks(core, "setup", core.clock.now());
    for (const { id } of older) deleteUnusedLink(core, "setup", id);
    const { token, expiresAt } = makeLink(core, {
      purpose: "setup",
      lifetimeMs: SETUP_LIFETIME_MS,
      createdBy: null,
    });
    return { url: `${core.origin}/setup?token=${token}`, expiresAt };
  });
}

/** Checks a set-up link for the page that the link opens. Throws not_found, conflict like `setUp`. */
export function checkSetupLink(core: Core, token: string): void {
  peekLink(core, "setup", token);
  refuseIfAdminExists(core);
}

/** The community settings that the owner chooses at the set-up. */
const SetUpCommunity = Type.Pick(CommunitySettingsDraft, ["name", "line", "accent", "joining"]);
type SetUpCommunity = Static<typeof SetUpCommunity>;

/** Input of the set-up: the owner's account and their community. */
export const SetUpDraft = Type.Object({
  ...NewAccount.properties,
  name: Type.Optional(NewAccount.properties.name),
  community: SetUpCommunity,
});

/**
 * Creates the first admin by the set-up link, stores what they chose for the community, and signs them in. An
 * accent that is too light is darkened, as pages do. Throws not_found for an invalid link. Throws conflict
 * when the community already has an admin or the username is taken. Also throws bad_request, unprocessable,
 * rate_limited.
 */
export async function setUp(
  core: Core,
  from: SignInOrigin,
  form: AccountForm & { token: string; community?: SetUpCommunity },
): Promise<SignedIn> {
  const { community } = check(Type.Partial(Type.Pick(SetUpDraft, ["community"])), {
    community: form.community,
  });
  const account = checkAccount(form);
  core.memory(accountState).attemptLimits.admitAttempt(from.address);
  checkSetupLink(core, form.token);
  refuseUsername(core, account.username, { role: "owner" });
  const hash = await core.memory(accountState).hasher.hash(account.password);
  return core.db.write(() => {
    useLink(core, "setup", form.token);
    refuseIfAdminExists(core);
    deleteUnusedLinks(core, "setup");
    const builderId = addAccount(core, account, hash, "owner");
    const by = { actor: builderId, address: from.address };
    record(core, { ...by, act: "account.set-up", subject: builderId });
    const changes = community ? changedSettings(core, community) : {};
    const parts = Object.keys(changes).sort().join(", ");
    if (parts !== "") {
      putCommunitySettings(core, changes);
      record(core, { ...by, act: "charter.changed", subject: null, detail: { parts } });
    }
    return openRecordedSession(core, builderId, from, "password");
  });
}

/** Returns the settings that differ from the current ones, so that the operator's configuration stays. */
function changedSettings(core: Core, community: SetUpCommunity): Partial<SetUpCommunity> {
  const now = communitySettingsOf(core);
  const day = accentTones(community.accent).day;
  const chosen = { ...community, accent: day === DEFAULT_ACCENT ? "" : day };
  const names = Object.keys(chosen) as (keyof SetUpCommunity)[];
  return Object.fromEntries(
    names.filter((name) => chosen[name] !== now[name]).map((name) => [name, chosen[name]]),
  );
}

function refuseIfAdminExists(core: Core): void {
  if (anyAdmin(core)) throw refuse("set_up_done");
}

/**
 * Signs a builder in by password. Throws unauthorized for an unknown name and a wrong password alike, after
 * the same amount of work (docs/threats.md#F03). Throws forbidden for a suspended builder with the right
 * password, and for a pending join request (see `openApplication`). Throws rate_limited (see
 * `PasswordLimits`, `Hasher`).
 */
export async function signIn(
  core: Core,
  from: SignInOrigin,
  { username, password }: { username: string; password: string },
): Promise<SignedIn> {
  const name = foldUsername(username.trim()).slice(0, 100);
  const { attemptLimits: guard, hasher } = core.memory(accountState);
  const account = findAccount(core, name);
  const device = account && readDevice(core, account.builderId, from.device ?? "");
  const home = (): boolean => hasSessionAtAddress(core, account?.builderId, from.address);
  const wasRight = guard.admitGuess(name, from.address, home, device);
  // An applicant has a password but no account.
  const applicant = account ? undefined : findApplicant(core, name);
  const hash = account?.hash ?? applicant?.hash ?? undefined;
  // If the input does not have the length of a password, the empty text is compared instead and never
  // matches. So such input is never hashed.
  const isRight = await hasher.verify(isPassword(password) ? password : "", hash);
  if (applicant && isRight) {
    wasRight();
    throw refuse("still_applicant");
  }
  if (!account || !isRight) {
    if (account)
      noteFailure(core, { builderId: account.builderId, means: "password", address: from.address });
    throw wrongPassword();
  }
  return writeWithFailures(core, () => {
    // Refuse the sign-in if the password changed during the comparison.
    if (findPasswordHash(core, account.builderId) !== hash) throw wrongPassword();
    wasRight();
    return openSessionWithNotice(core, account.builderId, from, "password");
  });
}

function hasSessionAtAddress(core: Core, builderId: string | undefined, address: string): boolean {
  return builderId !== undefined && hasSessionAt(core, builderId, address, core.clock.now());
}

function wrongPassword(): CoreError {
  return refuse("sign_in_wrong");
}

/**
 * Creates an account for another person and returns its ID. The owner of an account without a password opens
 * the account by a recovery link. For admins and the operator. Throws forbidden, bad_request, unprocessable
 * for a reserved username, conflict for a taken one.
 */
export async function createAccount(
  core: Core,
  caller: Caller,
  draft: BuilderDraft & { password?: string | undefined },
): Promise<string> {
  requireAdmin(caller);
  const { password, ...builder } = draft;
  if (password !== undefined) refuseBadPassword(password, builder.username);
  const hash = password === undefined ? undefined : await core.memory(accountState).hasher.hash(password);
  return core.db.write(() => {
    requireStillSignedIn(core, caller);
    const builderId = createBuilder(core, caller, builder);
    if (hash !== undefined) putPassword(core, { builderId, hash, changedAt: core.clock.now() });
    return builderId;
  });
}

/**
 * Adds a builder with this password hash. Checks no permission. Call it in a transaction. Throws like
 * `addBuilder`.
 */
export function addAccount(
  core: Core,
  { username, name }: Pick<NewAccount, "username" | "name">,
  hash: string,
  role: Role,
  { isApplicant = false }: { isApplicant?: boolean } = {},
): string {
  const builderId = addBuilder(core, { username, name, role }, { isVouchedFor: false, isApplicant });
  putPassword(core, { builderId, hash, changedAt: core.clock.now() });
  return builderId;
}

/** Normalizes and validates the input. Throws bad_request. */
export function checkAccount({ username, name = "", password }: AccountForm): NewAccount {
  const folded = foldUsername(username.trim());
  const account = check(NewAccount, { username: folded, name: name.trim() || folded, password });
  refuseLinkInName(account.name);
  refuseWeak(account.password, account.username);
  return account;
}
