import { expect, spyOn, test } from "bun:test";
import type { ErrorName } from "../../src/core/base/errors.ts";
import { hide } from "../moderate.ts";
import { createPost, listFeed } from "../../src/core/community/feed/feed.ts";
import { type Caller, OPERATOR, VISITOR } from "../../src/core/identity/access/caller.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import {
  changeCommunitySettings,
  getCommunitySettings,
  setLogo,
} from "../../src/core/services/community-settings/community-settings.ts";
import {
  communitySettingsOf,
  visitorCaller,
} from "../../src/core/identity/community-settings/community-settings.ts";
import { createMemberToken, createTestWorld } from "../support.ts";
import { outcomeOf, createSignedInMember } from "./people.ts";

// docs/contract.md#12.22
test("a setting of the community overrides the operator's value, which overrides the default", () => {
  using world = createTestWorld({ policy: { signup: "open", name: "The Beekeepers" } });
  const { core } = world;
  expect(communitySettingsOf(core)).toMatchObject({
    name: "The Beekeepers",
    joining: "open",
    reading: "everybody",
    zone: "UTC",
  });
  const changed = changeCommunitySettings(core, OPERATOR, {
    name: "Weavers",
    reading: "members",
    zone: "europe/berlin",
  });
  expect(changed).toEqual(communitySettingsOf(core));
  expect(changed).toMatchObject({
    name: "Weavers",
    reading: "members",
    zone: "Europe/Berlin",
    joining: "open",
  });
  changeCommunitySettings(core, OPERATOR, { joining: "approval", accent: "#a8322d" });
  changeCommunitySettings(core, OPERATOR, { name: null, accent: "" });
  expect(communitySettingsOf(core)).toMatchObject({
    name: "The Beekeepers",
    joining: "approval",
    accent: "",
    reading: "members",
  });
  const entries = listAudit(core, OPERATOR, { of: "all" }, { limit: 10 }).nodes;
  expect(entries.map(({ act, detail }) => [act, detail])).toEqual([
    ["charter.changed", { parts: "accent, name" }],
    ["charter.changed", { parts: "accent, joining" }],
    ["charter.changed", { parts: "name, reading, zone" }],
  ]);
});

// docs/contract.md#12.24
test("the core refuses reads by guests in a members-only community", async () => {
  using world = createTestWorld();
  const { core } = world;
  const read = () => outcomeOf(() => listFeed(core, visitorCaller(core), {}, { limit: 1 }));
  expect([visitorCaller(core), await read()]).toEqual([VISITOR, "done"]);
  changeCommunitySettings(core, OPERATOR, { reading: "members" });
  expect([visitorCaller(core).scopes.size, await read()]).toEqual([0, "forbidden"]);
  changeCommunitySettings(core, OPERATOR, { reading: null });
  expect(await read()).toBe("done");
});

test("refuses invalid settings and stores none of them", async () => {
  using world = createTestWorld();
  const { core } = world;
  const before = communitySettingsOf(core);
  const { caller } = await createSignedInMember(core, "ada");
  const hidden = createPost(core, caller, { text: "Hidden soon" }).id;
  hide(core, OPERATOR, hidden);
  const cases: [Record<string, unknown>, ErrorName][] = [
    [{ name: "" }, "bad_request"],
    [{ name: "x".repeat(41) }, "bad_request"],
    [{ name: "a\nb" }, "bad_request"],
    [{ contact: "javascript:alert(1)" }, "bad_request"],
    [{ contact: "http://plain.example" }, "bad_request"],
    [{ contact: "javascript://%0aalert(1)@evil.example" }, "bad_request"],
    [{ contact: "ada@bees.example?bcc=eve%40evil.example" }, "bad_request"],
    [{ contact: "https://bees.example/\u0000x" }, "bad_request"],
    [{ contact: "ada@bees.example\u202e" }, "bad_request"],
    [{ accent: "red" }, "bad_request"],
    [{ accent: "#A8322D" }, "bad_request"],
    [{ newcomerDays: 91 }, "bad_request"],
    [{ newcomerDays: -1 }, "bad_request"],
    [{ reading: "admins" }, "bad_request"],
    [{ language: "fr" }, "bad_request"],
    [{ zone: "Mars/Phobos" }, "unprocessable"],
    [{ zone: "+02:00" }, "unprocessable"],
    [{ newcomerPost: hidden }, "unprocessable"],
    [{ newcomerPost: "post_01kafzq8e5f2r8v0j3n6s1t4wx" }, "unprocessable"],
    [{ nothing: "x" }, "bad_request"],
  ];
  for (const [changes, code] of cases)
    expect([changes, await outcomeOf(() => changeCommunitySettings(core, OPERATOR, changes))]).toEqual([
      changes,
      code,
    ]);
  expect(communitySettingsOf(core)).toEqual(before);
});

test("only an admin with a recent sign-in, their token with `admin` and the operator change the settings", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { caller: member } = await createSignedInMember(core, "ada");
  const { caller: admin } = await createSignedInMember(core, "bob", { role: "admin" });
  const rename = (caller: Caller) => outcomeOf(() => changeCommunitySettings(core, caller, { name: "Mine" }));
  expect(await rename(member)).toBe("forbidden");
  const other = createMemberToken(core, "bob", ["moderation", "profile:write"]).caller;
  expect(await rename(other)).toBe("forbidden");
  expect(await outcomeOf(() => getCommunitySettings(core, other))).toBe("forbidden");
  clock.pass(3_600_000);
  expect(await rename(admin)).toBe("forbidden");
  expect(communitySettingsOf(core).name).toBe("Guildhall");
  const { caller: token } = createMemberToken(core, "bob", ["admin"]);
  expect(await rename(token)).toBe("done");
  expect(getCommunitySettings(core, token).name).toBe("Mine");
  for (const caller of [admin, token])
    expect(await outcomeOf(() => setLogo(core, caller, null))).toBe("forbidden");
});

test("caches the settings until they change, and shows uncommitted changes inside their transaction", () => {
  using world = createTestWorld();
  const { core } = world;
  changeCommunitySettings(core, OPERATOR, { name: "Bees", rules: "Be kind.\n".repeat(1000) });
  expect(communitySettingsOf(core).name).toBe("Bees");
  const prepared = spyOn(core.db, "prepare");
  for (let i = 0; i < 10; i++) expect(communitySettingsOf(core).name).toBe("Bees");
  expect(prepared).toHaveBeenCalledTimes(0);
  core.db.transact(() => {
    changeCommunitySettings(core, OPERATOR, { name: "Wasps" });
    expect(communitySettingsOf(core).name).toBe("Wasps");
  });
  expect(communitySettingsOf(core).name).toBe("Wasps");
  // A change that is rolled back is never visible.
  expect(() =>
    core.db.transact(() => {
      changeCommunitySettings(core, OPERATOR, { name: "Ants" });
      expect(communitySettingsOf(core).name).toBe("Ants");
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(communitySettingsOf(core).name).toBe("Wasps");
});
