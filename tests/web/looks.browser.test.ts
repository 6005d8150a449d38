import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { listPasskeys } from "../../src/core/identity/accounts/passkeys.ts";
import { MINUTE } from "../../src/core/ground/clock.ts";
import { PAGES } from "../../src/web/pages/index.ts";
import { hasChromium, launch } from "../browser.ts";
import { callerOf, furnish, isOfCrew } from "./furnished.ts";
import { faultsOf, type Hand, sitDown, TOO_WIDE } from "./keyboard.ts";
import { account, openSite, PASSWORD, seated, sessionCookie, type Site } from "./support.ts";

/** A word that nobody can break, beside ordinary ones: what makes narrow pages too wide. */
const WORDS = "Tidewater ".repeat(4) + "Donaudampfschifffahrtsgesellschaftskapitän".slice(0, 20);

describe.skipIf(!hasChromium)("the pages in a browser", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  }, 120_000);

  afterAll(() => browser?.close());

  for (const [width, colorScheme] of [
    [360, "dark"],
    [1280, "light"],
  ] as const) {
    test(`every page, full of everything, at ${width} px, ${colorScheme}: accessible, and within its width`, async () => {
      await using site = openSite({ signup: "open", env: MAIL });
      const { pathOf } = await furnish(site, WORDS);
      const faults: string[] = [];
      for (const username of ["ada", undefined]) {
        const hand = await sitDown(browser, site.core.origin, { width, colorScheme, scripts: true });
        if (username !== undefined) await seat(hand, site, username);
        const routes = PAGES.filter(
          (route) =>
            route.method === "GET" &&
            // The admins' pages have their own.
            (username === undefined ? FOR_GUESTS.includes(route.path) : !isOfCrew(route)),
        );
        for (const route of routes) {
          await hand.open(pathOf(route));
          const found = [
            ...((await hand.page.evaluate(TOO_WIDE)) as string[]),
            ...(await faultsOf(hand.page)),
            ...hand.complaints.splice(0),
          ];
          faults.push(...found.map((fault) => `${route.path}: ${fault}`));
        }
        await hand.context.close();
      }
      expect(faults).toEqual([]);
    }, 120_000);
  }

  test("a passkey: added in the settings, signed in with, removed; nothing but the browser holds its key", async () => {
    await using site = openSite();
    await account(site, "ada");
    const hand = await sitDown(browser, site.core.origin, {
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

    // Nothing to sign in with yet: words, and no fault.
    await hand.open("/sign-in");
    await hand.tabTo("Sign in with a passkey");
    await hand.page.keyboard.press("Enter");
    await hand.page.getByRole("alert").waitFor();
    expect(await hand.words()).toContain("Nothing was changed.");

    await hand.open("/settings/account?notice=");
    await hand.begin("Username", "ada");
    await hand.fill("Password", PASSWORD);
    await hand.press("Sign in");
    await hand.look("Account");
    await hand.fill("What to call it", "My phone");
    await hand.press("Add a passkey");
    expect(await hand.words()).toContain("The passkey is added.");
    expect(await keys()).toHaveLength(1);
    await hand.look("Account");
    const caller = callerOf(site, seated(site, "ada"));
    expect(listPasskeys(site.core, caller)).toMatchObject([{ name: "My phone", lastUsedAt: null }]);

    await hand.tabTo("Account of Ada");
    await hand.page.keyboard.press("Enter");
    await hand.press("Sign out");
    await hand.open("/sign-in?next=/settings/tokens");
    await hand.press("Sign in with a passkey");
    expect(new URL(hand.page.url()).pathname).toBe("/settings/tokens");
    expect(await hand.words()).toContain("Welcome back.");
    expect(listPasskeys(site.core, caller)[0]?.lastUsedAt).toBe(site.clock.now());

    // Some time later it is asked for once more.
    site.clock.pass(11 * MINUTE);
    await hand.press("Account");
    await hand.press("show once more that it is you");
    await hand.look("Is it you?");
    await hand.press("Go on with a passkey");
    expect(await hand.words()).toContain("Thank you.");
    await hand.press("Remove");
    expect(await hand.words()).toContain("The passkey is removed.");
    await hand.open("/settings/activity");
    expect(await hand.words()).toContain("Signed in with a passkey");

    // One that is the only way in deletes the account, too.
    await hand.press("Account");
    await hand.fill("What to call it", "My phone");
    await hand.press("Add a passkey");
    site.core.db.prepare("DELETE FROM passwords").run();
    await hand.press("Delete my account");
    await hand.look("Delete your account");
    await hand.fill("Your username, as a sign that you mean it", "ada");
    await hand.press("Delete my account with a passkey");
    expect(await hand.words()).toContain("Your account is deleted.");
    expect(hand.complaints).toEqual([]);
    await hand.context.close();
  }, 120_000);
});

/** Nothing is sent there: the forms are shown that are there where there is a mail server. */
const MAIL = { GUILDHALL_SMTP_URL: "smtp://127.0.0.1:1025", GUILDHALL_MAIL_FROM: "guild@example.org" };

const FOR_GUESTS = [
  "/",
  "/jobs",
  "/prompts",
  "/posts/:id",
  "/search",
  "/@:username",
  "/sign-in",
  "/sign-up",
  "/recover",
  "/recover/mail",
  "/mail/confirm",
  "/mail/unsubscribe",
  "/setup",
];

async function seat({ context }: Hand, site: Site, username: string): Promise<void> {
  const name = sessionCookie(site);
  const value = seated(site, username).cookies.get(name) ?? "";
  await context.addCookies([{ name, value, url: site.core.origin }]);
}
