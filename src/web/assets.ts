import { readFileSync } from "node:fs";
import { accentTones } from "../core/identity/community-settings/accent.ts";
import { type Asset, asset } from "../http/asset.ts";
import access from "./assets/apps-and-admin.css" with { type: "text" };
import displayFile from "./assets/young-serif.woff2" with { type: "file" };
import board from "./assets/jobs-and-prompts.css" with { type: "text" };
import charter from "./assets/about.css" with { type: "text" };
import community from "./assets/feed.css" with { type: "text" };
import iconFile from "./assets/favicon.ico" with { type: "file" };
import touchFile from "./assets/icon-180.png" with { type: "file" };
import smallFile from "./assets/icon-192.png" with { type: "file" };
import largeFile from "./assets/icon-512.png" with { type: "file" };
import honours from "./assets/badges.css" with { type: "text" };
import icon from "./assets/favicon.svg" with { type: "text" };
import following from "./assets/bookmarks.css" with { type: "text" };
import forms from "./assets/forms.css" with { type: "text" };
import frame from "./assets/layout.css" with { type: "text" };
import lists from "./assets/lists.css" with { type: "text" };
import paper from "./assets/print-and-contrast.css" with { type: "text" };
import pictures from "./assets/pictures.css" with { type: "text" };
import people from "./assets/profiles-and-messages.css" with { type: "text" };
import notifications from "./assets/notifications.css" with { type: "text" };
import markdown from "./assets/markdown.css" with { type: "text" };
import notice from "./assets/job.css" with { type: "text" };
import live from "./assets/live.js" with { type: "text" };
import passkeys from "./assets/passkeys.js" with { type: "text" };
import push from "./assets/push.js" with { type: "text" };
import pushWorker from "./assets/push-worker.js" with { type: "text" };
import writing from "./assets/threads-and-edits.css" with { type: "text" };
import rail from "./assets/sidebar.css" with { type: "text" };
import search from "./assets/search.css" with { type: "text" };

/** The face of headings (`bun run face` makes it). */
export const DISPLAY_FONT = asset(
  "/assets/young-serif.woff2",
  "font/woff2",
  new Uint8Array(readFileSync(displayFile)),
);

/** As it is sent: without what is for its readers. */
const SHEET = (
  frame.replace("{display}", DISPLAY_FONT.address) +
  forms +
  lists +
  community +
  writing +
  following +
  markdown +
  board +
  people +
  access +
  notifications +
  pictures +
  search +
  rail +
  honours +
  notice +
  charter +
  paper
)
  .replace(/\/\*[^]*?\*\//g, "")
  .replace(/\s+/g, " ");

export const STYLESHEET_PATH = "/assets/guildhall.css";

/**
 * What pages are drawn with, in the colour of the community: `#rrggbb`, or empty for ours. The last one that was asked
 * for is kept: a community has one colour at a time.
 */
export function stylesheets(): (accent: string) => Asset {
  let made: { accent: string; sheet: Asset } | undefined;
  return (accent) => {
    if (made?.accent !== accent) {
      const { day, night } = accentTones(accent);
      const tones = `:root{--accent-day:${day};--accent-night:${night}}`;
      made = { accent, sheet: asset(STYLESHEET_PATH, "text/css; charset=utf-8", SHEET + tones) };
    }
    return made.sheet;
  };
}
export const SCRIPT = asset(
  "/assets/passkeys.js",
  "text/javascript; charset=utf-8",
  passkeys as unknown as string,
);
/** Has a browser subscribed; on the page of that alone. */
export const PUSH_SCRIPT = asset(
  "/assets/push.js",
  "text/javascript; charset=utf-8",
  push as unknown as string,
);
/** What a browser runs when something comes for it: at an address that it asks for again by itself. */
export const PUSH_WORKER = asset(
  "/push-worker.js",
  "text/javascript; charset=utf-8",
  pushWorker as unknown as string,
);
/** What makes an open page go on by itself. */
export const LIVE_SCRIPT = asset(
  "/assets/live.js",
  "text/javascript; charset=utf-8",
  live as unknown as string,
);
export const ICON = asset("/favicon.svg", "image/svg+xml", icon);

/**
 * What browsers and crawlers ask for at an address of their own, beside any page: an address that cannot
 * change with its content.
 */
export const FIXED_PATH_ASSETS = [
  ICON,
  // For tabs that show no page of ours, and browsers that draw no SVG there. 16 and 32 px, drawn from the
  // other one.
  asset("/favicon.ico", "image/vnd.microsoft.icon", new Uint8Array(readFileSync(iconFile))),
  ...(
    [
      ["/apple-touch-icon.png", touchFile],
      ["/icon-192.png", smallFile],
      ["/icon-512.png", largeFile],
    ] as const
  ).map(([path, file]) => asset(path, "image/png", new Uint8Array(readFileSync(file)))),
];
