import { DAY, isoTime } from "../../core/base/clock.ts";
import { LANGUAGES } from "../../core/base/locales.ts";
import { accentTones, BACKGROUNDS } from "../../core/identity/community-settings/accent.ts";
import {
  communitySettingsOf,
  isForMembers,
} from "../../core/identity/community-settings/community-settings.ts";
import { contactUrl } from "../parts/contact-link.tsx";
import { logoImage } from "../parts/logo.tsx";
import { documentAnswer } from "../request/documents.ts";
import { publicPage, type PageContext, type PageRoute } from "../request/route.ts";
import robots from "../assets/robots.txt" with { type: "text" };

/**
 * The well-known files for browsers, crawlers and security researchers. They contain no content of members.
 */
export const WELL_KNOWN: readonly PageRoute[] = [
  publicPage("GET", "/robots.txt", (ctx) => plain(ctx, robotsOf(ctx))),
  publicPage("GET", "/.well-known/security.txt", (ctx) => plain(ctx, securityOf(ctx))),
  // Redirects to the form for a new password (W3C “A Well-Known URL for Changing Passwords”).
  publicPage("GET", "/.well-known/change-password", () => ({ to: "/settings/security#change-password" })),
  { ...publicPage("GET", "/manifest.webmanifest", (ctx) => manifestOf(ctx)), isUnmetered: true },
];

const A_DAY = "public, max-age=86400";

function plain({ context }: PageContext, text: string): Response {
  return documentAnswer(context, text, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": A_DAY,
  });
}

function robotsOf({ core }: PageContext): string {
  if (isForMembers(core)) return "# This community is for its members.\nUser-agent: *\nDisallow: /\n";
  return `${robots}\nSitemap: ${core.origin}/sitemap.xml\n`;
}

/**
 * RFC 9116 requires an expiry, which is always half a year ahead. Without a contact, the file names the page
 * about the community.
 */
function securityOf({ core }: PageContext): string {
  const { contact } = communitySettingsOf(core);
  const today = core.clock.now() - (core.clock.now() % DAY);
  return [
    `Contact: ${contact === "" ? `${core.origin}/about` : contactUrl(contact)}`,
    `Expires: ${isoTime(today + 180 * DAY)}`,
    `Canonical: ${core.origin}/.well-known/security.txt`,
    `Preferred-Languages: ${LANGUAGES.join(", ")}`,
    "",
  ].join("\n");
}

/** The web application manifest, for phones that install the site as an app (W3C). */
function manifestOf({ core, context }: PageContext): Response {
  const { name, line, language, accent } = communitySettingsOf(core);
  const logo = logoImage(core, 512);
  const manifest = {
    id: "/",
    name,
    // The short name is the whole name, because clients cut a name that is too long. The first word alone
    // would often be “The”.
    short_name: name,
    ...(line === "" ? {} : { description: line }),
    lang: language,
    start_url: "/",
    scope: "/",
    display: "minimal-ui",
    theme_color: accentTones(accent).day,
    background_color: BACKGROUNDS.day.paper,
    icons: [
      ...(logo ? [{ src: logo.path, type: "image/webp", sizes: `${logo.width}x${logo.height}` }] : []),
      { src: "/favicon.svg", type: "image/svg+xml", sizes: "any" },
      { src: "/icon-192.png", type: "image/png", sizes: "192x192" },
      { src: "/icon-512.png", type: "image/png", sizes: "512x512" },
      { src: "/icon-512.png", type: "image/png", sizes: "512x512", purpose: "maskable" },
    ],
  };
  return documentAnswer(context, JSON.stringify(manifest), {
    "content-type": "application/manifest+json; charset=utf-8",
    "cache-control": A_DAY,
  });
}
