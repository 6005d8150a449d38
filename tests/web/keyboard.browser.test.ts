import { afterAll, describe, expect, test } from "bun:test";
import pino from "pino";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { makeSetupLink } from "../../src/core/identity/accounts/accounts.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import { makeRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { systemClock } from "../../src/core/base/clock.ts";
import { createAttempt } from "../../src/delivery/attempt.ts";
import { startLoop } from "../../src/delivery/loop.ts";
import { closeContexts, hasChromium } from "../browser.ts";
import { authority, openReceiver, until } from "../delivery/receiver.ts";
import { DESK, type KeyboardUser, type WindowOptions, PHONE, openKeyboardUser } from "./keyboard.ts";
import { openSite, PASSWORD, type Site } from "./support.ts";

describe.skipIf(!hasChromium)("by keyboard alone, without scripts", () => {
  afterAll(closeContexts);

  test("on a phone: setup, invitation, sign-in and sign-out, posting, password recovery", async () => {
    await using site = openSite();
    const ada = await openKeyboardUser(site.core.origin, PHONE);
    await ada.open(pathIn(makeSetupLink(site.core, OPERATOR)?.url ?? ""));
    await ada.check("Set up your community");
    await ada.fill("One line about it", "We weave.");
    await ada.press("Preview");
    expect(await ada.visibleText()).toContain("We weave.");
    await ada.fill("Username", "ada");
    await ada.fill("Name", "Ada Lovelace");
    await ada.fill("Password", PASSWORD);
    await ada.press("Create community");
    expect(await ada.visibleText()).toContain("Welcome. Your account is ready.");
    await ada.check("Guildhall");

    await ada.tabTo("Skip to the content");
    await ada.page.keyboard.press("Enter");
    await ada.tick("What are you building?");
    await ada.fill("Your post", "# A loom\n\nIt weaves **patterns**.");
    await ada.fill("Tags", "looms, shipped");
    await ada.press("Post");
    expect(await ada.visibleText()).toContain("Post published.");
    await ada.check("A loom");
    await ada.press("#looms");
    await ada.check("#looms");
    await ada.press("Ada Lovelace");
    await ada.check("Ada Lovelace");

    await signOut(ada, "Ada Lovelace");
    await ada.check("Guildhall");
    await ada.press("Sign in");
    await ada.check("Sign in");
    await ada.begin("Username", "ada");
    await ada.fill("Password", "something else");
    await ada.press("Sign in");
    expect(await ada.visibleText()).toContain("The username or password is wrong.");
    await ada.check("Sign in");
    await ada.fill("Password", PASSWORD);
    await ada.press("Sign in");
    expect(await ada.visibleText()).toContain("Welcome back.");

    const bob = await openKeyboardUser(site.core.origin, PHONE);
    await bob.open("/sign-up");
    await bob.check("This community is invite-only");
    await bob.open("/sign-up?invite=nothing");
    await bob.check("This invitation does not work");
    await bob.open(pathIn(makeInvite(site.core, OPERATOR).url));
    await bob.check("Create account");
    await bob.begin("Username", "me");
    await bob.fill("Password", PASSWORD);
    await bob.press("Create account");
    await bob.check("Create account");
    await bob.fill("Username", "bob");
    await bob.fill("Password", PASSWORD);
    await bob.press("Create account");
    expect(await bob.visibleText()).toContain("Welcome. Your account is ready.");

    const forgetful = await openKeyboardUser(site.core.origin, PHONE);
    await forgetful.open(pathIn(makeRecovery(site.core, OPERATOR, "bob").url));
    await forgetful.check("Set a new password");
    await forgetful.fill("New password", "short");
    await forgetful.page.keyboard.press("Enter");
    // The browser itself refuses a password that is too short.
    expect(await forgetful.page.title()).toStartWith("Set a new password");
    await forgetful.page.keyboard.type(" is not so long");
    await forgetful.press("Save and sign in");
    expect(await forgetful.visibleText()).toContain("Password changed");
    await bob.open("/settings/account");
    await bob.check("Sign in");
    await leave(ada, bob, forgetful);
  }, 120_000);

  test("on a desktop: account, tokens, workspaces and the security log", async () => {
    await using site = openSite();
    const [ada, bob] = await Promise.all([
      signUpAndOpen(site, DESK, "ada"),
      signUpAndOpen(site, DESK, "bob"),
    ]);
    await ada.open("/settings/security");
    await ada.check("Security");
    await ada.fill("Current password", "not it at all");
    await ada.fill("New password", "another horse battery");
    await ada.press("Change password");
    expect(await ada.visibleText()).toContain("This is not your current password.");
    await ada.check("Security");
    await ada.fill("Current password", PASSWORD);
    await ada.fill("New password", "another horse battery");
    await ada.press("Change password");
    expect(await ada.visibleText()).toContain("Password changed");

    await ada.press("Access tokens");
    await ada.check("Access tokens");
    await ada.press("Create a token");
    await ada.check("New access token");
    await ada.begin("Name", "Weekly digest");
    await ada.tick(/^Read the feed/);
    await ada.press("Create token");
    await ada.check("Your new token");
    const token = /guild_pat_\w+/.exec(await ada.visibleText())?.[0] ?? "";
    expect((await site.request(token, "/feed")).status).toBe(200);
    await ada.press("All access tokens");
    await ada.check("Access tokens");
    expect(await ada.visibleText()).not.toContain(token);
    await ada.press("Revoke");
    expect(await ada.visibleText()).toContain("Token revoked.");
    expect((await site.request(token, "/feed")).status).toBe(401);
    await ada.check("Access tokens");

    await ada.press("Workspaces");
    await ada.check("Workspaces");
    await ada.fill("Name", "Tidewater tools");
    await ada.press("Create workspace");
    await ada.check("Tidewater tools");
    await ada.press("Create invitation");
    await ada.check("Tidewater tools");
    const link = /http:\S+\/join\?token=\S+/.exec(await ada.visibleText())?.[0] ?? "";
    await bob.open(pathIn(link));
    await bob.check("Join a workspace");
    await bob.press("Join workspace");
    expect(await bob.visibleText()).toContain("You joined the workspace.");
    await bob.check("Tidewater tools");
    await ada.open("/settings/workspaces");
    await ada.press("Tidewater tools");
    await ada.press("Make owner");
    await ada.check("Tidewater tools");
    await bob.press("Leave workspace");
    expect(await bob.visibleText()).toContain("You left the workspace.");
    await bob.check("Workspaces");
    await ada.open("/settings/workspaces");
    await ada.press("Tidewater tools");
    await ada.press("Delete workspace");
    expect(await ada.visibleText()).toContain("Workspace deleted.");

    await ada.press("Security log");
    await ada.check("Security log");
    const log = await ada.visibleText();
    for (const text of [
      "Changed the password",
      "Created the access token “Weekly digest”",
      "Revoked the access token",
      "Created the workspace",
    ])
      expect(log).toContain(text);
    await leave(ada, bob);
  }, 120_000);

  test("on a phone: a webhook from registration to deletion", async () => {
    await using site = openSite({ allow: ["127.0.0.0/8"], resolve: async () => ["127.0.0.1"] });
    Object.assign(site.core, { clock: systemClock });
    await using receiver = await openReceiver([204, 500, 204]);
    const { pem: ca } = await authority();
    const attempt = createAttempt({ targets: site.core.targets, timeoutMs: 5000, ca, userAgent: "test" });
    const loop = startLoop(site.core, attempt, [0], pino({ level: "silent" }));
    site.core.onWake(loop.wake);
    const ada = await signUpAndOpen(site, PHONE, "ada");
    const states = () =>
      site.core.db
        .prepare<{ state: string }>("SELECT state FROM deliveries ORDER BY id")
        .all()
        .map(({ state }) => state);

    await ada.open("/settings/webhooks");
    await ada.check("Webhooks");
    await ada.press("Add an endpoint");
    await ada.check("Add an endpoint");
    await ada.fill("URL", "http://hooks.example.com/");
    await ada.tick(/^post\.created/);
    await ada.press("Add endpoint");
    await ada.check("Add an endpoint");
    await ada.fill("URL", `https://hooks.example.com:${receiver.port}/hook`);
    await ada.press("Add endpoint");
    await ada.check("Your endpoint");
    const secret = /whsec_\S+/.exec(await ada.visibleText())?.[0] ?? "";
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await ada.press("send a test event");
    await ada.check("Webhook endpoint");
    expect(await ada.visibleText()).not.toContain(secret);

    await ada.press("Send test event");
    await until(() => states()[0] === "acknowledged");
    await ada.page.reload();
    await ada.check("Delivery of webhook.test");
    expect(await ada.visibleText()).toContain("Attempt 1: 204");
    await ada.press("Back to the endpoint");
    await ada.press("Send test event");
    await until(() => states()[1] === "failed");
    await ada.page.reload();
    await ada.check("Delivery of webhook.test");
    expect(await ada.visibleText()).toContain("No more attempts");
    await ada.press("Back to the endpoint");
    await ada.check("Webhook endpoint");
    await ada.press("Failed");
    await ada.check("Webhook endpoint");
    await ada.press("Send again…");
    await ada.check("Send deliveries again");
    expect(await ada.visibleText()).toContain("1 failed · 1 acknowledged");
    await ada.press("Send again");
    expect(await ada.visibleText()).toContain("The deliveries are being sent again, oldest first.");
    await until(() => states()[1] === "acknowledged");

    await ada.press("Rotate secret");
    await ada.check("New signing secret");
    expect(/whsec_\S+/.exec(await ada.visibleText())?.[0]).not.toBe(secret);
    await ada.press("Back to the endpoint");
    await ada.press("Pause deliveries");
    await ada.check("Webhook endpoint");
    expect(await ada.visibleText()).toContain("Deliveries are paused");
    await ada.press("Send again…");
    await ada.check("Send deliveries again");
    await ada.press("Back to the endpoint");
    await ada.press("Resume deliveries");
    expect(await ada.visibleText()).toContain("Deliveries resumed.");
    await ada.press("Delete endpoint");
    expect(await ada.visibleText()).toContain("Endpoint deleted.");
    await ada.check("Webhooks");
    await leave(ada);
    await loop.stop();
  }, 120_000);

  async function signUpAndOpen(site: Site, options: WindowOptions, username: string): Promise<KeyboardUser> {
    const user = await openKeyboardUser(site.core.origin, options);
    await user.open(pathIn(makeInvite(site.core, OPERATOR).url));
    await user.begin("Username", username);
    await user.fill("Password", PASSWORD);
    await user.press("Create account");
    return user;
  }
});

async function signOut(user: KeyboardUser, name: string): Promise<void> {
  await user.tabTo(`Account of ${name}`);
  await user.page.keyboard.press("Enter");
  await user.press("Sign out");
  expect(await user.visibleText()).toContain("You are signed out.");
}

async function leave(...hands: KeyboardUser[]): Promise<void> {
  for (const { context } of hands) await context.close();
}

function pathIn(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
