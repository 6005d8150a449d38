// Tests docs/contract.md#V2.4, docs/contract.md#V4.11, docs/contract.md#V4.12, docs/contract.md#2.11 and
// docs/contract.md#4.11.
import { expect, test } from "bun:test";
import { DAY } from "../../src/core/base/clock.ts";
import { insertProjects } from "../../src/core/community/profiles/projects-store.ts";
import { insertRun } from "../../src/core/community/xp/streaks-store.ts";
import { insertBadge } from "../../src/core/community/xp/xp-store.ts";
import { createMember, openTestServer } from "../support.ts";
import { call, clientOf } from "./client.ts";

test("a profile has exactly username, name, bio, xp, streak_days, badges and projects", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const { token } = createMember(core, "bo");
  const builderId = createMember(core, "ada").caller.builderId ?? "";
  core.db.prepare("UPDATE builders SET bio = 'Bread.', xp = 4210 WHERE id = ?").run(builderId);
  const today = Math.floor(clock.now() / DAY);
  insertRun(core, builderId, { firstDay: today - 36, lastDay: today, days: 37 });
  insertBadge(core, builderId, "streak-30", clock.now() + 5);
  insertBadge(core, builderId, "first-post", clock.now());
  const projects = ["tinyqueue", "loaf"].map((title) => ({
    id: core.makeId("prj", clock.now()),
    builderId,
    title,
    createdAt: clock.now(),
  }));
  insertProjects(core, projects.toReversed());
  const { data } = await clientOf(server, token).GET("/profiles/{username}", {
    params: { path: { username: "ada" } },
  });
  expect(data).toStrictEqual({
    username: "ada",
    name: "Ada",
    bio: "Bread.",
    xp: 4210,
    streak_days: 37,
    badges: ["first-post", "streak-30"],
    projects: projects.map(({ id, title }) => ({ id, title })),
  });
});

test("a new builder's profile is empty, not missing", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { body } = await call(server, token, "GET /profiles/ada");
  expect(body).toStrictEqual({
    username: "ada",
    name: "Ada",
    bio: "",
    xp: 0,
    streak_days: 0,
    badges: [],
    projects: [],
  });
});

test("GET /profiles/me returns the profile of the token's account, in the shape of any profile", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  for (const [token, username] of [
    [ada.token, "ada"],
    [bo.token, "bo"],
  ] as const) {
    const { data } = await clientOf(server, token).GET("/profiles/me");
    expect(data?.username).toBe(username);
    const { body } = await call(server, token, `GET /profiles/${username}`);
    expect(data).toEqual(body);
  }
});

test("a username in any case finds the same builder", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada_l-1");
  for (const handle of ["ada_l-1", "Ada_L-1", "ADA_L-1", "%61da_l-1"]) {
    expect((await call(server, token, `GET /profiles/${handle}`)).body.username).toBe("ada_l-1");
  }
});

test("GET /profiles/{username} returns 404 for an unknown username", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const wrong = [
    "nobody",
    "@ada",
    "ad",
    "adaa",
    "ada%20",
    "%20ada",
    "ada%00",
    "a%2Fda",
    "%C3%A4da",
    "%EF%BD%81da",
  ];
  for (const handle of [...wrong, "ada'--", "..ada", "x".repeat(500), "%F0%9F%A6%80", "K%C4%B1m"]) {
    const { status, body } = await call(server, token, `GET /profiles/${handle}`);
    expect([handle, status, body]).toEqual([
      handle,
      404,
      {
        error: "not_found",
        code: "profile_unknown",
        message: "There is no profile with that username.",
        docs: expect.any(String),
      },
    ]);
  }
});
