// docs/contract.md#12.40: the lists of the moderators' desk read only the rows of a page.
import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { listAudit, listModerationLog } from "../../src/core/identity/audit/audit.ts";
import { getCase, listCases } from "../../src/core/services/moderation/cases.ts";
import { listModeratedContent } from "../../src/core/services/moderation/content.ts";
import { decide, listDecisions } from "../../src/core/services/moderation/decisions.ts";
import { report } from "../../src/core/services/moderation/reports.ts";
import { fillDemo } from "../../src/demo/demo.ts";
import { createMember, createTestWorld } from "../support.ts";
import { plansOf } from "./query-plans.ts";

test("no filter of cases, content, decisions and the log scans a table or sorts more than a member's rows", async () => {
  using world = createTestWorld();
  const { core } = world;
  await fillDemo(core, { builders: 30, posts: 200, jobs: 10, prompts: 10 }, 7, () => {});
  const { caller } = createMember(core, "other-one");
  const { caller: reporter } = createMember(core, "reporter");
  for (let i = 0; i < 40; i++) {
    const { id } = createPost(core, caller, { text: `Number ${i}` });
    report(core, reporter, { kind: "post", id }, { reason: "Spam" });
    if (i % 2 === 0) decide(core, OPERATOR, id, { act: "hide", reason: "Spam" });
  }
  core.db.prepare("ANALYZE").run();
  const day = new Date(core.clock.now()).toISOString().slice(0, 10);
  const plans = plansOf(world, () => {
    for (const request of [{ limit: 5 }, { limit: 5, backwards: true }]) {
      for (const state of ["open", "closed"] as const)
        for (const filter of [{}, { taken: "free" }, { cause: "report" }, { member: "other-one" }] as const) {
          const { nodes, cursorOf } = listCases(core, OPERATOR, { state, ...filter }, request);
          expect(nodes.length).toBeGreaterThan(0);
          const [first] = nodes;
          if (first) listCases(core, OPERATOR, { state, ...filter }, { ...request, cursor: cursorOf(first) });
          getCase(core, OPERATOR, nodes[0]?.id ?? "");
        }
      for (const state of [undefined, "visible", "hidden", "held"] as const)
        for (const filter of [
          {},
          { author: "other-one" },
          { linkHost: "a.example" },
          { inviter: "reporter" },
        ])
          listModeratedContent(core, OPERATOR, { state, ...filter }, request);
      for (const filter of [{}, { builder: "other-one" }, { act: "hide" }, { day }] as const)
        listDecisions(core, OPERATOR, filter, request);
      for (const filter of [
        {},
        { actor: "other-one" },
        { subject: "other-one" },
        { act: "thing.hidden" },
        { day },
      ]) {
        listAudit(core, OPERATOR, { of: "all", ...filter }, request);
        listModerationLog(core, OPERATOR, filter, request);
      }
    }
  });
  expect(plans.length).toBeGreaterThan(20);
  const offences = plans.flatMap(({ sql, plan }) =>
    plan
      .filter((step) => /^SCAN|TEMP B-TREE/.test(step))
      // Allowed: subqueries of one page, and primary keys and indexes in the order of the list.
      .filter((step) => !/VIRTUAL TABLE|^SCAN (?:wanted|found|charter|CONSTANT ROW|\(subquery)/.test(step))
      // Allowed: the newest 10,000 entries of an index, which bound a filter.
      .filter((step) => !(step.startsWith("SCAN") && sql.includes("LIMIT 1 OFFSET ?")))
      // Allowed: sorting a member's cases and content, the reports about one subject, acts, and a page of the
      // log.
      .filter(
        (step) =>
          !(
            step.startsWith("USE TEMP B-TREE") &&
            /FROM cases k|FROM reports r|_by_author|_by_publisher|GROUP BY act|\) found CROSS/.test(sql)
          ),
      )
      .map((step) => `${step}: ${sql}`),
  );
  expect(offences).toEqual([]);
});
