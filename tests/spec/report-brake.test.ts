// docs/contract.md#12.39
import { expect, test } from "bun:test";
import { DAY } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { createPost, listFeed } from "../../src/core/community/feed/feed.ts";
import { findCase } from "../../src/core/community/reports/cases.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { decide, listDecisions } from "../../src/core/services/moderation/decisions.ts";
import { report } from "../../src/core/services/moderation/reports.ts";
import { undoDecision } from "../../src/core/services/moderation/undo.ts";
import { createMember, createMemberToken, createTestWorld } from "../support.ts";

const PAGE = { limit: 20, backwards: false };

async function join(core: Core, username: string): Promise<Caller> {
  await signUp(core, { address: "203.0.113.7", agent: "" }, { username, password: "correct horse battery" });
  return createMemberToken(core, username, undefined, "personal").caller;
}

function reportBy(core: Core, callers: readonly Caller[], id: string): void {
  for (const caller of callers) report(core, caller, { kind: "post", id }, { reason: "An advertisement" });
}

const isPublic = (core: Core, id: string) =>
  listFeed(core, OPERATOR, {}, PAGE).nodes.some((post) => post.id === id);

const members = (core: Core, names: string[]) => names.map((name) => createMember(core, name).caller);

test("three reports of established members hide a post until a moderator looks, and never again", () => {
  using world = createTestWorld();
  const { core } = world;
  const mallory = createMember(core, "mallory").caller;
  const [ada, bo, cy, di, ed, fi] = members(core, ["ada", "bo", "cy", "di", "ed", "fi"]) as [
    Caller,
    ...Caller[],
  ];
  const { id } = createPost(core, mallory, { text: "Cheap followers" });

  reportBy(core, [ada, bo as Caller, ada], id);
  expect(isPublic(core, id)).toBe(true);
  reportBy(core, [cy as Caller], id);
  expect(isPublic(core, id)).toBe(false);
  const [decision] = listDecisions(core, OPERATOR, { subject: id }, PAGE).nodes;
  expect(decision).toMatchObject({ act: "hide", isAutomatic: true, by: null, builder: "mallory" });
  expect(findCase(core, id)).toMatchObject({ closedAt: null, cause: "brake" });

  decide(core, OPERATOR, id, { act: "restore" });
  expect(isPublic(core, id)).toBe(true);
  expect(findCase(core, id)?.closedAt).not.toBeNull();
  reportBy(core, [di, ed, fi] as Caller[], id);
  expect(isPublic(core, id)).toBe(true);
});

test("an undo of the automatic decision shows the post again, unless a moderator hid it since", () => {
  using world = createTestWorld();
  const { core } = world;
  const mallory = createMember(core, "mallory").caller;
  const reporters = members(core, ["ada", "bo", "cy"]);
  const ids = ["One", "Two"].map((text) => createPost(core, mallory, { text }).id) as [string, string];
  for (const id of ids) reportBy(core, reporters, id);
  decide(core, OPERATOR, ids[1], { act: "hide", reason: "An advertisement" });

  for (const { id, isAutomatic } of listDecisions(core, OPERATOR, { state: "in_force" }, PAGE).nodes)
    if (isAutomatic) undoDecision(core, OPERATOR, id);

  expect(ids.map((id) => isPublic(core, id))).toEqual([true, false]);
});

test("reports of newcomers and limited members do not count, and staff are never hidden", async () => {
  await using world = createTestWorld({ signup: "open" });
  const { core, clock } = world;
  const mallory = createMember(core, "mallory").caller;
  const staff = createMember(core, "stella").caller;
  core.db.prepare("UPDATE builders SET role = 'moderator' WHERE username = 'stella'").run();
  const [ada, bo, cy] = members(core, ["ada", "bo", "cy"]) as [Caller, Caller, Caller];
  const crowd = [await join(core, "nia"), await join(core, "noa"), await join(core, "nea")];
  const { id } = createPost(core, mallory, { text: "Good evening" });
  const { id: theirs } = createPost(core, staff, { text: "A reminder of our rules" });
  decide(core, OPERATOR, cy.builderId ?? "", { act: "limit", reason: "Abuse of reports" });

  reportBy(core, [...crowd, ada, bo, cy], id);
  expect(isPublic(core, id)).toBe(true);
  reportBy(core, [ada, bo, createMember(core, "di").caller], theirs);
  expect(isPublic(core, theirs)).toBe(true);

  changeCommunitySettings(core, OPERATOR, { reportsToHide: 0 });
  clock.pass(60 * DAY);
  reportBy(core, [createMember(core, "ed").caller], id);
  expect(isPublic(core, id)).toBe(true);
  changeCommunitySettings(core, OPERATOR, { reportsToHide: 3 });
  reportBy(core, [createMember(core, "fi").caller], id);
  expect(isPublic(core, id)).toBe(false);
});
