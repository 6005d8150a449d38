// docs/contract.md#12.40: reports by people without an account.
import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { getCase } from "../../src/core/services/moderation/cases.ts";
import { hide } from "../../src/core/services/moderation/moderation.ts";
import { reportAsStranger } from "../../src/core/services/moderation/stranger-reports.ts";
import { mailContent } from "../../src/delivery/mail-content.ts";
import type { Mail } from "../../src/core/identity/mail/queue.ts";
import { createTestWorld } from "../support.ts";
import { createSignedInMember, refusalOf } from "./people.ts";

test("a stranger reports public content once, and gets the outcome and nothing else by email", async () => {
  using world = createTestWorld({ policy: { signup: "open", mailFrom: "guild@guild.test", name: "Bees" } });
  const { core } = world;
  const { caller: ada } = await createSignedInMember(core, "ada");
  const post = createPost(core, ada, { text: "My neighbour's photo" });
  const draft = { subjectId: post.id, reason: "My photo", mail: "eve@home.example", language: "de" as const };
  reportAsStranger(core, "198.51.100.1", draft);
  reportAsStranger(core, "198.51.100.1", { ...draft, reason: "It is my photo" });
  expect(getCase(core, OPERATOR, post.id)).toMatchObject({
    state: "open",
    strangerReports: [
      { reason: "It is my photo", text: "My neighbour's photo", wantsAnswer: true, outcome: null },
    ],
  });

  hide(core, OPERATOR, post.id, { reason: "Secret reason" });
  const mails = core.db.prepare<Mail>("SELECT kind, address, group_id AS groupId FROM mails").all();
  expect(mails).toMatchObject([{ kind: "report_answered", address: "eve@home.example" }]);
  const text = mails[0] && mailContent(core, mails[0], "Bees");
  expect(text?.subject).toBe("Deine Meldung an Bees");
  expect(JSON.stringify(text)).toContain("gefolgt");
  expect(JSON.stringify(text)).not.toContain("Secret");
  const rows = core.db.prepare("SELECT * FROM stranger_reports").all();
  expect(JSON.stringify(rows)).not.toContain("home.example");
  expect((await refusalOf(() => reportAsStranger(core, "198.51.100.2", draft))).error).toBe("not_found");
});

test("limits reports per address and network, and refuses them in a members-only community and without mail", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller: ada } = await createSignedInMember(core, "ada");
  const posts = Array.from({ length: 6 }, (_, n) => createPost(core, ada, { text: `Post ${n}` }).id);
  const send = (from: string, subjectId = posts[0] ?? "") =>
    reportAsStranger(core, from, { subjectId, reason: "?", language: "en" });
  for (const id of posts.slice(0, 5)) send("198.51.100.1", id);
  expect((await refusalOf(() => send("198.51.100.1", posts[5]))).code).toBe("stranger_reports_too_many");
  for (let n = 2; n < 17; n++) send(`198.51.100.${n}`);
  expect((await refusalOf(() => send("198.51.100.99"))).code).toBe("stranger_reports_too_many");
  send("203.0.113.1");
  const mailed = {
    subjectId: posts[0] ?? "",
    reason: "?",
    mail: "eve@home.example",
    language: "en" as const,
  };
  expect((await refusalOf(() => reportAsStranger(core, "203.0.113.2", mailed))).code).toBe("mail_not_sent");
  changeCommunitySettings(core, OPERATOR, { reading: "members" });
  expect((await refusalOf(() => send("203.0.113.3"))).code).toBe("sign_in_first");
});
