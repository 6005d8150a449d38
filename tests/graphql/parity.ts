import { isObjectType } from "graphql";
import { NAME_ARGUMENTS } from "../../src/graphql/mutation.ts";
import { schema } from "../../src/graphql/schema/index.ts";
import type { Route } from "../routes.ts";
import type { TestServer } from "../support.ts";
import { graph, type GraphAnswer } from "./ask.ts";
import type { Row, Shown } from "./parity-rows.ts";

export const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Converts the keys to snake_case. Event payloads already have REST's keys. */
function snake(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snake);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snake(inner),
    ]),
  );
}

function cameled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cameled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [camel(key), cameled(inner)]));
}

export interface ParityRequest {
  param?: string | undefined;
  body?: Record<string, unknown> | undefined;
  first?: number;
  after?: string;
  last?: number;
  before?: string;
  /** Filters by their REST names. */
  filters?: Readonly<Record<string, unknown>>;
  headers?: Record<string, string>;
}

/** Arguments for lists that are empty or unpaged without arguments. */
const ALWAYS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  searchEverything: { q: "after:2026", kind: "post" },
};

export const isList = (op: Route): boolean => op.query?.properties["cursor"] !== undefined;

export async function requestRest(
  server: TestServer,
  token: string | undefined,
  op: Route,
  { param, body, first, after, filters: given = {}, headers = {} }: ParityRequest,
) {
  const filters = { ...ALWAYS[op.id], ...given };
  const path = op.path.replace(/\{\w+\}/, encodeURIComponent(param ?? ""));
  const query = new URLSearchParams({
    ...(first === undefined ? {} : { limit: String(first) }),
    ...(after === undefined ? {} : { cursor: after }),
    ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)])),
  });
  const answer = await server.request(token, `${path}${isList(op) ? `?${query}` : ""}`, {
    method: op.method,
    headers,
    ...(body ? { body } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? "" : JSON.parse(text) };
}

export function requestGraph(
  server: TestServer,
  token: string | undefined,
  op: Route,
  row: Row,
  request: ParityRequest,
): Promise<GraphAnswer> {
  const { param, body, filters: given = {}, headers = {}, ...page } = request;
  const filters = { ...ALWAYS[op.id], ...given };
  const name = op.param && (NAME_ARGUMENTS.has(op.param.name) ? op.param.name : "id");
  const named = name === undefined || param === undefined ? {} : { [name]: param };
  const isMutation = row.graph.startsWith("mutation");
  const variables = isMutation
    ? { input: { ...named, ...(cameled(body ?? {}) as object) } }
    : { ...named, ...page, ...(cameled(filters) as object) };
  return graph(server, token, withFilters(row, Object.keys(filters).map(camel)), { variables, headers });
}

/** Returns the part of the data that corresponds to the REST response, in REST's format. */
export function shown(op: Route, { at, shape = (node) => node }: Row, { body }: GraphAnswer): unknown {
  const found = at.split(".").reduce((value, name) => value?.[name], body.data);
  if (!isList(op)) {
    const plain = snake(found);
    return Array.isArray(plain) ? { data: plain.map((node) => shape(node as Shown)) } : shape(plain as Shown);
  }
  const { edges, pageInfo } = found as Connection;
  return {
    data: edges.map(({ node }) => shape(snake(node) as Shown)),
    next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
  };
}

export interface Connection {
  edges: { cursor: string; node: Record<string, unknown> }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
}

export function connection({ at }: Row, { body }: GraphAnswer): Connection {
  return at.split(".").reduce((value, name) => value?.[name], body.data);
}

/** Adds these arguments to the list in the document, besides its paging arguments. */
function withFilters({ graph: document, at }: Row, names: readonly string[]): string {
  if (names.length === 0) return document;
  const list = at.split(".").at(-1) ?? "";
  const variables = names.map((name) => `, $${name}: ${argumentType(list, name)}`).join("");
  const given = names.map((name) => `, ${name}: $${name}`).join("");
  return document
    .replace("$before: String", `$before: String${variables}`)
    .replace("before: $before", `before: $before${given}`);
}

/** Returns the argument's type in the schema. Throws if no list of that name takes the argument. */
function argumentType(list: string, name: string): string {
  for (const type of Object.values(schema.getTypeMap())) {
    const found = isObjectType(type) && type.getFields()[list]?.args.find((arg) => arg.name === name);
    if (found) return String(found.type);
  }
  throw new Error(`no list \`${list}\` in GraphQL has the argument \`${name}\``);
}
