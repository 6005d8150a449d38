import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { check } from "../core/check.ts";
import { badRequest, type CoreError } from "../core/errors.ts";
import { readJson } from "../http/body.ts";
import type { Visit } from "../http/visit.ts";

/** What is asked, however it was sent (GraphQL over HTTP §5.1 «Request parameters»). */
export type GraphRequest = Static<typeof Parameters>;

const orNull = <Schema extends TSchema>(schema: Schema, rule: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { rule }));
const map = Type.Record(Type.String(), Type.Unknown());

const Parameters = Type.Object({
  query: orNull(Type.String(), "must be a GraphQL document as text"),
  documentId: orNull(Type.String(), "must be `sha256:` and the hash of a document"),
  operationName: orNull(Type.String(), "must be the name of an operation"),
  variables: orNull(map, "must be an object"),
  extensions: orNull(map, "must be an object"),
});

/** Why a request is refused by a status that §7 has no name for; the name is bad_request. */
export type HttpRefusal = CoreError & { status?: number; allow?: string };

/** With the body as it was sent. Throws bad_request: other types than JSON, batches, parameters of another form. The body is read as REST's (THREATS G04, G06). */
export async function readRequest(visit: Visit): Promise<{ text: string; asked: GraphRequest }> {
  if (visit.method === "GET") return { text: "", asked: check(Parameters, fromQuery(visit.query)) };
  if (!/^application\/json\s*(?:;|$)/i.test(visit.request.headers.get("content-type") ?? ""))
    throw refusedAs(415, "Send the request as JSON, with `Content-Type: application/json`.");
  const { text, value } = await readJson(visit.request);
  if (Array.isArray(value)) throw badRequest("Send one operation in a request; batches are not taken.");
  return { text, asked: check(Parameters, value) };
}

function fromQuery(query: string): Record<string, unknown> {
  const sent = new URLSearchParams(query);
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(Parameters.properties)) {
    const texts = sent.getAll(name);
    if (texts.length > 1) throw badRequest(`Send \`${name}\` once.`);
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
    throw badRequest(`\`${name}\` must be an object, as JSON.`);
  }
}

export function refusedAs(status: number, message: string, allow?: string): HttpRefusal {
  return Object.assign(badRequest(message), { status, ...(allow ? { allow } : {}) });
}

/** What the client takes. */
export interface Accepted {
  /** The type of a JSON answer; undefined where none is taken. */
  json: typeof RESPONSE_TYPE | typeof JSON_TYPE | undefined;
  /** Whether server-sent events are taken. */
  stream: boolean;
  /** Whether it is a browser that wants a page. */
  page: boolean;
}

export const RESPONSE_TYPE = "application/graphql-response+json";
export const JSON_TYPE = "application/json";

/** RFC 9110 §12.5.1. Without the header, or where anything goes, it is the older type (GraphQL over HTTP §6.1). */
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
