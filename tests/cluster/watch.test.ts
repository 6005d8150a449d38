// docs/contract.md#12.31 and docs/threats.md#M39: nodes that ask each other.
import { expect, test } from "bun:test";
import pino from "pino";
import { checkOtherNodes } from "../../src/cluster/startup-check.ts";
import { NODE_HEADER } from "../../src/cluster/node.ts";
import { takeNextEpoch } from "../../src/core/base/db/leadership.ts";
import { askNode, fenceNode, isNode, type NoAnswer } from "../../src/cluster/peers.ts";
import { signForward } from "../../src/cluster/signature.ts";
import { createTestWorld, createMember } from "../support.ts";
import { type LeadingNode, openLeaderNode } from "./leading.ts";

const silent = pino({ level: "silent" });
const post = ({ core }: LeadingNode) => core.db.write(() => createMember(core, "ada"));
const commitsOf = ({ core }: LeadingNode): number => core.db.position().commits;

test("a node reports its position and the epoch that it leads in to other nodes of its community", async () => {
  await using node = openLeaderNode({ epoch: 3 });
  const { line, commits } = node.core.db.position();
  const { answer } = await askNode(node.core, node.url, 2);
  expect(answer).toEqual({
    node: expect.stringMatching(/^[\w-]{12}$/),
    role: "leader",
    line,
    epoch: 3,
    commits,
    heard: 3,
    seen: { epoch: 3, commits },
    takeovers: [],
    url: node.url,
  });
  expect(node.watch.thisNode().role).toBe("leader");
});

test("returns 404 to unsigned requests, and to signatures of another key, another request or a replay", async () => {
  await using node = openLeaderNode();
  using stranger = createTestWorld({ seed: 2 });
  const headerOf = (core: LeadingNode["core"], method: string, target: string, epoch = 9) =>
    signForward(core, { method, target, address: "", epoch });
  const ask = (header: string | undefined, method = "GET", target = "/cluster") =>
    fetch(`${node.url}${target}`, { method, headers: header === undefined ? {} : { [NODE_HEADER]: header } });
  const nothing = await (await fetch(`${node.url}/v1x`)).status;
  expect(nothing).toBe(404);
  const own = headerOf(node.core, "GET", "/cluster", 1);
  const refused = [
    await ask(undefined),
    await ask("x y z"),
    await ask(headerOf(stranger.core, "GET", "/cluster")),
    await ask(headerOf(stranger.core, "POST", "/cluster/fence?epoch=9"), "POST", "/cluster/fence?epoch=9"),
    await ask(own, "POST", "/cluster/fence?epoch=9"),
    await ask(own, "GET", "/cluster/fence?epoch=9"),
    await ask(own, "GET", "/cluster/more"),
    await ask(headerOf(node.core, "POST", "/cluster/fence?epoch=0", 1), "POST", "/cluster/fence?epoch=0"),
    await ask(own.replace(" 1 ", " 9 ")),
  ];
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
  for (const answer of refused) expect(await answer.json()).toMatchObject({ error: "not_found" });
  expect((await ask(own)).status).toBe(200);
  expect((await ask(own)).status).toBe(403);
  expect(node.watch.thisNode().role).toBe("leader");
  await post(node);
});

test("rejects an answer from another community, or to an earlier question", async () => {
  await using node = openLeaderNode();
  using stranger = createTestWorld({ seed: 2 });
  const { answer } = await askNode(stranger.core, node.url, 9);
  expect((answer as NoAnswer).reason).toBe("the server there (status 404) is not a node of this community");
  let kept: { body: string; headers: Headers } | undefined;
  using proxy = Bun.serve({
    port: 0,
    async fetch(request) {
      if (!kept) {
        const { pathname, search } = new URL(request.url);
        const answer = await fetch(`${node.url}${pathname}${search}`, { headers: request.headers });
        kept = { body: await answer.text(), headers: answer.headers };
      }
      return new Response(kept.body, { headers: kept.headers });
    },
  });
  const url = `http://127.0.0.1:${proxy.port}`;
  expect(isNode((await askNode(node.core, url, 1)).answer)).toBe(true);
  expect(isNode((await askNode(node.core, url, 1)).answer)).toBe(false);
  const late = createTestWorld();
  late.clock.pass(31_000);
  expect(((await askNode(late.core, node.url, 1)).answer as NoAnswer).reason).toContain("clock");
  late[Symbol.dispose]();
});

test("a leader that learns of a later epoch refuses reads and writes, and reports it on every transport", async () => {
  await using node = openLeaderNode();
  await post(node);
  const before = commitsOf(node);
  const { answer } = await fenceNode(node.core, node.url, 2);
  // The last commit records that the node stepped down, so a copy with that commit is complete.
  expect(answer).toMatchObject({ role: "fenced", epoch: 1, heard: 2, commits: before + 1 });
  expect(await fenceNode(node.core, node.url, 3)).toMatchObject({ answer: { commits: before + 1 } });
  await expect(node.core.db.write(() => createMember(node.core, "bob"))).rejects.toThrow(
    "Another node now leads",
  );
  expect(() => createMember(node.core, "bob")).toThrow("Another node now leads");
  expect(commitsOf(node)).toBe(before + 1);

  const errors = node.logged(50).filter(({ msg }) => msg.startsWith("another node leads in a later epoch"));
  expect(errors).toMatchObject([{ epoch: 2, by: "another node" }]);
  for (const path of ["/v1/feed", "/", "/graphql"]) {
    const answer = await fetch(`${node.url}${path}`);
    expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 503, "10"]);
  }
  expect((await fetch(`${node.url}/healthz`)).status).toBe(200);
  const ready = await fetch(`${node.url}/readyz`);
  expect(await ready.json()).toMatchObject({ status: "not ready", failing: ["fenced"] });
});

test("a node that knows a later leader reports it to the next node that asks", async () => {
  await using old = openLeaderNode();
  await using later = openLeaderNode({ epoch: 4, peers: [old.url] });
  await later.watch.lead.checkNow();
  await old.watch.fence(1);
  expect(old.watch.thisNode()).toMatchObject({ role: "fenced", heard: 4 });
  await post(later);
  expect(later.watch.thisNode().role).toBe("leader");
});

test("a leader that was suspended checks the other nodes before it writes, and finds the new leader", async () => {
  await using later = openLeaderNode({ epoch: 2 });
  await using old = openLeaderNode({ peers: [later.url], isSure: true });
  const before = commitsOf(old);
  // The nodes have separate clocks and sign with their time, so both clocks must advance.
  later.clock.pass(5000);
  old.clock.pass(5000);
  await expect(post(old)).rejects.toMatchObject({ code: "fenced" });
  await old.watch.fence(2);
  expect(commitsOf(old)).toBe(before + 1);
  expect(old.logged(50)).toMatchObject([{ epoch: 2, by: later.url }]);
});

test("two leaders of the same epoch agree which of them continues in the next epoch", async () => {
  await using first = openLeaderNode({ epoch: 2 });
  await using second = openLeaderNode({ epoch: 2, peers: [first.url] });
  const isUpper = second.watch.thisNode().node > first.watch.thisNode().node;
  await second.watch.lead.checkNow();
  if (isUpper) {
    expect(second.watch.thisNode()).toMatchObject({ role: "leader", epoch: 3 });
    expect(second.watch.thisNode().takeovers).toMatchObject([{ epoch: 3 }]);
    await second.watch.lead.checkNow();
    await askNode(second.core, first.url, 3);
    expect(first.watch.thisNode()).toMatchObject({ role: "fenced", heard: 3 });
    return;
  }
  // This node writes nothing until the other node has taken the next epoch.
  await expect(post(second)).rejects.toMatchObject({ code: "lead_unsure" });
  takeNextEpoch(first.core);
  await second.watch.lead.checkNow();
  expect(second.watch.thisNode()).toMatchObject({ role: "fenced", epoch: 2, heard: 3 });
});

test("a leader logs silent nodes once, and keeps leading", async () => {
  await using node = openLeaderNode({ peers: ["http://127.0.0.1:9"] });
  await post(node);
  await node.watch.lead.checkNow();
  const warnings = node.logged(40).filter(({ msg }) => msg.startsWith("some nodes do not answer"));
  expect(warnings).toMatchObject([{ silent: ["http://127.0.0.1:9: connection refused"] }]);
  expect(node.watch.silent()).toBe(1);
});

test("a starting leader yields to a leader of its own epoch, and gives up for a later epoch", async () => {
  await using leader = openLeaderNode({ epoch: 3 });
  const { core } = leader;
  const look = (epoch: number, peers = [leader.url]) => checkOtherNodes(core, { epoch }, peers, silent);
  expect(await look(2)).toMatchObject({ giveUpFor: 3, copiedFrom: undefined });
  expect(await look(3)).toMatchObject({ giveUpFor: undefined, copiedFrom: leader.url });
  expect(await look(1, ["http://127.0.0.1:9"])).toMatchObject({
    giveUpFor: undefined,
    copiedFrom: undefined,
  });
  await fenceNode(core, leader.url, 4);
  expect(await look(3)).toMatchObject({ giveUpFor: 4 });
  expect(await look(4)).toMatchObject({ giveUpFor: undefined, copiedFrom: undefined });
});
