import { escapeHtml } from "@kitajs/html";
import GRAPHQL from "../../../docs/graphql.md" with { type: "text" };
import OAUTH from "../../../docs/oauth.md" with { type: "text" };
import { docsPage, idOf, markdown, type DocsCommunity } from "./frame.tsx";
import { linkServedDocs } from "../served.ts";

const GUIDES = {
  "/docs/graphql": { text: GRAPHQL, summary: "Queries, mutations, and subscriptions at /graphql." },
  "/docs/oauth": { text: OAUTH, summary: "How an app acts for other members, and how it signs them in." },
} as const;
export type GuidePath = keyof typeof GUIDES;

export function isGuide(path: string): path is GuidePath {
  return path in GUIDES;
}

/** Renders a guide of the docs folder as a page. Links to files that are not served become plain text. */
export function renderGuide(path: GuidePath, community: DocsCommunity): string {
  const { text, summary } = GUIDES[path];
  const [, title = "", body = ""] = /^# (.*)\n([^]*)$/.exec(text) ?? [];
  const headings = [...body.matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);
  const contents = headings.map((heading) => ({ id: idOf(heading), html: escapeHtml(heading) }));
  const main = `<div class="guide">${markdown(linkServedDocs(body), title)}</div>`;
  return docsPage({ path, title, summary, contents, main }, community);
}
