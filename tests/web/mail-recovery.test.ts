// docs/contract.md#12.20, docs/threats.md#M43: which email addresses recover an account.
import { expect, test } from "bun:test";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import { ownAddress } from "../../src/core/identity/mail/mail.ts";
import { mailsDue } from "../due-messages.ts";
import { settleMail } from "../../src/core/identity/mail/queue.ts";
import { openSite, signUpMember, type Site, tokenOf, type Visitor, visit, visibleText } from "./support.ts";
import { callerOf } from "./sample-site.ts";

const policy = { signup: "open", mailFrom: "guild@guild.test" } as const;
const PAGE_PATH = "/settings/mail";

/** Opens the newest confirmation link, like its recipient. */
async function confirm(site: Site): Promise<void> {
  const mail = mailsDue(site.core, "urgent").findLast(({ kind }) => kind === "confirm");
  const reader = visit(site);
  const page = await reader.open(`/mail/confirm?token=${mail?.token}`);
  await reader.submit(page, "/mail/confirm");
  if (mail) site.core.db.transact(() => settleMail(site.core, mail, { kind: "sent" }));
}

async function addAddress(site: Site, visitor: Visitor, address: string): Promise<void> {
  const form_token = tokenOf(await visitor.open(PAGE_PATH));
  await visitor.post(PAGE_PATH, { address, form_token });
  await confirm(site);
}

/** Returns the page's response, and whether a recovery email is queued. */
async function requestRecovery(site: Site, username: string): Promise<{ answer: string; isSent: boolean }> {
  const recoveries = (): number =>
    site.core.db.prepare("SELECT 1 FROM mails WHERE kind = 'recovery' AND builder_id IS NOT NULL").all()
      .length;
  const before = recoveries();
  const guest = visit(site);
  const done = await guest.submit(await guest.open("/recover/mail"), "/recover/mail", { who: username });
  return { answer: visibleText(done.html), isSent: recoveries() > before };
}

test("an address added after sign-up recovers the account only after 24 hours, and the response does not reveal this", async () => {
  await using site = openSite({ policy });
  const ada = await signUpMember(site, "ada");
  await addAddress(site, ada, "thief@evil.example");
  const nobody = await requestRecovery(site, "nobody");

  for (const username of ["ada", "thief@evil.example"])
    expect(await requestRecovery(site, username)).toEqual(nobody);
  expect(nobody.answer).toContain("No link is sent to an address that was added less than 24 hours ago.");
  expect(visibleText((await ada.open(PAGE_PATH)).html)).toContain(
    "You can use this address to recover your account",
  );
  site.clock.step(2 * DAY);
  expect((await requestRecovery(site, "ada")).isSent).toBe(false);
  site.clock.step(-2 * DAY);
  site.clock.pass(DAY - HOUR);
  expect((await requestRecovery(site, "ada")).isSent).toBe(false);
  site.clock.pass(HOUR);

  expect(await requestRecovery(site, "ada")).toEqual({ ...nobody, isSent: true });
});

test("a replaced address waits 24 hours as well, and confirming the same address again does not restart the wait", async () => {
  await using site = openSite({ policy });
  const ada = await signUpMember(site, "ada");
  await addAddress(site, ada, "ada@home.example");
  site.clock.pass(DAY - HOUR);
  const again = visit(site);
  await again.submit(await again.open("/sign-in"), "/sign-in", {
    username: "ada",
    password: "correct horse battery",
  });
  await addAddress(site, again, "ada@home.example");
  site.clock.pass(HOUR);
  expect((await requestRecovery(site, "ada@home.example")).isSent).toBe(true);

  const form_token = tokenOf(await again.open("/settings/account"));
  await again.post("/settings/confirm", { current: "correct horse battery", next: PAGE_PATH, form_token });
  await addAddress(site, again, "thief@evil.example");
  site.clock.pass(2 * HOUR);

  for (const username of ["ada", "thief@evil.example", "ada@home.example"])
    expect([username, (await requestRecovery(site, username)).isSent]).toEqual([username, false]);
});

test("an address from sign-up recovers the account at once", async () => {
  await using site = openSite({ policy });
  const ada = await signUpMember(site, "ada");
  const { builderId } = callerOf(site, ada);

  site.core.db.transact(() => ownAddress(site.core, builderId, "ada@home.example"));

  expect((await requestRecovery(site, "ada")).isSent).toBe(true);
});
