// Each kind of notification is sent by its event, and withdrawn as its row in the table says
// (docs/contract.md#4.15).
import { expect, test } from "bun:test";
import { noteFailedBackup } from "../../src/core/services/backups/backups.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { hide, restore } from "../moderate.ts";
import { dismissReport, reopenReport, report } from "../../src/core/services/moderation/reports.ts";
import { appeal, decideAppeal } from "../../src/core/services/moderation/appeals.ts";
import { takeCase } from "../../src/core/services/moderation/cases.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { undoDecision } from "../../src/core/services/moderation/undo.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { likePost, unlikePost } from "../../src/core/community/feed/likes.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { followBuilder, unfollowBuilder } from "../../src/core/community/following/following.ts";
import { createJobFilter } from "../../src/core/community/jobs/job-filters.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { ratePrompt } from "../../src/core/community/prompts/ratings.ts";
import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { deleteWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { DAY } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signIn, signUp } from "../../src/core/identity/accounts/accounts.ts";
import { changeRole, createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { recordSignUp } from "../../src/core/identity/sign-ups/sign-ups.ts";
import {
  apply,
  declineApplication,
  listApplications,
} from "../../src/core/identity/applications/applications.ts";
import { noteBounce } from "../../src/core/identity/mail/bounces.ts";
import { removeMailAddress } from "../../src/core/identity/mail/mail.ts";
import { putMailAddress } from "../../src/core/identity/mail/mail-store.ts";
import type { Mail } from "../../src/core/identity/mail/queue.ts";
import {
  factsOf,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from "../../src/core/identity/notifications/kinds.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { switchAnyEndpoint } from "../../src/core/outbox/webhooks/admin.ts";
import { addServed } from "../../src/core/outbox/webhooks/served-time.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { deleteEndpoint, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { jobDraft } from "../spec/rows.ts";
import { createTestWorld, limitOf, type TestWorld } from "../support.ts";
import { completeDeletion, deleteAccountOf } from "./linked-community.ts";
import { signInOriginAt, callerOf, PASSWORD, createSignedInMember } from "./people.ts";
import { addMembers, createTools } from "./workspace-parts.ts";

/** Ada is the usual recipient, and Bo causes the notifications. Root owns the community. */
async function community({ core, clock }: TestWorld) {
  const [root, ada, bo] = [
    await createSignedInMember(core, "root", { role: "owner" }),
    await createSignedInMember(core, "ada"),
    await createSignedInMember(core, "bo"),
  ];
  const post = createPost(core, ada.caller, { text: "Shipped" });
  return { core, clock, root: root.caller, ada: ada.caller, bo: bo.caller, post };
}
type Community = Awaited<ReturnType<typeof community>>;

/** Sends a notification of the kind. Returns the operation that withdraws it, unless the kind is kept. */
type Situation = (there: Community) => Work | void | Promise<Work | void>;
type Work = () => unknown;

const reported = ({ core, bo, post }: Community) =>
  report(core, bo, { kind: "post", id: post.id }, { reason: "Advertisement" });
async function erase(core: Core, member: BuilderCaller): Promise<void> {
  await deleteAccountOf(core, member);
  completeDeletion(core);
}
const endpointOf = ({ core, ada }: Community): string =>
  registerEndpoint(core, ada, { url: "https://hooks.example.com/" as CheckedUrl, events: ["post.created"] })
    .id;
const newApplicant = ({ core }: Community) =>
  apply(core, signInOriginAt("198.51.100.1"), {
    username: "cy",
    password: PASSWORD,
    why: "I like it here.",
    language: "en",
  });

const SITUATIONS: Readonly<Record<NotificationKind, Situation>> = {
  reply({ core, bo, post }) {
    const { id } = replyTo(core, bo, post.id, { text: "Good" });
    return () => deletePost(core, bo, id);
  },
  mention({ core, bo }) {
    const { id } = createPost(core, bo, { text: "With @ada" });
    return () => editPost(core, bo, id, { text: "Alone" });
  },
  like({ core, bo, post }) {
    likePost(core, bo, post.id);
    return () => unlikePost(core, bo, post.id);
  },
  follow({ core, bo }) {
    followBuilder(core, bo, "ada");
    return () => unfollowBuilder(core, bo, "ada");
  },
  job_match({ core, ada, bo }) {
    createJobFilter(core, ada, { name: "mine", q: "engineer" });
    publishJob(core, bo, jobDraft());
    return () => erase(core, bo);
  },
  prompt_rating({ core, ada, bo }) {
    const { id } = submitPrompt(core, ada, { title: "t", body: "b", model: "m", category: "c" });
    ratePrompt(core, bo, id, { stars: 4 });
    return () => erase(core, bo);
  },
  message({ core, bo }) {
    sendMessage(core, bo, { to: "ada", text: "Hello" });
    return () => erase(core, bo);
  },
  level_up({ core, clock, bo }) {
    for (let day = 0; day < 20; day++) {
      for (let n = 0; n < 3; n++) createPost(core, bo, { text: `${day} ${n}` });
      clock.pass(DAY);
    }
  },
  badge({ core, bo }) {
    createPost(core, bo, { text: "My first" });
  },
  report_decided(there) {
    const { core, root } = there;
    const { id } = reported(there);
    dismissReport(core, root, id);
    return () => reopenReport(core, root, id);
  },
  decision({ core, root, post }) {
    hide(core, root, post.id, { reason: "Advertisement" });
    return () => restore(core, root, post.id);
  },
  endpoint_failing(there) {
    const { core, clock, ada, bo } = there;
    const id = endpointOf(there);
    const failed = {
      status: 503,
      durationMs: 1,
      failure: { code: "status", params: { status: 503 } },
    } as const;
    for (let day = 0; day < 2; day++) {
      createPost(core, bo, { text: "Hello" });
      core.db.transact(() => {
        const { claims } = claimDue(core, 100, "", limitOf(100));
        for (const claim of claims) settle(core, claim, failed, [0]);
        addServed(core, DAY);
      });
      clock.pass(DAY);
    }
    return () => deleteEndpoint(core, ada, id);
  },
  endpoint_disabled(there) {
    const { core, ada } = there;
    const id = endpointOf(there);
    switchAnyEndpoint(core, OPERATOR, id, false);
    return () => deleteEndpoint(core, ada, id);
  },
  async sign_in({ core }) {
    await signIn(core, signInOriginAt("198.51.100.7"), { username: "ada", password: PASSWORD });
  },
  access_added({ core, ada }) {
    createToken(core, ada, "ada", { name: "laptop", scopes: ["feed:read"], tier: "personal" });
  },
  mail_bounced({ core, ada }) {
    const address = "ada@home.example";
    core.db.transact(() => {
      putMailAddress(core, { builderId: ada.builderId, address });
      noteBounce(core, { kind: "notification", builderId: ada.builderId } as Mail, address);
    });
    return () => removeMailAddress(core, ada);
  },
  invitation({ core, ada, bo }) {
    const id = createTools(core, ada);
    addMembers(core, ada, id, bo);
    return () => deleteWorkspace(core, ada, id);
  },
  report_waiting(there) {
    const { id } = reported(there);
    return () => dismissReport(there.core, there.root, id);
  },
  async case_decided({ core, bo, post, root }) {
    const { caller: mo } = await createSignedInMember(core, "mo", { role: "moderator" });
    report(core, bo, { kind: "post", id: post.id }, { reason: "Advertisement" });
    takeCase(core, mo, post.id);
    const { id } = decide(core, root, post.id, { act: "hide", reason: "Advertisement" });
    return () => undoDecision(core, root, id);
  },
  appeal_waiting({ core, ada, post }) {
    const { id } = decide(core, OPERATOR, post.id, { act: "hide", reason: "Advertisement" });
    appeal(core, ada, id, { text: "A quotation" });
    return () => decideAppeal(core, OPERATOR, id, { outcome: "denied", answer: "No" });
  },
  appeal_decided({ core, ada, post }) {
    const { id } = decide(core, OPERATOR, post.id, { act: "hide", reason: "Advertisement" });
    appeal(core, ada, id, { text: "A quotation" });
    decideAppeal(core, OPERATOR, id, { outcome: "denied", answer: "No" });
  },
  async application_received(there) {
    const { core, root } = there;
    changeCommunitySettings(core, OPERATOR, { joining: "approval" });
    await newApplicant(there);
    const [{ id = "" } = {}] = listApplications(core, root, { limit: 1 }).nodes;
    return () => declineApplication(core, root, id);
  },
  async member_joined({ core }) {
    const { secret } = await signUp(core, signInOriginAt("198.51.100.1"), {
      username: "cy",
      password: PASSWORD,
    });
    return () => erase(core, callerOf(core, secret));
  },
  sign_up_wave({ core }) {
    for (let i = 0; i <= 60; i++) {
      const username = `newcomer-${i}`;
      const id = createBuilder(core, OPERATOR, { username, name: username, role: "member" });
      recordSignUp(core, id, `198.51.${i}.1`);
    }
  },
  owner_changed({ core, root, bo }) {
    changeRole(core, OPERATOR, "ada", "owner");
    changeRole(core, root, bo.username, "owner");
  },
  async backup_failed({ core, clock }) {
    await noteFailedBackup(core, { at: clock.now(), reason: "the disk is full" });
  },
};

const ENDS = {
  undone: "withdrawn when the fact is undone",
  removed: "withdrawn when its subject is removed",
  kept: "kept",
} as const;

function countOf(core: Core, kind: NotificationKind): number {
  return core.db.prepare("SELECT 1 FROM notifications WHERE kind = ?").all(kind).length;
}

for (const kind of NOTIFICATION_KINDS) {
  const { endsWhen } = factsOf(kind);
  test(`${kind} is sent, and ${ENDS[endsWhen]}`, async () => {
    using world = createTestWorld({ signup: "open" });
    const there = await community(world);
    const before = countOf(world.core, kind);
    const takeBack = await SITUATIONS[kind](there);
    expect(countOf(world.core, kind)).toBeGreaterThan(before);

    expect(takeBack !== undefined).toBe(endsWhen !== "kept");
    await takeBack?.();

    if (takeBack) expect(countOf(world.core, kind)).toBe(before);
  });
}
