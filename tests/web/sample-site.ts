import { appeal } from "../../src/core/services/moderation/appeals.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { renewFeedAddress } from "../../src/core/identity/feed-address/feed-address.ts";
import { report } from "../../src/core/services/moderation/reports.ts";
import { listNotifications } from "../../src/core/services/notifications/notifications.ts";
import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { registerSender } from "../../src/core/services/channels/outgoing.ts";
import { queueMail } from "../../src/core/identity/mail/queue.ts";
import { unsubscribeToken } from "../../src/core/identity/mail/mail.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import { makeRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { listSessions, sessionOf } from "../../src/core/identity/accounts/sessions.ts";
import { registerApp } from "../../src/core/delegation/apps/apps.ts";
import { sendTest } from "../../src/core/outbox/deliveries/delivery-log.ts";
import { claimDue, type Outcome, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { createJobFilter } from "../../src/core/community/jobs/job-filters.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { addProject } from "../../src/core/community/profiles/projects.ts";
import { insertPrompt } from "../../src/core/community/prompts/prompts-store.ts";
import { checkUrl, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { inviteMember, joinWorkspace } from "../../src/core/delegation/workspaces/invitations.ts";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import type { PageRoute } from "../../src/web/request/route.ts";
import { openSite, signedInAs, sessionCookie, type Site, type Visitor } from "./support.ts";
import { createActivity, SINGLE_SUBJECTS } from "./sample-activity.ts";
import { limitOf, type Snapshot, snapshot } from "../support.ts";
import { makeNotMeLink } from "../../src/core/identity/mail/not-me-links.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";

/** Whether only moderators or admins can open the page. */
export function isStaffPage({ access }: Pick<PageRoute, "access">): boolean {
  return access === "admin" || access === "moderator";
}

/** A site with one object of each type. All texts of members are `words`. */
export interface SampleContent {
  /** The builder who owns the objects, signed in. */
  ada: Visitor;
  caller: BuilderCaller;
  /** Returns the path of a page with ids of existing objects. */
  pathOf(route: Pick<PageRoute, "path">): string;
  /** Unused links, each for one page. */
  links: Record<"invite" | "recover" | "join", string>;
}

/** Returns the database of a sample site, as a start for several sites in a test file. */
export async function prepareSite(
  words?: string,
): Promise<{ from: Snapshot } & Pick<SampleContent, "pathOf">> {
  await using site = openSite({ signup: "open" });
  const { pathOf } = await addSampleContent(site, words);
  return { from: snapshot(site), pathOf };
}

export async function addSampleContent(site: Site, text = "Tidewater"): Promise<SampleContent> {
  const { core } = site;
  const write = <Result>(work: () => Result): Result => core.db.transact(work);
  for (const username of ["ada", "bob", "root"])
    createBuilder(core, OPERATOR, { username, name: "x", role: username === "root" ? "admin" : "member" });
  // New names cannot contain a link, but a name from an earlier version may. The update therefore bypasses
  // the check.
  write(() => core.db.prepare("UPDATE builders SET name = ?").run(text));
  const ada = signedInAs(site, "ada");
  const caller = callerOf(site, ada);
  const bob = callerOf(site, signedInAs(site, "bob"));
  // A second session, which a test can end.
  signedInAs(site, "ada");
  changeProfile(core, caller, { bio: text });
  const post = createPost(core, caller, { text, tags: ["rust"] });
  editPost(core, caller, post.id, { text: `${text.slice(0, 900)}\n\n${text.slice(0, 900)}` });
  const job = publishJob(core, caller, {
    title: text,
    company: { name: text, slug: "tidewater" },
    location: text,
    remote: true,
    seniority: "senior",
    stack: ["rust"],
    salary: { min: 1, max: 2, currency: "EUR" },
    description: text,
    apply_url: "https://jobs.example.com/1",
  });
  const createdAt = core.clock.now();
  const prompt = core.makeId("prompt", createdAt);
  write(() =>
    insertPrompt(core, {
      id: prompt,
      authorId: caller.builderId,
      title: text,
      body: text,
      model: text.slice(0, 50),
      category: text.slice(0, 50),
      ratingCount: 0,
      ratingSum: 0,
      score: 0,
      rank: 3,
      createdAt,
    }),
  );
  createToken(core, caller, "ada", { name: text, scopes: ["feed:read"], tier: "personal" });
  const token = core.db.prepare<{ id: string }>("SELECT id FROM tokens").get()?.id ?? "";
  const url = await checkUrl(core, caller, `https://hooks.example.com/${encodeURIComponent(text)}`);
  const endpoint = registerEndpoint(core, caller, { url, events: ["post.created"] });
  const delivery = sendTest(core, caller, endpoint.id);
  for (const claim of write(() => claimDue(core, 10, "", limitOf(10)).claims)) {
    const outcome: Outcome = {
      status: 500,
      durationMs: 1,
      failure: { code: "status", params: { status: 500 } },
      answer: text,
    };
    write(() => settle(core, claim, outcome, [0, 60_000]));
    // Attempts from versions without error codes have this form.
    core.db.prepare("UPDATE attempts SET error = ?, code = NULL").run(text);
  }
  const workspace = createWorkspace(core, caller, "ada", { name: text });
  joinWorkspace(core, bob, tokenIn(inviteMember(core, caller, workspace).url));
  const invitation = inviteMember(core, caller, workspace);
  const redirectUris = ["https://app.example.com/back"];
  const { app } = registerApp(core, caller, caller.workspaceId, {
    name: text.slice(0, 60),
    kind: "confidential",
    redirectUris,
    scopes: ["feed:read"],
  });
  const invite = makeInvite(core, OPERATOR);
  const recovery = makeRecovery(core, OPERATOR, "bob");
  const passkey = core.makeId("pky", createdAt);
  write(() =>
    core.db
      .prepare(
        "INSERT INTO passkeys (id, builder_id, credential, public_key, name, created_at) VALUES (?, ?, 'abc', x'00', ?, ?)",
      )
      .run(passkey, caller.builderId, text.slice(0, 100), createdAt),
  );
  const session = listSessions(core, caller).find(({ isCurrent }) => !isCurrent)?.id ?? "";

  const bobs = createPost(core, bob, { text });
  replyTo(core, bob, post.id, { text });
  const filter = createJobFilter(core, caller, { name: text, q: "rust" });
  const project = addProject(core, caller, { title: text });
  const { threadId } = sendMessage(core, bob, { to: "ada", text });

  renewFeedAddress(core, caller);
  const address = "ada@home.example";
  const notMe = write(() =>
    makeNotMeLink(core, { builderId: caller.builderId, address, what: "tokens", name: text }),
  );
  const confirmation = "c".repeat(43);
  const browser = core.makeId("psh", createdAt);
  write(() => {
    core.db
      .prepare(
        `INSERT INTO mail_addresses (builder_id, address, pending, pending_hash, pending_until)
         VALUES (?, 'ada@home.example', 'ada@new.example', ?, ?)`,
      )
      .run(caller.builderId, new Bun.CryptoHasher("sha256").update(confirmation).digest(), createdAt + DAY);
    core.db
      .prepare(
        `INSERT INTO push_subscriptions (id, builder_id, session_id, endpoint, p256dh, auth, created_at)
         VALUES (?, ?, ?, 'https://push.example.com/1', zeroblob(65), zeroblob(16), ?)`,
      )
      .run(browser, caller.builderId, caller.credentialId, createdAt);
  });
  const root = callerOf(site, signedInAs(site, "root"));
  const reason = text.slice(0, 500);
  const decision = decide(core, OPERATOR, post.id, { act: "warn", reason }).id;
  appeal(core, bob, decide(core, OPERATOR, bobs.id, { act: "warn", reason }).id, { text });
  await createActivity(
    site,
    { ada: caller, bob, root },
    {
      post: post.id,
      prompt,
      job: job.id,
      builder: caller.builderId,
      thread: threadId,
      endpoint: endpoint.id,
      decision,
      report: report(core, caller, { kind: "post", id: bobs.id }, { reason: text }).id,
      session,
      workspace,
      ...SINGLE_SUBJECTS,
    },
    text,
  );

  registerSender(core, () => ({
    mailServer: "submission.mail-of-a-long-name.example:587",
    attempts: [
      {
        way: "mail",
        kind: "digest",
        host: "submission.mail-of-a-long-name.example:587",
        outcome: "sent",
        count: 9,
      },
      {
        way: "push",
        kind: "push",
        host: "updates.push.services.mozilla.com",
        outcome: "later",
        count: 12345,
      },
    ],
  }));
  write(() => queueMail(core, { kind: "recovery", builderId: caller.builderId }));

  const notification = listNotifications(core, caller, {}, { limit: 1 }).nodes[0]?.id ?? "";

  // A new page with an id in its path needs an entry here.
  const ids: readonly (readonly [RegExp, string])[] = [
    [/^\/settings\/tokens\//, token],
    [/^\/settings\/webhooks\//, endpoint.id],
    [/^\/settings\/deliveries\//, delivery.id],
    [/^\/settings\/decisions\//, decision],
    [/^\/settings\/workspaces\//, workspace],
    [/^\/settings\/account\/sessions\//, session],
    [/^\/settings\/account\/passkeys\//, passkey],
    [/\/apps\//, app.id],
    [/^\/settings\/connected\//, app.id],
    [/\/invites\//, invite.id],
    [/^\/jobs\/filters\//, filter.id],
    [/^\/jobs\//, job.id],
    [/^\/settings\/profile\/projects\//, project.id],
    [/^\/settings\/browsers\//, browser],
    [/^\/messages\//, threadId],
    [/^\/notifications\//, notification],
    [/^\/report\//, bobs.id],
    [/^\/admin\/cases\//, bobs.id],
    [/^\/posts\//, post.id],
    [/^\/prompts\//, prompt],
  ];
  const query: Readonly<Record<string, string>> = {
    "/sign-up": new URL(invite.url).search,
    "/recover": new URL(recovery.url).search,
    "/mail/confirm": `?token=${confirmation}`,
    "/mail/not-me": `?token=${notMe}`,
    "/mail/unsubscribe": `?token=${unsubscribeToken(core, caller.builderId)}`,
    "/join": new URL(invitation.url).search,
    "/admin/bulk": `?act=suspend&id=${bob.builderId}`,
    "/admin/spam": "?username=bob",
    "/admin/log/undo": "?moderator=ada&since=2026-11-20T09:30",
    "/search": `?${new URLSearchParams({ q: text })}`,
  };
  return {
    ada,
    caller,
    links: { invite: pathIn(invite.url), recover: pathIn(recovery.url), join: pathIn(invitation.url) },
    pathOf({ path }) {
      const id = ids.find(([pattern]) => pattern.test(path))?.[1] ?? "nothing";
      const filled = path
        .replace(":link", invitation.id)
        .replace(":username", path === "/@:username" ? "ada" : "bob")
        .replace(/:\w+/g, id);
      return filled + (query[path] ?? "");
    },
  };
}

export function callerOf(site: Site, visitor: Visitor): BuilderCaller {
  const found = sessionOf(site.core, visitor.cookies.get(sessionCookie(site)) ?? "", visitor.address);
  if (!found) throw new Error("the visitor is not signed in");
  return found.caller;
}

export function tokenIn(url: string): string {
  return [...new URL(url).searchParams.values()][0] ?? "";
}

function pathIn(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
