import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { type Route, ROUTES } from "../routes.ts";
import { schema } from "../../src/graphql/schema/index.ts";
import { createMemberToken, type TestServer, openTestServer } from "../support.ts";
import {
  type ParityRequest,
  requestGraph,
  requestRest,
  type Connection,
  connection,
  isList,
  shown,
} from "./parity.ts";
import { parityRows, type Row } from "./parity-rows.ts";
import { openFixtureCommunity, fillCommunity, type FixtureCommunity } from "./fixture-community.ts";

/*
 * Compares two identical fixture communities, down to the ids. One is read through REST, the other through
 * GraphQL. Both must return the same values and the same refusals.
 */

const UNKNOWN = "01kafzq8e5f2r8v0j3n6s1t4wx";

describe("parity of REST and GraphQL", () => {
  let [left, right]: TestServer[] = [];
  let closing: (() => PromiseLike<void>)[] = [];
  let community: FixtureCommunity;
  let rows: Readonly<Record<string, Row>>;
  // Tests that write open two communities each. Tests that only read share these two.
  beforeAll(async () => {
    const servers = [openTestServer(), openTestServer()] as const;
    closing = servers.map((server) => () => server[Symbol.asyncDispose]());
    [left, right] = servers;
    community = await fillCommunity(servers[0]);
    const twin = await fillCommunity(servers[1]);
    expect(twin.ids).toEqual(community.ids);
    rows = parityRows(community);
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  const both = () => ({ left: left as TestServer, right: right as TestServer });
  const rowOf = (op: Route): Row => {
    const row = rows[op.id];
    if (!row)
      throw new Error(
        `${op.id} has no row in tests/graphql/parity-rows.ts: how is it asked for in the graph?`,
      );
    return row;
  };

  test("every operation has a row here and every write its mutation, and nothing else has", () => {
    const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
    const known = new Set(ROUTES.map(({ id }) => id));
    const lacking = ROUTES.flatMap((op) => [
      ...(rows[op.id] || op.kind === "upload" ? [] : [`${op.id} has no row in tests/graphql/parity-rows.ts`]),
      ...(op.kind !== "write" || mutations.includes(op.id) ? [] : [`${op.id} has no mutation in the graph`]),
    ]);
    const more = [...Object.keys(rows), ...mutations].filter((id) => !known.has(id));
    expect([...lacking, ...more.map((id) => `${id} is in no table of operations`)]).toEqual([]);
    for (const op of ROUTES.filter(({ kind }) => kind === "write"))
      expect(rowOf(op).graph).toContain(` ${op.id}(input: $input)`);
  });

  // GraphQL has no file uploads.
  for (const op of ROUTES.filter(({ kind }) => kind !== "upload")) {
    test(`${op.id}: same response`, async () => {
      const row = rowOf(op);
      if (op.method === "GET") {
        const { left, right } = both();
        const rest = await requestRest(left, community.ada.token, op, { param: row.param });
        const answer = await requestGraph(right, community.ada.token, op, row, { param: row.param });
        expect(answer.body.errors).toBeUndefined();
        expect(rest.status).toBe(200);
        expect(shown(op, row, answer)).toEqual(rest.body);
        return;
      }
      await using a = await openFixtureCommunity();
      await using b = await openFixtureCommunity();
      const rest = await requestRest(a.server, a.community.ada.token, op, row);
      const answer = await requestGraph(b.server, b.community.ada.token, op, row, row);
      expect(answer.body.errors).toBeUndefined();
      expect(rest.status).toBeLessThan(300);
      expect(shown(op, row, answer)).toEqual(rest.body);
    });

    test(`${op.id}: same refusals`, async () => {
      const { left, right } = both();
      const row = rowOf(op);
      // Lets the guests' rate limit refill.
      for (const server of [left, right]) server.clock.pass(MINUTE);
      const same = async (
        token: string | undefined,
        request: ParityRequest,
        name?: string,
      ): Promise<void> => {
        const rest = await requestRest(left, token, op, request);
        const [error] = (await requestGraph(right, token, op, row, request)).body.errors ?? [];
        expect(error?.extensions.code).toBe(rest.body.error);
        if (name) expect(rest.body.error).toBe(name);
        // For schema errors, graphql-js writes its own message.
        if (name !== "bad_request") expect(error?.message).toBe(rest.body.message);
      };
      await same(undefined, row, "unauthorized");
      await same("guild_pat_nonsense", row, "unauthorized");
      const lacking = SCOPE_NAMES.filter((name) => name !== op.scope && !op.orScopes?.includes(name));
      const rest = await requestRest(left, createMemberToken(left.core, "ada", lacking).token, op, row);
      const answer = await requestGraph(
        right,
        createMemberToken(right.core, "ada", lacking).token,
        op,
        row,
        row,
      );
      expect(rest.body).toMatchObject({ error: "forbidden" });
      expect(answer.body.errors?.[0]).toMatchObject({
        message: rest.body.message,
        extensions: { code: "forbidden" },
      });
      if (op.param) {
        const kind = /^([a-z]+)_/.exec(row.param ?? "")?.[1];
        // Every valid tag exists, so an invalid one is used.
        const unknown = kind ? `${kind}_${UNKNOWN}` : op.param.name === "tag" ? "no--tag" : "nobody";
        await same(community.ada.token, { ...row, param: unknown }, "not_found");
        await same(community.ada.token, { ...row, param: "x/../.." }, "not_found");
      }
      if (op.body) {
        const body = Object.fromEntries(
          Object.keys(op.body.properties).map((name) => [name, { not: ["right"] }]),
        );
        await same(community.ada.token, { param: row.param, body }, "bad_request");
      }
      for (const { body = row.body, param = row.param, as } of row.refused ?? [])
        await same(community.ada.token, { param, body }, as);
    });
  }

  for (const op of ROUTES.filter(isList)) {
    test(`${op.id}: cursors work across both transports, in both directions`, async () => {
      const { left, right } = both();
      const { token } = community.ada;
      const row = rowOf(op);
      const param = { param: row.param };
      const first = await requestRest(left, token, op, { ...param, first: 1 });
      const firstGraph = await requestGraph(right, token, op, row, { ...param, first: 1 });
      expect(first.body.next).toBeString();
      expect(shown(op, row, firstGraph)).toEqual(first.body);
      const { endCursor } = connection(row, firstGraph).pageInfo;
      const rest = await requestRest(left, token, op, { ...param, first: 100, after: endCursor });
      const answer = await requestGraph(right, token, op, row, {
        ...param,
        first: 100,
        after: first.body.next,
      });
      expect(rest.body.data.length).toBeGreaterThan(0);
      expect(shown(op, row, answer)).toEqual(rest.body);

      // Walks backwards from the end, which must return the same nodes in the same order.
      const all = connection(row, await requestGraph(right, token, op, row, { ...param, first: 100 })).edges;
      const walked: Connection["edges"] = [];
      let before: string | undefined;
      for (let page = 0; page <= all.length; page++) {
        const request = before === undefined ? { last: 1 } : { last: 1, before };
        const { edges, pageInfo } = connection(
          row,
          await requestGraph(right, token, op, row, { ...param, ...request }),
        );
        walked.unshift(...edges);
        expect(pageInfo.hasNextPage).toBe(before !== undefined);
        if (!pageInfo.hasPreviousPage) break;
        before = pageInfo.startCursor;
      }
      expect(walked.map(({ node }) => node)).toEqual(all.map(({ node }) => node));

      // Only GraphQL accepts a page size of 0.
      expect((await requestRest(left, token, op, { ...param, first: 0 })).body.error).toBe("bad_request");
      for (const bad of [{ first: 1, after: "x" }, { first: 101 }]) {
        const refused = await requestGraph(right, token, op, row, { ...param, ...bad });
        expect(refused.body.errors?.[0]?.extensions.code).toBe("bad_request");
        expect((await requestRest(left, token, op, { ...param, ...bad })).body.error).toBe("bad_request");
      }
      const bothWays = await requestGraph(right, token, op, row, { ...param, first: 1, last: 1 });
      expect(bothWays.body.errors?.[0]?.extensions.code).toBe("bad_request");
    });
  }
});
