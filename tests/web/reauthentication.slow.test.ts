import { readOwnData } from "../../src/core/services/transfer/own-data.ts";
import {
  changeCommunitySettings,
  requireMayChangeCommunity,
  setLogo,
} from "../../src/core/services/community-settings/community-settings.ts";
import { beginMaintenance } from "../../src/core/services/maintenance/maintenance.ts";
import { makeClaim } from "../../src/core/services/imported/imported.ts";
import { expect, test } from "bun:test";
import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createAccount } from "../../src/core/identity/accounts/accounts.ts";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { inviteNewcomer } from "../../src/core/identity/mail/invitation.ts";
import { approveApplication } from "../../src/core/identity/applications/applications.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
} from "../../src/core/identity/accounts/passkeys.ts";
import { changePassword, makeRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { getFeedAddress, renewFeedAddress } from "../../src/core/identity/feed-address/feed-address.ts";
import { setMailAddress } from "../../src/core/identity/mail/mail.ts";
import { changeUsername, renameAccount } from "../../src/core/identity/accounts/rename.ts";
import { secureAccount } from "../../src/core/delegation/securing/securing.ts";
import {
  changeApp,
  registerApp,
  removeApp,
  restoreApp,
  rotateAppSecret,
  setAppRate,
  suspendApp,
} from "../../src/core/delegation/apps/apps.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { grantAccess } from "../../src/core/delegation/grants/grants.ts";
import { restoreBuilder, suspendBuilder } from "../moderate.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { changeEndpoint, registerEndpoint, rotateSecret } from "../../src/core/outbox/webhooks/webhooks.ts";
import { inviteMember } from "../../src/core/delegation/workspaces/invitations.ts";
import {
  addMember,
  createWorkspace,
  deleteWorkspace,
  removeMember,
  setRole,
} from "../../src/core/delegation/workspaces/workspaces.ts";
import { functionsThatCall } from "../core-functions.ts";
import { makeAuthenticator } from "../core/authenticator.ts";
import { outcomeOf } from "../core/people.ts";
import { callerOf } from "./sample-site.ts";
import {
  contentsOf,
  openSite,
  PASSWORD,
  signUpMember,
  signedInAs,
  sessionCookie,
  type ShownPage,
  type Site,
  tokenOf,
  type Visitor,
  visit,
  visibleText,
} from "./support.ts";
import { undoDeletion } from "../../src/core/services/deletion/pending.ts";
import {
  createBuilder,
  changeRole,
  transferOwnership,
} from "../../src/core/identity/accounts/administration.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import type { Core } from "../../src/core/base/core.ts";
import { findBuilder } from "../../src/core/identity/builders/builders.ts";
import {
  decide,
  decideMany,
  listDecisions,
  removeSpammer,
} from "../../src/core/services/moderation/decisions.ts";
import { suspend, unsuspend } from "../../src/core/services/moderation/effects.ts";
import { removeSpammers } from "../../src/core/services/moderation/spam.ts";
import { appealSuspension, decideAppeal, listAppeals } from "../../src/core/services/moderation/appeals.ts";
import {
  undoDecision,
  undoDecisionsInBatches,
  undoDecisionsOf,
} from "../../src/core/services/moderation/undo.ts";

const PAGE_PATH = "/settings/account";
const CONFIRM = "/settings/confirm";
const DELETE = `${PAGE_PATH}/delete`;

type Key = Awaited<ReturnType<typeof makeAuthenticator>>;

function copyOf(site: Site, visitor: Visitor): Visitor {
  return visit(site, [...visitor.cookies]);
}

/** Adds a passkey like the page's script. */
async function addKey(site: Site, visitor: Visitor): Promise<{ key: Key; shown: ShownPage }> {
  const key = await makeAuthenticator({ counts: false });
  const form_token = tokenOf(await visitor.open(PAGE_PATH));
  const options = await visitor.post(`${PAGE_PATH}/passkeys/options`, { form_token });
  const { challenge = "none" } = options.status === 200 ? JSON.parse(options.html) : {};
  const response = await key.create({ challenge, origin: site.core.origin, rpId: "localhost" });
  const fields = { name: "phone", response: JSON.stringify(response), form_token };
  return { key, shown: await visitor.post(`${PAGE_PATH}/passkeys`, fields) };
}

/**
 * Returns the passkey's response to the challenge of `path`. The user handle in the response is that of
 * `owner`, by default the visitor.
 */
async function answer(
  site: Site,
  visitor: Visitor,
  path: string,
  key: Key,
  page: string,
  owner: Visitor = visitor,
): Promise<string> {
  const form_token = tokenOf(await visitor.open(page));
  const { challenge } = JSON.parse((await visitor.post(`${path}/options`, { form_token })).html);
  const userHandle = callerOf(site, owner).builderId;
  const ceremony = { challenge, userHandle, origin: site.core.origin, rpId: "localhost" };
  return JSON.stringify(await key.get(ceremony));
}

function passkeysOf(site: Site, visitor: Visitor): number {
  return listPasskeys(site.core, callerOf(site, visitor)).length;
}

test("a stolen session of an hour ago cannot change passkeys, and its owner can, which ends the stolen session", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  expect((await addKey(site, ada)).shown.status).toBe(303);
  site.clock.pass(60 * MINUTE);
  const thief = copyOf(site, ada);
  const before = contentsOf(site);
  const form_token = tokenOf(await thief.open(PAGE_PATH));
  expect((await thief.post(`${PAGE_PATH}/passkeys/options`, { form_token })).status).toBe(403);
  const { shown } = await addKey(site, thief);
  expect(visibleText(shown.html)).toContain("Confirm it’s you");
  const [passkey] = listPasskeys(site.core, callerOf(site, thief));
  await thief.post(`${PAGE_PATH}/passkeys/${passkey?.id}/remove`, { form_token });
  const wrong = await thief.post(CONFIRM, { form_token, next: PAGE_PATH, current: "a guessed horse" });
  expect(wrong.status).toBe(400);
  expect(visibleText(wrong.html)).toContain("is not your current password");
  expect(contentsOf(site)).toBe(before);

  const page = await ada.open("/settings/security");
  expect(page.forms.filter(({ action }) => action.includes("passkeys"))).toEqual([]);
  expect(page.html).toContain(`href="${CONFIRM}?next=%2Fsettings%2Fsecurity"`);
  const confirmation = await ada.open(`${CONFIRM}?next=${encodeURIComponent(PAGE_PATH)}`);
  const back = await ada.submit(confirmation, CONFIRM, { current: PASSWORD });
  expect(back.address).toBe(`${PAGE_PATH}?notice=confirmed`);
  expect((await thief.open(PAGE_PATH)).forms[0]?.action).toBe("/sign-in");
  expect((await addKey(site, ada)).shown.status).toBe(303);
  expect(passkeysOf(site, ada)).toBe(2);
  const removed = await ada.submit(
    await ada.open("/settings/security"),
    `${PAGE_PATH}/passkeys/${passkey?.id}/remove`,
  );
  expect(visibleText(removed.html)).toContain("Passkey removed.");
});

test("a passkey of the member confirms identity like a password, but another member's or a sign-in response does not", async () => {
  await using site = openSite();
  const [ada, bob] = [await signUpMember(site, "ada"), await signUpMember(site, "bob")];
  const [{ key }, { key: bobs }] = [await addKey(site, ada), await addKey(site, bob)];
  site.core.db.prepare("DELETE FROM passwords WHERE builder_id = ?").run(callerOf(site, ada).builderId);
  site.clock.pass(11 * MINUTE);
  expect(visibleText((await ada.open("/settings/security")).html)).toContain(
    "You have no password. To set one",
  );
  const send = async (response: string) => {
    const form_token = tokenOf(await ada.open(CONFIRM));
    return ada.post(CONFIRM, { form_token, next: PAGE_PATH, response });
  };
  expect((await send(await answer(site, bob, CONFIRM, bobs, CONFIRM))).status).toBe(401);
  expect((await send(await answer(site, ada, CONFIRM, bobs, CONFIRM, bob))).status).toBe(401);
  expect((await send(await answer(site, ada, "/sign-in/passkey", key, CONFIRM))).status).toBe(401);
  expect((await send("no JSON")).status).toBe(400);
  expect((await send("")).status).toBe(400);
  const good = await answer(site, ada, CONFIRM, key, CONFIRM);
  const page = await send(good);
  expect([page.status, page.location]).toEqual([303, `${PAGE_PATH}?notice=confirmed`]);
  expect((await send(good)).status).toBe(401);
  expect(visibleText((await ada.open("/settings/security")).html)).toContain("Set password");
});

interface Members {
  core: Site["core"];
  ada: ReturnType<typeof callerOf>;
  app: string;
  workspace: string;
  endpoint: string;
}

const addressed = (path: string) => `https://hooks.example.com/${path}` as CheckedUrl;

/** Every core operation that needs a recent sign-in, in an order in which all of them can succeed. */
const FRESH: Record<string, (town: Members) => unknown> = {
  "transfer/own-data.ts readOwnData": ({ core, ada }) => readOwnData(core, ada),
  "tokens/tokens.ts createToken": ({ core, ada }) =>
    createToken(core, ada, "ada", { name: "t", scopes: ["feed:read"], tier: "personal" }),
  "accounts/accounts.ts createAccount": ({ core, ada }) =>
    createAccount(core, ada, { username: "dee", name: "Dee", role: "admin" }),
  "feed-address/feed-address.ts renewFeedAddress": ({ core, ada }) => renewFeedAddress(core, ada),
  "feed-address/feed-address.ts getFeedAddress": ({ core, ada }) => getFeedAddress(core, ada),
  "mail/invitation.ts inviteNewcomer": ({ core, ada }) => inviteNewcomer(core, ada, {}),
  "mail/mail.ts setMailAddress": ({ core, ada }) =>
    setMailAddress(core, ada, { address: "ada@home.example" }),
  "deletion/deletion.ts deleteAccount": ({ core, ada }) => deleteAccount(core, ada, "cy", "cy"),
  "deletion/pending.ts undoDeletion": ({ core, ada }) => undoDeletion(core, ada, "cy"),
  "applications/applications.ts approveApplication": ({ core, ada }) =>
    approveApplication(core, ada, "apl_01kafzq8e5f2r8v0j3n6s1t4wx"),
  "accounts/invites.ts makeInvite": ({ core, ada }) => makeInvite(core, ada),
  "accounts/rename.ts changeUsername": ({ core, ada }) => {
    changeUsername(core, ada, "lovelace");
    // Restores the old name, which the other operations use.
    renameAccount(core, OPERATOR, "lovelace", "ada");
  },
  "accounts/passkeys.ts beginPasskey": ({ core, ada }) => beginPasskey(core, ada),
  "accounts/passkeys.ts addPasskey": async ({ core, ada }) => {
    const { challenge } = await beginPasskey(core, ada);
    const key = await makeAuthenticator();
    const response = await key.create({ challenge, origin: core.origin, rpId: "localhost" });
    await addPasskey(core, ada, { name: "phone", response });
  },
  "accounts/passkeys.ts removePasskey": ({ core, ada }) =>
    removePasskey(core, ada, listPasskeys(core, ada)[0]?.id ?? ""),
  "accounts/passwords.ts makeRecovery": ({ core, ada }) => makeRecovery(core, ada, "bob"),
  "imported/imported.ts makeClaim": ({ core, ada }) => makeClaim(core, ada, "bob"),
  "securing/securing.ts secureAccount": ({ core, ada }) =>
    secureAccount(core, ada, "bob", { passkeys: "all", password: true }),
  "grants/grants.ts grantAccess": ({ core, ada, app }) =>
    grantAccess(core, ada, { appId: app, scopes: ["feed:read"], workspaceId: ada.workspaceId }),
  "apps/apps.ts registerApp": ({ core, ada }) => registerApp(core, ada, ada.workspaceId, APP),
  "apps/apps.ts changeApp": ({ core, ada, app }) =>
    changeApp(core, ada, app, { redirectUris: ["https://evil.example"] }),
  "apps/apps.ts rotateAppSecret": ({ core, ada, app }) => rotateAppSecret(core, ada, app),
  "apps/apps.ts setAppRate": ({ core, ada, app }) => setAppRate(core, ada, app, null),
  "apps/apps.ts suspendApp": ({ core, ada, app }) => suspendApp(core, ada, app, "spam"),
  "apps/apps.ts restoreApp": ({ core, ada, app }) => restoreApp(core, ada, app),
  "apps/apps.ts removeApp": ({ core, ada, app }) => removeApp(core, ada, app),
  "accounts/administration.ts createBuilder": ({ core, ada }) =>
    createBuilder(core, ada, { username: "eli", name: "Eli", role: "member" }),
  "accounts/administration.ts transferOwnership": ({ core, ada }) => {
    transferOwnership(core, ada, "bob", "bob");
    changeRole(core, OPERATOR, "ada", "owner");
    changeRole(core, OPERATOR, "bob", "member");
  },
  "accounts/administration.ts changeRole": ({ core, ada }) => changeRole(core, ada, "bob", "moderator"),
  "securing/suspension.ts setSuspended": ({ core, ada }) => setSuspended(core, ada, "bob", true),
  "moderation/moderation.ts restoreBuilder": ({ core, ada }) => restoreBuilder(core, ada, "fay"),
  "moderation/moderation.ts suspendBuilder": ({ core, ada }) => suspendBuilder(core, ada, "gus"),
  "moderation/decisions.ts decide": ({ core, ada }) => decide(core, ada, idOf(core, "hal"), LIMIT),
  "moderation/decisions.ts decideMany": ({ core, ada }) =>
    decideMany(core, ada, { ...LIMIT, subjectIds: [idOf(core, "ida")] }),
  "moderation/decisions.ts removeSpammer": ({ core, ada }) => {
    const builderId = idOf(core, "joe");
    const removal = { subjectId: builderId, builderId, reason: "Spam", hosts: [] };
    return core.db.transact(() => removeSpammer(core, ada, removal));
  },
  "moderation/effects.ts suspend": ({ core, ada }) => suspend(core, ada, idOf(core, "kim"), {}),
  "moderation/effects.ts unsuspend": ({ core, ada }) => unsuspend(core, ada, idOf(core, "lou"), {}),
  "moderation/spam.ts removeSpammers": ({ core, ada }) =>
    removeSpammers(core, ada, { usernames: ["max"], hosts: [], reason: "Spam" }),
  "moderation/undo.ts undoDecision": ({ core, ada }) => {
    const [decision] = listDecisions(core, OPERATOR, { builder: "ned" }, { limit: 1 }).nodes;
    return undoDecision(core, ada, decision?.id ?? "");
  },
  "moderation/undo.ts undoDecisionsOf": ({ core, ada }) =>
    undoDecisionsOf(core, ada, { moderator: "ned", since: 0 }),
  "moderation/undo.ts undoDecisionsInBatches": ({ core, ada }) =>
    undoDecisionsInBatches(core, ada, { moderator: "ned", since: 0 }, core.db.write),
  "moderation/appeals.ts decideAppeal": ({ core, ada }) => {
    const [appealed] = listAppeals(core, OPERATOR, {}, { limit: 1 }).nodes;
    return decideAppeal(core, ada, appealed?.id ?? "", { outcome: "granted", answer: "You are right." });
  },
  "webhooks/webhooks.ts registerEndpoint": ({ core, ada }) =>
    registerEndpoint(core, ada, { url: addressed("new"), events: ["post.created"] }),
  "webhooks/webhooks.ts changeEndpoint": ({ core, ada, endpoint }) =>
    changeEndpoint(core, ada, endpoint, { url: addressed("other") }),
  "webhooks/webhooks.ts rotateSecret": ({ core, ada, endpoint }) => rotateSecret(core, ada, endpoint),
  "workspaces/invitations.ts inviteMember": ({ core, ada, workspace }) => inviteMember(core, ada, workspace),
  "workspaces/workspaces.ts setRole": ({ core, ada, workspace }) =>
    setRole(core, ada, workspace, "bob", "owner"),
  "workspaces/workspaces.ts removeMember": ({ core, ada, workspace }) =>
    removeMember(core, ada, workspace, "bob"),
  "workspaces/workspaces.ts deleteWorkspace": ({ core, ada, workspace }) =>
    deleteWorkspace(core, ada, workspace),
  "community-settings/community-settings.ts changeCommunitySettings": ({ core, ada }) =>
    changeCommunitySettings(core, ada, { name: "Ours" }),
  "community-settings/community-settings.ts requireMayChangeCommunity": ({ core, ada }) =>
    requireMayChangeCommunity(core, ada),
  "community-settings/community-settings.ts setLogo": ({ core, ada }) => setLogo(core, ada, null),
  "maintenance/maintenance.ts beginMaintenance": ({ core, ada }) => beginMaintenance(core, ada),
  // Setting the first password ends the session.
  "accounts/passwords.ts changePassword": ({ core, ada }) =>
    changePassword(core, ada, { password: "another horse battery" }),
};

const ASKS = "checks for a signed-in person";
const READS = "only reads";
const CLOSES = "only removes access, which must not be delayed";
const IMPORTS = "runs only in imports from the command line, which create no way to sign in";
const PROVES = "requires the password or passkey in the same form";

/** Operations that need a person but no recent sign-in, each with the reason. */
const NOT_FRESH: Record<string, string> = {
  "access/caller.ts requireAdmin": ASKS,
  "access/caller.ts requireAdminOrToken": ASKS,
  "access/caller.ts requirePerson": ASKS,
  "access/caller.ts requirePersonOrOperator": ASKS,
  "builders/own-builder.ts ownBuilder": ASKS,
  "workspaces/workspaces.ts sharedWorkspace": ASKS,
  "imported/imported.ts faultOfImported": READS,
  "imported/imported.ts findImported": READS,
  "imported/imported.ts isOpenPost": READS,
  "imported/imported.ts listUnclaimed": READS,
  "imported/imported.ts mayWrite": READS,
  "newcomers/newcomers.ts vouchFor": "lifts limits of a member and grants no access",
  "imported/imported.ts recordCommentCount": IMPORTS,
  "imported/imported.ts importPerson": IMPORTS,
  "imported/imported.ts matchPerson": IMPORTS,
  "imported/imported.ts findNamesake": READS,
  "imported/imported.ts hasMembersNotFrom": READS,
  "imported/imported.ts isFreeName": READS,
  "imported/imported.ts findMemberByUsername": READS,
  "imported/imported.ts importPost": IMPORTS,
  "tokens/tokens.ts listTokens": READS,
  "applications/applications.ts countWaitingApplications": READS,
  "applications/applications.ts declineApplication": "grants no access",
  "applications/applications.ts listApplications": READS,
  "accounts/invites.ts invitationOf": READS,
  "accounts/invites.ts getInvite": READS,
  "accounts/invites.ts listInvites": READS,
  "accounts/passkeys.ts listPasskeys": READS,
  "accounts/passwords.ts hasPassword": READS,
  "channels/outgoing.ts outgoingHealth": READS,
  "securing/securing.ts previewSecuring": READS,
  "accounts/sessions.ts listSessions": READS,
  "apps/apps.ts getAnyApp": READS,
  "apps/apps.ts getApp": READS,
  "apps/apps.ts listAllApps": READS,
  "apps/apps.ts listApps": READS,
  "audit/audit.ts listAudit": READS,
  "backups/backups.ts backupHealth": READS,
  "backups/replica.ts replicaHealth": READS,
  "feed-address/feed-address.ts endFeedAddress": CLOSES,
  "mail/mail.ts chooseMails": "selects the emails to an existing address",
  "mail/mail.ts getMailSettings": READS,
  "mail/mail.ts formerAddressMs": READS,
  "mail/mail.ts recoveryWaitMs": READS,
  "mail/mail.ts removeMailAddress": CLOSES,
  "push/push.ts listPushSubscriptions": READS,
  "push/push.ts endPushSubscription": CLOSES,
  "push/push.ts subscribeToPush": "ends with the session, which can read the same notifications",
  "checkup/checkup.ts newestCheckup": READS,
  "community-settings/community-settings.ts getCommunitySettings": READS,
  "checkup/checkup.ts startCheckup": READS,
  "checkup/current-health.ts currentHealth": READS,
  "checkup/readiness.ts currentFailures": READS,
  "history/history.ts listDays": READS,
  "grants/grants.ts listConnectedApps": READS,
  "deliveries/delivery-stats.ts lastAttempts": READS,
  "first-steps/first-steps.ts openWelcome": "records a visited page and grants no access",
  "first-steps/first-steps.ts hideSteps": "hides a card and grants no access",
  "history/overview.ts getOverview": READS,
  "history/statistics.ts listStatistics": READS,
  "webhooks/health.ts listFailing": READS,
  "webhooks/health.ts listUnhealthy": READS,
  "webhooks/admin.ts getAnyEndpoint": READS,
  "webhooks/admin.ts listAllEndpoints": READS,
  "webhooks/admin.ts switchAnyEndpoint": "is available only to the operator",
  "workspaces/invitations.ts listInvitations": READS,
  "workspaces/invitations.ts peekInvitation": READS,
  "workspaces/workspaces.ts getWorkspace": READS,
  "workspaces/workspaces.ts listMembers": READS,
  "workspaces/workspaces.ts listWorkspaces": READS,
  "tokens/tokens.ts revokeToken": CLOSES,
  "accounts/invites.ts withdrawInvite": CLOSES,
  "accounts/sessions.ts endOtherSessions": CLOSES,
  "accounts/sessions.ts endSession": CLOSES,
  "accounts/sessions.ts renewSession": "renews the secret of the session, which keeps its sign-in time",
  "accounts/sessions.ts signOut": CLOSES,
  "grants/grants.ts revokeGrant": CLOSES,
  "workspaces/invitations.ts withdrawInvitation": CLOSES,
  "workspaces/workspaces.ts leaveWorkspace": CLOSES,
  "maintenance/maintenance.ts endMaintenance": "only restores the usual access",
  "deletion/deletion.ts deleteOwnAccount": PROVES,
  "deletion/pending.ts listPendingDeletions": READS,
  "moderation/undo.ts previewUndoOf": READS,
  "accounts/passkeys.ts beginProof": PROVES,
  "accounts/reauthentication.ts signInAgain": PROVES,
  "workspaces/workspaces.ts addMember": "is available only to the operator",
  "workspaces/workspaces.ts createWorkspace": "creates an empty workspace without other members",
  "workspaces/workspaces.ts renameWorkspace": "changes a name",
  "workspaces/invitations.ts joinWorkspace": "accepts an invitation by an owner with a recent sign-in",
};

const APP = {
  name: "Tidewater CI",
  kind: "confidential" as const,
  redirectUris: ["https://app.example/cb"],
  scopes: ["feed:read"],
};

const LIMIT = { act: "limit", reason: "Spam" } as const;
const idOf = (core: Core, username: string): string => findBuilder(core, username)?.id ?? "";

/** Operations that perform an act which needs no recent sign-in, by a function that also performs others. */
const OTHER_ACTS = ["moderation/moderation.ts hide", "moderation/moderation.ts restore"];

test("every operation of the core for people requires a recent sign-in, or is listed here with a reason", () => {
  const short = (names: string[]) => names.map((name) => name.replace(/^src\/core\/\w+\//, "")).sort();
  const guards = ["requireFresh", "requireFreshSession"];
  const fresh = short(functionsThatCall(...guards)).filter(
    (name) => !guards.includes(name.split(" ")[1] ?? "") && !OTHER_ACTS.includes(name),
  );
  expect(Object.keys(FRESH).sort()).toEqual(fresh);
  const others = short(functionsThatCall("requirePerson", "requireAdmin", "requireAdminOrToken")).filter(
    (name) => !fresh.includes(name),
  );
  expect(Object.keys(NOT_FRESH).sort()).toEqual(others);
});

test("sensitive operations require a sign-in of the last ten minutes, also after the clock was set back", async () => {
  await using site = openSite();
  const { core, clock } = site;
  const names = ["ada", "bob", "cy", "fay", "gus", "hal", "ida", "joe", "kim", "lou", "max", "ned", "ora"];
  for (const username of names)
    createBuilder(core, OPERATOR, {
      username,
      name: username,
      role: username === "ada" ? "owner" : "member",
    });
  for (const username of ["fay", "lou"]) setSuspended(core, OPERATOR, username, true);
  decide(core, OPERATOR, idOf(core, "ned"), LIMIT);
  decide(core, OPERATOR, idOf(core, "ora"), { act: "suspend", reason: "Spam" });
  appealSuspension(core, { builderId: idOf(core, "ora") }, { text: "No." }, "::1");
  const builder = callerOf(site, signedInAs(site, "ada"));
  const workspace = createWorkspace(core, builder, "ada", { name: "Tools" });
  addMember(core, OPERATOR, workspace, "bob");
  const { app } = registerApp(core, builder, builder.workspaceId, APP);
  const endpoint = registerEndpoint(core, builder, { url: addressed("old"), events: ["post.created"] }).id;
  const outcomes = async (ada: Members["ada"]) => {
    const all: Record<string, string> = {};
    for (const [name, act] of Object.entries(FRESH))
      all[name] = await outcomeOf(() => act({ core, ada, app: app.id, workspace, endpoint }));
    return all;
  };
  const all = (word: string) => Object.fromEntries(Object.keys(FRESH).map((name) => [name, word]));
  const ada = callerOf(site, signedInAs(site, "ada"));
  clock.step(-1);
  expect(await outcomes(ada)).toEqual(all("forbidden"));
  clock.step(10 * MINUTE + 1);
  expect(await outcomes(ada)).toEqual(all("forbidden"));
  clock.step(-1);
  // The passkey is her only way to sign in, no mail server is configured, and no application exists.
  const last = {
    "applications/applications.ts approveApplication": "not_found",
    "accounts/passkeys.ts removePasskey": "conflict",
    "mail/mail.ts setMailAddress": "conflict",
  };
  expect(await outcomes(ada)).toEqual({ ...all("done"), ...last });

  // A passkey registration that started in time and ends too late.
  const late = callerOf(site, signedInAs(site, "ada"));
  const { challenge } = await beginPasskey(core, late);
  const key = await makeAuthenticator();
  const response = await key.create({ challenge, origin: core.origin, rpId: "localhost" });
  clock.step(10 * MINUTE);
  expect(await outcomeOf(() => addPasskey(core, late, { name: "late", response }))).toBe("forbidden");
});

test("creating a token asks for the password only after an old sign-in, and then returns to the form", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  site.clock.pass(11 * MINUTE);
  const confirmation = await ada.open("/settings/tokens/new");
  expect(visibleText(confirmation.html)).toContain("Confirm it’s you");
  const form = await ada.submit(confirmation, CONFIRM, { current: PASSWORD });
  const created = await ada.submit(form, "/settings/tokens", { name: "script", scopes: "feed:read" });
  expect(created.html).toContain("guild_pat_");
});

test("after the confirmation redirects only to pages of this site", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  for (const next of ["https://evil.example/", "//evil.example", "/\\evil.example"]) {
    const form_token = tokenOf(await ada.open(CONFIRM));
    const page = await ada.post(CONFIRM, { form_token, next, current: PASSWORD });
    expect(page.location).toBe("/?notice=confirmed");
  }
});

test("a member deletes their account with their name and password, and is then signed out", async () => {
  await using site = openSite();
  const [ada, bob] = [await signUpMember(site, "ada"), await signUpMember(site, "bob")];
  await ada.submit(await ada.open("/"), "/posts", { text: "A loom" });
  const page = await ada.open(PAGE_PATH);
  expect(page.html).toContain(`href="${DELETE}"`);
  const form = await ada.open(DELETE);
  for (const text of [
    "Data that is deleted",
    "Data that is kept",
    "Your conversations are deleted for the other members too",
  ])
    expect(visibleText(form.html)).toContain(text);
  const mistyped = await ada.submit(form, DELETE, { username: "bob", current: PASSWORD });
  expect(mistyped.status).toBe(400);
  expect(visibleText(mistyped.html)).toContain("Enter ada, the account");
  const wrong = await ada.submit(form, DELETE, { username: "ada", current: "a guessed horse" });
  expect(visibleText(wrong.html)).toContain("is not your current password");
  const thief = copyOf(site, ada);
  const shownPage = await ada.submit(form, DELETE, { username: "ada", current: PASSWORD });
  expect(visibleText(shownPage.html)).toContain("Account deleted.");
  expect(ada.cookies.has(sessionCookie(site))).toBe(false);
  expect((await thief.open(PAGE_PATH)).forms[0]?.action).toBe("/sign-in");
  expect((await bob.open("/@ada")).status).toBe(404);
  expect(visibleText((await bob.open("/")).html)).not.toContain("Ada");
});

test("a member without a password deletes their account with a passkey", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const { key } = await addKey(site, ada);
  const { core } = site;
  core.db.prepare("DELETE FROM passwords").run();
  site.clock.pass(60 * MINUTE);
  const response = await answer(site, ada, DELETE, key, DELETE);
  const form_token = tokenOf(await ada.open(DELETE));
  expect((await ada.post(DELETE, { form_token, username: "ada" })).status).toBe(400);
  const page = await ada.post(DELETE, { form_token, username: "ada", response });
  expect([page.status, page.location]).toEqual([303, "/?notice=account-deleted"]);
});

test("a member with a password and a passkey deletes their account with either", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const { key } = await addKey(site, ada);
  const first = await ada.open(DELETE);
  expect(first.html).toContain(`href="${DELETE}?with=passkey"`);
  expect(first.forms.find(({ action }) => action === DELETE)?.fields.map(([name]) => name)).toContain(
    "current",
  );
  const page = `${DELETE}?with=passkey`;
  const response = await answer(site, ada, DELETE, key, page);
  const form_token = tokenOf(await ada.open(page));
  const shownPage = await ada.post(DELETE, { form_token, username: "ada", response });
  expect([shownPage.status, shownPage.location]).toEqual([303, "/?notice=account-deleted"]);
});

test("an admin deletes another account on its page, after confirming their own identity", async () => {
  await using site = openSite();
  const root = await signUpMember(site, "root", { role: "admin" });
  await signUpMember(site, "bob");
  const path = "/admin/builders/bob";
  site.clock.pass(11 * MINUTE);
  const confirmation = await root.submit(await root.open(path), `${path}/delete`, { username: "bob" });
  const again = await root.submit(confirmation, CONFIRM, { current: PASSWORD });
  expect(again.address).toBe(`${path}?notice=confirmed`);
  const mistyped = await root.submit(again, `${path}/delete`, { username: "root" });
  expect(visibleText(mistyped.html)).toContain("Enter bob, the account");
  const page = await root.submit(mistyped, `${path}/delete`, { username: "bob" });
  expect(visibleText(page.html)).toContain("The account is now hidden and will be erased in seven days.");
  expect((await root.open(path)).status).toBe(404);
});
