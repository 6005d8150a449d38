import type { TSchema } from "@sinclair/typebox";
import { SCOPES } from "../core/access/scopes.ts";
import { STATUS_OF } from "../http/answer.ts";
import type { Operation } from "./operation.ts";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document, made from the very schemas that validate: it can not say what the program does not do. */
export function openApiDocument(operations: readonly Operation[], origin: string, version: string): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const op of operations) {
    const path = (paths[op.path] ??= {});
    path[op.method.toLowerCase()] = operationObject(op, components);
  }
  paths["/openapi.json"] = { get: documentOperation() };
  return {
    openapi: "3.1.0",
    info: {
      title: "Guildhall",
      version,
      summary: "The v1 API of a community of builders: feed, jobs, prompts, profiles and webhooks.",
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${origin}/v1`, description: "This installation" }],
    security: [{ bearer: [] }],
    tags: GROUPS,
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: `A personal access token (\`guild_pat_…\`). Scopes: ${Object.entries(SCOPES)
            .map(([name, words]) => `\`${name}\` ${words.toLowerCase()}`)
            .join("; ")}.`,
        },
      },
      schemas: { Error: ERROR, ...sorted(components) },
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([status, text]) => [`Refused${status}`, refusal(status, text)]),
      ),
      headers: HEADERS,
    },
  };
}

const INTRODUCTION = `Every request carries \`Authorization: Bearer <ACCESS_TOKEN>\`. Lists answer \`{ data, next }\`: pass \`next\` as \`cursor\`
until it is null. Identifiers and cursors are opaque. Timestamps are ISO-8601 in UTC with milliseconds. Unknown query
parameters and body fields are ignored. Any POST takes an \`Idempotency-Key\`. Errors have \`error\`, \`message\` and
sometimes \`details\`; quote the \`X-Request-Id\` header when you ask for help.`;

const GROUPS = [
  { name: "Feed", description: "Posts of the community, newest first." },
  { name: "Jobs", description: "The jobs board." },
  { name: "Prompts", description: "The community's prompt library." },
  { name: "Profiles", description: "Builders: who they are, what they have earned, what they make." },
  { name: "Messages", description: "Direct messages between two builders, and who wants none from whom." },
  {
    name: "Moderation",
    description:
      "Reports of what should not be here, and what becomes of it. All but reporting is for admins.",
  },
  { name: "Webhooks", description: "Receivers of signed events, for the current workspace." },
  {
    name: "Deliveries",
    description: "What became of each event on its way to an endpoint, and the events themselves.",
  },
  { name: "Document", description: "This document." },
];

const ERROR: Json = {
  type: "object",
  required: ["error", "message"],
  properties: {
    error: {
      type: "string",
      enum: Object.keys(STATUS_OF),
      description: "The name of the error: part of the contract.",
    },
    message: { type: "string", description: "One sentence for a person that says what to change." },
    details: {
      type: "array",
      description: "The fields that failed. Never repeats a value that was sent.",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: { path: { type: "string" }, message: { type: "string" } },
      },
    },
  },
};

/** §7, in the words of the table. */
const REFUSALS: Readonly<Record<string, { error: string; description: string; message: string }>> = {
  400: {
    error: "bad_request",
    description: "Malformed request or failed validation",
    message: "`limit` must be a whole number from 1 to 100.",
  },
  401: {
    error: "unauthorized",
    description: "Missing, expired or invalid credentials",
    message: "Send a valid access token in the header `Authorization: Bearer <ACCESS_TOKEN>`.",
  },
  403: {
    error: "forbidden",
    description: "Authenticated but not allowed",
    message: "This token lacks the scope `feed:write`; make a token that has it.",
  },
  404: {
    error: "not_found",
    description: "The resource does not exist",
    message: "There is no job with that id.",
  },
  409: {
    error: "conflict",
    description: "State conflict, for example a duplicate",
    message: "This workspace already has an endpoint with that `url`; change that one instead.",
  },
  422: {
    error: "unprocessable",
    description: "Well-formed, but its meaning is refused",
    message: "The address must begin with https://.",
  },
  429: {
    error: "rate_limited",
    description: "Rate limit exceeded; wait as Retry-After says",
    message: "Too many requests; wait 1 second (Retry-After).",
  },
  500: {
    error: "server_error",
    description: "Unexpected error; safe to retry with backoff",
    message: "Something went wrong on our side; retry with backoff, and quote the request id.",
  },
};

const HEADERS: Json = {
  "X-Request-Id": {
    description: "Names this request in the log. An id that you send is kept.",
    schema: { type: "string" },
  },
  "X-RateLimit-Limit": {
    description: "Requests that a rested caller may send at once.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": { description: "Whole requests left now.", schema: { type: "integer" } },
  "X-RateLimit-Reset": {
    description: "When all of them are back: Unix time in seconds.",
    schema: { type: "integer" },
  },
  "Retry-After": {
    description: "Seconds to wait; the request after it succeeds.",
    schema: { type: "integer", minimum: 1 },
  },
  ETag: {
    description: "Send it back in If-None-Match: 304 where nothing changed.",
    schema: { type: "string" },
  },
  Location: { description: "The address of what was made.", schema: { type: "string" } },
  "Idempotency-Replayed": {
    description: "`true` where this is the first answer again.",
    schema: { type: "string", enum: ["true"] },
  },
};

const EVERY_ANSWER = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

function operationObject(op: Operation, components: Json): Json {
  const statuses = [...new Set([...op.refusals, 401, 403, 429, 500])].sort();
  return {
    operationId: op.id,
    tags: [op.group],
    summary: op.summary,
    description: [op.description, `Needs the scope \`${op.scope}\`.`].filter(Boolean).join(" "),
    // OpenAPI 3.1 lets a bearer scheme name its scopes as roles.
    security: [{ bearer: [op.scope] }],
    ...withParameters(op),
    ...(op.body
      ? {
          requestBody: {
            required: true,
            content: { "application/json": { schema: plain(op.body, components) } },
          },
        }
      : {}),
    responses: {
      [op.answer.status]: success(op, components),
      ...(op.method === "GET"
        ? { 304: { description: "Nothing changed since the ETag that was sent" } }
        : {}),
      ...Object.fromEntries(
        statuses.map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]),
      ),
    },
  };
}

function withParameters(op: Operation): Json {
  const parameters: Json[] = [];
  if (op.param) {
    const { name, description, example } = op.param;
    parameters.push({ name, in: "path", required: true, description, schema: { type: "string" }, example });
  }
  for (const [name, schema] of Object.entries<TSchema>(op.query?.properties ?? {})) {
    const { description, ...rest } = plain(schema, {}) as Json;
    const style = rest["type"] === "array" ? { style: "form", explode: true } : {};
    parameters.push({ name, in: "query", required: false, description, ...style, schema: rest });
  }
  if (op.method === "POST") {
    parameters.push({
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description: "Makes a retry safe: the same key and body within 24 hours get the first answer again.",
      schema: { type: "string", minLength: 1, maxLength: 255 },
    });
  }
  return parameters.length > 0 ? { parameters } : {};
}

function success(op: Operation, components: Json): Json {
  const names = [
    ...EVERY_ANSWER,
    ...(op.method === "GET" ? ["ETag"] : []),
    ...(op.method === "POST" ? ["Idempotency-Replayed"] : []),
    ...(op.id === "registerWebhook" || op.id === "testWebhook" ? ["Location"] : []),
  ];
  const content = op.answer.schema && {
    content: {
      "application/json": { schema: plain(op.answer.schema, components), example: op.answer.example },
    },
  };
  return { description: op.answer.description, headers: headerRefs(names), ...content };
}

function refusal(
  status: string,
  { error, description, message }: { error: string; description: string; message: string },
): Json {
  const names = [...EVERY_ANSWER, ...(status === "429" ? ["Retry-After"] : [])];
  return {
    description,
    headers: headerRefs(names),
    content: {
      "application/json": { schema: { $ref: "#/components/schemas/Error" }, example: { error, message } },
    },
  };
}

function documentOperation(): Json {
  return {
    operationId: "getOpenApi",
    tags: ["Document"],
    summary: "This document",
    description: "Needs no token.",
    security: [],
    responses: {
      200: {
        description: "OpenAPI 3.1",
        headers: headerRefs(EVERY_ANSWER),
        content: { "application/json": { schema: { type: "object" } } },
      },
      429: { $ref: "#/components/responses/Refused429" },
      500: { $ref: "#/components/responses/Refused500" },
    },
  };
}

function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A schema as plain JSON Schema: what only our checks use is left out, what has a name becomes a component. */
function plain(schema: unknown, components: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => plain(item, components));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $id, rule: _rule, line: _line, ...rest } = schema as Json;
  const copy = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, plain(value, components)]),
  );
  if (typeof $id !== "string") return copy;
  components[$id] = copy;
  return { $ref: `#/components/schemas/${$id}` };
}

function sorted(components: Json): Json {
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}
