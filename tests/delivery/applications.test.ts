// docs/contract.md#9.16: decisions about applications by email.
import { expect, test } from "bun:test";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import type { Language } from "../../src/core/base/locales.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import {
  confirmApplicationMail,
  peekApplicationMail,
} from "../../src/core/identity/applications/answer-mail.ts";
import {
  applicationBySecret,
  apply,
  approveApplication,
  declineApplication,
  listApplications,
  withdrawApplication,
} from "../../src/core/identity/applications/applications.ts";
import { findMailAddress } from "../../src/core/identity/mail/mail.ts";
import { forgetMailMarks } from "../../src/core/identity/mail/mail-limits.ts";
import { signInOriginAt, PASSWORD, refusalOf } from "../core/people.ts";
import { createTestWorld, type TestWorld } from "../support.ts";
import { mailServer } from "./mail-server.ts";
import { startMailSenders } from "./mail-senders.ts";
import { authority, until } from "./receiver.ts";

const FROM = "guild@guild.test";

function guarded(): TestWorld & Disposable {
  const world = createTestWorld({ policy: { signup: "open", mailFrom: FROM, name: "Bees" } });
  changeCommunitySettings(world.core, OPERATOR, { joining: "approval" });
  return world;
}

let hosts = 0;
interface ApplicationForm {
  mail?: string;
  language?: Language;
  from?: string;
}
function request(core: Core, username: string, { mail, language = "en", from }: ApplicationForm = {}) {
  const why = "Win http://evil.example";
  const form = { username, name: "Call 0800 evil", password: PASSWORD, why, language, mail };
  return apply(core, signInOriginAt(from ?? `198.51.100.${hosts++ % 250}`), form);
}

const idOf = (core: Core, username: string): string =>
  listApplications(core, OPERATOR, { limit: 100 }).nodes.find((node) => node.username === username)?.id ?? "";
const queue = (core: Core) =>
  core.db.prepare<{ kind: string; address: string }>("SELECT kind, address FROM mails ORDER BY seq").all();

test("emails the applicant a link in their language, and after its confirmation the decision, once", async () => {
  await using server = await mailServer();
  using world = guarded();
  const { core } = world;
  const rules = {
    smtpUrl: `smtp://guild:s3cret%3A%2F@127.0.0.1:${server.port}`,
    smtpCa: (await authority()).pem,
    mailFrom: FROM,
  };
  await using _senders = startMailSenders(core, rules);
  const gone = () => until(() => queue(core).length === 0);
  const last = () => server.taken.at(-1);

  const { secret } = await request(core, "ada", { mail: "ada@home.example", language: "de" });
  await gone();
  expect(last()?.to).toEqual(["ada@home.example"]);
  expect(last()?.headers["subject"]).toBe(
    "=?UTF-8?Q?Best=C3=A4tige_deine_E-Mail-Adresse_f?= =?UTF-8?Q?=C3=BCr_Bees?=",
  );
  expect(last()?.text).toContain("Jemand hat als @ada eine Beitrittsanfrage");
  expect(last()?.raw).not.toContain("evil");
  const token = /mail\/confirm\?token=([\w-]{43})/.exec(last()?.text ?? "")?.[1] ?? "";
  expect(peekApplicationMail(core, token)).toEqual({ username: "ada", address: "ada@home.example" });
  expect(applicationBySecret(core, secret)).toMatchObject({ mail: "ada@home.example", mailIsSure: false });
  await core.db.write(() => confirmApplicationMail(core, token));
  expect(applicationBySecret(core, secret)).toMatchObject({ mailIsSure: true });
  expect((await refusalOf(() => core.db.transact(() => confirmApplicationMail(core, token)))).error).toBe(
    "not_found",
  );

  const word = `Willkommen!\n\n${"Bring Wolle mit. ".repeat(50).trim()}`;
  const builderId = approveApplication(core, OPERATOR, idOf(core, "ada"), { word });
  await gone();
  expect(server.taken).toHaveLength(2);
  expect(last()?.to).toEqual(["ada@home.example"]);
  expect(last()?.headers["subject"]).toBe("Deine Beitrittsanfrage bei Bees");
  const text = last()?.text.replace(/\s+/g, " ") ?? "";
  for (const part of ["Dein Benutzername ist @ada", word.replace(/\s+/g, " "), "/sign-in"])
    expect(text).toContain(part);
  expect(findMailAddress(core, builderId)?.address).toBe("ada@home.example");
  // The applicant's email address is stored in no other table.
  const kept = ["applications", "audit_entries", "mails"].map((table) =>
    core.db.prepare(`SELECT * FROM ${table}`).all(),
  );
  expect(JSON.stringify(kept)).toContain("mail.confirmed");
  expect(JSON.stringify(kept)).not.toContain("home.example");
});

test("emails no decision to an unconfirmed address, and deletes the address and its emails with the application", async () => {
  using world = guarded();
  const { core } = world;
  await request(core, "ada", { mail: "ada@home.example" });
  expect(queue(core)).toEqual([{ kind: "applied", address: "ada@home.example" }]);
  const builderId = approveApplication(core, OPERATOR, idOf(core, "ada"));
  expect([queue(core), findMailAddress(core, builderId)?.address]).toEqual([[], undefined]);

  await request(core, "bob", { mail: "bob@home.example" });
  core.db.prepare("UPDATE applications SET mail_is_sure = 1 WHERE username = 'bob'").run();
  declineApplication(core, OPERATOR, idOf(core, "bob"), { word: "Later." });
  expect(queue(core)).toEqual([{ kind: "answered", address: "bob@home.example" }]);

  const { secret } = await request(core, "cleo", { mail: "cleo@home.example" });
  await core.db.write(() => withdrawApplication(core, secret));
  expect(queue(core).map(({ address }) => address)).toEqual(["bob@home.example"]);
  expect(JSON.stringify(core.db.prepare("SELECT * FROM applications").all())).not.toContain("home.example");

  using mute = createTestWorld();
  changeCommunitySettings(mute.core, OPERATOR, { joining: "approval" });
  const refused = await refusalOf(() => request(mute.core, "ada", { mail: "ada@home.example" }));
  expect(refused.code).toBe("mail_not_sent");
  await request(mute.core, "ada");
});

test("an applicant cannot email strangers: three emails a day to an address, five from an address, withdrawn ones included", async () => {
  using world = guarded();
  const { core, clock } = world;
  const askAndBack = async (username: string, requested: ApplicationForm) => {
    const { secret } = await request(core, username, requested);
    await core.db.write(() => withdrawApplication(core, secret));
  };
  const codeOf = async (requested: ApplicationForm) =>
    (await refusalOf(() => request(core, "zoe", requested))).code;
  for (const mail of ["eve@home.example", "Eve@Home.example", "eve@HOME.example"])
    await askAndBack("ada", { mail });
  expect(await codeOf({ mail: "eve@home.example" })).toBe("application_mails_too_many");
  expect(listApplications(core, OPERATOR, { limit: 9 }).nodes).toEqual([]);
  const from = "203.0.113.9";
  for (let n = 0; n < 5; n++) {
    await askAndBack("bob", { mail: `friend${n}@home.example`, from });
    // The limit of applications per network address regains one application every 4.8 hours.
    clock.pass(HOUR);
  }
  expect(await codeOf({ mail: "friend9@home.example", from })).toBe("application_mails_too_many");
  const marks = core.db.prepare("SELECT seq, hex(mark) AS mark FROM mail_marks").all();
  expect(JSON.stringify(marks)).not.toMatch(/home|203/);
  expect(
    (await refusalOf(() => request(core, "zoe", { mail: "a@b.example\r\nBcc: x@y.example" }))).code,
  ).toBe("not_mail_address");
  clock.pass(DAY + MINUTE);
  await forgetMailMarks(core);
  await askAndBack("ada", { mail: "eve@home.example", from });
});
