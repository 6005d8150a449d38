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
    const hand = await openKeyboardUser(site.core.origin, {
      width: 1280,
      colorScheme: "light",
      scripts: true,
    });
    const devtools = await hand.context.newCDPSession(hand.page);
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

    await hand.open("/sign-in");
    await hand.tabTo("Sign in with a passkey");
    await hand.page.keyboard.press("Enter");
    await hand.page.getByRole("alert").waitFor();
    expect(await hand.visibleText()).toContain("The passkey request was cancelled or timed out.");

    await hand.open("/settings/account?notice=");
    await hand.begin("Username", "ada");
    await hand.fill("Password", PASSWORD);
    await hand.press("Sign in");
    await hand.check("Account");
    await hand.fill("Passkey name", "My phone");
    await hand.press("Add passkey");
    expect(await hand.visibleText()).toContain("Passkey added.");
    expect(await keys()).toHaveLength(1);
    await hand.check("Account");
    const caller = callerOf(site, signedInAs(site, "ada"));
    expect(listPasskeys(site.core, caller)).toMatchObject([{ name: "My phone", lastUsedAt: null }]);

    await hand.tabTo("Account of Ada");
    await hand.page.keyboard.press("Enter");
    await hand.press("Sign out");
    await hand.open("/sign-in?next=/settings/tokens");
    await hand.press("Sign in with a passkey");
    expect(new URL(hand.page.url()).pathname).toBe("/settings/tokens");
    expect(await hand.visibleText()).toContain("Welcome back.");
    expect(listPasskeys(site.core, caller)[0]?.lastUsedAt).toBe(site.clock.now());

    // After some time, the page asks for the passkey again.
    site.clock.pass(11 * MINUTE);
    await hand.press("Account");
    await hand.press("confirm it’s you");
    await hand.check("Confirm it’s you");
    await hand.press("Continue with a passkey");
    expect(await hand.visibleText()).toContain("Identity confirmed.");
    await hand.press("Remove");
    expect(await hand.visibleText()).toContain("Passkey removed.");
    await hand.open("/settings/activity");
    expect(await hand.visibleText()).toContain("Signed in with a passkey");

    // A passkey also suffices to delete the account if it is the only way to sign in.
    await hand.press("Account");
    await hand.fill("Passkey name", "My phone");
    await hand.press("Add passkey");
    site.core.db.prepare("DELETE FROM passwords").run();
    await hand.press("Delete my account");
    await hand.check("Delete your account");
    await hand.fill("Your username (to confirm)", "ada");
    await hand.press("Delete my account with a passkey");
    expect(await hand.visibleText()).toContain("Account deleted.");
    expect(hand.complaints).toEqual([]);
    await hand.context.close();
  }, 120_000);
});
