// docs/contract.md#9.19: messages are sent in the recipient's language.
import { expect, test } from "bun:test";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { receiverOf } from "../../src/core/services/channels/receiver.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { inviteMember } from "../../src/core/delegation/workspaces/invitations.ts";
import type { Core } from "../../src/core/base/core.ts";
import type { Language } from "../../src/core/base/locales.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { chooseLanguage } from "../../src/core/identity/builders/language.ts";
import { inviteNewcomer } from "../../src/core/identity/mail/invitation.ts";
import { setMailAddress } from "../../src/core/identity/mail/mail.ts";
import { pushContent } from "../../src/delivery/push-content.ts";
import { messagesOf } from "../../src/locale/messages.ts";
import { createSignedInMember } from "../core/people.ts";
import { createTestWorld, signedInNow } from "../support.ts";
import { mailServer, type ReceivedMail } from "./mail-server.ts";
import { startMailSenders } from "./mail-senders.ts";
import { authority, until } from "./receiver.ts";

const speak = (core: Core, caller: Caller, language: Language | null): void =>
  core.db.transact(() => chooseLanguage(core, caller, { language }));

/** The decoded subject (RFC 2047). */
function subjectOf(mail: ReceivedMail | undefined): string {
  const text = (mail?.headers["subject"] ?? "").replace(/\?=\s+=\?/g, "?==?");
  return text.replace(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, coded: string) =>
    decodeURIComponent(coded.replaceAll("_", "%20").replaceAll("=", "%")),
  );
}

test("an email uses its reader's language, an invitation the inviter's, and without a choice the community's", async () => {
  await using server = await mailServer();
  const mailFrom = "guild@guild.test";
  using world = createTestWorld({ policy: { signup: "invite", mailFrom } });
  const { core, clock } = world;
  changeCommunitySettings(core, OPERATOR, {
    name: "Bees",
    language: "es",
    zone: "America/Argentina/Buenos_Aires",
  });
  const smtpUrl = `smtp://127.0.0.1:${server.port}`;
  const rules = { smtpUrl, smtpCa: (await authority()).pem, mailFrom };
  await using _senders = startMailSenders(core, rules);
  const mailOf = async (work: () => unknown) => {
    const before = server.taken.length;
    await work();
    await until(() => server.taken.length === before + 1);
    return server.taken[before];
  };
  const [ada, bob] = [
    (await createSignedInMember(core, "ada")).caller,
    (await createSignedInMember(core, "bob")).caller,
  ];
  speak(core, ada, "de");
  changeProfile(core, ada, { time_zone: "Europe/Berlin" });

  const toAda = await mailOf(() => setMailAddress(core, ada, { address: "ada@home.example" }));
  expect(subjectOf(toAda)).toBe(messagesOf("de").mails.confirm.subject({ community: "Bees" }));
  expect(toAda?.headers["content-language"]).toBe("de");
  expect(toAda?.raw).toContain('<html lang=3D"de">');
  const toBob = await mailOf(() => setMailAddress(core, bob, { address: "bob@home.example" }));
  expect(subjectOf(toBob)).toBe(messagesOf("es").mails.confirm.subject({ community: "Bees" }));
  clock.pass(3 * 60_000);
  speak(core, bob, "en");
  const again = await mailOf(() => setMailAddress(core, signedInNow(core, bob), { address: "b@b.example" }));
  expect(subjectOf(again)).toBe(messagesOf("en").mails.confirm.subject({ community: "Bees" }));

  const expiresAt = clock.now() + 7 * 24 * 3_600_000;
  const space = createWorkspace(core, ada, "ada", { name: "Hive" });
  const invited = await mailOf(() =>
    inviteMember(core, signedInNow(core, ada), space, { address: "cleo@home.example" }),
  );
  expect(subjectOf(invited)).toBe(messagesOf("de").mails.invitation.subject({ community: "Bees" }));
  const berlin = messagesOf("de").formats.moment(expiresAt, "Europe/Berlin");
  expect(berlin).toEndWith(" MEZ");
  expect(invited?.text).toContain(messagesOf("de").mails.invitation.until({ when: berlin }));
  const byOperator = await mailOf(() => inviteNewcomer(core, OPERATOR, { address: "dee@home.example" }));
  expect(subjectOf(byOperator)).toBe(messagesOf("es").mails.invitation.subject({ community: "Bees" }));
  expect(byOperator?.text).toContain(
    messagesOf("es").formats.moment(expiresAt, "America/Argentina/Buenos_Aires"),
  );
});

test("a push uses its reader's language", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = await createSignedInMember(core, "ada");
  const said = (): string | undefined =>
    pushContent(core, {
      notificationId: null,
      subscriptionId: "psh_1",
      builderId: caller.builderId,
    } as Parameters<typeof pushContent>[1])?.body;
  for (const language of ["de", "es", "en"] as const) {
    speak(core, caller, language);
    expect(said()).toBe(messagesOf(language).channels.push.greeting);
  }
  speak(core, caller, null);
  changeCommunitySettings(core, OPERATOR, { language: "de" });
  expect(said()).toBe(messagesOf("de").channels.push.greeting);
});

test("uses a member's own language and time zone, and the community's for everyone else", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = await createSignedInMember(core, "ada");
  expect(receiverOf(core, caller.builderId)).toEqual({ language: "en", zone: "UTC" });
  changeCommunitySettings(core, OPERATOR, { language: "es", zone: "Europe/Madrid" });
  for (const username of [caller.builderId, null, "builder_00000000000000000000000000"])
    expect(receiverOf(core, username)).toEqual({ language: "es", zone: "Europe/Madrid" });
  speak(core, caller, "de");
  changeProfile(core, caller, { time_zone: "Asia/Tokyo" });
  expect(receiverOf(core, caller.builderId)).toEqual({ language: "de", zone: "Asia/Tokyo" });
});
