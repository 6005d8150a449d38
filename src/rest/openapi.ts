import type { TSchema } from "@sinclair/typebox";
import { isStaffScope, SCOPES } from "../core/identity/access/scopes.ts";
import { isEmptyFilter, textPattern } from "../core/base/check.ts";
import type { Fault } from "../core/base/errors.ts";
import { ERROR, headerRefs, HEADERS, sharedAnswers } from "./openapi-answers.ts";
import { addressOf, type Operation, scopeSentence, type UploadOperation } from "../operations/operation.ts";
import { OPEN, type OpenOperation } from "../operations/open.ts";
import { webhookObjects } from "./openapi-webhooks.ts";
import { exampleOf } from "./example.ts";
import { bodyOf, queryOf, refusalsOf, statusOf } from "./form.ts";
import { v1Schema } from "./present.ts";
import { linkServedDocs } from "./served.ts";
import { GUIDE } from "./guide.ts";

type Json = Record<string, unknown>;

/**
 * Builds the OpenAPI 3.1 document from the schemas that validate requests, so it cannot differ from the
 * server.
 */
export function openApiDocument(operations: readonly Operation[], origin: string, version: string): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  const read = new Set(
    operations.map(addressOf).flatMap(({ method, path }) => (method === "GET" ? [path] : [])),
  );
  for (const op of operations) {
    const { method, path } = addressOf(op);
    (paths[path] ??= {})[method.toLowerCase()] = operationObject(op, components, read.has(path));
  }
  for (const op of OPEN) (paths[addressOf(op).path] ??= {})["get"] = openObject(op, components);
  paths["/openapi.json"] = { get: documentOperation() };
  const { description, tags } = guide(operations, origin);
  const webhooks = webhookObjects((schema) => plain(schema, components));
  return {
    openapi: "3.1.0",
    info: {
      title: "Guildhall",
      version,
      summary: "The v1 API of a Guildhall community: feed, jobs, prompts, profiles, messages, and webhooks.",
      description,
      termsOfService: `${origin}/terms`,
      contact: { name: "The operator of this server", url: origin },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${origin}/v1`, description: "This server" }],
    security: [{ bearer: [] }, { oauth2: [] }],
    tags,
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: `A personal access token (\`guild_pat_…\`). Scopes:\n\n${Object.entries(SCOPES)
            .map(([name, words]) => `- \`${name}\`: ${words}.`)
            .join("\n")}`,
        },
        oauth2: {
          type: "oauth2",
          description: `For apps that builders authorize: the authorization code flow, with PKCE for public apps. See [the OAuth guide](${origin}/docs/oauth).`,
          flows: {
            authorizationCode: {
              authorizationUrl: `${origin}/v1/oauth/authorize`,
              tokenUrl: `${origin}/v1/oauth/token`,
              refreshUrl: `${origin}/v1/oauth/token`,
              // Leaves out the scopes of the staff, which apps cannot get.
              scopes: Object.fromEntries(Object.entries(SCOPES).filter(([name]) => !isStaffScope(name))),
            },
          },
        },
      },
      schemas: { Error: ERROR, ...sorted(components) },
      responses: sharedAnswers(origin),
      headers: HEADERS,
    },
  };
}

/**
 * Splits the guide: the section about an operation group describes its tag, and the rest describes the API.
 */
function guide(operations: readonly Operation[], origin: string) {
  const groups = new Set([...[...operations, ...OPEN].map(({ group }) => group), "Events", "Document"]);
  const served = linkServedDocs(GUIDE, "https://guild.example");
  const sections = served.replaceAll("https://guild.example", origin).split(/^(?=## )/m);
  const parts = sections.map((text) => ({ text, name: /^## (.*)/.exec(text)?.[1] ?? "" }));
  return {
    description: parts
      .filter(({ name }) => !groups.has(name))
      .map(({ text }) => text)
      .join(""),
    tags: parts
      .filter(({ name }) => groups.has(name))
      .map(({ name, text }) => ({ name, description: text.replace(/.*/, "").trim() })),
  };
}

function scopesOf({ scope, orScopes = [] }: Operation): string[] {
  return [scope, ...orScopes];
}

function operationObject(op: Operation, components: Json, hasGet: boolean): Json {
  const { method } = addressOf(op);
  return {
    operationId: op.id,
    tags: [op.group],
    summary: op.summary,
    description: [op.description, scopeSentence(op), op.restDescription].filter(Boolean).join(" "),
    // OpenAPI 3.1 lets a bearer scheme name its scopes as roles.
    security: scopesOf(op).flatMap((scope) => [
      { bearer: [scope] },
      ...(isStaffScope(scope) ? [] : [{ oauth2: [scope] }]),
    ]),
    ...withParameters(op, hasGet),
    ...(op.kind === "write" && op.draft
      ? {
          requestBody: {
            required: !op.isDraftOptional,
            content: { "application/json": { schema: plain(op.draft, components) } },
          },
        }
      : {}),
    ...(op.kind === "upload" ? { requestBody: formOf(op, components) } : {}),
    responses: {
      [statusOf(op)]: success(op, components),
      ...(method === "GET" ? { 304: { $ref: "#/components/responses/Unchanged" } } : {}),
      ...Object.fromEntries(
        refusalsOf(op).map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]),
      ),
    },
  };
}

/** The multipart form: the file and its fields. */
function formOf({ draft }: UploadOperation, components: Json): Json {
  const file = { type: "string", format: "binary", description: "The image file." };
  const { properties = {}, required = [] } = plain(draft, components) as {
    properties?: Json;
    required?: string[];
  };
  const schema = { type: "object", required: ["file", ...required], properties: { file, ...properties } };
  return { required: true, content: { "multipart/form-data": { schema } } };
}

function withParameters(op: Operation, hasGet: boolean): Json {
  const { method } = addressOf(op);
  const parameters: Json[] = [];
  if (op.param) {
    const { name, description, example } = op.param;
    parameters.push({ name, in: "path", required: true, description, schema: { type: "string" }, example });
  }
  for (const [name, schema] of Object.entries<TSchema>(queryOf(op).properties)) {
    const { description, ...rest } = plain(schema, {}) as Json;
    const style = rest["type"] === "array" ? { style: "form", explode: true } : {};
    const form = rest["type"] === "string" && isEmptyFilter(schema, "") ? withEmpty(rest) : rest;
    parameters.push({ name, in: "query", required: false, description, ...style, schema: form });
  }
  if (method !== "GET" && method !== "POST") {
    parameters.push({
      name: "If-Match",
      in: "header",
      required: false,
      description: hasGet
        ? "The `ETag` of an earlier GET of the same URL. If the resource has changed since, the request fails with 412."
        : "Do not send this header. This URL has no GET and thus no `ETag`, so the request would fail with 412.",
      schema: { type: "string" },
    });
  }
  if (method === "POST") {
    parameters.push({
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description:
        "A key that makes a retry safe. For 24 hours, the same key with the same body returns the first response again.",
      schema: { type: "string", minLength: 1, maxLength: 255 },
    });
  }
  return parameters.length > 0 ? { parameters } : {};
}

function success(op: Operation, components: Json): Json {
  const { method } = addressOf(op);
  const names = [
    ...(method === "GET" ? ["ETag"] : []),
    ...(method === "POST" ? ["Idempotency-Replayed"] : []),
    ...(statusOf(op) === 201 ? ["Location"] : []),
    ...(op.kind === "list" ? ["Link"] : []),
  ];
  const body = bodyOf(op);
  const content = body && {
    content: { "application/json": { schema: plain(body.schema, components), example: body.example } },
  };
  return { description: op.responseDescription, headers: headerRefs(names), ...content };
}

/** Describes an operation that needs no token. */
function openObject(op: OpenOperation, components: Json): Json {
  return {
    operationId: op.id,
    tags: [op.group],
    summary: op.summary,
    description: op.description,
    security: [],
    responses: {
      200: {
        description: op.responseDescription,
        headers: headerRefs(["ETag"]),
        content: {
          "application/json": { schema: plain(v1Schema(op.view), components), example: exampleOf(op.view) },
        },
      },
      304: { $ref: "#/components/responses/Unchanged" },
      ...Object.fromEntries(
        [400, 429, 500].map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]),
      ),
    },
  };
}

function documentOperation(): Json {
  return {
    operationId: "getOpenApi",
    tags: ["Document"],
    summary: "Retrieve the OpenAPI document",
    description: "Returns this document as JSON. Requires no token.",
    security: [],
    responses: {
      200: {
        description: "The OpenAPI 3.1 document",
        headers: headerRefs(["ETag"]),
        content: { "application/json": { schema: { type: "object" } } },
      },
      429: { $ref: "#/components/responses/Refused429" },
      500: { $ref: "#/components/responses/Refused500" },
    },
  };
}

/**
 * Converts a schema to plain JSON Schema. Removes our own keywords, and turns named schemas into components.
 */
function plain(schema: unknown, components: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => plain(item, components));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $id, rule, fault: _fault, tooLong: _tooLong, line, ...rest } = schema as Json;
  const copy = Object.fromEntries(
    // Keeps fields named `line` and `rule`, although two of our own keywords have these names.
    Object.entries({
      ...rest,
      ...patternOf(schema as Json),
      ...(typeof line === "object" ? { line } : {}),
      ...(rule === undefined || isOwnRule(schema as Json) ? {} : { rule }),
    }).map(([key, value]) => [key, plain(value, components)]),
  );
  if (typeof $id !== "string") return copy;
  components[$id] = copy;
  return { $ref: `#/components/schemas/${$id}` };
}

/** Whether `rule` is our own keyword of a schema, not a field of an object or of its example. */
function isOwnRule(schema: Json): boolean {
  return typeof schema["rule"] === "string" && ["fault", "type", "anyOf"].some((key) => key in schema);
}

/** Returns the pattern of a text, as far as a pattern can express the check. */
function patternOf({ fault, pattern, line }: Json): Json {
  if ((fault as Fault | undefined)?.code !== "not_text") return {};
  return { pattern: textPattern({ visible: pattern !== undefined, line: line === true }) };
}

/** An empty filter counts as left out, so its schema allows an empty value. */
function withEmpty({ minLength, pattern, ...rest }: Json): Json {
  return {
    ...rest,
    ...(minLength === undefined ? {} : { minLength: 0 }),
    ...(typeof pattern === "string" ? { pattern: `^$|${pattern}` } : {}),
  };
}

function sorted(components: Json): Json {
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}
