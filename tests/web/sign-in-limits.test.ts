// docs/contract.md#9.3, docs/threats.md#F03: ways to sign in for an owner whose password is being guessed.
import { expect, test } from "bun:test";
import { LANGUAGES } from "../../src/core/base/locales.ts";
import {
  createAccountOf,
  openSite,
  PASSWORD,
  type ShownPage,
  type Site,
  tokenOf,
  visit,
  visibleText,
} from "./support.ts";

/** Guesses from twelve addresses until the server no longer checks passwords from new browsers. */
async function flood(site: Site, username: string): Promise<void> {
  for (let i = 0; i < 12; i++) {
    const guest = visit(site);
    const page = await guest.open("/sign-in");
    for (let n = 0; n < 10; n++) await guest.submit(page, "/sign-in", { username, password: "is it this" });
  }
}

async function ownerTries(site: Site, language = "en"): Promise<ShownPage> {
  const owner = visit(site);
  const form_token = tokenOf(await owner.open("/sign-in"));
  const fields = { username: "ada", password: PASSWORD, form_token };
  return owner.post("/sign-in", fields, { "accept-language": language });
}

test("a new browser blocked by others' guesses is offered a passkey and a link by email, in each language", async () => {
  await using site = openSite({ policy: { signup: "open", mailFrom: "guild@guild.test" } });
  await createAccountOf(site, "ada");
  await flood(site, "ada");
  const messages: string[] = [];

  for (const language of LANGUAGES) {
    const page = await ownerTries(site, language);
    expect([language, page.status]).toEqual([language, 429]);
    const offer = /<section class="other-ways"[^]*?<\/section>/.exec(page.html)?.[0] ?? "";
    expect(offer).toContain('href="/recover/mail"');
    expect(page.forms.map(({ action }) => action)).toContain("/sign-in/passkey");
    messages.push(visibleText(offer));
  }

  expect(new Set(messages).size).toBe(LANGUAGES.length);
});

test("the page offers an admin's link if passkeys and mail are unavailable", async () => {
  await using site = openSite({ origin: "http://10.0.0.7", policy: { signup: "open" } });
  await createAccountOf(site, "ada");
  await flood(site, "ada");

  const page = await ownerTries(site);

  expect(page.status).toBe(429);
  const offer = /<section class="other-ways"[^]*?<\/section>/.exec(page.html)?.[0] ?? "";
  expect(visibleText(offer)).toContain("Ask an admin of this community for a recovery link.");
  expect(offer).not.toContain("/recover/mail");
  expect(visibleText(offer)).not.toContain("passkey");
});
