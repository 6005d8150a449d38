import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import type { BuilderCaller } from "../../src/core/identity/access/caller.ts";
import { continueDeletion, deleteOwnAccount } from "../../src/core/services/deletion/deletion.ts";
import { registerApp } from "../../src/core/delegation/apps/apps.ts";
import type { Core } from "../../src/core/base/core.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { likePost } from "../../src/core/community/feed/likes.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { grantAccess } from "../../src/core/delegation/grants/grants.ts";
import { createJobFilter } from "../../src/core/community/jobs/job-filters.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { block } from "../../src/core/community/messages/blocks.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { report } from "../../src/core/services/moderation/reports.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { addProject } from "../../src/core/community/profiles/projects.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { ratePrompt } from "../../src/core/community/prompts/ratings.ts";
import { revisePrompt } from "../../src/core/community/prompts/versions.ts";
import { checkUrl, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { inviteMember, joinWorkspace } from "../../src/core/delegation/workspaces/invitations.ts";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { PASSWORD, createSignedInMember, tokenIn } from "./people.ts";

export const proof = { password: PASSWORD };
export const PAGE = { limit: 100 };

export function deleteAccountOf(core: Core, caller: BuilderCaller): Promise<void> {
  return deleteOwnAccount(core, caller, { username: caller.username, proof });
}

/** Runs the deletion to its end, as the server's loop does. Returns the number of batches. */
export function completeDeletion(core: Core): number {
  for (let batches = 0; ; batches++) if (!core.db.transact(() => continueDeletion(core))) return batches;
}

function job(company: { name: string; slug: string }) {
  return {
    title: "Weaver",
    company,
    location: "Berlin",
    remote: true,
    seniority: "senior" as const,
    stack: ["rust"],
    salary: { min: 1, max: 2, currency: "EUR" },
    description: "You weave.",
    apply_url: "https://jobs.example.com/1",
  };
}

/** A community in which ada has one row of every kind, and she and bob refer to each other. */
export async function createLinkedCommunity(core: Core) {
  // Creates the members one after another, because their ids must be in this order. In parallel, the member
  // with the fastest hash would come first.
  const ada = await createSignedInMember(core, "ada");
  const bob = await createSignedInMember(core, "bob");
  const root = await createSignedInMember(core, "root", { role: "admin" });
  const { id: project } = addProject(core, ada.caller, { title: "zebra" });
  changeProfile(core, ada.caller, {
    ...{ name: "Ada Zebra", bio: "zebra", time_zone: "Europe/Berlin" },
    ...{ place: "Zebra", links: ["https://zebra.example.com"], pinned_project: project },
  });
  const bobs = createPost(core, bob.caller, { text: "Bob's own", tags: ["rust"] });
  const adas = createPost(core, ada.caller, { text: "zebra", tags: ["rust"] });
  const reply = replyTo(core, ada.caller, bobs.id, { text: "zebra" });
  replyTo(core, bob.caller, adas.id, { text: "Under hers" });
  likePost(core, ada.caller, bobs.id);
  likePost(core, bob.caller, adas.id);
  likePost(core, bob.caller, reply.id);
  const draft = { title: "Review", body: "Read it.", model: "gpt-5", category: "coding" };
  const prompt = submitPrompt(core, bob.caller, draft);
  ratePrompt(core, ada.caller, prompt.id, { stars: 5 });
  revisePrompt(core, bob.caller, prompt.id, { body: "Read it twice.", note: "Twice." });
  ratePrompt(core, ada.caller, prompt.id, { stars: 4 });
  ratePrompt(core, root.caller, prompt.id, { stars: 1 });
  const hers = submitPrompt(core, ada.caller, { ...draft, title: "zebra" });
  ratePrompt(core, bob.caller, hers.id, { stars: 5 });
  createJobFilter(core, bob.caller, { name: "rust", stack: ["rust"] });
  createJobFilter(core, ada.caller, { name: "zebra", stack: ["rust"] });
  const own = publishJob(core, ada.caller, job({ name: "Zebra", slug: "zebra" }));
  publishJob(core, bob.caller, job({ name: "Bob and Co", slug: "bob-co" }));
  const tools = createWorkspace(core, bob.caller, "bob", { name: "Tools" });
  joinWorkspace(core, ada.caller, tokenIn(inviteMember(core, bob.caller, tools).url));
  const inTools = { ...ada.caller, workspaceId: tools };
  publishJob(core, { ...bob.caller, workspaceId: tools }, job({ name: "Tools", slug: "tools" }));
  const shared = publishJob(core, inTools, job({ name: "Tools", slug: "tools" }));
  sendMessage(core, ada.caller, { to: "bob", text: "zebra" });
  sendMessage(core, bob.caller, { to: "ada", text: "To ada" });
  block(core, root.caller, "ada");
  block(core, ada.caller, "root");
  report(core, ada.caller, { kind: "post", id: bobs.id }, { reason: "zebra" });
  report(core, bob.caller, { kind: "post", id: adas.id }, { reason: "No zebras." });
  const { token } = createToken(core, ada.caller, "ada", {
    name: "zebra",
    scopes: ["feed:read"],
    tier: "personal",
  });
  const url = await checkUrl(core, ada.caller, "https://hooks.example.com/zebra");
  registerEndpoint(core, ada.caller, { url, events: ["dm.received", "post.created"] });
  const registration = {
    kind: "public" as const,
    redirectUris: ["https://app.example.com/back"],
    scopes: ["feed:read"],
  };
  const { workspaceId } = ada.caller;
  const { app } = registerApp(core, ada.caller, workspaceId, { ...registration, name: "Zebra" });
  const { app: kept } = registerApp(core, inTools, tools, { ...registration, name: "Loom" });
  for (const { caller } of [ada, bob])
    grantAccess(core, caller, { appId: app.id, scopes: ["feed:read"], workspaceId: caller.workspaceId });
  const ids = { app: app.id, kept: kept.id, bobs: bobs.id, prompt: prompt.id, own: own.id, tools };
  return { ada, bob, root, token, ids, shared: shared.id };
}

export function dumpRows({ db }: Core): string[] {
  return db
    .prepare<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .filter(({ name }) => !name.startsWith("sqlite_") && !/_(?:data|idx|docsize|config)$/.test(name))
    .flatMap(({ name }) =>
      (db.prepare(`SELECT * FROM "${name}"`).all() as object[]).map(
        (row) => `${name} ${JSON.stringify(row)}`,
      ),
    );
}
