import { expect, test } from "bun:test";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { DAY } from "../../src/core/base/clock.ts";
import {
  inviteMember,
  joinWorkspace,
  listInvitations,
  peekInvitation,
  withdrawInvitation,
} from "../../src/core/delegation/workspaces/invitations.ts";
import { listMembers, setRole } from "../../src/core/delegation/workspaces/workspaces.ts";
import { dumpRows, reopen } from "../spec/rows.ts";
import { createTestWorld, openTestServer, signedInNow } from "../support.ts";
import { addMembers, createTools, createCallers, refusalOf, tokenOf } from "./workspace-parts.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

test("a link on this community's origin admits one member within seven days", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { ada, bo, cleo } = createCallers(core, "ada", "bo", "cleo");
  const tools = createTools(core, ada);
  const { url, expiresAt } = inviteMember(core, ada, tools);
  expect(url).toMatch(/^https:\/\/guild\.test\/join\?token=[A-Za-z0-9_-]{43}$/);
  expect(expiresAt).toBe(clock.now() + 7 * DAY);
  clock.pass(7 * DAY - 1);
  expect(peekInvitation(core, bo, tokenOf(url))).toMatchObject({
    workspace: { id: tools, name: "Tools", members: 1 },
    invitedBy: "ada",
  });
  expect(joinWorkspace(core, bo, tokenOf(url))).toBe(tools);
  expect(refusalOf(() => joinWorkspace(core, cleo, tokenOf(url)))).toBe("not_found");
  expect(refusalOf(() => peekInvitation(core, cleo, tokenOf(url)))).toBe("not_found");

  const late = tokenOf(inviteMember(core, signedInNow(core, ada), tools).url);
  clock.pass(7 * DAY);
  expect(refusalOf(() => joinWorkspace(core, cleo, late))).toBe("not_found");
  for (const wrong of ["", "x", late.slice(1), `${late}=`, "A".repeat(43)])
    expect(refusalOf(() => joinWorkspace(core, cleo, wrong))).toBe("not_found");
  expect(listMembers(core, ada, tools)).toHaveLength(2);
});

test("of twenty members who use one link at once, in two processes, one joins", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { ada, ...others } = createCallers(core, "ada", ...Array.from({ length: 20 }, (_, n) => `guest${n}`));
  using otherServer = reopen(server);
  const tools = createTools(core, ada as Caller);
  const token = tokenOf(inviteMember(core, ada as Caller, tools).url);
  const outcomes = await Promise.allSettled(
    Object.values(others).map((guest, n) => {
      const here = n % 2 === 0 ? core : otherServer.core;
      return here.db.write(() => joinWorkspace(here, guest, token));
    }),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(outcome.reason.code).toBe("link_broken");
  expect(listMembers(core, ada as Caller, tools)).toHaveLength(2);
});

test("a link that refuses one person stays open for the next", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo } = createCallers(core, "ada", "bo");
  const tools = createTools(core, ada);
  const token = tokenOf(inviteMember(core, ada, tools).url);
  expect(refusalOf(() => joinWorkspace(core, ada, token))).toBe("conflict");
  expect(joinWorkspace(core, bo, token)).toBe(tools);
});

test("a link works only while its maker owns the workspace, and can be withdrawn", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo, cleo } = createCallers(core, "ada", "bo", "cleo");
  const tools = createTools(core, ada);
  addMembers(core, ada, tools, bo);
  setRole(core, ada, tools, "bo", "owner");
  const byBo = tokenOf(inviteMember(core, bo, tools).url);
  const byAda = inviteMember(core, ada, tools);
  expect(listInvitations(core, ada, tools).map(({ invitedBy }) => invitedBy)).toEqual(["ada", "bo"]);
  setRole(core, ada, tools, "bo", "member");
  expect(listInvitations(core, ada, tools).map(({ invitedBy }) => invitedBy)).toEqual(["ada"]);
  expect(refusalOf(() => joinWorkspace(core, cleo, byBo))).toBe("not_found");
  withdrawInvitation(core, ada, tools, byAda.id);
  expect(refusalOf(() => joinWorkspace(core, cleo, tokenOf(byAda.url)))).toBe("not_found");
  expect(refusalOf(() => withdrawInvitation(core, ada, tools, byAda.id))).toBe("not_found");
  expect(dumpRows(core).join("\n")).not.toContain(byBo);

  const byTheSuspended = tokenOf(inviteMember(core, ada, tools).url);
  setSuspended(core, OPERATOR, "ada", true);
  expect(refusalOf(() => joinWorkspace(core, cleo, byTheSuspended))).toBe("not_found");
  setSuspended(core, OPERATOR, "ada", false);
  expect(refusalOf(() => joinWorkspace(core, cleo, byTheSuspended))).toBe("not_found");
});
