// docs/contract.md#12.39: nobody but the author and moderators sees content that waits for approval.
import { expect, test } from "bun:test";
import { MINUTE } from "../../src/core/base/clock.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { followBuilder } from "../../src/core/community/following/following.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { PAGES } from "../../src/web/pages/index.ts";
import { ROUTES } from "../routes.ts";
import { jobDraft } from "../spec/rows.ts";
import { BUILDER_SCOPES, createMemberToken } from "../support.ts";
import { addSampleContent, callerOf } from "./sample-site.ts";
import { openSite, PASSWORD, signedInAs, type Site, type Visitor, visit } from "./support.ts";

/** Occurs in all held content. Searches use another word of the content, because pages repeat the query. */
const MARKER = "Quagmire";
const TEXT = `${MARKER} zebrafish @bob https://spam.example/`;

interface Held {
  post: string;
  reply: string;
  job: string;
  prompt: string;
}

/** Signs up a newcomer with one held object of each kind. */
async function openHeld() {
  const site = openSite({ signup: "open" });
  const { core } = site;
  const { pathOf, caller: ada } = await addSampleContent(site);
  const from = { address: "203.0.113.7", agent: "" };
  await signUp(core, from, { username: "nia", password: PASSWORD });
  const author = signedInAs(site, "nia");
  const nia = callerOf(site, author);
  const bob = signedInAs(site, "bob");
  followBuilder(core, callerOf(site, bob), "nia");
  const root = createPost(core, ada, { text: "Who is there?" }).id;
  const prompt = { title: MARKER, body: TEXT, model: "m", category: "c" };
  const held: Held = {
    post: createPost(core, nia, { text: TEXT, tags: ["rust"] }).id,
    reply: replyTo(core, nia, root, { text: TEXT }).id,
    job: publishJob(core, nia, { ...jobDraft({ title: MARKER }), description: TEXT }).id,
    prompt: submitPrompt(core, nia, prompt).id,
  };
  const paths = [
    ...PAGES.filter(({ method }) => method === "GET").map(pathOf),
    ...[
      "/",
      "/?following=true",
      "/?tag=rust",
      "/feed.atom",
      "/jobs/feed.atom",
      "/sitemap.xml",
      "/@nia",
      "/archive",
    ],
    ...["/search?q=zebrafish", "/jobs?q=zebrafish", `/posts/${root}`, `/posts/${held.post}`],
    ...[`/posts/${held.reply}`, `/posts/${held.post}/revisions`, `/jobs/${held.job}`],
    ...[`/prompts/${held.prompt}`, `/prompts/${held.prompt}.md`, "/jobs/mine", "/notifications", "/report/"],
  ];
  return { site, held, root, author, bob, paths };
}

/** Returns the pages that show held content. */
async function pagesWith(site: Site, visitor: Visitor, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    site.clock.pass(MINUTE);
    if ((await visitor.open(path)).html.includes(MARKER)) found.push(path);
  }
  return found;
}

const idOf = (path: string, { post, job, prompt }: Held): string =>
  path.startsWith("/jobs") ? job : path.startsWith("/prompts") ? prompt : post;

/** Returns the operations of the API that show held content, by REST and by GraphQL. */
async function answersWith(site: Site, token: string, held: Held, root: string): Promise<string[]> {
  const found: string[] = [];
  const wanted = ROUTES.filter(({ method }) => method === "GET").map(({ path }) => path);
  const filled = wanted.map((path) => path.replace("{username}", "nia").replace(/\{\w+\}/, idOf(path, held)));
  for (const path of [...filled, `/feed/${root}/replies`, "/search?q=zebrafish", "/feed?following=true"]) {
    site.clock.pass(MINUTE);
    const response = await site.request(token, path, { method: "GET" });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (isStream) await response.body?.cancel();
    else if ((await response.text()).includes(MARKER)) found.push(path);
  }
  const query = `{ feed(first: 20) { edges { node { text } } } jobs(first: 20) { edges { node { title } } }
    prompts(first: 20) { edges { node { title } } } post(id: "${held.post}") { text }
    reply: post(id: "${held.reply}") { text } job(id: "${held.job}") { title } prompt(id: "${held.prompt}") { title } }`;
  const response = await fetch(`${site.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  if ((await response.text()).includes(MARKER)) found.push("/graphql");
  return found;
}

/** Returns the tables with facts for others that name a held object. */
function traces({ core }: Site, held: Held): string[] {
  return ["events", "deliveries", "notifications", "pushes", "mails", "xp_entries", "job_matches"].filter(
    (table) =>
      core.db
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .some((row) => Object.values(held).some((id) => JSON.stringify(row).includes(id))),
  );
}

test("held content is on no route for others before its approval, and on all of them after it", async () => {
  const { site, held, root, author, bob, paths } = await openHeld();
  await using _ = site;
  const { token } = createMemberToken(site.core, "bob", BUILDER_SCOPES);

  expect(await pagesWith(site, visit(site), paths)).toEqual([]);
  expect(await pagesWith(site, bob, paths)).toEqual([]);
  expect(await answersWith(site, token, held, root)).toEqual([]);
  expect(traces(site, held)).toEqual([]);
  for (const id of [held.post, held.reply])
    expect((await author.open(`/posts/${id}`)).html).toContain("Waits for approval");
  expect((await author.open(`/jobs/${held.job}`)).html).toContain("Waits for approval");
  expect((await author.open(`/prompts/${held.prompt}`)).html).toContain("Waits for approval");
  expect((await signedInAs(site, "root").open(`/posts/${held.post}`)).html).toContain("Waits for approval");

  for (const id of Object.values(held)) decide(site.core, OPERATOR, id, { act: "approve" });
  const seen = await pagesWith(site, bob, paths);
  for (const path of [
    "/",
    "/jobs/feed.atom",
    "/search?q=zebrafish",
    `/posts/${root}`,
    `/prompts/${held.prompt}`,
  ])
    expect(seen).toContain(path);
  const answers = await answersWith(site, token, held, root);
  for (const path of ["/feed", "/jobs", "/prompts", `/feed/${root}/replies`, "/graphql"])
    expect(answers).toContain(path);
  expect(traces(site, held)).toEqual(["events", "notifications", "xp_entries"]);
}, 120_000);

test("held content that a moderator hides stays with its author and the moderators", async () => {
  const { site, held, root, author, bob, paths } = await openHeld();
  await using _ = site;
  for (const id of Object.values(held)) decide(site.core, OPERATOR, id, { act: "hide", reason: "Spam" });
  const { token } = createMemberToken(site.core, "bob", BUILDER_SCOPES);

  expect(await pagesWith(site, bob, paths)).toEqual([]);
  expect(await answersWith(site, token, held, root)).toEqual([]);
  expect((await author.open(`/posts/${held.post}`)).html).toContain("Hidden by the moderators");
}, 120_000);
