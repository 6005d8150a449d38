import { expect, test } from "bun:test";
import { createAccount } from "../../src/core/identity/accounts/accounts.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import type { CoreError } from "../../src/core/base/errors.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { insertImportedPost } from "../../src/core/community/feed/imported-posts.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { createJobFilter, deleteJobFilter } from "../../src/core/community/jobs/job-filters.ts";
import { inviteMember, joinWorkspace } from "../../src/core/delegation/workspaces/invitations.ts";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import {
  changeEndpoint,
  deleteEndpoint,
  listEndpoints,
  registerEndpoint,
} from "../../src/core/outbox/webhooks/webhooks.ts";
import { fillDemo } from "../../src/demo/demo.ts";
import { tokenIn } from "../core/people.ts";
import { graph } from "../graphql/ask.ts";
import {
  createMemberToken,
  createTestWorld,
  createMember,
  openTestServer,
  signedInNow,
  type TestWorld,
} from "../support.ts";
import { openSite, PASSWORD, visit } from "../web/support.ts";
import { rows } from "./rows.ts";

/** Creates a member with a personal token. */
const member = ({ core }: TestWorld, name: string) => createMember(core, name, undefined, "personal");
const post = ({ core }: TestWorld, caller: ReturnType<typeof member>["caller"], text = "hello") =>
  createPost(core, caller, { text });

function refused(work: () => unknown): CoreError {
  try {
    work();
  } catch (error) {
    return error as CoreError;
  }
  throw new Error("the call was not refused");
}

const code = (work: () => unknown) => refused(work).code;
const url = (name: string) => `https://hooks.example.com/${name}` as CheckedUrl;

test("docs/contract.md#12.17: posts and replies are limited per 24 hours, and a retry after Retry-After succeeds", () => {
  using world = createTestWorld({ policy: { signup: "invite", quotaPosts: 3 } });
  const { core, clock } = world;
  const ada = member(world, "ada").caller;
  const first = post(world, ada);
  clock.pass(HOUR);
  replyTo(core, ada, first.id, { text: "one" });
  post(world, ada);
  const { error, retryAfterSeconds = 0 } = refused(() => post(world, ada));
  expect(error).toBe("rate_limited");
  expect(code(() => replyTo(core, ada, first.id, { text: "two" }))).toBe("posts_over_quota");
  // Ada can post again when the first of the three posts is 24 hours old.
  expect(retryAfterSeconds).toBe((DAY - HOUR) / 1000);
  clock.pass((retryAfterSeconds - 1) * 1000);
  expect(code(() => post(world, ada))).toBe("posts_over_quota");
  clock.pass(1000);
  post(world, ada);
  // The other two posts are an hour newer, so they count for another hour.
  expect(refused(() => post(world, ada)).retryAfterSeconds).toBeWithin(50 * 60, 70 * 60);
});

test("the stated wait is exact and at most 24 hours, whenever the day begins", async () => {
  for (const minutes of [0, 1, 5, 9]) {
    await using server = openTestServer({ policy: { signup: "invite", quotaPosts: 3 } });
    const { clock } = server;
    const { token } = member(server, "ada");
    const sendPost = () => server.request(token, "/feed", { method: "POST", body: { text: "hello" } });
    clock.pass(minutes * MINUTE);
    for (let i = 0; i < 3; i++, clock.pass(MINUTE)) expect((await sendPost()).status).toBe(201);
    for (let waits = 0; waits < 4; waits++) {
      let late = await sendPost();
      for (let i = 0; i < 3 && late.status === 201; i++) late = await sendPost();
      const seconds = Number(late.headers.get("retry-after"));
      const { message } = (await late.json()) as { message: string };
      expect([minutes, late.status, seconds <= 86_400]).toEqual([minutes, 429, true]);
      expect(message.replaceAll(",", "")).toContain(`Wait ${seconds} seconds`);
      clock.pass((seconds - 1) * 1000);
      expect((await sendPost()).status).toBe(429);
      clock.pass(1000);
      expect([minutes, waits, (await sendPost()).status]).toEqual([minutes, waits, 201]);
    }
  }
});

test("deleted posts still count, and each member has their own quota", () => {
  using world = createTestWorld({ policy: { signup: "invite", quotaPosts: 2 } });
  const ada = member(world, "ada").caller;
  for (const text of ["one", "two"]) deletePost(world.core, ada, post(world, ada, text).id);
  expect(code(() => post(world, ada))).toBe("posts_over_quota");
  post(world, member(world, "bob").caller);
});

test("a clock set in either direction neither raises the quota nor locks a member out", () => {
  using world = createTestWorld({ policy: { signup: "invite", quotaPosts: 1 } });
  const { clock } = world;
  const ada = member(world, "ada").caller;
  post(world, ada);
  for (const hours of [25, -50]) {
    clock.step(hours * HOUR);
    expect(refused(() => post(world, ada)).retryAfterSeconds).toBeLessThanOrEqual(DAY / 1000);
  }
  clock.pass(DAY);
  post(world, ada);
});

test("enterprise tokens have no quota and use none; posts published without a quota do not count later", () => {
  using world = createTestWorld({ policy: { signup: "invite", quotaPosts: 1 } });
  const { core } = world;
  const ada = member(world, "ada").caller;
  const robot = createMemberToken(core, "ada").caller;
  for (let i = 0; i < 5; i++) post(world, robot);
  post(world, ada);
  expect(code(() => post(world, ada))).toBe("posts_over_quota");
  post(world, robot);
  Object.assign(core.policy, { quotaPosts: undefined });
  post(world, ada);
  // Posts published before the limit was set count too.
  Object.assign(core.policy, { quotaPosts: 2 });
  post(world, ada);
  expect(code(() => post(world, ada))).toBe("posts_over_quota");
});

test("of two concurrent writes over different transports, only one fits into the last slot", async () => {
  await using server = openTestServer({ policy: { signup: "invite", quotaPosts: 1 } });
  const { token } = member(server, "ada");
  const body = { text: "hello" };
  const document = 'mutation { createPost(input: { text: "hello" }) { post { id } } }';
  const [rest, graphed] = await Promise.all([
    server.request(token, "/feed", { method: "POST", body }),
    graph(server, token, document),
  ]);
  expect(
    [rest.status === 201, graphed.body.data?.createPost?.post !== undefined].filter(Boolean),
  ).toHaveLength(1);
  expect(rows(server.core, "SELECT id FROM posts")).toHaveLength(1);
  const late = await server.request(token, "/feed", { method: "POST", body });
  expect(late.status).toBe(429);
  expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(23 * 3600);
  expect(await late.json()).toMatchObject({ error: "rate_limited", code: "posts_over_quota" });
  const again = await graph(server, token, document);
  expect(again.body.errors?.[0]?.extensions).toMatchObject({
    code: "rate_limited",
    reason: "posts_over_quota",
  });
});

test("a page shows the refusal in the form and keeps the typed text", async () => {
  await using site = openSite({ policy: { signup: "invite", quotaPosts: 1 } });
  await createAccount(site.core, OPERATOR, {
    username: "ada",
    name: "Ada",
    role: "member",
    password: PASSWORD,
  });
  const ada = visit(site);
  await ada.submit(await ada.open("/sign-in"), "/sign-in", { username: "ada", password: PASSWORD });
  await ada.submit(await ada.open("/"), "/posts", { text: "the first" });
  const page = await ada.submit(await ada.open("/"), "/posts", { text: "the second" });
  expect(page.status).toBe(429);
  expect(page.html).toContain("You have reached the limit of 1 post or reply in 24 hours.");
  expect(page.html).toContain("the second");
});

test("endpoints are limited per owner across all workspaces, and a deleted endpoint frees its slot", async () => {
  using world = createTestWorld({ policy: { signup: "invite", quotaEndpoints: 2 } });
  const { core } = world;
  const arrive = (name: string) => signedInNow(core, member(world, name).caller);
  const [ada, bob] = [arrive("ada"), arrive("bob")];
  const shared = createWorkspace(core, bob, "bob", { name: "Tools" });
  joinWorkspace(core, ada, tokenIn(inviteMember(core, bob, shared).url));
  const [adaThere, bobThere] = [
    { ...ada, workspaceId: shared },
    { ...bob, workspaceId: shared },
  ];
  const events = ["post.created"];
  registerEndpoint(core, ada, { url: url("one"), events });
  const two = registerEndpoint(core, adaThere, { url: url("two"), events });
  for (const caller of [ada, adaThere]) {
    const { error, code, params } = refused(() =>
      registerEndpoint(core, caller, { url: url("three"), events }),
    );
    expect([error, code, params]).toEqual(["conflict", "endpoints_over_quota", { max: 2 }]);
  }
  // A member who changes the URL of another member's endpoint becomes its owner. So ada's limit applies.
  const bobs = registerEndpoint(core, bobThere, { url: url("bobs"), events });
  expect(code(() => changeEndpoint(core, adaThere, bobs.id, { url: url("taken") }))).toBe(
    "endpoints_over_quota",
  );
  changeEndpoint(core, adaThere, two.id, { url: url("moved") });
  changeEndpoint(core, adaThere, bobs.id, { events: ["job.published"] });
  Object.assign(core.policy, { quotaEndpoints: 1 });
  expect(listEndpoints(core, ada)).toHaveLength(1);
  deleteEndpoint(core, adaThere, two.id);
  expect(code(() => registerEndpoint(core, ada, { url: url("three"), events }))).toBe("endpoints_over_quota");
  deleteEndpoint(core, ada, listEndpoints(core, ada)[0]?.id ?? "");
  registerEndpoint(core, ada, { url: url("three"), events });
  registerEndpoint(core, createMemberToken(core, "ada").caller, { url: url("four"), events });
});

test("job filters are limited, and a deleted filter frees its slot", () => {
  using world = createTestWorld({ policy: { signup: "invite", quotaFilters: 1 } });
  const { core } = world;
  const ada = member(world, "ada").caller;
  const { id } = createJobFilter(core, ada, { name: "rust" });
  const over = refused(() => createJobFilter(core, ada, { name: "go" }));
  expect([over.error, over.code]).toEqual(["conflict", "filters_over_quota"]);
  createJobFilter(core, createMemberToken(core, "ada").caller, { name: "ocaml" });
  deleteJobFilter(core, ada, id);
  expect(code(() => createJobFilter(core, ada, { name: "go" }))).toBe("filters_over_quota");
});

test("demo data and imported posts use up no quota", async () => {
  using world = createTestWorld({
    policy: { signup: "invite", quotaPosts: 1, quotaEndpoints: 1, quotaFilters: 1 },
  });
  const { core } = world;
  await fillDemo(core, { builders: 3, posts: 20, jobs: 2, prompts: 2 }, 1, () => {});
  const ada = member(world, "ada").caller;
  const old = { authorId: ada.builderId ?? "", text: "from before", tags: [], parentId: null, createdAt: 0 };
  for (let i = 0; i < 3; i++) core.db.transact(() => insertImportedPost(core, { ...old, createdAt: i + 1 }));
  post(world, ada);
});
