// Tests docs/contract.md#12.42 over REST: own decisions, appeals and their answers.
import { expect, test } from "bun:test";
import { createPost, getPost } from "../../src/core/community/feed/feed.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import type { Scope } from "../../src/core/identity/access/scopes.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { createMember, createMemberToken, openTestServer, signedInNow } from "../support.ts";
import { call } from "./client.ts";

test("a member appeals by API, a moderator answers, and nobody else can", async () => {
  await using server = openTestServer();
  const { core } = server;
  const bob = createMember(core, "bob");
  createBuilder(core, OPERATOR, { username: "mo", name: "mo", role: "moderator" });
  createBuilder(core, OPERATOR, { username: "jo", name: "jo", role: "moderator" });
  const mo = signedInNow(core, createMemberToken(core, "mo").caller);
  const post = createPost(core, bob.caller, { text: "Cheap followers" });
  const { id } = decide(core, mo, post.id, { act: "hide", reason: "Spam." });
  const tokenOf = (name: string, ...scopes: Scope[]) => createMemberToken(core, name, scopes).token;
  const [reader, writer] = [tokenOf("bob", "profile:read"), tokenOf("bob", "profile:write")];
  const [desk, own, plain] = [
    tokenOf("jo", "moderation"),
    tokenOf("mo", "moderation"),
    tokenOf("jo", "feed:read"),
  ];
  const mine = "GET /profiles/me/decisions";
  const appeal = `POST /profiles/me/decisions/${id}/appeal`;
  const answer = `PUT /decisions/${id}/appeal/answer`;
  const text = { body: { text: "It was a quotation." } };
  const granted = { body: { outcome: "granted", answer: "You are right." } };

  const [decision] = (await call(server, reader, mine)).body.data;
  expect(decision).toMatchObject({
    ...{ id, act: "hide", reason: "Spam.", appeal: null },
    subject: { type: "post", id: post.id },
  });
  expect(JSON.stringify(decision)).not.toContain("mo");
  const statusOf = async (token: string, request: string, init = {}) =>
    (await call(server, token, request, init)).status;
  expect(await statusOf(writer, mine)).toBe(403);
  expect(await statusOf(reader, appeal, text)).toBe(403);
  expect(await statusOf(tokenOf("jo", "profile:write"), appeal, text)).toBe(404);
  expect(await statusOf(writer, appeal, { body: { text: " " } })).toBe(400);
  expect((await call(server, writer, appeal, text)).body.appeal).toMatchObject({
    ...{ text: "It was a quotation.", decided: null },
  });
  expect(await statusOf(writer, appeal, text)).toBe(409);

  expect(await statusOf(plain, "GET /appeals")).toBe(403);
  expect((await call(server, desk, "GET /appeals")).body.data).toMatchObject([{ id, by: "mo" }]);
  expect(await statusOf(plain, answer, granted)).toBe(403);
  expect(await statusOf(own, answer, granted)).toBe(403);
  expect((await call(server, desk, answer, granted)).body.appeal.decided).toMatchObject({
    ...{ by: "jo", outcome: "granted", answer: "You are right." },
  });
  expect(await statusOf(desk, answer, granted)).toBe(409);
  expect(getPost(core, bob.caller, post.id).hiddenAt).toBeNull();
  expect((await call(server, desk, "GET /appeals")).body.data).toEqual([]);
  expect((await call(server, desk, "GET /appeals?state=decided")).body.data).toMatchObject([{ id }]);
  const [after] = (await call(server, reader, mine)).body.data;
  expect(after.appeal.decided).toMatchObject({ outcome: "granted", answer: "You are right." });
  expect(after.appeal.decided).not.toHaveProperty("by");
});
