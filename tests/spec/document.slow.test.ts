// Tests docs/contract.md#V4, docs/contract.md#V9.1, docs/contract.md#1.10 and docs/contract.md#2.7.
import { expect, test } from "bun:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Value } from "@sinclair/typebox/value";
import { OPENAPI_OUTLINE, openApiOutline, outlineOf } from "../../scripts/openapi-outline.ts";
import { check } from "../../src/core/base/check.ts";
import { ROUTES } from "../routes.ts";
import { openApiDocument } from "../../src/rest/openapi.ts";
import { parseQuery } from "../../src/rest/query.ts";
import { createMember, openTestServer } from "../support.ts";
import { ERROR_OF, ErrorBody, expectExactly } from "./client.ts";

const document = openApiDocument(ROUTES, "https://guild.test", "0.0.0-test") as any;

test("the document is served at /v1/openapi.json, with and without a token", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada", ["messages:read"]);
  for (const credentials of [undefined, token, "guild_pat_nonsense"]) {
    const answer = await server.request(credentials, "/openapi.json");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    for (const name of Object.keys(document.paths["/openapi.json"].get.responses[200].headers)) {
      expect([name, answer.headers.has(name)]).toEqual([name, true]);
    }
    expect(await answer.json()).toEqual(document);
  }
});

test("the document passes Redocly's strict rules", async () => {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
  ).toEqual([]);
});

test("the outline in tests/spec/openapi.txt matches the document without descriptions", async () => {
  const isCurrent = (await Bun.file(OPENAPI_OUTLINE).text()) === openApiOutline();
  expect(isCurrent, "tests/spec/openapi.txt is out of date: run `bun run generate`").toBe(true);
});

test("the outline changes with every value that clients depend on", () => {
  const outline = outlineOf(document);
  const values = bindingValues(document);
  expect(values.length).toBeGreaterThan(2_000);
  for (let i = 0; i < 60; i++) {
    const path = values[Math.floor((i * values.length) / 60)]!;
    const changed = structuredClone(document);
    const node = path.slice(0, -1).reduce((inner, key) => inner[key], changed);
    const key = path.at(-1)!;
    node[key] = typeof node[key] === "boolean" ? !node[key] : "changed";
    expect(outlineOf(changed) === outline, path.join("/")).toBe(false);
  }
});

/** Returns the paths of all values other than prose and examples. */
function bindingValues(node: object, path: readonly string[] = []): string[][] {
  return Object.entries(node).flatMap(([key, value]) => {
    const isProse = /^(?:description|summary|title)$/.test(key) && typeof value === "string";
    if (isProse || /^(?:examples?|scopes)$/.test(key)) return [];
    const at = [...path, key];
    return typeof value === "object" && value !== null ? bindingValues(value, at) : [at];
  });
}

test("the document lists every endpoint of the specification under a base address that ends in /v1", () => {
  expect(document.servers.map(({ url }: { url: string }) => url)).toEqual(["https://guild.test/v1"]);
  const shown = ROUTES.map(({ method, path }) => `${method} ${path}`);
  for (const endpoint of [
    "GET /feed",
    "POST /feed",
    "GET /jobs",
    "GET /jobs/{id}",
    "GET /prompts",
    "GET /profiles/{username}",
    "GET /profiles/me",
    "GET /webhooks",
    "POST /webhooks",
  ]) {
    expect(shown).toContain(endpoint);
  }
  for (const { method, path, id } of ROUTES) {
    expect(document.paths[path][method.toLowerCase()].operationId).toBe(id);
  }
  expect(new Set(ROUTES.map(({ id }) => id)).size).toBe(ROUTES.length);
});

test("operations that write take all their input from the body, which the Idempotency-Key covers", () => {
  for (const { id, method, query } of ROUTES)
    expect([id, method === "GET" || Object.keys(query.properties).length === 0]).toEqual([id, true]);
});

test("no operation refuses unknown fields of its body", () => {
  // docs/contract.md#2.8
  for (const { id, body } of ROUTES) expect([id, body?.additionalProperties]).toEqual([id, undefined]);
});

test("every operation documents 400, 401, 403, 429 and 500, conditional writes also 412, each with its error body", () => {
  for (const op of ROUTES) {
    const { responses } = document.paths[op.path][op.method.toLowerCase()];
    const conditional = op.method === "GET" || op.method === "POST" ? [] : [412];
    const own = [
      ...(op.param ? [404] : []),
      ...(op.method === "POST" ? [409, 422] : []),
      ...(op.refusals ?? []),
    ];
    for (const status of [400, 401, 403, 429, 500, ...conditional, ...own]) {
      expect([op.id, responses[status]]).toEqual([
        op.id,
        { $ref: `#/components/responses/Refused${status}` },
      ]);
    }
    expect(responses[op.answer.status].description).toBe(op.responseDescription);
    const statuses = new Set([
      400,
      401,
      403,
      429,
      500,
      ...conditional,
      ...own,
      op.answer.status,
      ...(op.method === "GET" ? [304] : []),
    ]);
    expect(Object.keys(responses).map(Number)).toEqual([...statuses].sort((a, b) => a - b));
  }
  for (const [status, error] of Object.entries(ERROR_OF)) {
    const { content, headers } = document.components.responses[`Refused${status}`];
    const { example } = content["application/json"];
    expectExactly(ErrorBody, example);
    expect(example.error).toBe(error);
    expect(Object.hasOwn(headers, "Retry-After")).toBe(["409", "429", "500"].includes(status));
    expect(Object.hasOwn(headers, "WWW-Authenticate")).toBe(["401", "403"].includes(status));
  }
  expect(document.components.schemas.Error.properties.error.enum.toSorted()).toEqual(
    [...Object.values(ERROR_OF), "unavailable"].sort(),
  );
});

test("every response example satisfies its schema", () => {
  for (const { id, answer } of ROUTES) {
    expect([id, answer.schema === undefined]).toEqual([id, answer.status === 204]);
    if (answer.schema) expectExactly(answer.schema, answer.example);
  }
});

test("every parameter and field example satisfies its schema", () => {
  const seen: string[] = [];
  for (const { id, query, body } of ROUTES) {
    for (const [name, schema] of Object.entries(query?.properties ?? {})) {
      for (const example of (schema["examples"] as unknown[] | undefined) ?? []) {
        const text = [example]
          .flat()
          .map((part) => `${name}=${encodeURIComponent(String(part))}`)
          .join("&");
        const read = parseQuery(query as NonNullable<typeof query>, text) as Record<string, unknown>;
        expect([id, name, read[name]]).toEqual([id, name, example]);
        seen.push(`${id}.${name}`);
      }
    }
    for (const [name, schema] of Object.entries(body?.properties ?? {})) {
      for (const example of (schema["examples"] as unknown[] | undefined) ?? []) {
        expect([id, name, check(schema, example)]).toEqual([id, name, example] as never);
        seen.push(`${id}.${name}`);
      }
    }
  }
  for (const name of ["listFeed.since", "searchJobs.stack", "createPost.tags", "registerWebhook.url"]) {
    expect(seen).toContain(name);
  }
});

test("the document is plain JSON Schema without internal keywords", () => {
  const text = JSON.stringify(document);
  expect(text).not.toMatch(/"rule":"(?:must|is|has) /);
  expect(text).not.toContain("Guildhall".concat("Text"));
  expect(Value.Equal(JSON.parse(text), document)).toBe(true);
});

test("the schema of a text rejects the same values as the server: NUL, control characters in a line, and blank text", () => {
  const fieldOf = (path: string, name: string): RegExp =>
    new RegExp(
      document.paths[path].post.requestBody.content["application/json"].schema.properties[name].pattern,
    );
  for (const text of ["Ada", " two words ", "Zo\u00eb \u{1f980}"]) {
    expect(text).toMatch(fieldOf("/prompts", "title"));
    expect(`${text}\n\t${text}`).toMatch(fieldOf("/prompts", "body"));
  }
  for (const text of ["", "  ", "a\0", "\0a", "a\nb", "a\x7f", "so\xadft"]) {
    expect(text).not.toMatch(fieldOf("/prompts", "title"));
  }
  for (const text of ["", " \n ", "a\0", "\0a"]) expect(text).not.toMatch(fieldOf("/prompts", "body"));
});

test("an empty filter, which counts as omitted, satisfies the schema of the filter", () => {
  const filters = (path: string): any[] =>
    document.paths[path].get.parameters.filter(
      ({ schema }: any) => schema.type === "string" && schema.pattern,
    );
  const emptied = ["/feed", "/jobs", "/prompts", "/profiles"].flatMap((path) =>
    filters(path).filter(({ schema }) => new RegExp(schema.pattern).test("") && !schema.minLength),
  );
  expect(emptied.map(({ name }) => name)).toEqual(["tag", "author", "q", "city", "model", "category", "q"]);
});

test("the document suits client generators: webhooks share no tag with operations, and no union contains an array", () => {
  const tagsOf = (items: object): Set<string> =>
    new Set(Object.values(items).flatMap((item) => Object.values<any>(item).flatMap(({ tags }) => tags)));
  const shared = tagsOf(document.webhooks).intersection(tagsOf(document.paths));
  expect([...shared]).toEqual([]);
  const choices: any[] = [];
  JSON.stringify(document, (_key, value) => {
    choices.push(...(value?.anyOf ?? []), ...(value?.oneOf ?? []));
    return value;
  });
  expect(choices.filter(({ type }) => type === "array")).toEqual([]);
});

test("docs/api.md lists exactly the operations of the API, with their scopes", async () => {
  const text = await Bun.file(new URL("../../docs/api.md", import.meta.url)).text();
  const [, list = ""] = text.split("## All operations");
  const rows = [...list.matchAll(/^\| `(\w+ \S+)`\s*\| `([a-z:]+)`(?: or `[a-z:]+`)*\s*\| \S/gm)].map(
    ([, ...row]) => row.join(" "),
  );
  expect(rows).toEqual(ROUTES.map(({ method, path, scope }) => `${method} ${path} ${scope}`));
});
