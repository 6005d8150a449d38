import type { Core } from "../core/base/core.ts";
import {
  type CommunitySettings,
  communitySettingsOf,
} from "../core/identity/community-settings/community-settings.ts";
import { type Asset, asset, assetAnswer } from "../http/asset.ts";
import type { RequestContext } from "../http/context.ts";
import opener from "./open-graphiql.js" with { type: "text" };

/** The GraphiQL console: a small page and two large files that browsers cache (docs/contract.md#12.36). */
export interface Graphiql {
  page(http: RequestContext): Promise<Response>;
  /** Returns the script or the style sheet. Returns `undefined` for any other path. */
  file(http: RequestContext): Promise<Response> | undefined;
}

const FILES = ["/graphql/graphiql.js", "/graphql/graphiql.css"] as const;

export function isGraphiqlFile(path: string): boolean {
  return (FILES as readonly string[]).includes(path);
}

export function createGraphiql(core: Core): Graphiql {
  // The files are loaded on first use, because they take several megabytes of memory and most servers never
  // need them.
  let made: Promise<Files> | undefined;
  const files = (): Promise<Files> => (made ??= makeFiles());
  return {
    page: async (http) => answerWith(http, renderPage(http.origin, communitySettingsOf(core), await files())),
    file: (http) =>
      isGraphiqlFile(http.path)
        ? files().then(({ script, style }) =>
            assetAnswer(http, [script, style].find(({ path }) => path === http.path) as Asset),
          )
        : undefined,
  };
}

interface Files {
  script: Asset;
  style: Asset;
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Inline styles are allowed because the editor adds them. The style sheet contains its fonts and icons as
  // data URLs.
  "style-src 'self' 'unsafe-inline'",
  "font-src data:",
  "img-src 'self' data:",
  "worker-src blob:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

function answerWith(http: RequestContext, html: string): Response {
  return new Response(html, {
    headers: {
      ...http.headers,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "cache-control": "no-cache",
      vary: `accept, ${http.headers["vary"]}`,
    },
  });
}

/** Example query of the console. Any token that may read the feed can run this query. */
const WELCOME = `# 1. Create an access token at
#    ORIGIN/settings/tokens
# 2. Enter it in the headers below, after "Bearer ".
# 3. Press Ctrl+Enter to run this query.
# The book icon opens the documentation.

query Welcome {
  feed(first: 3) {
    edges {
      node {
        text
        author {
          name
        }
      }
    }
  }
  rateLimit {
    cost
    remaining
  }
}
`;

/** Replaces GraphiQL's accent colour, which GraphiQL sets separately for light and dark mode. */
const ACCENT = `
html body :is(.graphiql-container, .graphiql-dialog, .graphiql-tooltip) { --color-primary: 171, 82%, 24%; }
html body.graphiql-dark :is(.graphiql-container, .graphiql-dialog, .graphiql-tooltip) { --color-primary: 167, 54%, 60%; }
@media (prefers-color-scheme: dark) {
html body:not(.graphiql-light) :is(.graphiql-container, .graphiql-dialog, .graphiql-tooltip) { --color-primary: 167, 54%, 60%; }
}
`;

async function makeFiles(): Promise<Files> {
  const { css, js, editorWorkerService, graphqlWorker, jsonWorker } =
    await import("@graphql-yoga/render-graphiql/graphiql");
  const workers = JSON.stringify({ editorWorkerService, graphql: graphqlWorker, json: jsonWorker });
  const script = `
const workers = ${workers};
for (const name of Object.keys(workers))
  workers[name] = URL.createObjectURL(new Blob([workers[name]], { type: "application/javascript" }));
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };
${js};
${opener as unknown as string}
openGraphiQL(JSON.parse(document.getElementById("options").textContent));
`;
  return {
    script: asset(FILES[0], "text/javascript; charset=utf-8", script),
    style: asset(FILES[1], "text/css; charset=utf-8", css + ACCENT),
  };
}

/**
 * Renders our own page for the package's bundle. The package also has a page, but without the fixes of
 * `open-graphiql.js`.
 */
function renderPage(
  origin: string,
  { name, contact }: Pick<CommunitySettings, "name" | "contact">,
  { script, style }: Files,
): string {
  // Visitors see the contact on this page, too.
  const address = Bun.escapeHTML(contact.startsWith("https://") ? contact : `mailto:${contact}`);
  const reach = contact === "" ? "" : ` · <a href="${address}">${Bun.escapeHTML(contact)}</a>`;
  const options = {
    title: `<a href="/">${Bun.escapeHTML(name)}</a>${reach}`,
    logo: "",
    endpoint: "/graphql",
    defaultQuery: WELCOME.replace("ORIGIN", origin),
    headers: JSON.stringify({ Authorization: "Bearer " }, null, 2),
    defaultEditorToolsVisibility: "headers",
    isHeadersEditorEnabled: true,
    // Headers are not stored, because they contain a token that other users of the browser could read.
    shouldPersistHeaders: false,
    credentials: "omit",
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphQL · ${Bun.escapeHTML(name)}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="${style.address}">
</head>
<body>
<noscript>GraphiQL needs scripts. GraphQL itself does not: send a query to this address with POST.</noscript>
<div id="root"></div>
<script type="application/json" id="options">${literal(options)}</script>
<script src="${script.address}"></script>
</body>
</html>
`;
}

/** Returns a value as JSON that cannot end the script element. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
