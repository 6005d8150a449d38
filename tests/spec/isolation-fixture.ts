import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import type { Scope } from "../../src/core/identity/access/scopes.ts";
import { changeJob, publishJob } from "../../src/core/community/jobs/jobs.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { getCase } from "../../src/core/services/moderation/cases.ts";
import { appeal } from "../../src/core/services/moderation/appeals.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { report } from "../../src/core/services/moderation/reports.ts";
import { addMember, createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import {
  BUILDER_SCOPES,
  createMemberToken,
  type TestServer,
  asSession,
  createMember,
  openTestServer,
  type Snapshot,
  snapshot,
} from "../support.ts";
import { call } from "./client.ts";
import { addPrompts, jobDraft, publishPosts } from "./rows.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import { apply, listApplications } from "../../src/core/identity/applications/applications.ts";
import type { Core } from "../../src/core/base/core.ts";
import { signInOriginAt } from "../core/people.ts";

interface FixtureData {
  /** Ids for path parameters, by kind. */
  ids: Readonly<Record<string, string>>;
  /** Texts that may occur only in responses to their owner. */
  marks: string[];
}

type Workspace = FixtureData & { workspaceId: string };
type Person = FixtureData & { builderId: string };

/**
 * The community of the test. Ada and bo have their own workspaces and a shared one. Root is an admin and in
 * none of these workspaces. The public objects belong to cy. The callers can follow dee.
 */
export interface IsolationFixture {
  server: TestServer & AsyncDisposable;
  people: Record<"ada" | "bo", Person>;
  workspaces: Record<"ada" | "bo" | "shared", Workspace>;
  /** Public objects, all of cy's. */
  public: Readonly<Record<string, string>>;
  /** Objects that only admins can read. */
  adminOnly: Readonly<Record<string, string>>;
}

export type FixtureUser = "ada" | "bo" | "root";

export const tokenFor = (
  server: TestServer,
  username: string,
  scopes: readonly Scope[],
  workspaceId?: string,
): string =>
  createToken(server.core, OPERATOR, username, {
    name: "matrix",
    scopes: [...scopes],
    tier: "enterprise",
    ...(workspaceId === undefined ? {} : { workspaceId }),
  }).token;

let fixture: Promise<Omit<IsolationFixture, "server"> & { was: Snapshot }> | undefined;

/** Opens a fresh copy of the fixture community. */
export async function openIsolationFixture(): Promise<IsolationFixture> {
  const { was, ...town } = await (fixture ??= createFixture());
  return { ...town, server: openTestServer({ from: was }) };
}

async function createFixture() {
  await using server = openTestServer();
  const { core } = server;
  // The members report the same content, which stays visible.
  changeCommunitySettings(core, OPERATOR, { reportsToHide: 0 });
  const ada = createMember(core, "ada").caller;
  const bo = createMember(core, "bo").caller;
  const cy = createMember(core, "cy").caller;
  const dee = createMember(core, "dee").caller;
  createBuilder(core, OPERATOR, { username: "root", name: "Root", role: "admin" });
  const sharedId = createWorkspace(core, asSession(ada), "ada", { name: "Tools" });
  addMember(core, OPERATOR, sharedId, "bo");
  const [postId = ""] = publishPosts(server, cy, "Hello");
  const [promptId = ""] = addPrompts(server, cy, {});
  const { id: jobId } = publishJob(core, cy, jobDraft());
  const publicIds = {
    job: jobId,
    post: postId,
    prompt: promptId,
    username: "cy",
    followed: "dee",
    tag: "rust",
  };
  const workspaces = {
    ada: await addWorkspaceObjects(server, "ada", ada.workspaceId ?? ""),
    bo: await addWorkspaceObjects(server, "bo", bo.workspaceId ?? ""),
    shared: await addWorkspaceObjects(server, "ada", sharedId),
  };
  const people = {
    ada: await addMemberObjects(server, "ada", ada, publicIds),
    bo: await addMemberObjects(server, "bo", bo, publicIds),
  };
  const { id: rpt } = report(core, cy, { kind: "builder", id: cy.builderId ?? "" }, { reason: "Me." });
  const caseId = getCase(core, OPERATOR, cy.builderId ?? "").id ?? "";
  const { id: dec } = decide(core, OPERATOR, dee.builderId ?? "", { act: "warn", reason: "Mind the rules." });
  appeal(core, dee, dec, { text: "I did." });
  const { id: lnk } = makeInvite(core, OPERATOR);
  const apl = await addApplication(core);
  const adminOnly = { ...publicIds, rpt, dec, case: caseId, lnk, apl };
  return { people, workspaces, public: publicIds, adminOnly, was: snapshot(server) };
}

async function addApplication(core: Core): Promise<string> {
  changeCommunitySettings(core, OPERATOR, { joining: "approval" });
  await apply(core, signInOriginAt("198.51.100.7"), {
    username: "nia",
    password: "a long password",
    why: "Bees.",
    language: "en",
  });
  changeCommunitySettings(core, OPERATOR, { joining: null });
  return listApplications(core, OPERATOR, { limit: 1 }).nodes[0]?.id ?? "";
}

async function addWorkspaceObjects(
  server: TestServer,
  username: FixtureUser,
  workspaceId: string,
): Promise<Workspace> {
  const token = tokenFor(server, username, BUILDER_SCOPES, workspaceId);
  const mark = `mark-${workspaceId.slice(-8)}`;
  const body = { url: `https://${mark}.example.com/in`, events: ["job.matched", "dm.received"] };
  const { id } = (await call(server, token, "POST /webhooks", { body })).body;
  const deliveries = [];
  // Several deliveries, so that the list has a second page.
  for (let n = 0; n < 3; n++) deliveries.push((await call(server, token, `POST /webhooks/${id}/test`)).body);
  return {
    workspaceId,
    ids: { whe: id, dlv: deliveries[0].id, evt: deliveries[0].event_id },
    marks: [workspaceId, mark, id, ...deliveries.flatMap((delivery) => [delivery.id, delivery.event_id])],
  };
}

const STARS = { ada: 4, bo: 2 };
const MESSAGES_FROM = { ada: "contacts", bo: "nobody" };
const AWARD_NOTICES = {
  ada: { level_up: "off", badge: "push" },
  bo: { level_up: "push", badge: "off" },
};
const ZONES = { ada: "Pacific/Chatham", bo: "Asia/Kathmandu" };

/**
 * Creates two objects of each type for a builder. Also creates the builder's statements about public objects,
 * such as a like or a block.
 */
async function addMemberObjects(
  server: TestServer,
  username: "ada" | "bo",
  caller: Caller,
  publicIds: Readonly<Record<string, string>>,
): Promise<Person> {
  const { core } = server;
  const mark = `mark-${caller.builderId?.slice(-8)}`;
  const token = tokenFor(server, username, BUILDER_SCOPES);
  const ask = async (request: string, body?: unknown) => (await call(server, token, request, { body })).body;
  await ask("PATCH /profiles/me", { time_zone: ZONES[username] });
  const [post = "", secondPost = ""] = publishPosts(server, caller, "Mine", "Mine, too");
  const [prompt = ""] = addPrompts(server, caller, {});
  const company = { name: username, slug: username };
  const closed = publishJob(core, caller, jobDraft({ company }));
  changeJob(core, caller, closed.id, { open: false, title: mark });
  const job = publishJob(core, caller, jobDraft({ company })).id;
  const ids: string[] = [];
  const decisions: string[] = [];
  for (let n = 0; n < 2; n++) {
    const warning = { act: "warn", reason: `${mark}, mind the rules` } as const;
    decisions.push(decide(core, OPERATOR, caller.builderId ?? "", warning).id);
    await ask(`PUT /tags/${mark}-${n}/follow`);
    ids.push((await ask("POST /job-filters", { name: `${mark} ${n}` })).id);
    ids.push((await ask("POST /profiles/me/projects", { title: `${mark} ${n}` })).id);
    const foe = `foe-${n}-of-${mark}`;
    createMember(core, foe);
    await ask(`PUT /blocks/${foe}`);
    const friend = `friend-${n}-of-${mark}`;
    for (const { token: theirs } of [createMemberToken(core, "cy"), createMember(core, friend)]) {
      const sent = { to: username, text: `${mark}, you` };
      ids.push((await call(server, theirs, "POST /messages", { body: sent })).body.thread_id);
    }
    publishJob(core, OPERATOR, jobDraft());
    await ask(`PUT /profiles/${friend}/follow`);
    await ask(`PUT /feed/${[post, username === "ada" ? publicIds["post"] : secondPost][n]}/bookmark`);
  }
  // Bo's statements differ from ada's, so that the tests can distinguish the two members. Bo bookmarks only
  // his own post.
  if (username === "ada") await ask(`PUT /feed/${publicIds["post"]}/like`);
  await ask(`PUT /prompts/${publicIds["prompt"]}/rating`, { stars: STARS[username] });
  await ask(`PUT /blocks/${publicIds["username"]}`);
  for (const [kind, path] of [
    ["post", "feed"],
    ["job", "jobs"],
    ["prompt", "prompts"],
    ["username", "profiles"],
  ])
    await ask(`PUT /${path}/${publicIds[kind ?? ""]}/report`, { reason: mark });
  await ask("PUT /message-settings", { from: MESSAGES_FROM[username] });
  await ask("PATCH /notifications/settings", AWARD_NOTICES[username]);
  const ledger = (await ask("GET /profiles/me/xp")).data.map(({ id }: { id: string }) => id);
  const [flt = "", prj = "", thr = ""] = ids;
  const [dec = ""] = decisions;
  return {
    builderId: caller.builderId ?? "",
    ids: { flt, prj, thr, post, prompt, job, dec },
    marks: [
      mark,
      ZONES[username],
      `"stars":${STARS[username]}`,
      `"from":"${MESSAGES_FROM[username]}"`,
      JSON.stringify(AWARD_NOTICES[username]).slice(1, -1),
      ...ids,
      ...decisions,
      ...ledger,
    ],
  };
}
