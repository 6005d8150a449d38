/** @jsxImportSource @kitajs/html */
import { escapeHtml } from "@kitajs/html";
import type { CommunitySettings } from "../../core/identity/community-settings/community-settings.ts";
import { asset } from "../../http/asset.ts";
import type { DocsPath } from "../served.ts";
import stylesheet from "./docs.css" with { type: "text" };

export const STYLESHEET = asset("/docs/docs.css", "text/css; charset=utf-8", stylesheet);

/** The pages under /docs in menu order. Every page links to all others. */
export const DOCS_PAGES = [
  { path: "/docs", name: "REST" },
  { path: "/docs/graphql", name: "GraphQL" },
  { path: "/docs/oauth", name: "OAuth" },
  { path: "/docs/errors", name: "Errors" },
  { path: "/docs/samples", name: "Samples" },
] as const satisfies readonly { path: DocsPath; name: string }[];

/** The parts of the community settings that the pages show. */
export type DocsCommunity = Pick<CommunitySettings, "name" | "contact">;

/** One entry of a page's table of contents: a link to an id, as HTML. */
export interface Entry {
  id: string;
  html: string;
  /** Whether the entry is nested below another one. */
  isNested?: boolean;
}

/**
 * Renders a page under /docs. JSX does not escape children here: `main` and the entries' `html` must be safe.
 * The name of the community links to its front page. Visitors see its contact on every page.
 */
export function docsPage(
  page: { path: DocsPath; title: string; summary: string; contents: readonly Entry[]; main: string },
  { name, contact }: DocsCommunity,
): string {
  const contents = contentsOf(page.contents);
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title safe>{page.title}</title>
        <meta name="description" content={page.summary} />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
        <link rel="stylesheet" href={STYLESHEET.address} />
      </head>
      <body id="top">
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="masthead">
          <a class="brand" href="/" dir="auto" safe>
            {name}
          </a>
          <nav class="pages" aria-label="Documentation">
            {DOCS_PAGES.map(({ path, name }) => (
              <a href={path} aria-current={path === page.path ? "page" : undefined}>
                {name}
              </a>
            ))}
          </nav>
        </header>
        <div class="frame">
          <nav class="side" aria-label="Contents">
            {contents}
          </nav>
          <main id="content" tabindex="-1">
            <h1 safe>{page.title}</h1>
            <p class="summary" safe>
              {page.summary}
            </p>
            {/* On a phone the table of contents does not fit beside the text. */}
            <details class="contents">
              <summary>Contents</summary>
              <nav aria-label="Contents">{contents}</nav>
            </details>
            {page.main}
          </main>
        </div>
        {contact === "" ? (
          ""
        ) : (
          <footer class="contact">
            Contact:{" "}
            <a href={contact.startsWith("https://") ? contact : `mailto:${contact}`} safe>
              {contact}
            </a>
          </footer>
        )}
      </body>
    </html>
  );
  return `<!doctype html>${html as string}`;
}

function contentsOf(entries: readonly Entry[]): string {
  return (
    <ul>
      {entries.map(({ id, html, isNested }) => (
        <li>
          <a class={isNested ? "contents-operation" : "contents-section"} href={`#${id}`}>
            {html}
          </a>
        </li>
      ))}
    </ul>
  ) as string;
}

/** A heading of the second level that links to itself. */
export function SectionHeading({ id, title }: { id: string; title: string }) {
  return (
    <h2 id={id}>
      <a class="anchor" href={`#${id}`} safe>
        {title}
      </a>
    </h2>
  );
}

/** A code block with a title, such as its file name. */
export function Code({ title, text }: { title: string; text: string }) {
  return (
    <figure class="code">
      <figcaption safe>{title}</figcaption>
      <pre tabindex="0">
        <code safe>{text}</code>
      </pre>
    </figure>
  );
}

/** Returns the id of a section heading in GitHub's form. */
export function idOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

/** Converts a line to HTML. Backticks mark code. The text is escaped first, which adds no backtick. */
export function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

/**
 * Renders this project's Markdown as HTML. Its tables and code blocks can be focused and scrolled with the
 * keyboard. A line such as `<a id="old-heading"></a>` becomes an anchor, so that links to a former heading
 * work.
 */
export function markdown(text: string, label: string): string {
  return Bun.markdown
    .html(text, { noHtmlBlocks: true, noHtmlSpans: true, headings: { ids: true } })
    .replaceAll(/<p>&lt;a id=&quot;([\w-]+)&quot;&gt;&lt;\/a&gt;<\/p>/g, '<a id="$1"></a>')
    .replaceAll(
      "<table>",
      `<div class="table" role="region" aria-label="${escapeHtml(label)}" tabindex="0"><table>`,
    )
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">');
}
