/** @jsxImportSource @kitajs/html */
import { communitySettingsOf } from "../../core/identity/community-settings/community-settings.ts";
import { html } from "../../http/answer.ts";
import { DISPLAY_FONT, OFFLINE_SCRIPT, STYLESHEET_PATH } from "../assets.ts";
import { ThemeColours } from "../parts/layout.tsx";
import { publicPage, type PageContext } from "../request/route.ts";

/**
 * The page that a browser shows when the server does not answer (docs/contract.md#9.40). The service worker
 * keeps it and the files that it names. It is the same for everyone who speaks a language, so it contains
 * nothing private.
 */
export const OFFLINE_PAGE = {
  ...publicPage("GET", "/offline", (ctx) => offlinePage(ctx)),
  isUnmetered: true as const,
};

function offlinePage(ctx: PageContext): Response {
  const { name } = communitySettingsOf(ctx.core);
  const messages = ctx.messages.offline;
  const page = (
    <html lang={ctx.messages.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title safe>{name}</title>
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <ThemeColours />
        <link rel="preload" as="font" type="font/woff2" href={DISPLAY_FONT.address} crossorigin="anonymous" />
        <link rel="stylesheet" href={STYLESHEET_PATH} />
        <script src={OFFLINE_SCRIPT.address} defer />
      </head>
      <body>
        <header class="masthead">
          <a class="brand" href="/">
            <span class="brand-word" dir="auto" safe>
              {name}
            </span>
          </a>
        </header>
        <div class="frame">
          <main id="content" class="plain">
            <div class="heading">
              <div>
                <h1>{messages.title({ name: <bdi safe>{name}</bdi> })}</h1>
                <div class="lead">
                  <p>{messages.lead}</p>
                </div>
              </div>
            </div>
            {/* An empty address is the page that the reader wanted to open. */}
            <a class="button primary" href="">
              {messages.button}
            </a>
            <p class="hint below">{messages.again}</p>
          </main>
        </div>
      </body>
    </html>
  );
  return html(ctx.context, 200, `<!doctype html>${page as string}`, {
    scripts: true,
    headers: [
      ["cache-control", "private, max-age=3600"],
      ["content-language", ctx.messages.language],
      ["vary", "accept-language"],
    ],
  });
}
