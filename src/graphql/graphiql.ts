import { createHash } from "node:crypto";
import type { Core } from "../core/ground/core.ts";
import { charterOf } from "../core/identity/charter/charter.ts";
import { type Coded, coded, codedAnswer } from "../http/coding.ts";
import type { RequestContext } from "../http/context.ts";
import opener from "./open-graphiql.js" with { type: "text" };

/**
 * GraphiQL for people, all of it in one page: it loads nothing from anywhere but its icon. Around the
 * package's bundle stands a page of ours, because what it is told about typing (`open-graphiql.js`) cannot be
 * said in the package's own.
 */
export function createGraphiql(core: Core): (http: RequestContext) => Promise<Response> {
  let made: { community: string; page: ReturnType<typeof renderPage> } | undefined;
  return async (http) => {
    const { name: community } = charterOf(core);
    if (made?.community !== community) made = { community, page: renderPage(http.origin, community) };
    return answerWith(http, await made.page);
  };
}

function answerWith(http: RequestContext, { html, policy }: Awaited<ReturnType<typeof renderPage>>) {
  return codedAnswer(http, html, {
    ...http.headers,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cache-control": "no-cache",
    vary: `accept, ${http.headers["vary"]}`,
  });
}

/** It runs with any token that may read the feed. */
const WELCOME = `# Type your token into the headers below, after
# «Bearer ». You make one at
#   ORIGIN/settings/tokens
# Then press Ctrl+Enter. What else can be asked is
# behind the book in the corner.

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

/** The site's accent in place of GraphiQL's own, which is told again for each scheme. */
const ACCENT = `
html body :is(.graphiql-container, .graphiql-dialog, .graphiql-tooltip) { --color-primary: 171, 82%, 24%; }
html body.graphiql-dark :is(.graphiql-container, .graphiql-dialog, .graphiql-tooltip) { --color-primary: 167, 54%, 60%; }
@media (prefers-color-scheme: dark) {
html body:not(.graphiql-light) :is(.graphiql-container, .graphiql-dialog, .graphiql-tooltip) { --color-primary: 167, 54%, 60%; }
}
`;

/** Made on first use: it is several megabytes, which most servers never need in memory. */
async function renderPage(origin: string, community: string): Promise<{ html: Coded; policy: string }> {
  const { css, js, editorWorkerService, graphqlWorker, jsonWorker } =
    await import("@graphql-yoga/render-graphiql/graphiql");
  const options = {
    title: `<a href="/">${Bun.escapeHTML(community)}</a>`,
    logo: "",
    endpoint: "/graphql",
    defaultQuery: WELCOME.replace("ORIGIN", origin),
    headers: JSON.stringify({ Authorization: "Bearer " }, null, 2),
    defaultEditorToolsVisibility: "headers",
    isHeadersEditorEnabled: true,
    // A token that is kept in the browser is one that others find there.
    shouldPersistHeaders: false,
    credentials: "omit",
  };
  const script = `
const workers = ${literal({ editorWorkerService, graphql: graphqlWorker, json: jsonWorker })};
for (const name of Object.keys(workers))
  workers[name] = URL.createObjectURL(new Blob([workers[name]], { type: "application/javascript" }));
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };
${js};
${opener as unknown as string}
openGraphiQL(${literal(options)});
`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphQL · ${Bun.escapeHTML(community)}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<style>${css}${ACCENT}</style>
</head>
<body>
<noscript>GraphiQL needs scripts. GraphQL itself does not: send a query to this address with POST.</noscript>
<div id="root"></div>
<script>${script}</script>
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    // The editor writes its own styles, and its fonts and icons are in them.
    "style-src 'unsafe-inline'",
    "font-src data:",
    "img-src 'self' data:",
    "worker-src blob:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { html: coded(html), policy };
}

/** A value as it may stand in a script of a page: nothing in it ends the script. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function hashOf(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}
