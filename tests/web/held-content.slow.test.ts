// docs/contract.md#12.39: only the author and moderators see content that waits for approval or is hidden.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { DAY, MINUTE } from "../../src/core/base/clock.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { likePost } from "../../src/core/community/feed/likes.ts";
import { followBuilder } from "../../src/core/community/following/following.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { addProject } from "../../src/core/community/profiles/projects.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { findBuilder } from "../../src/core/identity/builders/builders.ts";
import { renewFeedAddress } from "../../src/core/identity/feed-address/feed-address.ts";
import { claimDue } from "../../src/core/outbox/deliveries/deliveries.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { continueBatches } from "../../src/core/services/batches/batches.ts";
import { hasNotificationsToQueue, queueNotifications } from "../../src/core/services/channels/queueing.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { removeSpammers } from "../../src/core/services/moderation/spam.ts";
import { undoDecision } from "../../src/core/services/moderation/undo.ts";
import { mailContent } from "../../src/delivery/mail-content.ts";
import { exportTo } from "../../src/transfer/export.ts";
import { PAGES } from "../../src/web/pages/index.ts";
import { mailsDue } from "../due-messages.ts";
import { listen } from "../graphql/stream.ts";
import { ROUTES } from "../routes.ts";
import { jobDraft } from "../spec/rows.ts";
import { BUILDER_SCOPES, createMemberToken, limitOf, signedInNow } from "../support.ts";
import { addSampleContent, callerOf } from "./sample-site.ts";
import { openSite, PASSWORD, signedInAs, type Site, type Visitor, visit } from "./support.ts";

/** The authors, and why nobody sees what they wrote. */
const REASONS = {
  nia: "a newcomer's links",
  lim: "the author is limited",
  dis: "a moderator hid content that waited",
  hid: "a moderator hid content that was visible",
  spa: "the author was removed as a spammer",
} as const;
type Author = keyof typeof REASONS;
const AUTHORS = Object.keys(REASONS) as Author[];
/** The authors whose content was never visible. */
const WAITED = ["nia", "lim", "dis"] as const;

const POSTS = "subscription { postCreated { text } }";
const JOBS = "subscription { jobPublished { title } }";

/** Occurs in all content of an author. Searches use another word, because pages repeat the query. */
const markerOf = (author: Author): string => `Quagmire-${author}`;
const textOf = (author: Author): string => `${markerOf(author)} zebrafish @bob https://${author}.example/`;

const tagOf = (author: Author): string => markerOf(author).toLowerCase();

const searchFor = (author: Author): string => `/search?q=zebrafish+${author}`;

type Kind = "post" | "reply" | "job" | "prompt";
type Written = Record<Kind, string>;

/** One object of each kind by each author. */
function write(site: Site, caller: BuilderCaller, author: Author, root: string): Written {
  const { core } = site;
  const text = textOf(author);
  const prompt = { title: markerOf(author), body: text, model: "m", category: "c" };
  const job = jobDraft({ title: markerOf(author), company: { name: "Reed", slug: author } });
  return {
    post: createPost(core, caller, { text, tags: ["rust", tagOf(author)] }).id,
    reply: replyTo(core, caller, root, { text }).id,
    job: publishJob(core, caller, { ...job, description: text }).id,
    prompt: submitPrompt(core, caller, prompt).id,
  };
}

/** A community in which bob follows every author, gets emails and has an endpoint, an export and streams. */
async function openCommunity() {
  const site = openSite({ policy: { signup: "open", mailFrom: "guild@guild.test" } });
  const { core } = site;
  const { pathOf, caller: ada } = await addSampleContent(site);
  for (const author of AUTHORS)
    if (author === "nia" || author === "dis")
      await signUp(core, { address: "203.0.113.7", agent: "" }, { username: author, password: PASSWORD });
    else createBuilder(core, OPERATOR, { username: author, name: author, role: "member" });
  const bob = callerOf(site, signedInAs(site, "bob"));
  for (const author of AUTHORS) followBuilder(core, bob, author);
  core.db
    .prepare("INSERT INTO mail_addresses (builder_id, address) VALUES (?, 'bob@home.example')")
    .run(bob.builderId);
  const root = createPost(core, ada, { text: "Who is there?" }).id;
  const { token, caller } = createMemberToken(core, "bob", BUILDER_SCOPES);
  registerEndpoint(core, caller, {
    url: "https://hooks.example.com/in" as CheckedUrl,
    events: ["post.created", "post.updated", "job.published"],
  });
  const idOf = (author: Author): string => findBuilder(core, author)?.id ?? "";
  const callers = Object.fromEntries(
    AUTHORS.map((author) => [author, signedInNow(core, { builderId: idOf(author) })]),
  ) as Record<Author, BuilderCaller>;
  return { site, ada, bob, token, root, pathOf, idOf, callers, feed: renewFeedAddress(core, bob) };
}

type Community = Awaited<ReturnType<typeof openCommunity>>;

/** Everything that the authors wrote, by author. */
type Content = Record<Author, Written>;

/** Returns an entry for each author whose content a place shows. A search marks parts of words. */
const shownIn = (place: string, html: string): string[] => {
  const text = html.replaceAll(/<\/?mark>/g, "").toLowerCase();
  return AUTHORS.filter((author) => text.includes(tagOf(author))).map((author) => `${place} shows ${author}`);
};

const finish = ({ core }: Site): void => {
  while (core.db.transact(() => continueBatches(core)));
};

/** Returns the pages that show the content, the private feed included. `others` are more pages to open. */
async function pagesWith(
  { site, root, feed }: Community,
  visitor: Visitor,
  content: Content,
  others: readonly string[] = [],
): Promise<string[]> {
  const { pathname } = new URL(feed);
  const paths = [
    ...others,
    ...["/", "/?following=true", "/?tag=rust", "/feed.atom", "/jobs/feed.atom", "/sitemap.xml", "/archive"],
    ...["/jobs?q=zebrafish", `/posts/${root}`, "/jobs/mine", "/notifications", pathname],
    ...["/complete?of=tag&q=quagm", "/builders", "/prompts?q=zebrafish"],
    ...AUTHORS.flatMap((author) => {
      const { post, reply, job, prompt } = content[author];
      return [
        ...[`/@${author}`, `/posts/${post}`, `/posts/${reply}`, `/posts/${post}/revisions`, `/jobs/${job}`],
        ...[`/prompts/${prompt}`, `/prompts/${prompt}.md`, `/report/${post}`, searchFor(author)],
      ];
    }),
  ];
  const found: string[] = [];
  for (const path of paths) {
    site.clock.pass(MINUTE);
    found.push(...shownIn(path, (await visitor.open(path)).html));
  }
  return found;
}

/** Returns the reads of REST and GraphQL that show the content. */
async function answersWith({ site, token, root }: Community, content: Content): Promise<string[]> {
  const found: string[] = [];
  const read = async (path: string): Promise<void> => {
    site.clock.pass(MINUTE);
    const response = await site.request(token, path, { method: "GET" });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (isStream) await response.body?.cancel();
    else found.push(...shownIn(path, await response.text()));
  };
  const reads = ROUTES.filter(({ method }) => method === "GET").map(({ path }) => path);
  for (const path of reads.filter((each) => !each.includes("{"))) await read(path);
  for (const path of [`/feed/${root}/replies`, "/feed?following=true", "/events?limit=100"]) await read(path);
  for (const author of AUTHORS) {
    const { post, job, prompt, reply } = content[author];
    const of = (path: string): string =>
      path.startsWith("/jobs") ? job : path.startsWith("/prompts") ? prompt : post;
    for (const path of reads.filter((each) => each.includes("{")))
      await read(path.replace("{username}", author).replace(/\{\w+\}/, of(path)));
    await read(searchFor(author));
    const query = `{ post(id: "${post}") { text } reply: post(id: "${reply}") { text }
      job(id: "${job}") { title } prompt(id: "${prompt}") { title }
      profile(username: "${author}") { posts(first: 9) { edges { node { text } } } } }`;
    found.push(...shownIn("/graphql", await graphText(site, token, query)));
  }
  const lists = `{ feed(first: 99) { edges { node { text } } } jobs(first: 99) { edges { node { title } } }
    prompts(first: 99) { edges { node { title } } } }`;
  return [...found, ...shownIn("/graphql lists", await graphText(site, token, lists))];
}

async function graphText({ url }: Site, token: string, query: string): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  return response.text();
}

/** Returns what an export contains: of one member, or of the community. */
async function exportedText({ core }: Site, username?: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-held-"));
  const builder =
    username === undefined ? undefined : { id: findBuilder(core, username)?.id ?? "", username };
  try {
    await exportTo(core, join(folder, "out"), { builder, version: "0.0.0-test", progress: () => {} });
    const names = readdirSync(join(folder, "out")).filter((name) => name.endsWith(".ndjson"));
    return names.map((name) => readFileSync(join(folder, "out", name), "utf8")).join("\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns what bob's endpoint, mail digest and own data contain. */
async function sentWith({ site }: Community, content: Content): Promise<string[]> {
  const { core, clock } = site;
  finish(site);
  const { claims } = core.db.transact(() => claimDue(core, 1000, "", limitOf(1000)));
  const found = claims.flatMap(({ body }) => shownIn("webhook", body));
  clock.pass(DAY);
  while (hasNotificationsToQueue(core, "mail"))
    if (!core.db.transact(() => queueNotifications(core, "mail"))) break;
  const mails = mailsDue(core, "ordinary").map((mail) => JSON.stringify(mailContent(core, mail, "Bees")));
  for (const author of AUTHORS)
    if (Object.values(content[author]).some((id) => mails.some((mail) => mail.includes(id))))
      found.push(`digest shows ${author}`);
  return [...found, ...shownIn("own data", await exportedText(site, "bob"))];
}

/** Returns the tables with facts for others that name the content of an author. */
function traces({ core }: Site, { post, reply, job, prompt }: Written): string[] {
  return ["events", "deliveries", "notifications", "pushes", "mails", "xp_entries", "job_matches"].filter(
    (table) =>
      core.db
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .some((row) => [post, reply, job, prompt].some((id) => JSON.stringify(row).includes(id))),
  );
}

test("content that waits, is hidden or was spam is on no route for others, and on all of them after it is shown", async () => {
  const community = await openCommunity();
  const { site, ada, token, root, idOf, callers, pathOf } = community;
  await using _ = site;
  const { core } = site;
  const content = {} as Content;
  const decisions: string[] = [];
  for (const author of ["hid", "spa"] as const) {
    content[author] = write(site, callers[author], author, root);
    // The most liked reply of a busy thread is quoted in the feed.
    likePost(core, ada, content[author].reply);
    replyTo(core, community.bob, root, { text: "Nobody else." });
    replyTo(core, community.bob, root, { text: "Go on." });
  }
  const { id: pinned_project } = addProject(core, callers.spa, { title: markerOf("spa") });
  changeProfile(core, callers.spa, { place: markerOf("spa"), pinned_project });
  for (const id of Object.values(content.hid))
    decide(core, OPERATOR, id, { act: "hide", reason: "Off topic" });
  for (const { id } of removeSpammers(core, OPERATOR, { usernames: ["spa"], hosts: [], reason: "Spam" }))
    decisions.push(id);
  finish(site);
  decide(core, OPERATOR, idOf("lim"), { act: "limit", reason: "Heated" });
  {
    await using posts = await listen(site, token, POSTS);
    await using replies = await listen(site, token, "subscription { replyAdded { text } }");
    await using jobs = await listen(site, token, JOBS);
    const live = await openLive(site);
    for (const author of WAITED) content[author] = write(site, callers[author], author, root);
    for (const id of Object.values(content.dis)) decide(core, OPERATOR, id, { act: "hide", reason: "Spam" });
    finish(site);
    // Of each stream, the next entry is a later one that everybody sees.
    createPost(core, ada, { text: "Everybody sees this." });
    replyTo(core, ada, root, { text: "And this." });
    publishJob(core, ada, jobDraft({ title: "Open to all", company: { name: "Reed", slug: "reed" } }));
    expect((await posts.next())?.data.data.postCreated.text).toBe("Everybody sees this.");
    expect((await replies.next())?.data.data.replyAdded.text).toBe("And this.");
    expect((await jobs.next())?.data.data.jobPublished.title).toBe("Open to all");
    expect(await live.counts()).toEqual({ posts: 1, talks: [root] });
  }

  const pages = PAGES.filter(({ method }) => method === "GET").map(pathOf);
  expect(await pagesWith(community, visit(site), content, pages)).toEqual([]);
  expect(await pagesWith(community, signedInAs(site, "bob"), content, pages)).toEqual([]);
  expect(await answersWith(community, content)).toEqual([]);
  expect(await sentWith(community, content)).toEqual([]);
  for (const author of ["nia", "lim"] as const) expect(traces(site, content[author])).toEqual([]);
  // A community's export is a backup: it keeps what is hidden, and that it is.
  const whole = await exportedText(site);
  expect(shownIn("export", whole)).toHaveLength(AUTHORS.length);
  for (const author of AUTHORS)
    expect(whole).toMatch(new RegExp(`"id":"${content[author].post}"[^\n]*"hidden_at":"`));
  const authors = AUTHORS.filter((author) => author !== "spa");
  const moderator = signedInAs(site, "root");
  for (const author of authors) {
    const mark = author === "nia" || author === "lim" ? "Waits for approval" : "Hidden by the moderators";
    const { post, reply, job, prompt } = content[author];
    for (const path of [`/posts/${post}`, `/posts/${reply}`, `/jobs/${job}`, `/prompts/${prompt}`])
      expect((await signedInAs(site, author).open(path)).html).toContain(mark);
    for (const path of [`/posts/${post}`, `/jobs/${job}`, `/prompts/${prompt}`])
      expect((await moderator.open(path)).html).toContain(mark);
    expect(shownIn("own data", await exportedText(site, author))).toEqual([`own data shows ${author}`]);
  }

  {
    await using posts = await listen(site, token, POSTS);
    await using jobs = await listen(site, token, JOBS);
    for (const author of authors)
      for (const id of Object.values(content[author])) decide(core, OPERATOR, id, { act: "restore" });
    for (const id of decisions) undoDecision(core, OPERATOR, id);
    finish(site);
    for (const stream of [posts, jobs]) {
      const told = JSON.stringify([await stream.next(), await stream.next(), await stream.next()]);
      for (const author of WAITED) expect(told).toContain(markerOf(author));
    }
  }
  const seen = await pagesWith(community, signedInAs(site, "bob"), content);
  const answers = await answersWith(community, content);
  const sent = await sentWith(community, content);
  for (const author of AUTHORS) {
    const { post, reply, job, prompt } = content[author];
    for (const path of [
      ...["/complete?of=tag&q=quagm", "/builders", "/prompts?q=zebrafish"],
      ...["/", "/?tag=rust", "/feed.atom", "/jobs/feed.atom", searchFor(author), `/posts/${root}`],
      ...[`/@${author}`, `/posts/${post}`, `/posts/${reply}`, `/jobs/${job}`, `/prompts/${prompt}.md`],
      new URL(community.feed).pathname,
    ])
      expect(seen).toContain(`${path} shows ${author}`);
    for (const path of [
      ...["/feed", "/jobs", "/prompts", `/feed/${root}/replies`, "/events?limit=100", searchFor(author)],
      ...["/graphql", "/graphql lists"],
    ])
      expect(answers).toContain(`${path} shows ${author}`);
    expect(sent).toContain(`webhook shows ${author}`);
  }
  for (const author of WAITED) {
    expect(traces(site, content[author])).toEqual(["events", "notifications", "xp_entries"]);
    expect(sent).toContain(`digest shows ${author}`);
  }
}, 120_000);

/**
 * Opens the stream of bob's browser. `counts` returns what it has reported until it reports a conversation.
 */
async function openLive(site: Site) {
  const cookie = [...signedInAs(site, "bob").cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await fetch(`${site.url}/live`, { headers: { cookie } });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  return {
    async counts(): Promise<{ posts: number; talks: string[] }> {
      let text = "";
      for (;;) {
        const told = [...text.matchAll(/data: (.*)\n\n/g)].map(([, data = ""]) => JSON.parse(data));
        const talks = told.flatMap((each) => each.talks as string[]);
        const posts = told.reduce((sum, each) => sum + each.posts, 0);
        if (talks.length > 0 && posts > 0) {
          await reader.cancel();
          return { posts, talks };
        }
        const { value, done } = await reader.read();
        if (done) return { posts, talks };
        text += Buffer.from(value).toString();
      }
    },
  };
}
