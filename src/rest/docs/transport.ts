import type { Core } from "../../core/base/core.ts";
import { refuse } from "../../core/base/errors.ts";
import { communitySettingsOf } from "../../core/identity/community-settings/community-settings.ts";
import { html } from "../../http/answer.ts";
import { assetAnswer } from "../../http/asset.ts";
import type { Transport } from "../../http/transport.ts";
import { OPERATIONS } from "../../operations/index.ts";
import { openApiDocument } from "../openapi.ts";
import { renderErrors } from "./errors.tsx";
import { DOCS_PAGES, type DocsCommunity, STYLESHEET } from "./frame.tsx";
import { isGuide, renderGuide } from "./guides.ts";
import { renderReference } from "./reference.tsx";
import { renderSamples } from "./samples.tsx";
import type { DocsPath } from "../served.ts";

/**
 * Serves the documentation pages under /docs. A page is rendered on its first request, and again after the
 * community's name or contact changed.
 */
export function docsTransport(core: Core, version: string): Transport {
  const made = new Map<DocsPath, { community: string; page: string }>();

  function render(path: DocsPath, community: DocsCommunity): string {
    if (isGuide(path)) return renderGuide(path, community);
    if (path === "/docs/errors") return renderErrors(community);
    if (path === "/docs/samples") return renderSamples(community);
    return renderReference(openApiDocument(OPERATIONS, core.origin, version), community);
  }

  return {
    prefix: "/docs",
    transportName: "pages",
    isCounted: true,
    isFree: (path) => path === STYLESHEET.path,
    handle(context) {
      const path = DOCS_PAGES.find((page) => page.path === context.path)?.path;
      if (context.method === "GET" && path !== undefined) {
        context.route = path;
        const { name, contact } = communitySettingsOf(core);
        const community = `${name}\n${contact}`;
        let known = made.get(path);
        if (known?.community !== community) {
          known = { community, page: render(path, { name, contact }) };
          made.set(path, known);
        }
        return html(context, 200, known.page);
      }
      if (context.method === "GET" && context.path === STYLESHEET.path) {
        context.route = context.path;
        return assetAnswer(context, STYLESHEET);
      }
      throw refuse("nothing_under_docs");
    },
  };
}
