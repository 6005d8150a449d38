/** @jsxImportSource @kitajs/html */
import { refuse } from "../core/ground/errors.ts";
import { html } from "../http/answer.ts";
import { asset, assetAnswer } from "../http/asset.ts";
import type { Door } from "../http/preflight.ts";
import { OPERATIONS } from "./app.ts";
import { openApiDocument } from "./openapi.ts";
import { type Group, type Reference, readDocument } from "./reference-document.ts";
import { Guide, GUIDE } from "./reference-guide.tsx";
import { OperationSection } from "./reference-operation.tsx";
import { Method, Path, prose } from "./reference-parts.tsx";
import frame from "./reference.css" with { type: "text" };
import code from "./reference-code.css" with { type: "text" };
import words from "./reference-text.css" with { type: "text" };

const STYLESHEET = asset("/docs/reference.css", "text/css; charset=utf-8", frame + words + code);

/** The reference for people at /docs: made once, when it is first asked for, from the document that programs read. */
export function referenceDoor(origin: string, version: string): Door {
  let page: string | undefined;
  return {
    prefix: "/docs",
    isCounted: true,
    handle(visit) {
      if (visit.method === "GET" && visit.path === "/docs") {
        page ??= renderReference(openApiDocument(OPERATIONS, origin, version));
        return html(visit, 200, page);
      }
      if (visit.method === "GET" && visit.path === STYLESHEET.path) return assetAnswer(visit, STYLESHEET);
      throw refuse("nothing_under_docs");
    },
  };
}

/**
 * The whole page. JSX here does not escape its children: whatever comes from the document stands in an element marked
 * `safe` or goes through `prose` or `escapeHtml`; attributes are escaped by themselves.
 */
export function renderReference(document: Record<string, unknown>): string {
  const reference = readDocument(document);
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title safe>{`${reference.title} API reference`}</title>
        <meta name="description" content={reference.summary} />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
        <link rel="stylesheet" href={STYLESHEET.address} />
      </head>
      <body id="top">
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Masthead reference={reference} />
        <div class="frame">
          <nav class="side" aria-label="Contents">
            <Contents groups={reference.groups} />
          </nav>
          <main id="content" tabindex="-1">
            <Opening reference={reference} />
            <Guide reference={reference} />
            {reference.groups.map((group) => (
              <GroupSection group={group} baseUrl={reference.baseUrl} />
            ))}
            <footer class="end">
              <p>
                Made from <a href="/v1/openapi.json">openapi.json</a> by this server, so it says what this
                server does. <a href="#top">Back to the top</a>
              </p>
            </footer>
          </main>
        </div>
      </body>
    </html>
  );
  return `<!doctype html>${page as string}`;
}

function Masthead({ reference }: { reference: Reference }) {
  return (
    <header class="masthead">
      {/* The way back to the pages: where this one stands, the mark in this corner leads home. */}
      <a class="brand" href="/">
        Guildhall
      </a>
      <span class="version" safe>
        {reference.version}
      </span>
      <a class="document" href="/v1/openapi.json">
        openapi.json
      </a>
    </header>
  );
}

function Opening({ reference }: { reference: Reference }) {
  return (
    <div class="opening">
      <h1>
        {/* The name of the house, then what this page is of it. */}
        <span safe>{reference.title}</span> API
      </h1>
      <p class="summary" safe>
        {reference.summary}
      </p>
      <dl class="facts">
        <div>
          <dt>Base address</dt>
          <dd>
            <code safe>{reference.baseUrl}</code>
          </dd>
        </div>
        <div>
          <dt>For programs</dt>
          <dd>
            <a href="/v1/openapi.json">OpenAPI 3.1 document</a>
          </dd>
        </div>
      </dl>
      {/* A phone has no room for the list at the side: there it opens here. One of the two is always display: none. */}
      <details class="contents">
        <summary>Contents</summary>
        <nav aria-label="Contents">
          <Contents groups={reference.groups} />
        </nav>
      </details>
    </div>
  );
}

function Contents({ groups }: { groups: readonly Group[] }) {
  return (
    <>
      <p class="contents-group">Start here</p>
      <ul>
        {GUIDE.map(({ id, title }) => (
          <li>
            <a href={`#${id}`} safe>
              {title}
            </a>
          </li>
        ))}
      </ul>
      {groups.map((group) => (
        <>
          <p class="contents-group">
            <a href={`#${group.id}`} safe>
              {group.name}
            </a>
          </p>
          <ul>
            {group.operations.map((operation) => (
              <li>
                <a class="contents-operation" href={`#${operation.id}`}>
                  <Method method={operation.method} />
                  <Path path={operation.path} />
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
    </>
  );
}

function GroupSection({ group, baseUrl }: { group: Group; baseUrl: string }) {
  return (
    <section class="group" aria-labelledby={group.id}>
      <h2 id={group.id} safe>
        {group.name}
      </h2>
      <p class="group-description">{prose(group.description)}</p>
      {group.operations.map((operation) => (
        <OperationSection operation={operation} baseUrl={baseUrl} />
      ))}
    </section>
  );
}
