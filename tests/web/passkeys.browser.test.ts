import { afterAll, describe, expect, test } from "bun:test";
import { listPasskeys } from "../../src/core/identity/accounts/passkeys.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { closeContexts, hasChromium } from "../browser.ts";
import { callerOf } from "./sample-site.ts";
import { openKeyboardUser } from "./keyboard.ts";
import { createAccountOf, openSite, PASSWORD, signedInAs } from "./support.ts";

describe.skipIf(!hasChromium)("a passkey in a browser", () => {
  afterAll(closeContexts);

  test("a passkey is added in the settings, signs in and is removed, and its key never leaves the browser", async () => {
    await using site = openSite();
    await createAccountOf(site, "ada");
    const user = await openKeyboardUser(site.core.origin, {
      width: 1280,
      colorScheme: "light",
      scripts: true,
    });
    const devtools = await user.context.newCDPSession(user.page);
    await devtools.send("WebAuthn.enable");
    const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const keys = async () =>
      (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials;

    await user.open("/sign-in");
    await user.tabTo("Sign in with a passkey");
    await user.page.keyboard.press("Enter");
    await user.page.getByRole("alert").waitFor();
    expect(await user.visibleText()).toContain("The passkey request was cancelled or timed out.");

    await user.open("/settings/security?notice=");
    await user.begin("Username", "ada");
    await user.fill("Password", PASSWORD);
    await user.press("Sign in");
    await user.check("Security");
    await user.fill("Passkey name", "My phone");
    await user.press("Add passkey");
    expect(await user.visibleText()).toContain("Passkey added.");
    expect(await keys()).toHaveLength(1);
    await user.check("Security");
    const caller = callerOf(site, signedInAs(site, "ada"));
    expect(listPasskeys(site.core, caller)).toMatchObject([{ name: "My phone", lastUsedAt: null }]);

    await user.tabTo("Account of Ada");
    await user.page.keyboard.press("Enter");
    await user.press("Sign out");
    await user.open("/sign-in?next=/settings/tokens");
    await user.press("Sign in with a passkey");
    expect(new URL(user.page.url()).pathname).toBe("/settings/tokens");
    expect(await user.visibleText()).toContain("Welcome back.");
    expect(listPasskeys(site.core, caller)[0]?.lastUsedAt).toBe(site.clock.now());

    // After some time, the page asks for the passkey again.
    site.clock.pass(11 * MINUTE);
    await user.press("Security");
    await user.press("confirm it’s you");
    await user.check("Confirm it’s you");
    await user.press("Continue with a passkey");
    expect(await user.visibleText()).toContain("Identity confirmed.");
    await user.press("Remove");
    expect(await user.visibleText()).toContain("Passkey removed.");
    await user.open("/settings/activity");
    expect(await user.visibleText()).toContain("Signed in with a passkey");

    // A passkey also suffices to delete the account if it is the only way to sign in.
    await user.press("Security");
    await user.fill("Passkey name", "My phone");
    await user.press("Add passkey");
    site.core.db.prepare("DELETE FROM passwords").run();
    await user.press("Account");
    await user.press("Delete my account");
    await user.check("Delete your account");
    await user.fill("Your username (to confirm)", "ada");
    await user.press("Delete my account with a passkey");
    expect(await user.visibleText()).toContain("Account deleted.");
    expect(user.complaints).toEqual([]);
    await user.context.close();
  }, 120_000);
});
