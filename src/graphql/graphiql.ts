import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Visit } from "../http/visit.ts";

let page: Promise<{ html: Uint8Array<ArrayBuffer>; policy: string }> | undefined;

/** GraphiQL for people, all of it in one page: it loads nothing from anywhere. A token goes into its tab «Headers». */
export async function graphiqlPage(visit: Visit): Promise<Response> {
  const { html, policy } = await (page ??= renderPage());
  return new Response(html, {
    headers: {
      ...visit.headers,
      "content-type": "text/html; charset=utf-8",
      "content-encoding": "gzip",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "cache-control": "no-cache",
      vary: "accept",
    },
  });
}

const WELCOME = `# Your token goes into the tab «Headers» below, as JSON:
#   { "Authorization": "Bearer guild_pat_…" }

{
  viewer {
    builder {
      username
    }
  }
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

/** Made on first use: it is several megabytes, which most servers never need in memory. */
async function renderPage(): Promise<{ html: Uint8Array<ArrayBuffer>; policy: string }> {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  const html = renderGraphiQL({
    title: "Guildhall GraphQL",
    endpoint: "/graphql",
    defaultQuery: WELCOME,
    headers: JSON.stringify({ Authorization: "Bearer " }, null, 2),
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: false,
    credentials: "omit",
  });
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = ""]) =>
    hashOf(script),
  );
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.join(" ")}`,
    // The editor writes its own styles, and its fonts and icons are in them.
    "style-src 'unsafe-inline'",
    "font-src data:",
    "img-src data:",
    "worker-src blob:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  // Beside the requests, on a thread of its own: it is half a second of work.
  return { html: await promisify(gzip)(html), policy };
}

function hashOf(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}
