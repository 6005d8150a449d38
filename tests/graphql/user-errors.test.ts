// Tests docs/contract.md#8.5.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isObjectType } from "graphql";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { schema } from "../../src/graphql/schema/index.ts";
import { ROUTES } from "../routes.ts";
import { createMemberToken, type TestServer, createMember, openTestServer } from "../support.ts";
import { codes, graph } from "./ask.ts";
import { requestGraph, requestRest, camel } from "./parity.ts";
import { parityRows, type Row } from "./parity-rows.ts";
import { fillCommunity, type FixtureCommunity } from "./fixture-community.ts";

/*
 * A refusal that another input can fix is returned in the payload if the client selects `errors`, with REST's
 * codes. Otherwise it is a GraphQL error.
 */

const ERRORS = "errors { error code message params path }";
const MENDABLE = ["bad_request", "not_found", "conflict", "precondition_failed", "unprocessable"];

test("every payload has `errors`, and all its other fields are nullable", () => {
  for (const { name, type } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const payload = schema.getType(String(type));
    if (!isObjectType(payload)) throw new Error(`${name} has no payload`);
    for (const field of Object.values(payload.getFields()))
      expect([name, field.name, String(field.type).endsWith("!")]).toEqual([
        name,
        field.name,
        field.name === "errors",
      ]);
    expect(String(payload.getFields()["errors"]?.type)).toBe("[UserError!]!");
  }
});

describe("returns REST's refusals with the same code", () => {
  let server: TestServer & AsyncDisposable;
  let community: FixtureCommunity;
  let rows: Readonly<Record<string, Row>>;
  beforeAll(async () => {
    server = openTestServer();
    community = await fillCommunity(server);
    rows = parityRows(community);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  for (const op of ROUTES.filter(({ kind }) => kind === "write")) {
    test(op.id, async () => {
      const row = rows[op.id] as Row;
      const unknown = row.param?.replace(/_\w{26}$/, "_01kafzq8e5f2r8v0j3n6s1t4wx");
      // Every valid tag exists, so an invalid one is used.
      const nobody = op.param?.name === "tag" ? "no--tag" : "nobody";
      const refused = [
        ...(row.refused ?? []).map(({ param = row.param, body = row.body }) => ({ param, body })),
        ...(op.param ? [{ param: unknown === row.param ? nobody : unknown, body: row.body }] : []),
      ];
      const asking = { ...row, graph: row.graph.replace(/(input: \$input\) \{)/, `$1 ${ERRORS}`) };
      for (const request of refused) {
        const { body: rest } = await requestRest(server, community.ada.token, op, request);
        const { body } = await requestGraph(server, community.ada.token, op, asking, request);
        // Input that violates the schema is refused before any mutation runs.
        if (body.data === undefined) {
          expect([rest.error, body.errors?.[0]?.extensions.code]).toEqual(["bad_request", "bad_request"]);
          continue;
        }
        if (!MENDABLE.includes(rest.error)) {
          expect([rest.error, body.data?.[op.id]]).toEqual([body.errors?.[0]?.extensions.code ?? "", null]);
          continue;
        }
        expect([request, body.errors]).toEqual([request, undefined]);
        const { errors, ...others } = body.data[op.id];
        expect(Object.values(others).filter((value) => value !== null)).toEqual([]);
        const [first] = errors;
        expect(first).toMatchObject({
          error: rest.error,
          code: rest.code,
          message: inOurNames(rest.message),
        });
        const details: { path: string }[] = rest.details ?? [];
        expect(errors.map(({ path }: { path: string[] }) => path.join("."))).toEqual(
          details.length === 0 ? [""] : details.map(({ path }) => path.split(".").map(camel).join(".")),
        );
      }
    });
  }
});

/** Converts field names in a message to camelCase, for example `apply_url` to `applyUrl`. */
function inOurNames(sentence: string): string {
  return sentence.replaceAll(/`[a-z_]+`/g, camel);
}

const POST = (selection: string) =>
  `mutation($input: CreatePostInput!${selection.includes("$no") ? ", $no: Boolean = false" : ""}) { createPost(input: $input) { ${selection} } }`;
const TOO_LONG = { input: { text: "x".repeat(2001), tags: ["A b"], clientMutationId: "mine" } };

test("each invalid field gets its own error with path, message and parameters", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { body } = await graph(server, token, POST(`clientMutationId post { id } ${ERRORS}`), {
    variables: TOO_LONG,
  });
  expect(body.errors).toBeUndefined();
  expect(body.data.createPost).toMatchObject({
    clientMutationId: "mine",
    post: null,
    errors: [
      {
        error: "bad_request",
        code: "text_too_long",
        message: "`text` must have at most 2,000 characters, but has 2,001.",
        params: { max: 2000, length: 2001 },
        path: ["text"],
      },
      { code: "not_slug", path: ["tags", "0"] },
    ],
  });
  const fine = await graph(server, token, POST(`post { text } ${ERRORS}`), {
    variables: { input: { text: "fine" } },
  });
  expect(fine.body.data.createPost).toEqual({ post: { text: "fine" }, errors: [] });
});

test("without a selected `errors` field, the refusal becomes a top-level error, also with `@skip` and `@include`", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const resultOf = async (selection: string, more = "") =>
    (await graph(server, token, POST(selection) + more, { variables: TOO_LONG })).body;
  for (const selection of [
    "post { id }",
    "post { id } errors @include(if: $no) { code }",
    "post { id } errors @skip(if: true) { code }",
    "post { id } ... @include(if: $no) { errors { code } }",
  ]) {
    const body = await resultOf(selection);
    expect([selection, body.data, body.errors?.[0]?.extensions.code]).toEqual([
      selection,
      { createPost: null },
      "bad_request",
    ]);
  }
  const asks = [
    ["post { id } problems: errors { code }", ""],
    ["post { id } ... { problems: errors { code } }", ""],
    ["post { id } ...told", "fragment told on CreatePostPayload { problems: errors { code } }"],
  ] as const;
  for (const [selection, more] of asks)
    expect((await resultOf(selection, more)).data.createPost).toMatchObject({
      problems: [{ code: "text_too_long" }, {}],
    });
});

test("errors that no input can fix remain top-level: scopes, rate limits and internal errors", async () => {
  await using server = openTestServer();
  const { core } = server;
  createMember(core, "ada");
  const post = createPost(core, createMember(core, "bo").caller, { text: "bo's" });
  const reader = createMemberToken(core, "ada", ["feed:read"]);
  const request = { variables: { input: { text: "hi" } } };
  const refused = await graph(server, reader.token, POST(`post { id } ${ERRORS}`), request);
  expect([codes(refused), refused.body.data]).toEqual([["forbidden"], { createPost: null }]);
  const { token } = createMemberToken(core, "ada");
  const theirs = await graph(
    server,
    token,
    `mutation($input: DeletePostInput!) { deletePost(input: $input) { ${ERRORS} } }`,
    { variables: { input: { id: post.id } } },
  );
  expect(codes(theirs)).toEqual(["forbidden"]);
  core.db.transact(() => core.db.prepare("DROP TABLE post_tags").run());
  const broken = await graph(server, token, POST(`post { id } ${ERRORS}`), {
    variables: { input: { text: "hi", tags: ["rust"] } },
  });
  expect(codes(broken)).toEqual(["server_error"]);
});

test("a refused mutation stores no Idempotency-Key and does not stop the next one", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const document = `mutation($bad: CreatePostInput!, $good: CreatePostInput!) {
    bad: createPost(input: $bad) { post { id } errors { code } } good: createPost(input: $good) { post { id } errors { code } } }`;
  const send = () =>
    graph(server, token, document, {
      variables: { bad: { text: "" }, good: { text: "good" } },
      headers: { "idempotency-key": "one" },
    });
  const first = await send();
  expect(first.body.data).toMatchObject({
    bad: { post: null, errors: [{ code: "text_empty" }] },
    good: { errors: [] },
  });
  expect((await send()).body).toEqual(first.body);
});
