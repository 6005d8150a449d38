import { expect, test } from "bun:test";
import { noteFailedBackup } from "../../src/core/services/backups/backups.ts";
import { hide, restore } from "../moderate.ts";
import { dismissReport, reopenReport, report } from "../../src/core/services/moderation/reports.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { createJobFilter } from "../../src/core/community/jobs/job-filters.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { ratePrompt } from "../../src/core/community/prompts/ratings.ts";
import { deletePrompt } from "../../src/core/community/prompts/removal.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signIn, signUp } from "../../src/core/identity/accounts/accounts.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import type { Core } from "../../src/core/base/core.ts";
import { createTestWorld, signedInNow } from "../support.ts";
import { signInOriginAt, HOME, PASSWORD, createSignedInMember } from "./people.ts";
import { addMembers, createTools, createCallers } from "./workspace-parts.ts";

/** Stored notifications: recipient, kind, actor, detail and count. Skips badges and levels. */
function receivedBy(core: Core): string[] {
  return core.db
    .prepare<{ words: string }>(
      `SELECT b.username || ' ' || n.kind || coalesce(' by ' || a.username, '')
              || CASE WHEN n.about <> '' THEN ': ' || n.about ELSE '' END
              || CASE WHEN count(f.fact) > 1 THEN ' ×' || count(f.fact) ELSE '' END AS words
       FROM notifications n JOIN builders b ON b.id = n.builder_id JOIN notification_facts f USING (group_id)
       LEFT JOIN builders a ON a.id = f.actor_id
       WHERE n.kind NOT IN ('badge', 'level_up') GROUP BY n.place ORDER BY n.place`,
    )
    .all()
    .map(({ words }) => words);
}

test("each event notifies its recipients, and undoing the event withdraws the notification", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo, cy, root } = createCallers(core, "ada", "bo", "cy", "root");
  changeRole(core, OPERATOR, "root", "admin");
  const admin = signedInNow(core, root);

  const post = createPost(core, ada, { text: "Cheap followers" });
  const reported = report(core, bo, { kind: "post", id: post.id }, { reason: "Advertisement" });
  report(core, cy, { kind: "post", id: post.id }, { reason: "The same again" });
  expect(receivedBy(core)).toEqual(["root report_waiting"]);
  dismissReport(core, admin, reported.id);
  expect(receivedBy(core)).toEqual(["bo report_decided", "cy report_decided"]);
  reopenReport(core, admin, reported.id);
  expect(receivedBy(core)).toEqual(["root report_waiting"]);
  hide(core, admin, post.id, { reason: "An advertisement" });
  expect(receivedBy(core).sort()).toEqual([
    "ada decision: An advertisement",
    "bo report_decided",
    "cy report_decided",
  ]);
  restore(core, admin, post.id);
  expect(receivedBy(core)).toEqual(["root report_waiting"]);

  const prompt = submitPrompt(core, ada, { title: "t", body: "b", model: "m", category: "c" });
  ratePrompt(core, bo, prompt.id, { stars: 1 });
  ratePrompt(core, bo, prompt.id, { stars: 2 });
  expect(receivedBy(core).slice(1)).toEqual(["ada prompt_rating by bo"]);
  deletePrompt(core, ada, prompt.id);

  sendMessage(core, bo, { to: "ada", text: "Hello" });
  sendMessage(core, bo, { to: "ada", text: "Are you there?" });
  sendMessage(core, ada, { to: "bo", text: "Yes" });
  expect(receivedBy(core).slice(1)).toEqual(["ada message by bo"]);

  createJobFilter(core, cy, { name: "mine", q: "lamp" });
  publishJob(core, ada, {
    title: "Lamp Lighter",
    company: { name: "Lamps", slug: "lamps" },
    location: "Berlin",
    remote: true,
    seniority: "mid",
    stack: ["rust"],
    salary: { min: 1, max: 2, currency: "EUR" },
    description: "Light lamps.",
    apply_url: "https://lamps.example.com/1",
  });
  addMembers(core, ada, createTools(core, ada), cy);
  expect(receivedBy(core).slice(2)).toEqual(["cy job_match", "ada access_added", "ada invitation by cy"]);
});

test("notifies members of new browsers only, and admins of new members and failed backups", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core } = world;
  await createSignedInMember(core, "root", { role: "admin" });
  const { device } = await signUp(core, HOME, { username: "ada", password: PASSWORD });
  await signIn(core, { ...signInOriginAt("203.0.113.9"), device }, { username: "ada", password: PASSWORD });
  expect(receivedBy(core)).toEqual(["root sign_in: Firefox on Linux", "root member_joined by ada"]);
  await signIn(core, signInOriginAt("198.51.100.7"), { username: "ada", password: PASSWORD });
  for (const minute of [0, 15]) await noteFailedBackup(core, { at: minute, reason: "the disk is full" });
  expect(receivedBy(core).slice(2)).toEqual([
    "ada sign_in: Firefox on Linux",
    "root backup_failed: the disk is full ×2",
  ]);
});
