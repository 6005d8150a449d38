/**
 * What the page reads of the OpenAPI document, parsed once into the shape in which it is shown: operations under their
 * groups, references resolved.
 */

export interface Reference {
  title: string;
  version: string;
  summary: string;
  /** Ends in /v1, without a slash behind it. */
  baseUrl: string;
  groups: readonly Group[];
  refusals: readonly Refusal[];
  /** The headers of answers by name, each with what it means. */
  headers: readonly { name: string; description: string }[];
}

export interface Group {
  /** The anchor on the page. */
  id: string;
  name: string;
  description: string;
  operations: readonly ApiOperation[];
}

export interface ApiOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  /** Undefined where no token is needed. */
  scope: string | undefined;
  parameters: readonly Parameter[];
  body: Schema | undefined;
  answer: { status: string; description: string; schema: Schema | undefined; example: unknown };
  /** 304 where the answer can be «nothing changed». */
  canBeUnchanged: boolean;
  refusals: readonly Refusal[];
}

export interface Refusal {
  status: string;
  name: string;
  description: string;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: Schema;
  example: unknown;
}

/** JSON Schema as far as our own schemas go. */
export interface Schema {
  type?: string;
  format?: string;
  description?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  examples?: unknown[];
}

/** One row of a table of fields. */
export interface Field {
  /** What it stands in: `data[].author.`, empty at the top. */
  within: string;
  name: string;
  schema: Schema;
  isRequired: boolean;
}

type Json = Record<string, unknown>;

export function readDocument(document: Json): Reference {
  const resolved = resolve(document, document) as unknown as WireDocument;
  const { info, components } = resolved;
  const operations = Object.entries(resolved.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, wire]) => ({
      tag: wire.tags[0],
      operation: readOperation(method, path, wire),
    })),
  );
  return {
    title: info.title,
    version: info.version,
    summary: info.summary,
    baseUrl: resolved.servers[0]?.url ?? "/v1",
    groups: resolved.tags
      .map(({ name, description }) => ({
        id: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
        name,
        description,
        operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
      }))
      // What is sent to receivers has a tag too, and no operation.
      .filter((group) => group.operations.length > 0),
    refusals: Object.entries(components.responses).map(([name, response]) =>
      readRefusal(name.replace("Refused", ""), response),
    ),
    headers: Object.entries(components.headers).map(([name, { description }]) => ({ name, description })),
  };
}

/** The fields of an object row by row, those of nested objects and lists under their own. */
export function fieldsOf(schema: Schema, within = ""): Field[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    { within, name, schema: property, isRequired: required.has(name) },
    ...fieldsOf(property, `${within}${name}.`),
    ...(property.items ? fieldsOf(property.items, `${within}${name}[].`) : []),
  ]);
}

/** A value that the schema's own examples make; undefined where it gives none. */
export function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.items) {
    const item = exampleOf(schema.items);
    return item === undefined ? undefined : [item];
  }
  if (!schema.properties) return undefined;
  const parts = Object.entries(schema.properties).map(([name, part]) => [name, exampleOf(part)] as const);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}

interface WireDocument {
  info: { title: string; version: string; summary: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, WireOperation>>;
  components: {
    responses: Record<string, WireResponse>;
    headers: Record<string, { description: string }>;
  };
}

interface WireOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: { bearer?: string[] }[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, WireResponse>;
}

interface WireResponse {
  description: string;
  content?: Content;
}

type Content = Record<string, { schema?: Schema; example?: unknown }>;

function readOperation(method: string, path: string, wire: WireOperation): ApiOperation {
  const scope = wire.security[0]?.bearer?.[0];
  const [status, answer] = Object.entries(wire.responses).find(([status]) => status.startsWith("2")) ?? [];
  const content = answer?.content?.["application/json"];
  return {
    id: wire.operationId,
    method: method.toUpperCase(),
    path,
    summary: wire.summary,
    // The page shows the scope in a place of its own.
    description: (wire.description ?? "").replace(/\s*Needs the scope `[^`]*`\.$/, ""),
    scope,
    parameters: wire.parameters ?? [],
    body: wire.requestBody?.content["application/json"]?.schema,
    answer: {
      status: status ?? "",
      description: answer?.description ?? "",
      schema: content?.schema,
      example: content?.example,
    },
    canBeUnchanged: "304" in wire.responses,
    refusals: Object.entries(wire.responses)
      .filter(([status]) => /^[45]/.test(status))
      .map(([status, response]) => readRefusal(status, response)),
  };
}

function readRefusal(status: string, { description, content }: WireResponse): Refusal {
  const { error } = (content?.["application/json"]?.example ?? {}) as { error?: string };
  return { status, name: error ?? "", description };
}

/** The value with what its `$ref`s point at in their place. Our schemas have no cycles. */
function resolve(value: unknown, document: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, document));
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value && typeof value.$ref === "string") {
    const keys = value.$ref.split("/").slice(1);
    return resolve(
      keys.reduce<unknown>((node, key) => (node as Json)[key], document),
      document,
    );
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part, document)]));
}
