import { expect } from "bun:test";
import { FormatRegistry, type TSchema, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { Value } from "@sinclair/typebox/value";
import createClient from "openapi-fetch";
import type { ErrorName } from "../../src/core/base/errors.ts";
import { type Route, ROUTES } from "../routes.ts";
import type { paths } from "../client/v1.d.ts";
import type { TestServer } from "../support.ts";

/**
 * Two clients: one typed by the OpenAPI document, one for raw requests. Both compare every response with its
 * operation. An undocumented status, header or field fails the test.
 */

/** Returns a client whose parameters, bodies and responses are typed by the OpenAPI document. */
export function clientOf(server: Pick<TestServer, "url">, token?: string) {
  return createClient<paths>({
    baseUrl: `${server.url}/v1`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    fetch: async (request: Request) => {
      const response = await fetch(request);
      checkResponse(request.method, new URL(request.url).pathname, response, await response.clone().text());
      return response;
    },
  });
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  /** The parsed JSON body, or undefined without a body. */
  body: any;
  text: string;
}

export interface CallInit {
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * Sends a request that a typed client would not send, such as `call(server, token, "GET /feed?limit=abc")`.
 */
export async function call(
  server: Pick<TestServer, "request">,
  token: string | undefined,
  request: string,
  init: CallInit = {},
): Promise<ApiResponse> {
  const [method = "", path = ""] = request.split(/ (.*)/s);
  const filled =
    needsReason(method, path) && init.body === undefined ? { body: { reason: "Off topic" } } : {};
  const response = await server.request(token, path, { method, ...filled, ...init });
  const text = await response.text();
  const body = checkResponse(method, `/v1${path.split("?")[0]}`, response, text);
  return { status: response.status, headers: response.headers, body, text };
}

/** Whether the operation needs a reason. Most tests of these operations are about something else. */
function needsReason(method: string, path: string): boolean {
  return method === "PUT" && /^\/moderation\/[^/]+\/hidden$|^\/profiles\/[^/]+\/suspension$/.test(path);
}

/** Returns a refusal in short form: the status and the fields in `details`, such as `400 limit`. */
export async function refusalOf(...requested: Parameters<typeof call>): Promise<string> {
  const { status, body } = await call(...requested);
  const fields = (body?.details ?? []).map(({ path }: { path: string }) => path);
  return [status, ...fields].join(" ");
}

/** Statuses and names in docs/contract.md#V7 and docs/contract.md#1.2. */
export const ERROR_OF: Readonly<Record<number, ErrorName>> = {
  400: "bad_request",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  412: "precondition_failed",
  422: "unprocessable",
  429: "rate_limited",
  500: "server_error",
};

export const ErrorBody = Type.Object({
  error: Type.String(),
  code: Type.String({ pattern: "^[a-z]+(?:_[a-z0-9]+)*$" }),
  params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  message: Type.String({ minLength: 1 }),
  details: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String(),
        code: Type.String({ minLength: 1 }),
        params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        message: Type.String({ minLength: 1 }),
      }),
      { minItems: 1 },
    ),
  ),
  docs: Type.String({ format: "uri" }),
});

/** Returns the operation of a path under /v1. `/profiles/me` comes before `/profiles/{username}`. */
function operationAt(method: string, path: string): Route {
  const found = ROUTES.find(
    (op) => op.method === method && new RegExp(`^/v1${op.path.replace(/\{\w+\}/g, "[^/]*")}$`).test(path),
  );
  if (!found) throw new Error(`the document has no ${method} ${path}`);
  return found;
}

function checkResponse(method: string, path: string, response: Response, text: string): unknown {
  const op = operationAt(method, path);
  const { status, headers } = response;
  // A 500 is documented because it can happen, but in these tests it is a bug.
  const refused = op.refused.filter((value) => value !== 500);
  const documented = [op.answer.status, ...(method === "GET" ? [304] : []), ...refused];
  if (!documented.includes(status)) {
    throw new Error(`${op.id} answered ${status}, which the document does not list: ${text}`);
  }
  expect(headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  for (const name of ["limit", "remaining", "reset"]) {
    expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  }
  const code = status >= 400 ? (JSON.parse(text) as { code: string }).code : "";
  expect(headers.has("retry-after")).toBe(status === 429 || code === "idempotency_key_in_flight");
  expect(headers.has("www-authenticate")).toBe(status === 401 || code === "scope_missing");
  expect(headers.has("location")).toBe(status === 201);
  if (status === 204 || status === 304) {
    expect(text).toBe("");
    return undefined;
  }
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  const body: unknown = JSON.parse(text);
  expectExactly(status === op.answer.status ? op.answer.schema : ErrorBody, body);
  if (status >= 400) expect((body as { error: string }).error).toBe(ERROR_OF[status] ?? "");
  return body;
}

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** Checks that the value matches the schema and has no other fields. */
export function expectExactly(schema: TSchema | undefined, value: unknown): void {
  if (!schema) throw new Error("the response has a body, which the document does not show");
  let checker = compiled.get(schema);
  if (!checker) {
    checker = TypeCompiler.Compile(schema);
    compiled.set(schema, checker);
  }
  expect([...checker.Errors(value)].map(({ path, message }) => `${path}: ${message}`)).toEqual([]);
  expect(value).toEqual(Value.Clean(schema, structuredClone(value)));
}

/** UTC, milliseconds, Z (docs/contract.md#1.12). */
FormatRegistry.Set(
  "date-time",
  (text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text,
);
FormatRegistry.Set("uri", (text) => URL.canParse(text));
