import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import type { Scope } from "../../src/core/identity/access/scopes.ts";
import { changeJob, publishJob } from "../../src/core/community/jobs/jobs.ts";
import { report } from "../../src/core/services/moderation/reports.ts";
import { addMember, createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import {
  BUILDER_SCOPES,
  enrol,
  type House,
  inPerson,
  moveIn,
  openHouse,
  type Snapshot,
  snapshot,
} from "../support.ts";
import { call } from "./client.ts";
import { addPrompts, jobDraft, publish } from "./rows.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";

interface Belongings {
  /** Ids for path parameters, by kind. */
  things: Readonly<Record<string, string>>;
  /** Texts that only their owner's responses contain. */
  marks: string[];
}

type Workspace = Belongings & { workspaceId: string };
type Person = Belongings & { builderId: string };

/**
 * Two builders with their own workspaces and a shared one, an admin in none of them, cy, whose objects are
 * public, and dee.
 */
export interface Town {
  house: House & AsyncDisposable;
  people: Record<"ada" | "bo", Person>;
  workspaces: Record<"ada" | "bo" | "shared", Workspace>;
  /** Public objects, all of cy's. */
  public: Readonly<Record<string, string>>;
  /** Objects that only admins can read. */
  queue: Readonly<Record<string, string>>;
}

export type Who = "ada" | "bo" | "root";

export const tokenFor = (house: House, who: string, scopes: readonly Scope[], workspaceId?: string): string =>
  createToken(house.core, OPERATOR, who, {
    name: "matrix",
    scopes: [...scopes],
    tier: "enterprise",
    ...(workspaceId === undefined ? {} : { workspaceId }),
  }).token;

let settled: Promise<Omit<Town, "house"> & { was: Snapshot }> | undefined;

/** Opens a fresh copy of the fixture community. */
export async function settle(): Promise<Town> {
  const { was, ...town } = await (settled ??= settleOnce());
  return { ...town, house: openHouse({ from: was }) };
}

async function settleOnce() {
  await using house = openHouse();
  const { core } = house;
  const ada = moveIn(core, "ada").caller;
  const bo = moveIn(core, "bo").caller;
  const cy = moveIn(core, "cy").caller;
  moveIn(core, "dee");
  createBuilder(core, OPERATOR, { username: "root", name: "Root", role: "admin" });
  const sharedId = createWorkspace(core, inPerson(ada), "ada", { name: "Tools" });
  addMember(core, OPERATOR, sharedId, "bo");
  const [postId = ""] = publish(house, cy, "Hello");
  const [promptId = ""] = addPrompts(house, cy, {});
  const { id: jobId } = publishJob(core, cy, jobDraft());
  const town = { job: jobId, post: postId, prompt: promptId, username: "cy", followed: "dee", tag: "rust" };
  const workspaces = {
    ada: await furnish(house, "ada", ada.workspaceId ?? ""),
    bo: await furnish(house, "bo", bo.workspaceId ?? ""),
    shared: await furnish(house, "ada", sharedId),
  };
  const people = { ada: await endow(house, "ada", ada, town), bo: await endow(house, "bo", bo, town) };
  const { id: rpt } = report(core, cy, { kind: "builder", id: cy.builderId ?? "" }, { reason: "Me." });
  return { people, workspaces, public: town, queue: { ...town, rpt }, was: snapshot(house) };
}

async function furnish(house: House, who: Who, workspaceId: string): Promise<Workspace> {
  const token = tokenFor(house, who, BUILDER_SCOPES, workspaceId);
  const word = `mark-${workspaceId.slice(-8)}`;
  const body = { url: `https://${word}.example.com/in`, events: ["job.matched", "dm.received"] };
  const { id } = (await call(house, token, "POST /webhooks", { body })).body;
  const deliveries = [];
  // Several deliveries, so that the list has a second page.
  for (let n = 0; n < 3; n++) deliveries.push((await call(house, token, `POST /webhooks/${id}/test`)).body);
  return {
    workspaceId,
    things: { whe: id, dlv: deliveries[0].id, evt: deliveries[0].event_id },
    marks: [workspaceId, word, id, ...deliveries.flatMap((delivery) => [delivery.id, delivery.event_id])],
  };
}

const STARS = { ada: 4, bo: 2 };
const RECEPTIONS = { ada: "contacts", bo: "nobody" };
const HONOURS = {
  ada: { level_up: "off", badge: "push" },
  bo: { level_up: "push", badge: "off" },
};
const ZONES = { ada: "Pacific/Chatham", bo: "Asia/Kathmandu" };

/** Gives a builder two objects of each type, and a statement about each public object. */
async function endow(
  house: House,
  who: "ada" | "bo",
  caller: Caller,
  named: Readonly<Record<string, string>>,
): Promise<Person> {
  const { core } = house;
  const word = `mark-${caller.builderId?.slice(-8)}`;
  const token = tokenFor(house, who, BUILDER_SCOPES);
  const ask = async (request: string, body?: unknown) => (await call(house, token, request, { body })).body;
  await ask("PATCH /profiles/me", { time_zone: ZONES[who] });
  const [post = "", secondPost = ""] = publish(house, caller, "Mine", "Mine, too");
  const [prompt = ""] = addPrompts(house, caller, {});
  const company = { name: who, slug: who };
  const closed = publishJob(core, caller, jobDraft({ company }));
  changeJob(core, caller, closed.id, { open: false, title: word });
  const job = publishJob(core, caller, jobDraft({ company })).id;
  const made: string[] = [];
  for (let n = 0; n < 2; n++) {
    await ask(`PUT /tags/${word}-${n}/follow`);
    made.push((await ask("POST /job-filters", { name: `${word} ${n}` })).id);
    made.push((await ask("POST /profiles/me/projects", { title: `${word} ${n}` })).id);
    const foe = `foe-${n}-of-${word}`;
    moveIn(core, foe);
    await ask(`PUT /blocks/${foe}`);
    const friend = `friend-${n}-of-${word}`;
    for (const { token: theirs } of [enrol(core, "cy"), moveIn(core, friend)]) {
      const sent = { to: who, text: `${word}, you` };
      made.push((await call(house, theirs, "POST /messages", { body: sent })).body.thread_id);
    }
    publishJob(core, OPERATOR, jobDraft());
    await ask(`PUT /profiles/${friend}/follow`);
    await ask(`PUT /feed/${[post, who === "ada" ? named["post"] : secondPost][n]}/bookmark`);
  }
  // Bo's statements differ from ada's, so that the tests can tell them apart. Bo bookmarks only his own post.
  if (who === "ada") await ask(`PUT /feed/${named["post"]}/like`);
  await ask(`PUT /prompts/${named["prompt"]}/rating`, { stars: STARS[who] });
  await ask(`PUT /blocks/${named["username"]}`);
  for (const [kind, path] of [
    ["post", "feed"],
    ["job", "jobs"],
    ["prompt", "prompts"],
    ["username", "profiles"],
  ])
    await ask(`PUT /${path}/${named[kind ?? ""]}/report`, { reason: word });
  await ask("PUT /message-settings", { from: RECEPTIONS[who] });
  await ask("PATCH /notifications/settings", HONOURS[who]);
  const ledger = (await ask("GET /profiles/me/xp")).data.map(({ id }: { id: string }) => id);
  const [flt = "", prj = "", thr = ""] = made;
  return {
    builderId: caller.builderId ?? "",
    things: { flt, prj, thr, post, prompt, job },
    marks: [
      word,
      ZONES[who],
      `"stars":${STARS[who]}`,
      `"from":"${RECEPTIONS[who]}"`,
      JSON.stringify(HONOURS[who]).slice(1, -1),
      ...made,
      ...ledger,
    ],
  };
}
