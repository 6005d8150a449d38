// Tests docs/contract.md#1.6 and docs/contract.md#1.8.
import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { exampleOf } from "../../src/rest/example.ts";
import { ROUTES } from "../routes.ts";
import { createMemberToken, createMember, openTestServer } from "../support.ts";
import { openGallery, send } from "../media/gallery.ts";
import * as made from "../media/sample-images.ts";
import { call } from "./client.ts";
import { jobDraft } from "./rows.ts";

const job = { ...jobDraft(), company: { name: "Loaf", slug: "loaf" } };

/** Objects of one person, with the requests that create, read, change and delete them. */
const THINGS = [
  { made: "POST /jobs", body: job, at: "/jobs", change: { title: "Baker" } },
  {
    made: "POST /job-filters",
    body: { name: "mine", q: "rust" },
    at: "/job-filters",
    change: { name: "ours" },
    goes: true,
  },
  {
    made: "POST /profiles/me/projects",
    body: { title: "loaf" },
    at: "/profiles/me/projects",
    change: { title: "bun" },
    goes: true,
  },
  {
    made: "POST /webhooks",
    body: { url: "https://hooks.example.com/a", events: ["post.created"] },
    at: "/webhooks",
    change: { events: ["job.published"] },
    goes: true,
  },
  { made: "POST /feed", body: { text: "hi" }, at: "/feed", goes: true },
  {
    made: "POST /prompts",
    body: { title: "t", body: "b", model: "m", category: "c" },
    at: "/prompts",
    goes: true,
  },
];

test("RFC 9110 §13.1.1 If-Match: a write needs the current ETag; otherwise it is 412 and changes nothing", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  for (const { made, body, at, change, goes } of THINGS) {
    const { id } = (await call(server, token, made, { body })).body;
    const path = `${at}/${id}`;
    const read = async () => {
      const { headers, text } = await call(server, token, `GET ${path}`);
      return { etag: headers.get("etag") ?? "", text };
    };
    const first = await read();
    const writes: [method: string, body?: unknown][] = change ? [["PATCH", change]] : [];
    if (goes) writes.push(["DELETE"]);
    for (const [method, body] of writes) {
      const now = await read();
      for (const wrong of [`"x"`, `W/${now.etag}`, `"x", "y"`, "", now.etag.slice(1, -1), `${now.etag}x`]) {
        const response = await call(server, token, `${method} ${path}`, {
          body,
          headers: { "if-match": wrong },
        });
        expect([method, path, wrong, response.status, response.body.code]).toEqual([
          method,
          path,
          wrong,
          412,
          "changed_meanwhile",
        ]);
      }
      expect((await read()).text).toBe(now.text);
      const right = [`"x", ${now.etag}`, now.etag.replace(/"$/, '-zstd"')];
      const reply = await call(server, token, `${method} ${path}`, {
        body,
        headers: { "if-match": right[method === "PATCH" ? 0 : 1] ?? "" },
      });
      expect([method, path, reply.status < 300]).toEqual([method, path, true]);
    }
    if (change && goes) expect(first.etag).not.toBe("");
    if (!goes) {
      expect((await read()).etag).not.toBe(first.etag);
      const late = await call(server, token, `PATCH ${path}`, {
        body: change,
        headers: { "if-match": first.etag },
      });
      expect(late.status).toBe(412);
      const any = await call(server, token, `PATCH ${path}`, { body: change, headers: { "if-match": "*" } });
      expect(any.status).toBe(200);
    }
  }
});

test("of concurrent writers with the same ETag exactly one succeeds", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  for (let round = 0; round < 20; round++) {
    const { headers } = await call(server, token, "GET /profiles/me");
    const ifMatch = { "if-match": headers.get("etag") ?? "" };
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        call(server, token, "PATCH /profiles/me", { body: { bio: `${round} ${i}` }, headers: ifMatch }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412]);
    const kept = responses.find(({ status }) => status === 200)?.body.bio;
    expect((await call(server, token, "GET /profiles/me")).body.bio).toBe(kept);
  }
});

test("other refusals take precedence over If-Match; an unreadable resource never matches, and a POST ignores the header", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { token: bo } = createMember(server.core, "bo");
  const { id } = (
    await call(server, token, "POST /feed", { body: { text: "hi" }, headers: { "if-match": '"x"' } })
  ).body;
  const headers = { "if-match": '"x"' };
  expect((await call(server, bo, `DELETE /feed/${id}`, { headers })).status).toBe(403);
  expect((await call(server, bo, "DELETE /feed/post_01kafzq8e5f2r8v0j3n6s1t4wx", { headers })).status).toBe(
    404,
  );
  expect((await call(server, bo, "PATCH /profiles/me", { headers, body: { bio: 1 } })).status).toBe(400);
  expect((await call(server, undefined, "PATCH /profiles/me", { headers, body: {} })).status).toBe(401);
  for (const sent of ['"x"', "*"]) {
    const like = await call(server, bo, `PUT /feed/${id}/like`, { headers: { "if-match": sent } });
    expect(like.status).toBe(412);
  }
  expect((await call(server, bo, `GET /feed/${id}`)).body).toMatchObject({
    liked: false,
    metrics: { likes: 0 },
  });
  // A conditional request reveals nothing about an object that the caller may not read.
  const { token: blind } = createMemberToken(server.core, "ada", ["feed:write"]);
  const response = await call(server, blind, `DELETE /feed/${id}`, { headers: { "if-match": "*" } });
  expect([response.status, response.body.params]).toEqual([403, { scope: "feed:read" }]);
});

test("every 201 of the operations table has a Location that can be read", async () => {
  await using server = openGallery();
  const { token } = createMember(server.core, "ada");
  createMember(server.core, "bo");
  createBuilder(server.core, OPERATOR, { username: "mod", name: "Mod", role: "admin" });
  const { token: moderating } = createMemberToken(server.core, "mod", SCOPE_NAMES);
  const at = async (request: string, body: unknown) =>
    (await call(server, token, request, { body })).body.id as string;
  const post = await at("POST /feed", { text: "hi" });
  const prompt = await at("POST /prompts", { title: "t", body: "b", model: "m", category: "c" });
  const webhook = await at("POST /webhooks", {
    url: "https://hooks.example.com/a",
    events: ["post.created"],
  });
  // Bodies and ids that the document's examples cannot provide, because they name existing objects.
  const given: Record<string, { id?: string; body?: unknown; by?: string }> = {
    replyToPost: { id: post, body: { text: "hello" } },
    publishJob: { body: job },
    createJobFilter: { body: { name: "mine", q: "rust" } },
    revisePrompt: { id: prompt, body: { body: "c", note: "n" } },
    sendMessage: { body: { to: "bo", text: "hi" } },
    registerWebhook: { body: { url: "https://hooks.example.com/b", events: ["post.created"] } },
    testWebhook: { id: webhook },
    addCaseNote: { id: post, body: { text: "Seen before." }, by: moderating },
    decide: { id: post, body: { act: "warn", reason: "Off topic" }, by: moderating },
    createInvitation: { body: { label: "Fair" }, by: moderating },
  };
  // A picture is uploaded as a form, and its URL is not an API operation.
  const picture = await send(server, token, made.png(20, 10));
  const where = picture.headers.get("location") ?? "";
  expect([picture.status, where]).toEqual([201, expect.stringMatching(/^\/media\//) as never]);
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(server.url + where, { headers })).status).toBe(200);
  for (const op of ROUTES.filter(({ kind, answer }) => kind === "write" && answer.status === 201)) {
    const { id, body = op.body && exampleOf(op.body), by = token } = given[op.id] ?? {};
    if (op.param && id === undefined) throw new Error(`${op.id} answers 201 and needs a body or an id here`);
    const path = op.path.replace(/\{\w+\}/, id ?? "");
    const { status, headers } = await call(server, by, `${op.method} ${path}`, { body });
    expect([op.id, status]).toEqual([op.id, 201]);
    const location = headers.get("location") ?? "";
    expect(location).toStartWith("/v1/");
    const found = await call(server, by, `GET ${location.slice("/v1".length)}`);
    expect([op.id, found.status]).toEqual([op.id, 200]);
  }
});
