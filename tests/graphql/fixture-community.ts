import { signInOriginAt } from "../core/people.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { listDeliveries } from "../../src/core/outbox/deliveries/delivery-log.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { bookmarkPost } from "../../src/core/community/feed/bookmarks.ts";
import { followBuilder, followTag } from "../../src/core/community/following/following.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { createJobFilter } from "../../src/core/community/jobs/job-filters.ts";
import { getJob, publishJob } from "../../src/core/community/jobs/jobs.ts";
import { block } from "../../src/core/community/messages/blocks.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { listNotifications } from "../../src/core/services/notifications/notifications.ts";
import { hide, suspendBuilder } from "../moderate.ts";
import { appeal } from "../../src/core/services/moderation/appeals.ts";
import { decide, listDecisions } from "../../src/core/services/moderation/decisions.ts";
import { dismissReport, report } from "../../src/core/services/moderation/reports.ts";
import { addProject } from "../../src/core/community/profiles/projects.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { ratePrompt } from "../../src/core/community/prompts/ratings.ts";
import { revisePrompt } from "../../src/core/community/prompts/versions.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { jobDraft } from "../spec/rows.ts";
import {
  createMemberToken,
  type TestServer,
  createMember,
  openTestServer,
  limitOf,
  type Snapshot,
  snapshot,
} from "../support.ts";
import { media as mediaTable } from "../../src/core/base/db/schema-media.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import { apply, listApplications } from "../../src/core/identity/applications/applications.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";

export type FixtureCommunity = Awaited<ReturnType<typeof fillCommunity>>;

/** Returns an id of every type of node in the fixture community. */
export function idsOf({ ids, extra }: FixtureCommunity): string[] {
  return [...Object.values(ids), ...extra];
}

let fixture: Promise<{ community: FixtureCommunity; was: Snapshot }> | undefined;

/** Opens a fresh copy of the fixture community. */
export async function openFixtureCommunity(): Promise<
  { server: TestServer & AsyncDisposable; community: FixtureCommunity } & AsyncDisposable
> {
  const { community, was } = await (fixture ??= createFixture());
  const server = openTestServer({ from: was });
  return { server, community, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function createFixture() {
  await using server = openTestServer();
  const community = await fillCommunity(server);
  return { community, was: snapshot(server) };
}

/**
 * Fills a community with at least two objects in every list and with every state. The ids are the same each
 * time.
 */
export async function fillCommunity(server: TestServer) {
  const { core, clock } = server;
  createBuilder(core, OPERATOR, { username: "ada", name: "Ada", role: "admin" });
  const ada = createMemberToken(core, "ada", SCOPE_NAMES);
  const bo = createMember(core, "bo");
  const cy = createMember(core, "cy");
  for (const username of ["dan", "eve", "mallory"]) createMember(core, username);
  const afterMinute = <Result>(make: () => Result): Result => {
    clock.pass(MINUTE);
    return make();
  };
  const endpoint = (path: string) =>
    afterMinute(() =>
      registerEndpoint(core, ada.caller, {
        url: `https://hooks.example.com/${path}` as CheckedUrl,
        events: ["post.created", "job.published"],
      }),
    );
  const endpoints = [endpoint("one"), endpoint("two")].map(({ id }) => id);
  const posts = ["first", "second #rust", "third"].map((text) =>
    afterMinute(() => createPost(core, ada.caller, { text, tags: ["rust"] })),
  );
  const [post] = posts.map(({ id }) => id);
  const theirs = afterMinute(() => createPost(core, bo.caller, { text: "bo's", tags: ["zig"] })).id;
  const hidden = afterMinute(() => createPost(core, bo.caller, { text: "spam" })).id;
  const replies = ["yes", "no", "maybe"].map(
    (text) => afterMinute(() => replyTo(core, bo.caller, post ?? "", { text })).id,
  );
  const filters = ["rust", "postgres"].map(
    (stack) => afterMinute(() => createJobFilter(core, ada.caller, { name: stack, stack: [stack] })).id,
  );
  const boJobs = ["Rust engineer", "Engineer of rust and trust"].map(
    (title) => afterMinute(() => publishJob(core, bo.caller, jobDraft({ title }))).id,
  );
  const sent = { hash: "0123456789".repeat(4), width: 640, height: 480, bytes: 4096, alt: "A loaf" };
  const media = core.makeId("med", clock.now());
  const { builderId } = ada.caller;
  afterMinute(() =>
    core.db.insert(mediaTable, { ...sent, id: media, builderId: builderId ?? "", createdAt: clock.now() }),
  );
  const company = { name: "Ada's", slug: "adas" };
  const jobs = ["Baker", "Compiler engineer"].map(
    (title) =>
      afterMinute(() => publishJob(core, ada.caller, jobDraft({ title, company, stack: ["bread"] }))).id,
  );
  const draft = (title: string) => ({ title, body: "You are …", model: "claude-sonnet", category: "code" });
  const prompts = ["one", "two"].map(
    (title) => afterMinute(() => submitPrompt(core, ada.caller, draft(title))).id,
  );
  const prompt = prompts[0] ?? "";
  afterMinute(() => revisePrompt(core, ada.caller, prompt, { body: "You are very …", note: "Very." }));
  afterMinute(() => ratePrompt(core, bo.caller, prompt, { stars: 4 }));
  const theirPrompt = afterMinute(() => submitPrompt(core, bo.caller, draft("three"))).id;
  const projects = ["tinyqueue", "bigqueue"].map(
    (title) =>
      afterMinute(() => addProject(core, ada.caller, { title, url: `https://${title}.example.com` })).id,
  );
  const messages = [bo, cy, bo].map(({ caller }) =>
    afterMinute(() => sendMessage(core, caller, { to: "ada", text: "hello" })),
  );
  for (const name of ["dan", "eve"]) afterMinute(() => block(core, ada.caller, name));
  for (const name of ["cy", "bo"]) afterMinute(() => followBuilder(core, ada.caller, name));
  for (const tag of ["zig", "rust"]) afterMinute(() => followTag(core, ada.caller, tag));
  for (const id of [theirs, replies[0] ?? ""]) afterMinute(() => bookmarkPost(core, ada.caller, id));
  const reports = [bo, cy].map(
    ({ caller }, i) =>
      afterMinute(() => report(core, caller, { kind: "post", id: posts[i]?.id ?? "" }, { reason: "Boring." }))
        .id,
  );
  afterMinute(() => editPost(core, ada.caller, post ?? "", { text: "first, mended" }));
  const dismissed = afterMinute(() =>
    report(core, bo.caller, { kind: "job", id: jobs[0] ?? "" }, { reason: "No bread." }),
  ).id;
  afterMinute(() => dismissReport(core, ada.caller, dismissed));
  afterMinute(() => hide(core, ada.caller, hidden));
  const ownHidden = ["oops", "oops again"].map((text) =>
    afterMinute(() => createPost(core, ada.caller, { text })),
  );
  for (const { id } of ownHidden) afterMinute(() => hide(core, ada.caller, id));
  afterMinute(() => suspendBuilder(core, ada.caller, "mallory"));
  const [ownDecision, appealed, alsoAppealed] = [ada, bo, cy].map(
    ({ caller }) =>
      afterMinute(() =>
        decide(core, OPERATOR, caller.builderId ?? "", { act: "warn", reason: "Mind the rules." }),
      ).id,
  );
  afterMinute(() => appeal(core, bo.caller, appealed ?? "", { text: "I did." }));
  afterMinute(() => appeal(core, cy.caller, alsoAppealed ?? "", { text: "I did, too." }));
  // One delivery of the first endpoint fails once, which creates an attempt.
  const [claim] = core.db.transact(() => claimDue(core, 1, "", limitOf(1)).claims);
  if (!claim) throw new Error("nothing was due");
  const outcome = {
    durationMs: 41,
    status: 503,
    failure: { code: "status" as const, params: { status: 503 } },
    answer: "no",
  };
  core.db.transact(() => settle(core, claim, outcome, [0, 30_000]));
  const deliveries = endpoints.map((id) => listDeliveries(core, ada.caller, id, {}, { limit: 100 }).nodes);
  const invitation =
    ["Meetup", "Fair"].map((label) => makeInvite(core, OPERATOR, { label, uses: 2 }).id)[0] ?? "";
  changeCommunitySettings(core, OPERATOR, { joining: "approval" });
  for (const username of ["nia", "nell"])
    await apply(core, signInOriginAt("198.51.100.7"), {
      username,
      name: username,
      password: "a long password",
      why: "Bees.",
      language: "en",
    });
  changeCommunitySettings(core, OPERATOR, { joining: null });
  const page = { limit: 1 };
  const application = listApplications(core, OPERATOR, page).nodes[0]?.id ?? "";
  return {
    ada,
    media,
    bo,
    cy,
    ids: {
      post: post ?? "",
      theirs,
      hidden,
      reply: replies[0] ?? "",
      job: boJobs[0] ?? "",
      ownJob: jobs[0] ?? "",
      filter: filters[0] ?? "",
      prompt,
      theirPrompt,
      project: projects[0] ?? "",
      thread: messages[0]?.threadId ?? "",
      message: messages[0]?.id ?? "",
      report: reports[0] ?? "",
      notification: listNotifications(core, ada.caller, {}, { limit: 1 }).nodes[0]?.id ?? "",
      dismissed,
      decision: listDecisions(core, ada.caller, { subject: hidden }, { limit: 1 }).nodes[0]?.id ?? "",
      ownDecision: ownDecision ?? "",
      appealed: appealed ?? "",
      endpoint: endpoints[0] ?? "",
      delivery: claim.deliveryId,
      waiting: deliveries[1]?.[0]?.id ?? "",
    },
    /** Ids of related objects. */
    extra: [ada.caller.builderId ?? "", getJob(core, bo.caller, boJobs[0] ?? "").companyId],
    invitation,
    application,
  };
}
