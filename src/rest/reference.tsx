/** @jsxImportSource @kitajs/html */
import { escapeHtml } from "@kitajs/html";
import type { Core } from "../core/ground/core.ts";
import { refuse } from "../core/ground/errors.ts";
import { charterOf } from "../core/identity/charter/charter.ts";
import { html } from "../http/answer.ts";
import { asset, assetAnswer } from "../http/asset.ts";
import type { Transport } from "../http/transport.ts";
import { OPERATIONS } from "../operations/index.ts";
import { openApiDocument } from "./openapi.ts";
import { exampleOf, type Field, fieldsOf, json, quote, ruleOf, type Schema, typeOf } from "./schema-words.ts";
import stylesheet from "./reference.css" with { type: "text" };

const STYLESHEET = asset("/docs/reference.css", "text/css; charset=utf-8", stylesheet);

/**
 * The reference for people at /docs: made from the document that programs read, when it is first asked for.
 */
export function referenceTransport(core: Core, version: string): Transport {
  let made: { community: string; page: string } | undefined;
  return {
    prefix: "/docs",
    way: "pages",
    isCounted: true,
    handle(context) {
      if (context.method === "GET" && context.path === "/docs") {
        context.route = context.path;
        const { name: community } = charterOf(core);
        if (made?.community !== community) {
          const document = openApiDocument(OPERATIONS, core.origin, version);
          made = { community, page: renderReference(document, community) };
        }
        return html(context, 200, made.page);
      }
      if (context.method === "GET" && context.path === STYLESHEET.path) {
        context.route = context.path;
        return assetAnswer(context, STYLESHEET);
      }
      throw refuse("nothing_under_docs");
    },
  };
}

type Json = Record<string, unknown>;

/** The OpenAPI document, as far as the page shows it, without its references. */
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

type Placed = Operation & { method: string; path: string };

/** A section of the guide, or a group of operations. */
type Section = { title: string; text: string; operations: Placed[] };

/**
 * The whole page. JSX here does not escape its children: whatever comes from the document stands in an
 * element marked `safe` or goes through `prose`, `markdown` or `escapeHtml`; attributes are escaped by
 * themselves. `community` is what the way back to the pages is called.
 */
export function renderReference(document: Json, community: string): string {
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
  const contents = <Contents sections={sections} />;
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title safe>{`${info.title} API reference`}</title>
        <meta name="description" content={info.summary} />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
        <link rel="stylesheet" href={STYLESHEET.address} />
      </head>
      <body id="top">
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="masthead">
          {/* The way back to the pages: where this one stands, the mark in this corner leads home. */}
          <a class="brand" href="/" dir="auto" safe>
            {community}
          </a>
          <a class="document" href="/v1/openapi.json">
            openapi.json
          </a>
        </header>
        <div class="frame">
          <nav class="side" aria-label="Contents">
            {contents}
          </nav>
          <main id="content" tabindex="-1">
            <h1>
              <span safe>{info.title}</span> API
            </h1>
            <p class="summary" safe>
              {info.summary}
            </p>
            <p class="base">
              Version <code safe>{info.version}</code>, base address <code safe>{base}</code>
            </p>
            {/* A phone has no room for the list at the side: there it opens here. */}
            <details class="contents">
              <summary>Contents</summary>
              <nav aria-label="Contents">{contents}</nav>
            </details>
            {sections.map(({ title, text, operations: those }) => (
              <section aria-labelledby={idOf(title)}>
                <h2 id={idOf(title)}>
                  <a class="anchor" href={`#${idOf(title)}`} safe>
                    {title}
                  </a>
                </h2>
                <div class="guide">{markdown(text, title)}</div>
                {those.map((op) => (
                  <OperationSection op={op} base={base} />
                ))}
              </section>
            ))}
            <footer class="end">
              Made from <a href="/v1/openapi.json">openapi.json</a>, so it says what this server does.{" "}
              <a href="#top">Back to the top</a>
            </footer>
          </main>
        </div>
      </body>
    </html>
  );
  return `<!doctype html>${page as string}`;
}

function idOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/** The document with what its `$ref`s point at in their place. Our schemas have no cycles. */
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

function Contents({ sections }: { sections: readonly Section[] }) {
  return (
    <ul>
      {sections.map(({ title, operations }) => (
        <>
          <li>
            <a class="contents-section" href={`#${idOf(title)}`} safe>
              {title}
            </a>
          </li>
          {operations.map((op) => (
            <li>
              <a class="contents-operation" href={`#${op.operationId}`}>
                <Endpoint method={op.method} path={op.path} />
              </a>
            </li>
          ))}
        </>
      ))}
    </ul>
  );
}

/** One operation: what it is in words on one side, what goes over the wire on the other. */
function OperationSection({ op, base }: { op: Placed; base: string }) {
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
        {example === undefined ? "" : <Code title={`Answer ${status}`} text={json(example)} />}
      </div>
      <div class="details">
        <Fields title="Parameters" of={summary} fields={parametersOf(op)} />
        <Fields title="Body" of={summary} fields={[...fieldsOf(body ?? {}), ...partsOf(op)]} />
        <h4>Answer</h4>
        <p>
          <b safe>{status}</b> {prose(answer?.description ?? "")}.{status === "204" ? " No body." : ""}
        </p>
        <Fields of={`${summary}: answer`} fields={fieldsOf(schema)} />
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
    within: "",
    note: `${parameter.in}, ${required ? "required" : "optional"}`,
    schema: { ...schema, description, examples: example === undefined ? schema.examples : [example] },
  }));
}

/** The parts of a form that carries a file. */
function partsOf({ requestBody }: Operation): Field[] {
  return fieldsOf(requestBody?.content?.["multipart/form-data"]?.schema ?? {});
}

/** A command to paste, filled with the examples of the document; the token is a variable of the shell. */
function requestOf(op: Placed, base: string, scope: string | undefined, body: Schema | undefined): string {
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
 * Parameters, or the fields of a body. Those of an answer have no title: they are never left out, and their
 * example stands beside.
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
            {fields.map(({ within, name, note, schema }) => (
              <tr>
                <th scope="row">
                  <code>{`<span class="within">${escapeHtml(within)}</span>${escapeHtml(name)}`}</code>
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

/** A method, and a path whose parameters step back, with places to break it where a column is narrow. */
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

function Code({ title, text }: { title: string; text: string }) {
  return (
    <figure class="code">
      <figcaption safe>{title}</figcaption>
      <pre tabindex="0">
        <code safe>{text}</code>
      </pre>
    </figure>
  );
}

/** A line of the document as HTML, in which backticks make code. Escapes first: that makes no backtick. */
function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

/** Our own Markdown as HTML. Tables and code scroll in boxes that the keyboard can reach. */
function markdown(text: string, label: string): string {
  return Bun.markdown
    .html(text, { noHtmlBlocks: true, noHtmlSpans: true, headings: { ids: true } })
    .replaceAll(
      "<table>",
      `<div class="table" role="region" aria-label="${escapeHtml(label)}" tabindex="0"><table>`,
    )
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">');
}
