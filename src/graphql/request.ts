import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { check } from "../core/base/check.ts";
import { type CoreError, fault, refuse, refuseFields } from "../core/base/errors.ts";
import type { FaultCode } from "../core/base/refusals/faults.ts";
import { waitForSlice, readJson } from "../http/body.ts";
import type { RequestContext } from "../http/context.ts";

/** Parameters of a request (GraphQL over HTTP §5.1), in the query string or the body. */
export type GraphRequest = Static<typeof Parameters>;

const orNull = <Schema extends TSchema>(schema: Schema, rule: FaultCode) =>
  Type.Optional(Type.Union([schema, Type.Null()], { fault: { code: rule } }));
const map = Type.Record(Type.String(), Type.Unknown());

const Parameters = Type.Object({
  query: orNull(Type.String(), "not_document"),
  documentId: orNull(Type.String(), "not_document_id"),
  operationName: orNull(Type.String(), "not_operation_name"),
  variables: orNull(map, "not_map"),
  extensions: orNull(map, "not_map"),
});

/**
 * A bad_request refusal with additional properties. `status` is an HTTP status that docs/contract.md#V7 does
 * not list. `ofGraph` is an error code that a protocol on top of GraphQL defines. A refusal with `ofGraph`
 * has the status of an operation that did not run.
 */
export type HttpRefusal = CoreError & { status?: number; allow?: string; ofGraph?: string };

/**
 * Reads the parameters and the raw body of a request. Throws bad_request for media types other than JSON, for
 * an array of requests and for malformed parameters. The body is read as in REST (docs/threats.md#G04,
 * docs/threats.md#G06).
 */
export async function readRequest(http: RequestContext): Promise<{ text: string; asked: GraphRequest }> {
  if (http.method === "GET") {
    await waitForSlice(http, http.query.length);
    return { text: "", asked: check(Parameters, fromQuery(http.query)) };
  }
  if (!/^application\/json\s*(?:;|$)/i.test(http.request.headers.get("content-type") ?? ""))
    throw refusedAs(415, refuse("body_not_sent_as_json"));
  const { text, value } = await readJson(http);
  if (Array.isArray(value)) throw refuse("batch_refused");
  return { text, asked: check(Parameters, value) };
}

function fromQuery(query: string): Record<string, unknown> {
  const sent = new URLSearchParams(query);
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(Parameters.properties)) {
    const texts = sent.getAll(name);
    if (texts.length > 1) throw refuseFields([fault(name, "repeated")]);
    const [text] = texts;
    if (text === undefined) continue;
    values[name] = name === "variables" || name === "extensions" ? parsed(name, text) : text;
  }
  return values;
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuseFields([fault(name, "not_object")]);
  }
}

export function refusedAs(status: number, refusal: CoreError, allow?: string): HttpRefusal {
  return Object.assign(refusal, { status, ...(allow ? { allow } : {}) });
}

/** Media types that the client accepts. */
export interface Accepted {
  /** Media type of a JSON response. `undefined` if the client accepts none. */
  json: typeof RESPONSE_TYPE | typeof JSON_TYPE | undefined;
  /** Whether the client accepts server-sent events. */
  stream: boolean;
  /** Whether the client is a browser that requests a page. */
  page: boolean;
}

export const RESPONSE_TYPE = "application/graphql-response+json";
export const JSON_TYPE = "application/json";

/**
 * Parses the `Accept` header (RFC 9110 §12.5.1). Without the header, or if the client accepts any type, the
 * response has the older media type `application/json` (GraphQL over HTTP §6.1).
 */
export function accepted(header: string | null): Accepted {
  const weights = new Map<string, number>();
  for (const part of (header ?? "*/*").toLowerCase().split(",")) {
    const [type = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith("q="));
    weights.set(type, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const weightOf = (type: string): number => weights.get(type) ?? 0;
  const any = Math.max(weightOf("*/*"), weightOf("application/*"));
  const [response, json] = [weightOf(RESPONSE_TYPE), weights.get(JSON_TYPE) ?? any];
  return {
    json: response > 0 && response >= json ? RESPONSE_TYPE : json > 0 ? JSON_TYPE : undefined,
    stream: weightOf("text/event-stream") > 0,
    page: weightOf("text/html") > 0,
  };
}
