/**
 * The OpenAPI document as an outline: a line per operation, parameter, response and field with its type,
 * without descriptions and examples. The outline is checked in, so that a change of the contract is a short
 * diff.
 */
import { OPERATIONS } from "../src/operations/index.ts";
import { openApiDocument } from "../src/rest/openapi.ts";

export const OPENAPI_OUTLINE = new URL("../tests/spec/openapi.txt", import.meta.url);

type Node = Readonly<Record<string, any>>;

const PROSE = ["description", "summary", "title", "examples", "example"];
const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
const sorted = (node: Node = {}): [string, any][] =>
  Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1));
const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

export function openApiOutline(): string {
  return outlineOf(openApiDocument(OPERATIONS, "http://127.0.0.1:8787", "0.0.0"));
}

export function outlineOf({ paths, webhooks, components, ...head }: Node): string {
  const { schemas, responses, headers, securitySchemes, ...others } = components;
  const operations = [...sorted(paths), ...sorted(webhooks)].flatMap(([path, item]) =>
    sorted(item).map(([method, operation]) => operationLines(`${method.toUpperCase()} ${path}`, operation)),
  );
  const blocks = [
    sorted({ ...head, ...others, securitySchemes }).map(([name, value]) => `${name} ${json(value)}`),
    ...operations,
    ...sorted(responses).map(([name, response]) => responseLines(name, response)),
    ["headers", ...indented(sorted(headers).flatMap(([name, { schema }]) => fieldLines(name, schema)))],
    ...sorted(schemas).map(([name, schema]) => fieldLines(name, schema)),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function operationLines(name: string, operation: Node): string[] {
  const { operationId, security, tags, parameters = [], requestBody, responses, ...rest } = operation;
  const shared = sorted(responses).filter(([, { $ref }]) => $ref);
  const own = sorted(responses).filter(([, { $ref }]) => !$ref);
  return [
    `${name} ${operationId} ${json({ security, tags, ...rest })}`,
    ...indented([
      ...parameters.flatMap(({ name, in: place, required, schema, ...rest }: Node) =>
        fieldLines(`${place} ${name}${required ? "" : "?"}`, schema, rest),
      ),
      ...contentLines(`body${requestBody?.required ? "" : "?"}`, requestBody?.content),
      ...own.flatMap(([status, response]) => responseLines(status, response)),
      shared.map(([status, { $ref }]) => `${status} ${nameOf($ref)}`).join(", "),
    ]),
  ];
}

function responseLines(name: string, { headers = {}, content, ...rest }: Node): string[] {
  const names = sorted(headers).map(([header, { $ref }]) =>
    nameOf($ref) === header ? header : `${header}: ${nameOf($ref)}`,
  );
  return [[name, ...names].join(" ") + extra(rest), ...indented(contentLines("body", content))];
}

function contentLines(name: string, content: Node | undefined): string[] {
  return sorted(content).flatMap(([type, { schema }]) => fieldLines(`${name} ${type}`, schema));
}

/** Formats a field with its type, and below it the fields of nested objects. */
function fieldLines(name: string, schema: Node, beside: Node = {}): string[] {
  return [`${name}: ${typeOf(schema)}${extra(beside)}`, ...indented(propertyLines(schema))];
}

function propertyLines({ properties, required = [], items, anyOf = [] }: Node): string[] {
  const own = sorted(properties).flatMap(([name, schema]) =>
    fieldLines(required.includes(name) ? name : `${name}?`, schema),
  );
  return [...own, ...[...(items ? [items] : []), ...anyOf].flatMap(propertyLines)];
}

function typeOf(schema: Node): string {
  const { type, $ref, const: value, anyOf, items, properties: _, required: __, ...keywords } = schema;
  const words = [
    typeof value === type ? undefined : type,
    $ref && nameOf($ref),
    value !== undefined && JSON.stringify(value),
    anyOf?.map(typeOf).join(" | "),
    items && `of ${typeOf(items)}`,
  ];
  return words.filter(Boolean).join(" ") + extra(keywords);
}

/** Formats the remaining keywords of a schema, so that none is lost. */
function extra(node: Node): string {
  const text = json(node);
  return text === "{}" ? "" : ` ${text}`;
}

function json(value: unknown): string {
  return JSON.stringify(value, (key, inner) => {
    if (PROSE.includes(key)) return undefined;
    return key === "scopes" ? Object.keys(inner) : inner;
  });
}
