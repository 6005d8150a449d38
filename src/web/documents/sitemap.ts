import {
  type Addressed,
  addressesOfBuilders,
  addressesOfJobs,
  addressesOfPosts,
  addressesOfPrompts,
  monthsOfPosts,
} from "../../core/services/addresses/addresses.ts";
import { refuse } from "../../core/base/errors.ts";
import { isForMembers } from "../../core/identity/community-settings/community-settings.ts";
import { escaped } from "../parts/feed-document.ts";
import { documentAnswer } from "../request/documents.ts";
import { readerOf } from "../request/paging.ts";
import { readerPage, type PageContext } from "../request/route.ts";

/** Sitemaps (sitemaps.org): an index, and files that list all public pages. */
export const SITEMAPS = [
  readerPage("GET", "/sitemap.xml", (ctx) => indexAnswer(ctx)),
  readerPage("GET", "/sitemaps/:file", (ctx) => listAnswer(ctx)),
];

const SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** The sitemap files by name. Posts have one file per month. */
const LISTS: Readonly<Record<string, (ctx: PageContext) => Addressed[]>> = {
  pages: () =>
    ["/", "/jobs", "/prompts", "/about", "/privacy", "/terms"].map((name) => ({ name, changedAt: null })),
  jobs: (ctx) => under("/jobs/", addressesOfJobs(ctx.core, readerOf(ctx))),
  prompts: (ctx) => under("/prompts/", addressesOfPrompts(ctx.core, readerOf(ctx))),
  builders: (ctx) => under("/@", addressesOfBuilders(ctx.core, readerOf(ctx))),
};

function indexAnswer(ctx: PageContext): Response {
  const { core } = ctx;
  const months = monthsOfPosts(core, readerOf(ctx)).map((month) => `posts-${month}`);
  const lists = [...Object.keys(LISTS), ...months].map(
    (name) => `<sitemap><loc>${escaped(`${core.origin}/sitemaps/${name}.xml`)}</loc></sitemap>`,
  );
  return xmlAnswer(ctx, "sitemapindex", lists);
}

function listAnswer(ctx: PageContext): Response {
  const name = /^(.+)\.xml$/.exec(ctx.params["file"] ?? "")?.[1] ?? "";
  const month = /^posts-(\d{4}-(?:0[1-9]|1[0-2]))$/.exec(name)?.[1];
  const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
  if (!list && month === undefined) throw refuse("page_unknown");
  const found = list ? list(ctx) : under("/posts/", addressesOfPosts(ctx.core, readerOf(ctx), month ?? ""));
  const urls = found.map(({ name: path, changedAt }) => {
    const changed = changedAt === null ? "" : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`;
    return `<url><loc>${escaped(ctx.core.origin + path)}</loc>${changed}</url>`;
  });
  return xmlAnswer(ctx, "urlset", urls);
}

function under(path: string, names: readonly Addressed[]): Addressed[] {
  return names.map(({ name, changedAt }) => ({ name: path + name, changedAt }));
}

function xmlAnswer({ core, context }: PageContext, element: string, lines: readonly string[]): Response {
  const text = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<${element} xmlns="${SCHEMA}">`,
    ...lines,
    `</${element}>`,
    "",
  ].join("\n");
  return documentAnswer(context, text, {
    "content-type": "application/xml; charset=utf-8",
    // Browsers revalidate a members-only sitemap each time, so that they no longer show it after sign-out.
    "cache-control": isForMembers(core) ? "private, no-cache" : "private, max-age=3600",
  });
}
