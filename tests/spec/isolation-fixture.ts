import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import type { Scope } from "../../src/core/identity/access/scopes.ts";
import { changeJob, publishJob } from "../../src/core/community/jobs/jobs.ts";
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

interface FixtureData {
  /** Ids for path parameters, by kind. */
  ids: Readonly<Record<string, string>>;
  /** Texts that only their owner's responses contain. */
  marks: string[];
}

type Workspace = FixtureData & { workspaceId: string };
type Person = FixtureData & { builderId: string };

/**
 * Two builders with their own workspaces and a shared one, an admin in none of them, cy, whose objects are
 * public, and dee.
 */
export interface IsolationFixture {
  house: TestServer & AsyncDisposable;
  people: Record<"ada" | "bo", Person>;
  workspaces: Record<"ada" | "bo" | "shared", Workspace>;
  /** Public objects, all of cy's. */
  public: Readonly<Record<string, string>>;
  /** Objects that only admins can read. */
  adminOnly: Readonly<Record<string, string>>;
}

export type FixtureUser = "ada" | "bo" | "root";

export const tokenFor = (
  house: TestServer,
  who: string,
  scopes: readonly Scope[],
  workspaceId?: string,
): string =>
  createToken(house.core, OPERATOR, who, {
    name: "matrix",
    scopes: [...scopes],
    tier: "enterprise",
    ...(workspaceId === undefined ? {} : { workspaceId }),
  }).token;

let fixture: Promise<Omit<IsolationFixture, "house"> & { was: Snapshot }> | undefined;

/** Opens a fresh copy of the fixture community. */
export async function openIsolationFixture(): Promise<IsolationFixture> {
  const { was, ...town } = await (fixture ??= createFixture());
  return { ...town, house: openTestServer({ from: was }) };
}

async function createFixture() {
  await using house = openTestServer();
  const { core } = house;
  const ada = createMember(core, "ada").caller;
  const bo = createMember(core, "bo").caller;
  const cy = createMember(core, "cy").caller;
  createMember(core, "dee");
  createBuilder(core, OPERATOR, { username: "root", name: "Root", role: "admin" });
  const sharedId = createWorkspace(core, asSession(ada), "ada", { name: "Tools" });
  addMember(core, OPERATOR, sharedId, "bo");
  const [postId = ""] = publishPosts(house, cy, "Hello");
  const [promptId = ""] = addPrompts(house, cy, {});
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
    ada: await addWorkspaceObjects(house, "ada", ada.workspaceId ?? ""),
    bo: await addWorkspaceObjects(house, "bo", bo.workspaceId ?? ""),
    shared: await addWorkspaceObjects(house, "ada", sharedId),
  };
  const people = {
    ada: await addMemberObjects(house, "ada", ada, publicIds),
    bo: await addMemberObjects(house, "bo", bo, publicIds),
  };
  const { id: rpt } = report(core, cy, { kind: "builder", id: cy.builderId ?? "" }, { reason: "Me." });
  return { people, workspaces, public: publicIds, adminOnly: { ...publicIds, rpt }, was: snapshot(house) };
}

async function addWorkspaceObjects(
  house: TestServer,
  who: FixtureUser,
  workspaceId: string,
): Promise<Workspace> {
  const token = tokenFor(house, who, BUILDER_SCOPES, workspaceId);
  const mark = `mark-${workspaceId.slice(-8)}`;
  const body = { url: `https://${mark}.example.com/in`, events: ["job.matched", "dm.received"] };
  const { id } = (await call(house, token, "POST /webhooks", { body })).body;
  const deliveries = [];
  // Several deliveries, so that the list has a second page.
  for (let n = 0; n < 3; n++) deliveries.push((await call(house, token, `POST /webhooks/${id}/test`)).body);
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

/** Gives a builder two objects of each type, and a statement about each public object. */
async function addMemberObjects(
  house: TestServer,
  who: "ada" | "bo",
  caller: Caller,
  publicIds: Readonly<Record<string, string>>,
): Promise<Person> {
  const { core } = house;
  const mark = `mark-${caller.builderId?.slice(-8)}`;
  const token = tokenFor(house, who, BUILDER_SCOPES);
  const ask = async (request: string, body?: unknown) => (await call(house, token, request, { body })).body;
  await ask("PATCH /profiles/me", { time_zone: ZONES[who] });
  const [post = "", secondPost = ""] = publishPosts(house, caller, "Mine", "Mine, too");
  const [prompt = ""] = addPrompts(house, caller, {});
  const company = { name: who, slug: who };
  const closed = publishJob(core, caller, jobDraft({ company }));
  changeJob(core, caller, closed.id, { open: false, title: mark });
  const job = publishJob(core, caller, jobDraft({ company })).id;
  const ids: string[] = [];
  for (let n = 0; n < 2; n++) {
    await ask(`PUT /tags/${mark}-${n}/follow`);
    ids.push((await ask("POST /job-filters", { name: `${mark} ${n}` })).id);
    ids.push((await ask("POST /profiles/me/projects", { title: `${mark} ${n}` })).id);
    const foe = `foe-${n}-of-${mark}`;
    createMember(core, foe);
    await ask(`PUT /blocks/${foe}`);
    const friend = `friend-${n}-of-${mark}`;
    for (const { token: theirs } of [createMemberToken(core, "cy"), createMember(core, friend)]) {
      const sent = { to: who, text: `${mark}, you` };
      ids.push((await call(house, theirs, "POST /messages", { body: sent })).body.thread_id);
    }
    publishJob(core, OPERATOR, jobDraft());
    await ask(`PUT /profiles/${friend}/follow`);
    await ask(`PUT /feed/${[post, who === "ada" ? publicIds["post"] : secondPost][n]}/bookmark`);
  }
  // Bo's statements differ from ada's, so that the tests can tell them apart. Bo bookmarks only his own post.
  if (who === "ada") await ask(`PUT /feed/${publicIds["post"]}/like`);
  await ask(`PUT /prompts/${publicIds["prompt"]}/rating`, { stars: STARS[who] });
  await ask(`PUT /blocks/${publicIds["username"]}`);
  for (const [kind, path] of [
    ["post", "feed"],
    ["job", "jobs"],
    ["prompt", "prompts"],
    ["username", "profiles"],
  ])
    await ask(`PUT /${path}/${publicIds[kind ?? ""]}/report`, { reason: mark });
  await ask("PUT /message-settings", { from: MESSAGES_FROM[who] });
  await ask("PATCH /notifications/settings", AWARD_NOTICES[who]);
  const ledger = (await ask("GET /profiles/me/xp")).data.map(({ id }: { id: string }) => id);
  const [flt = "", prj = "", thr = ""] = ids;
  return {
    builderId: caller.builderId ?? "",
    ids: { flt, prj, thr, post, prompt, job },
    marks: [
      mark,
      ZONES[who],
      `"stars":${STARS[who]}`,
      `"from":"${MESSAGES_FROM[who]}"`,
      JSON.stringify(AWARD_NOTICES[who]).slice(1, -1),
      ...ids,
      ...ledger,
    ],
  };
}
