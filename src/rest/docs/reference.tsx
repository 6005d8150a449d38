/** @jsxImportSource @kitajs/html */
import { escapeHtml } from "@kitajs/html";
import {
  Code,
  docsPage,
  type Entry,
  idOf,
  markdown,
  prose,
  SectionHeading,
  type DocsCommunity,
} from "./frame.tsx";
import {
  exampleOf,
  type Field,
  fieldsOf,
  json,
  quote,
  ruleOf,
  type Schema,
  typeOf,
} from "./schema-fields.ts";

type Json = Record<string, unknown>;

/** The parts of the OpenAPI document that the page shows, with `$ref`s resolved. */
interface Document {
  info: { title: string; version: string; summary: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: { bearer?: string[] }[];
  parameters?: Parameter[];
  requestBody?: Pick<Answer, "content">;
  responses: Record<string, Answer>;
}

type Parameter = Pick<Field, "name" | "schema"> &
  Record<"in" | "description", string> & { required: boolean; example?: unknown };

interface Answer {
  description: string;
  content?: {
    "application/json"?: { schema?: Schema; example?: { error?: string } };
    "multipart/form-data"?: { schema?: Schema };
  };
}

type RoutedOperation = Operation & { method: string; path: string };

/** A section of the guide, or a group of operations. */
type Section = { title: string; text: string; operations: RoutedOperation[] };

/**
 * Renders the reference at /docs from the OpenAPI document: the REST guide and every operation. `community`
 * is the name and the contact of the community.
 */
export function renderReference(document: Json, community: DocsCommunity): string {
  const { info, servers, tags, paths } = resolve(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, op]) => ({ ...op, method: method.toUpperCase(), path })),
  );
  const [opening = "", ...guide] = info.description.split(/^## /m);
  const sections: Section[] = [
    { title: "Start here", text: opening, operations: [] },
    ...guide.map((part) => ({
      title: part.split("\n", 1)[0] ?? "",
      text: part.replace(/.*/, ""),
      operations: [],
    })),
    ...tags.map((tag) => ({
      title: tag.name,
      text: tag.description,
      operations: operations.filter((op) => op.tags[0] === tag.name),
    })),
  ];
  const base = servers[0]?.url ?? "";
  const main = (
    <>
      <p class="base">
        Version <code safe>{info.version}</code>, base URL <code safe>{base}</code>, document{" "}
        <a href="/v1/openapi.json">openapi.json</a>
      </p>
      {sections.map(({ title, text, operations: those }) => (
        <section aria-labelledby={idOf(title)}>
          <SectionHeading id={idOf(title)} title={title} />
          <div class="guide">{markdown(text, title)}</div>
          {those.map((op) => (
            <OperationSection op={op} base={base} />
          ))}
        </section>
      ))}
      <footer class="end">
        Generated from <a href="/v1/openapi.json">openapi.json</a>, the OpenAPI document of this server.{" "}
        <a href="#top">Back to the top</a>
      </footer>
    </>
  );
  return docsPage(
    {
      path: "/docs",
      title: `${info.title} API`,
      summary: info.summary,
      contents: sections.flatMap(contentsOf),
      main: main as string,
    },
    community,
  );
}

function contentsOf({ title, operations }: Section): Entry[] {
  return [
    { id: idOf(title), html: escapeHtml(title) },
    ...operations.map((op) => ({
      id: op.operationId,
      html: (<Endpoint method={op.method} path={op.path} />) as string,
      isNested: true,
    })),
  ];
}

/** Replaces each `$ref` with its target. Our schemas have no cycles. */
function resolve(document: Json): Document {
  const placed = JSON.stringify(document, (_name, value) => {
    const path: unknown = value?.$ref;
    if (typeof path !== "string") return value;
    return path
      .split("/")
      .slice(1)
      .reduce<unknown>((node, key) => (node as Json)[key], document);
  });
  return JSON.parse(placed) as Document;
}

/** One operation: the description on one side, request and response on the other. */
function OperationSection({ op, base }: { op: RoutedOperation; base: string }) {
  const { operationId: id, method, path, summary, responses } = op;
  const scope = op.security[0]?.bearer?.[0];
  const body = op.requestBody?.content?.["application/json"]?.schema;
  const [status = "", answer] = Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
  const { schema = {}, example } = answer?.content?.["application/json"] ?? {};
  return (
    <section class="operation" aria-labelledby={id}>
      <div class="words">
        <h3 id={id}>
          <a class="anchor" href={`#${id}`} safe>
            {summary}
          </a>
        </h3>
        <p class="endpoint">
          <Endpoint method={method} path={path} />
        </p>
        <p>{prose(op.description ?? "")}</p>
      </div>
      <div class="wire">
        <Code title="Request" text={requestOf(op, base, scope, body)} />
        {example === undefined ? "" : <Code title={`Response ${status}`} text={json(example)} />}
      </div>
      <div class="details">
        <Fields title="Parameters" of={summary} fields={parametersOf(op)} />
        <Fields title="Body" of={summary} fields={[...fieldsOf(body ?? {}), ...partsOf(op)]} />
        <h4>Response</h4>
        <p>
          <b safe>{status}</b> {prose(answer?.description ?? "")}.{status === "204" ? " No body." : ""}
        </p>
        <Fields of={`${summary}: response`} fields={fieldsOf(schema)} />
        <h4>Other statuses</h4>
        <p class="statuses">
          {Object.entries(responses)
            .filter(([code]) => /^[345]/.test(code))
            .map(([code, { content }]) => (
              <a href={code === "304" ? "#conditional-requests" : "#errors"}>
                <b safe>{code}</b>{" "}
                <span safe>{content?.["application/json"]?.example?.error ?? "not_modified"}</span>
              </a>
            ))}
        </p>
      </div>
    </section>
  );
}

function parametersOf({ parameters = [] }: Operation): (Field & { in: string })[] {
  return parameters.map(({ required, description, example, schema, ...parameter }) => ({
    ...parameter,
    parentPath: "",
    note: `${parameter.in}, ${required ? "required" : "optional"}`,
    schema: { ...schema, description, examples: example === undefined ? schema.examples : [example] },
  }));
}

/** Returns the fields of a multipart form. */
function partsOf({ requestBody }: Operation): Field[] {
  return fieldsOf(requestBody?.content?.["multipart/form-data"]?.schema ?? {});
}

/** Returns a shell command filled with the examples of the document. The token is a shell variable. */
function requestOf(
  op: RoutedOperation,
  base: string,
  scope: string | undefined,
  body: Schema | undefined,
): string {
  const examples = parametersOf(op).flatMap((parameter) =>
    [exampleOf(parameter.schema)].flat().map((value) => ({ ...parameter, value })),
  );
  const given = examples.filter(({ value }) => value !== undefined);
  const path = op.path.replaceAll(/\{(\w+)\}/g, (hole, name: string) =>
    encodeURIComponent(String(given.find((one) => one.in === "path" && one.name === name)?.value ?? hole)),
  );
  const query = given
    .filter((one) => one.in === "query")
    .map(({ name, value }) => `--data-urlencode ${quote(`${name}=${String(value)}`)}`);
  const isPlain = op.method === "GET" || (op.method === "POST" && (body || partsOf(op).length > 0));
  return [
    `curl ${query.length > 0 ? "-G " : ""}${isPlain ? "" : `-X ${op.method} `}${quote(base + path)}`,
    ...(scope ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...query,
    ...(body ? ['-H "Content-Type: application/json"', `-d ${quote(json(exampleOf(body), "  "))}`] : []),
    ...partsOf(op).map(({ name, schema }) =>
      schema.format === "binary"
        ? `-F ${quote(`${name}=@picture.png`)}`
        : `-F ${quote(`${name}=${String(exampleOf(schema))}`)}`,
    ),
  ].join(" \\\n  ");
}

/**
 * A table of parameters or body fields. Response fields have no title, no note and no example, because an
 * example of the response is shown beside them.
 */
function Fields({ title, of, fields }: { title?: string; of: string; fields: readonly Field[] }) {
  if (fields.length === 0) return <></>;
  return (
    <>
      {title ? <h4 safe>{title}</h4> : ""}
      <div class="table" role="region" aria-label={title ? `${title}: ${of}` : of} tabindex="0">
        <table class="fields">
          <thead>
            <tr>{["Name", "Type", "Description"].map((name) => `<th scope="col">${name}</th>`)}</tr>
          </thead>
          <tbody>
            {fields.map(({ parentPath, name, note, schema }) => (
              <tr>
                <th scope="row">
                  <code>{`<span class="within">${escapeHtml(parentPath)}</span>${escapeHtml(name)}`}</code>
                  <small safe>{title ? note : ""}</small>
                </th>
                <td>
                  <code safe>{typeOf(schema)}</code>
                  <small>{prose(ruleOf(schema))}</small>
                </td>
                <td>
                  {prose(schema.description ?? "")}
                  <small>
                    {prose(
                      title && schema.examples
                        ? `Example \`${json(schema.examples[0]).replaceAll(/^"|"$/g, "")}\``
                        : "",
                    )}
                  </small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** A method and a path. Parameters are dimmed, and the path can break in a narrow column. */
function Endpoint({ method, path }: { method: string; path: string }) {
  return (
    <>
      <span class={`method ${method === "GET" ? "reads" : "writes"}`} safe>
        {method}
      </span>
      <code class="path">
        {path.split(/(?=\/)/).map((part) => (
          <span class={part.includes("{") ? "hole" : ""} safe>
            {part}
          </span>
        ))}
      </code>
    </>
  );
}
