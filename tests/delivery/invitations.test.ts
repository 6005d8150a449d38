// docs/contract.md#12.20: invitations by email.
import { expect, test } from "bun:test";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { inviteMember, joinWorkspace } from "../../src/core/delegation/workspaces/invitations.ts";
import { DAY, MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { peekInvite, withdrawInvite } from "../../src/core/identity/accounts/invites.ts";
import { inviteNewcomer } from "../../src/core/identity/mail/invitation.ts";
import { forgetMailMarks } from "../../src/core/identity/mail/mail-limits.ts";
import { momentsIn } from "../../src/locale/moments.ts";
import { createSignedInMember, refusalOf } from "../core/people.ts";
import { createTestWorld, signedInNow } from "../support.ts";
import { mailServer } from "./mail-server.ts";
import { startMailSenders } from "./mail-senders.ts";
import { authority, until } from "./receiver.ts";

const FROM = "guild@guild.test";

test("emails an invitation to the named member with inviter and expiry; a withdrawn one is not sent", async () => {
  await using server = await mailServer();
  using world = createTestWorld({ policy: { signup: "invite", mailFrom: FROM, name: "Bees" } });
  const { core, clock } = world;
  const rules = {
    smtpUrl: `smtp://guild:s3cret%3A%2F@127.0.0.1:${server.port}`,
    smtpCa: (await authority()).pem,
    mailFrom: FROM,
  };
  const { caller } = await createSignedInMember(core, "ada");
  const id = createWorkspace(core, caller, caller.username, { name: "Win http://evil.example" });
  core.db.prepare("UPDATE builders SET name = 'Call 0800 evil' WHERE username = 'ada'").run();
  const waiting = () => core.db.prepare<{ address: string }>("SELECT address FROM mails").all();

  withdrawInvite(core, OPERATOR, inviteNewcomer(core, OPERATOR, { address: "gone@home.example" }).id);
  inviteNewcomer(core, OPERATOR, { address: "bob@home.example" });
  inviteMember(core, signedInNow(core, caller), id, { address: "cleo@home.example" });
  expect(waiting()).toHaveLength(3);
  await using _senders = startMailSenders(core, rules);
  await until(() => waiting().length === 0);
  const [bob, cleo] = ["bob", "cleo"].map((username) =>
    server.taken.find(({ to }) => to[0]?.startsWith(username)),
  );
  expect(server.taken).toHaveLength(2);
  expect(bob?.headers["subject"]).toBe("You are invited to Bees");
  expect(bob?.text).toContain("The operator invited you to join Bees.");
  const token = /sign-up\?invite=([\w-]{43})/.exec(bob?.text ?? "")?.[1] ?? "";
  const { expiresAt } = peekInvite(core, token);
  expect(bob?.text).toContain(`until ${momentsIn("en").moment(expiresAt, "UTC")}`);
  expect(cleo?.text).toContain("@ada invited you to a workspace in Bees.");
  expect(cleo?.raw).not.toContain("evil");
  const into = /join\?token=([\w-]{43})/.exec(cleo?.text ?? "")?.[1] ?? "";
  expect(joinWorkspace(core, (await createSignedInMember(core, "cleo")).caller, into)).toBe(id);
  const kept = JSON.stringify([
    core.db.prepare("SELECT * FROM audit_entries").all(),
    core.db.prepare("SELECT seq, builder_id, hex(mark) FROM mail_marks").all(),
  ]);
  expect(kept).toContain("invite.mailed");
  expect(kept).not.toContain("home.example");

  const again = (address: string) =>
    refusalOf(() => inviteMember(core, signedInNow(core, caller), id, { address }));
  const links = () => core.db.prepare("SELECT 1 FROM links").all().length;
  for (let n = 0; n < 2; n++) inviteNewcomer(core, OPERATOR, { address: "Cleo@Home.example" });
  const before = links();
  expect((await again("cleo@home.example")).code).toBe("invitation_mails_too_many");
  expect(links()).toBe(before);
  for (let n = 0; n < 19; n++)
    inviteMember(core, signedInNow(core, caller), id, { address: `friend${n}@home.example` });
  expect((await again("another@home.example")).code).toBe("invitation_mails_too_many");
  clock.pass(DAY + MINUTE);
  inviteMember(core, signedInNow(core, caller), id, { address: "cleo@home.example" });
  await forgetMailMarks(core);
  expect(core.db.prepare("SELECT 1 FROM mail_marks").all()).toHaveLength(1);
  await until(() => waiting().length === 0);

  using mute = createTestWorld();
  expect(
    (await refusalOf(() => inviteNewcomer(mute.core, OPERATOR, { address: "b@home.example" }))).code,
  ).toBe("mail_not_sent");
});
