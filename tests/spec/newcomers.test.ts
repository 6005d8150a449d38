// docs/contract.md#9.17, docs/contract.md#11.6, docs/threats.md#M36
import { expect, test } from "bun:test";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { publishJob, changeJob } from "../../src/core/community/jobs/jobs.ts";
import { setAvatar } from "../../src/core/community/media/avatars.ts";
import { createMedia } from "../../src/core/community/media/media.ts";
import { setPictureStorage } from "../../src/core/community/media/picture-storage.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { addProject, changeProject } from "../../src/core/community/profiles/projects.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { revisePrompt } from "../../src/core/community/prompts/versions.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import type { CoreError } from "../../src/core/base/errors.ts";
import { linksIn } from "../../src/core/base/markdown.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { newUntil, vouchFor } from "../../src/core/identity/newcomers/newcomers.ts";
import { graph } from "../graphql/ask.ts";
import { openGallery, send } from "../media/gallery.ts";
import * as made from "../media/sample-images.ts";
import { createMemberToken, createTestWorld, createMember, NOON, type TestWorld } from "../support.ts";
import { visit } from "../web/support.ts";

const PASSWORD = "correct horse battery";

/** Creates a member who has just joined, with a personal token. */
async function newcomer({ core }: Pick<TestWorld, "core">, username = "nia") {
  await signUp(core, { address: "203.0.113.7", agent: "" }, { username, password: PASSWORD });
  return createMemberToken(core, username, undefined, "personal");
}

const open = () => createTestWorld({ signup: "open" });
const link = (name: string | number) => `https://${name}.example/`;
const links = (many: number, of = "a") =>
  Array.from({ length: many }, (_, at) => link(`${of}${at}`)).join(" ");

function refused(work: () => unknown): CoreError {
  try {
    work();
  } catch (error) {
    return error as CoreError;
  }
  throw new Error("the call was not refused");
}
const code = (work: () => unknown) => refused(work).code;

const JOB = {
  title: "Engineer",
  company: { name: "Acme", slug: "acme" },
  location: "Berlin",
  remote: true,
  seniority: "senior" as const,
  stack: ["rust"],
  salary: { min: 1, max: 2, currency: "EUR" },
  apply_url: "https://acme.example/apply",
};
const PROMPT = { title: "Review", body: "Review this.", model: "any", category: "code" };

/** Each way to write a text with links. The first function creates it, the second edits it if possible. */
const WAYS: Record<
  string,
  (core: Core, caller: Caller) => [write: (text: string) => unknown, change?: (text: string) => unknown]
> = {
  post: (core, caller) => {
    let id = "";
    return [
      (text) => (id = createPost(core, caller, { text }).id),
      (text) => editPost(core, caller, id, { text }),
    ];
  },
  reply: (core, caller) => {
    const { id } = createPost(core, createMember(core, "asker").caller, { text: "Who is there?" });
    let own = "";
    return [
      (text) => (own = replyTo(core, caller, id, { text }).id),
      (text) => editPost(core, caller, own, { text }),
    ];
  },
  "media of a post": (core, caller) => {
    let id = "";
    const media = (text: string) => text.match(/https:\S+/g) ?? [];
    return [
      (text) => (id = createPost(core, caller, { text: "Look.", media: media(text) }).id),
      (text) => editPost(core, caller, id, { media: media(text) }),
    ];
  },
  message: (core, caller) => {
    createMember(core, "bo");
    return [(text) => sendMessage(core, caller, { to: "bo", text })];
  },
  prompt: (core, caller) => {
    let id = "";
    return [
      (text) => (id = submitPrompt(core, caller, { ...PROMPT, body: text }).id),
      (text) => revisePrompt(core, caller, id, { body: "Another.", note: text }),
    ];
  },
  bio: (core, caller) => {
    const write = (text: string) => changeProfile(core, caller, { bio: text });
    return [write, write];
  },
  "profile links": (core, caller) => {
    const write = (text: string) =>
      changeProfile(core, caller, { links: text.match(/https:[^\s)>]+/g) ?? [] });
    return [write, write];
  },
  projects: (core, caller) => {
    let id = "";
    return [
      (text) => (id = addProject(core, caller, { title: "Queue", description: text }).id),
      (text) => changeProject(core, caller, id, { description: text }),
    ];
  },
  job: (core, caller) => {
    let id = "";
    return [
      (text) => (id = publishJob(core, caller, { ...JOB, description: text }).id),
      (text) => changeJob(core, caller, id, { description: text }),
    ];
  },
};

for (const [name, way] of Object.entries(WAYS))
  test(`a newcomer can include two links (${name}), also in an edit; the refusal names the correct end of the limit`, async () => {
    using world = open();
    const { core, clock } = world;
    const { caller } = await newcomer(world);
    const [write, change = write] = way(core, caller);
    const refusal = refused(() => write(`See ${links(3)}`));
    expect([refusal.error, refusal.code]).toEqual(["forbidden", "newcomer_links"]);
    expect(refusal.params).toEqual({ max: 2, until: "2026-11-23T12:00:00.000Z" });
    expect(refusal.message).toContain("Until 2026-11-23T12:00:00.000Z, each text can contain 2 links");
    write(`See ${links(2)}`);
    expect(code(() => change(`See ${links(3)}`))).toBe("newcomer_links");
    expect(code(() => change(`See ${links(3, "b")}`))).toBe("newcomer_links");
    clock.pass(NOON + 3 * DAY - clock.now() - 1);
    expect(code(() => change(`See ${links(3)}`))).toBe("newcomer_links");
    clock.pass(1);
    change(`See ${links(3)}`);
    write(`See ${links(4)}`);
  });

test("links count as the server renders Markdown; links into the community and plain text are free", async () => {
  using world = open();
  const { core } = world;
  const { caller } = await newcomer(world);
  const countOf = (text: string) => {
    // These two links alone are within the limit. The post is refused only if `text` itself also contains a
    // link.
    try {
      createPost(core, caller, { text: `${text}\n\n${links(2)}` });
      return 0;
    } catch (error) {
      return (error as CoreError).code === "newcomer_links" ? 1 : String(error);
    }
  };
  const counting = [
    "https://evil.example",
    "www.evil.example",
    "HTTPS://EVIL.EXAMPLE/",
    "<https://evil.example>",
    "[words](//evil.example)",
    "[words](https:\\/\\/evil.example)",
    "[words](&#104;ttps://evil.example)",
    "[words][1]\n\n[1]: https://evil.example",
    "![words](https://evil.example/a.png)",
    "[words](mailto:a@evil.example)",
    "https://xn--e1afmkfd.example",
    "[words](https://пример.example)",
    "https://guild.test.evil.example/",
    "http://guild.test/",
    "note[^1]\n\n[^1]: https://evil.example",
    "> - https://evil.example",
    "| a | b |\n|---|---|\n| https://evil.example | c |",
    // An internal URL that can redirect to any registered app.
    "https://guild.test/v1/oauth/authorize?prompt=none",
    "[words](/v1/oauth/authorize?prompt=none)",
    "https://guild.test//v1/oauth/authorize?prompt=none",
    "https://guild.test/v1/x/../oauth/authorize?prompt=none",
  ];
  for (const text of counting) expect([text, countOf(text)]).toEqual([text, 1]);
  const free = [
    "https://guild.test/posts/1",
    "[words](/jobs)",
    "[words](#part)",
    "@ada",
    "evil.example",
    // These texts are shown without a link.
    "<mailto:a@evil.example>",
    '<a href="https://evil.example">words</a>',
    "`https://evil.example`",
    "```\nhttps://evil.example\n```",
    "[words](javascript:alert(1))",
    "[words](https://guild.test@evil.example/)",
    "note[^1]\n\n[^1]: words",
  ];
  for (const [index, text] of free.entries()) {
    expect([text, countOf(text)]).toEqual([text, 0]);
    if (index % 4 === 3) world.clock.pass(DAY + 10 * MINUTE);
    if (index === 3) changeCommunitySettings(core, OPERATOR, { newcomerDays: 90 });
  }
  expect(linksIn("[a](/b) https://c.example [d](https://c.example)")).toHaveLength(3);
});

test("a newcomer's texts of a day hold ten links, deleted texts included, and an edit counts its new links", async () => {
  using world = open();
  const { core, clock } = world;
  // Otherwise the first post would wait for approval, and nobody could reply to it.
  changeCommunitySettings(core, OPERATOR, { holdNewcomerLinks: false });
  const { caller } = await newcomer(world);
  const first = createPost(core, caller, { text: links(2, "a") });
  for (const of of ["b", "c", "d"])
    deletePost(core, caller, replyTo(core, caller, first.id, { text: links(2, of) }).id);
  // Links that an edit keeps do not count as new.
  editPost(core, caller, first.id, { text: `${links(2, "a")} and more` });
  editPost(core, caller, first.id, { text: `${link("a0")} ${link("new")}` });
  createPost(core, caller, { text: link("ninth") });
  const {
    code,
    error,
    params,
    retryAfterSeconds = 0,
  } = refused(() => createPost(core, caller, { text: link("eleventh") }));
  expect([code, error]).toEqual(["newcomer_links_today", "rate_limited"]);
  expect(params).toEqual({ max: 10, until: "2026-11-23T12:00:00.000Z", seconds: retryAfterSeconds });
  createPost(core, caller, { text: "Without any." });
  editPost(core, caller, first.id, { text: `${link("a0")} alone` });
  clock.pass((retryAfterSeconds - 1) * SECOND);
  expect(refused(() => createPost(core, caller, { text: link("eleventh") })).code).toBe(
    "newcomer_links_today",
  );
  clock.pass(SECOND);
  createPost(core, caller, { text: link("eleventh") });
});

test("an edit that adds no link passes, even when the text exceeds a later limit", async () => {
  using world = open();
  const { core } = world;
  const { caller } = await newcomer(world);
  changeCommunitySettings(core, OPERATOR, { newcomerDays: 0 });
  const { id } = createPost(core, caller, { text: links(5) });
  changeCommunitySettings(core, OPERATOR, { newcomerDays: 90 });
  editPost(core, caller, id, { text: `${links(5)} and words` });
  expect(code(() => editPost(core, caller, id, { text: `${links(5)} ${link("a0")}` }))).toBe(
    "newcomer_links",
  );
  expect(code(() => editPost(core, caller, id, { text: `${links(4)} ${link("b")}` }))).toBe("newcomer_links");
  editPost(core, caller, id, { text: `${links(4)} fewer` });
});

test("all projects of a newcomer share two links", async () => {
  using world = open();
  const { core } = world;
  const { caller } = await newcomer(world);
  const { id } = addProject(core, caller, { title: "One", url: link("one") });
  addProject(core, caller, { title: "Two", description: `See ${link("two")}` });
  expect(code(() => addProject(core, caller, { title: "Three", url: link("three") }))).toBe("newcomer_links");
  changeProject(core, caller, id, { url: null });
  addProject(core, caller, { title: "Three", url: link("three") });
  addProject(core, caller, { title: "Four" });
});

test("each application address of a newcomer's job, and each change of it, uses one of the ten links of a day", async () => {
  using world = open();
  const { core } = world;
  const { caller } = await newcomer(world);
  const publish = (to: string) =>
    publishJob(core, caller, { ...JOB, description: "Come.", apply_url: link(to) }).id;
  const ids = Array.from({ length: 8 }, (_, n) => publish(`job${n}`));
  const [first = ""] = ids;
  changeJob(core, caller, first, { apply_url: link("elsewhere") });
  changeJob(core, caller, first, { apply_url: link("elsewhere"), title: "Weaver" });
  publish("ninth");
  expect(code(() => publish("tenth"))).toBe("newcomer_links_today");
  expect(code(() => changeJob(core, caller, first, { apply_url: link("once-more") }))).toBe(
    "newcomer_links_today",
  );
  changeJob(core, caller, first, { title: "Spinner" });
  publishJob(core, caller, { ...JOB, description: "Come.", apply_url: "https://guild.test/jobs" });
});

test("limits follow the current setting for newcomer days; vouched, moderating and operator-created members have none", async () => {
  using world = open();
  const { core, clock } = world;
  const { caller } = await newcomer(world);
  const id = caller.builderId ?? "";
  expect(newUntil(core, id)).toBe(NOON + 3 * DAY);
  const write = (by = caller) => createPost(core, by, { text: links(3) });
  clock.pass(2 * DAY);
  changeCommunitySettings(core, OPERATOR, { newcomerDays: 2 });
  write();
  changeCommunitySettings(core, OPERATOR, { newcomerDays: 5 });
  expect(refused(write).params).toEqual({ max: 2, until: "2026-11-25T12:00:00.000Z" });
  changeCommunitySettings(core, OPERATOR, { newcomerDays: 0 });
  write();
  changeCommunitySettings(core, OPERATOR, { newcomerDays: null });
  expect(code(write)).toBe("newcomer_links");
  write(createMemberToken(core, "nia", undefined, "enterprise").caller);
  write(createMember(core, "made", undefined, "personal").caller);
  expect(code(() => vouchFor(core, caller, "nia"))).toBe("person_only");
  expect(code(() => vouchFor(core, OPERATOR, "nobody"))).toBe("builder_unknown");
  vouchFor(core, OPERATOR, "nia");
  vouchFor(core, OPERATOR, "nia");
  write();
  expect(newUntil(core, id)).toBeUndefined();
  const events = listAudit(core, OPERATOR, { of: "all" }, { limit: 9, backwards: false }).nodes.map(
    ({ act }) => act,
  );
  expect(events.filter((action) => action === "builder.vouched")).toHaveLength(1);
});

const DRAWN = { hash: "a".repeat(40), width: 10, height: 10, bytes: 10 };

test("a newcomer uploads two pictures a day, replacements included; two uploads at once count as two", async () => {
  using world = open();
  const { core, clock } = world;
  const { caller } = await newcomer(world);
  setPictureStorage(core, {} as never);
  const picture = () => createMedia(core, caller, DRAWN, {});
  // The second avatar replaces the first, but the first picture still counts.
  for (let sent = 0; sent < 2; sent++) setAvatar(core, caller, { media: picture().id });
  const { code, error, params, retryAfterSeconds = 0 } = refused(picture);
  expect([code, error]).toEqual(["newcomer_pictures", "rate_limited"]);
  expect(params).toEqual({ max: 2, until: "2026-11-23T12:00:00.000Z", seconds: retryAfterSeconds });
  clock.pass((retryAfterSeconds - 1) * SECOND);
  expect(refused(picture).code).toBe("newcomer_pictures");
  clock.pass(SECOND);
  picture();
  // Advances to an hour before the end of the newcomer period. This period ends before the daily limit allows
  // more.
  clock.pass(NOON + 3 * DAY - clock.now() - HOUR);
  for (let sent = 0; sent < 2; sent++) picture();
  expect(refused(picture).retryAfterSeconds).toBe(HOUR / SECOND);
  clock.pass(HOUR);
  for (let sent = 0; sent < 5; sent++) picture();
});

test("REST, the graph and pages apply the same limits; a preview is free, and a picture over the limit is refused unread", async () => {
  await using server = openGallery({ signup: "open", isLocal: true });
  const { core } = server;
  const { token } = await newcomer(server);
  const text = links(3);
  const rest = await server.request(token, "/feed", { method: "POST", body: { text } });
  expect([rest.status, ((await rest.json()) as { code: string }).code]).toEqual([403, "newcomer_links"]);
  const mutation = `mutation($text: String!) { createPost(input: { text: $text }) { post { id } } }`;
  const { body } = await graph(server, token, mutation, { variables: { text } });
  expect(body.errors?.[0]?.extensions).toMatchObject({ code: "forbidden", reason: "newcomer_links" });
  const browser = visit(server);
  await browser.submit(await browser.open("/sign-in"), "/sign-in", { username: "nia", password: PASSWORD });
  const feed = await browser.open("/");
  const page = await browser.post("/posts", {
    ...Object.fromEntries(feed.forms.find(({ action }) => action === "/posts")?.fields ?? []),
    text,
    look: "1",
  });
  expect(page.html).toContain(link("a2"));
  const shownPage = await browser.submit(feed, "/posts", { text });
  expect(shownPage.status).toBe(403);
  expect(shownPage.html).toContain("You are new here. Until Nov 23, 2026, 12:00");
  const status = async () => (await send(server, token, made.png(20, 20))).status;
  expect([await status(), await status()]).toEqual([201, 201]);
  const late = await send(server, token, Buffer.alloc(17 * 1024 * 1024));
  expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([429, "newcomer_pictures"]);
  expect(core.db.prepare("SELECT count(*) AS n FROM media").get()).toEqual({ n: 2 });
});

test("a newcomer never waits more than a day, even when the clock is set back", async () => {
  await using server = openGallery({ signup: "open" });
  const { core, clock } = server;
  const { token, caller } = await newcomer(server);
  for (const name of ["b0", "b1", "b2", "b3"]) createMember(core, name);
  for (let i = 0; i < 2; i++) expect((await send(server, token, made.png(20, 20, i))).status).toBe(201);
  for (const of of ["a", "b", "c", "d", "e"]) createPost(core, caller, { text: links(2, of) });
  const message = (to: string) =>
    server.request(token, "/messages", { method: "POST", body: { to, text: "Hi." } });
  for (const to of ["b0", "b1", "b2"]) expect((await message(to)).status).toBe(201);
  for (const hours of [0, -2]) {
    clock.step(hours * HOUR);
    const answers = {
      newcomer_pictures: await send(server, token, made.png(20, 20)),
      newcomer_links_today: await server.request(token, "/feed", {
        method: "POST",
        body: { text: link("f") },
      }),
      newcomer_messages: await message("b3"),
    };
    for (const [code, answer] of Object.entries(answers)) {
      const text = ((await answer.json()) as { code: string }).code;
      expect([answer.status, text]).toEqual([429, code]);
      expect([code, hours, Number(answer.headers.get("retry-after"))]).toEqual([code, hours, 86_400]);
    }
  }
});
