import { expect, spyOn, test } from "bun:test";
import type { ErrorName } from "../../src/core/base/errors.ts";
import { hide } from "../../src/core/services/moderation/moderation.ts";
import { createPost, listFeed } from "../../src/core/community/feed/feed.ts";
import { OPERATOR, VISITOR } from "../../src/core/identity/access/caller.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { changeCharter } from "../../src/core/services/community-settings/community-settings.ts";
import { charterOf, strangerTo } from "../../src/core/identity/community-settings/community-settings.ts";
import { makeWorld } from "../support.ts";
import { outcome, person } from "./people.ts";

// docs/contract.md#12.22
test("a community says of itself what it likes; the rest is what the operator set, or what is usual", () => {
  using world = makeWorld({ policy: { signup: "open", name: "The Beekeepers" } });
  const { core } = world;
  expect(charterOf(core)).toMatchObject({
    name: "The Beekeepers",
    joining: "open",
    reading: "everybody",
    zone: "UTC",
  });
  const told = changeCharter(core, OPERATOR, { name: "Weavers", reading: "members", zone: "europe/berlin" });
  expect(told).toEqual(charterOf(core));
  expect(told).toMatchObject({ name: "Weavers", reading: "members", zone: "Europe/Berlin", joining: "open" });
  changeCharter(core, OPERATOR, { joining: "approval", accent: "#a8322d" });
  changeCharter(core, OPERATOR, { name: null, accent: "" });
  expect(charterOf(core)).toMatchObject({
    name: "The Beekeepers",
    joining: "approval",
    accent: "",
    reading: "members",
  });
  const acts = listAudit(core, OPERATOR, { of: "all" }, { limit: 10 }).nodes;
  expect(acts.map(({ act, detail }) => [act, detail])).toEqual([
    ["charter.changed", { parts: "accent, name" }],
    ["charter.changed", { parts: "accent, joining" }],
    ["charter.changed", { parts: "name, reading, zone" }],
  ]);
});

// docs/contract.md#12.24
test("a stranger reads what everybody may, and in a place for members the core itself refuses them", async () => {
  using world = makeWorld();
  const { core } = world;
  const read = () => outcome(() => listFeed(core, strangerTo(core), {}, { limit: 1 }));
  expect([strangerTo(core), await read()]).toEqual([VISITOR, "done"]);
  changeCharter(core, OPERATOR, { reading: "members" });
  expect([strangerTo(core).scopes.size, await read()]).toEqual([0, "forbidden"]);
  changeCharter(core, OPERATOR, { reading: null });
  expect(await read()).toBe("done");
});

test("what does not fit is refused, and nothing of it is kept", async () => {
  using world = makeWorld();
  const { core } = world;
  const before = charterOf(core);
  const { caller } = await person(core, "ada");
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
    expect([changes, await outcome(() => changeCharter(core, OPERATOR, changes))]).toEqual([changes, code]);
  expect(charterOf(core)).toEqual(before);
});

test("nobody changes it but an admin who signed in a moment ago, and the operator", async () => {
  using world = makeWorld();
  const { core, clock } = world;
  const { caller: member } = await person(core, "ada");
  const { caller: admin } = await person(core, "bob", { role: "admin" });
  const rename = (caller: typeof member) => outcome(() => changeCharter(core, caller, { name: "Mine" }));
  expect(await rename(member)).toBe("forbidden");
  expect(await rename({ ...admin, means: "token" })).toBe("forbidden");
  clock.pass(3_600_000);
  expect(await rename(admin)).toBe("forbidden");
  expect(charterOf(core).name).toBe("Guildhall");
});

test("what it says is read once until something changes; in a transaction it is what is being said", () => {
  using world = makeWorld();
  const { core } = world;
  changeCharter(core, OPERATOR, { name: "Bees", rules: "Be kind.\n".repeat(1000) });
  expect(charterOf(core).name).toBe("Bees");
  const prepared = spyOn(core.db, "prepare");
  for (let i = 0; i < 10; i++) expect(charterOf(core).name).toBe("Bees");
  expect(prepared).toHaveBeenCalledTimes(0);
  core.db.transact(() => {
    changeCharter(core, OPERATOR, { name: "Wasps" });
    expect(charterOf(core).name).toBe("Wasps");
  });
  expect(charterOf(core).name).toBe("Wasps");
  // What was taken back in the middle was never said.
  expect(() =>
    core.db.transact(() => {
      changeCharter(core, OPERATOR, { name: "Ants" });
      expect(charterOf(core).name).toBe("Ants");
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(charterOf(core).name).toBe("Wasps");
});
