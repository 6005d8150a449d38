import { readFileSync } from "node:fs";
import { accentTones } from "../core/identity/community-settings/accent.ts";
import { type Asset, asset } from "../http/asset.ts";
import appsAndAdmin from "./assets/apps-and-admin.css" with { type: "text" };
import displayFile from "./assets/young-serif.woff2" with { type: "file" };
import jobsAndPrompts from "./assets/jobs-and-prompts.css" with { type: "text" };
import about from "./assets/about.css" with { type: "text" };
import feed from "./assets/feed.css" with { type: "text" };
import iconFile from "./assets/favicon.ico" with { type: "file" };
import touchFile from "./assets/icon-180.png" with { type: "file" };
import smallFile from "./assets/icon-192.png" with { type: "file" };
import largeFile from "./assets/icon-512.png" with { type: "file" };
import badges from "./assets/badges.css" with { type: "text" };
import icon from "./assets/favicon.svg" with { type: "text" };
import bookmarks from "./assets/bookmarks.css" with { type: "text" };
import forms from "./assets/forms.css" with { type: "text" };
import layout from "./assets/layout.css" with { type: "text" };
import lists from "./assets/lists.css" with { type: "text" };
import completion from "./assets/completion.css" with { type: "text" };
import printAndContrast from "./assets/print-and-contrast.css" with { type: "text" };
import pictures from "./assets/pictures.css" with { type: "text" };
import profilesAndMessages from "./assets/profiles-and-messages.css" with { type: "text" };
import messages from "./assets/messages.css" with { type: "text" };
import notifications from "./assets/notifications.css" with { type: "text" };
import markdown from "./assets/markdown.css" with { type: "text" };
import job from "./assets/job.css" with { type: "text" };
import people from "./assets/people.css" with { type: "text" };
import promptVariables from "./assets/prompt-variables.css" with { type: "text" };
import copyScript from "./assets/scripts/copy.js" with { type: "text" };
import completionScript from "./assets/scripts/completion.js" with { type: "text" };
import draftsScript from "./assets/scripts/drafts.js" with { type: "text" };
import inPlaceScript from "./assets/scripts/in-place.js" with { type: "text" };
import liveScript from "./assets/scripts/live.js" with { type: "text" };
import picturesScript from "./assets/scripts/pictures.js" with { type: "text" };
import repliesScript from "./assets/scripts/replies.js" with { type: "text" };
import offline from "./assets/scripts/offline.js" with { type: "text" };
import passkeys from "./assets/scripts/passkeys.js" with { type: "text" };
import setup from "./assets/scripts/setup.js" with { type: "text" };
import push from "./assets/scripts/push.js" with { type: "text" };
import pushWorker from "./assets/scripts/push-worker.js" with { type: "text" };
import shortcutsScript from "./assets/scripts/shortcuts.js" with { type: "text" };
import variablesScript from "./assets/scripts/variables.js" with { type: "text" };
import threadsAndEdits from "./assets/threads-and-edits.css" with { type: "text" };
import moderation from "./assets/moderation.css" with { type: "text" };
import sidebar from "./assets/sidebar.css" with { type: "text" };
import shortcuts from "./assets/shortcuts.css" with { type: "text" };
import search from "./assets/search.css" with { type: "text" };
import welcome from "./assets/welcome.css" with { type: "text" };

/** The heading font. `bun run display-font` creates it. */
export const DISPLAY_FONT = asset(
  "/assets/young-serif.woff2",
  "font/woff2",
  new Uint8Array(readFileSync(displayFile)),
);

/** All stylesheets as they are sent, without comments. */
const SHEET = (
  layout.replace("{display}", DISPLAY_FONT.address) +
  forms +
  lists +
  feed +
  threadsAndEdits +
  bookmarks +
  markdown +
  jobsAndPrompts +
  promptVariables +
  people +
  profilesAndMessages +
  messages +
  appsAndAdmin +
  notifications +
  pictures +
  search +
  sidebar +
  badges +
  job +
  about +
  moderation +
  welcome +
  shortcuts +
  completion +
  printAndContrast
)
  .replace(/\/\*[^]*?\*\//g, "")
  .replace(/\s+/g, " ");

export const STYLESHEET_PATH = "/assets/guildhall.css";

/**
 * Returns the stylesheet for an accent: `#rrggbb`, or empty for the default. Caches the last one, as a
 * community has one accent at a time.
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
/** The script that subscribes a browser to push. Only the push settings page loads the script. */
export const PUSH_SCRIPT = asset(
  "/assets/push.js",
  "text/javascript; charset=utf-8",
  push as unknown as string,
);
/** The script of the set-up, which updates its preview. */
export const SETUP_SCRIPT = asset(
  "/assets/setup.js",
  "text/javascript; charset=utf-8",
  setup as unknown as string,
);
/** The script of the offline page. */
export const OFFLINE_SCRIPT = asset(
  "/assets/offline.js",
  "text/javascript; charset=utf-8",
  offline as unknown as string,
);
/** The service worker for pushes and the offline page. Browsers fetch it again from this fixed path. */
export const PUSH_WORKER = asset(
  "/push-worker.js",
  "text/javascript; charset=utf-8",
  withoutComments(pushWorker as unknown as string),
);
const MEMBER_SCRIPTS = [
  liveScript,
  inPlaceScript,
  repliesScript,
  draftsScript,
  picturesScript,
  completionScript,
  copyScript,
  variablesScript,
  shortcutsScript,
];
/**
 * The script of signed-in members, which enhances open pages (docs/contract.md#9.14). Each file is a block of
 * its own, so their names cannot collide. It is sent without comments.
 */
export const MEMBER_SCRIPT = asset(
  "/assets/guildhall.js",
  "text/javascript; charset=utf-8",
  `"use strict";
${MEMBER_SCRIPTS.map(
  (file) => `{
${withoutComments(file as unknown as string)}}
`,
).join("")}`,
);

/** Removes comments that fill whole lines, and indentation. */
function withoutComments(script: string): string {
  return script.replace(/^\s*(\/\*[^]*?\*\/|\/\/.*)\n/gm, "").replace(/^\s+/gm, "");
}

export const ICON = asset("/favicon.svg", "image/svg+xml", icon);

/** Files that browsers and crawlers request at fixed paths. Their paths cannot contain a version. */
export const FIXED_PATH_ASSETS = [
  ICON,
  // The icon for browsers without SVG favicons, and for tabs that show no page of this site. It contains
  // sizes of 16 and 32 px, rendered from the SVG.
  asset("/favicon.ico", "image/vnd.microsoft.icon", new Uint8Array(readFileSync(iconFile))),
  ...(
    [
      ["/apple-touch-icon.png", touchFile],
      ["/icon-192.png", smallFile],
      ["/icon-512.png", largeFile],
    ] as const
  ).map(([path, file]) => asset(path, "image/png", new Uint8Array(readFileSync(file)))),
];
