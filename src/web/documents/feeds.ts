import { searchJobs } from "../../core/community/jobs/jobs.ts";
import { listFeed, type Post } from "../../core/community/feed/feed.ts";
import type { JobListing } from "../../core/community/jobs/job.ts";
import { renderMarkdown } from "../../core/base/markdown.ts";
import { titleOf } from "../../core/base/title.ts";
import { nameInText } from "../../core/identity/builders/look-alikes.ts";
import {
  communitySettingsOf,
  isForMembers,
} from "../../core/identity/community-settings/community-settings.ts";
import { atom, type FeedDocument, type FeedEntry, jsonFeed } from "../parts/feed-document.ts";
import { messagesOf } from "../../locale/messages.ts";
import { documentAnswer } from "../request/documents.ts";
import type { Profile } from "../../core/community/profiles/profiles.ts";
import { slugged } from "../request/forms.ts";
import { readerOf } from "../request/paging.ts";
import { readerPage, type PageAnswer, type PageContext } from "../request/route.ts";
import { redirectIfRenamed } from "../pages/people/profile.tsx";

/** Feeds, each with the first page of its list (docs/contract.md#9.21). */
export const FEEDS = (["atom", "json"] as const).flatMap((form) => [
  readerPage("GET", `/feed.${form}`, (ctx) => answer(ctx, form, feedOf(ctx))),
  readerPage("GET", `/tags/:tag/feed.${form}`, (ctx) => answer(ctx, form, tagFeedOf(ctx))),
  readerPage("GET", `/@:username/feed.${form}`, (ctx) =>
    redirectIfRenamed(ctx, `/feed.${form}`, (_, profile) => answer(ctx, form, builderFeedOf(ctx, profile))),
  ),
  readerPage("GET", `/jobs/feed.${form}`, (ctx) => answer(ctx, form, jobFeedOf(ctx))),
]);

const ENTRIES = 30;

const TYPES = {
  atom: "application/atom+xml; charset=utf-8",
  json: "application/feed+json; charset=utf-8",
} as const;

/**
 * Pages of any origin may read what guests may read (docs/contract.md#1.17). Browsers send no cookies with
 * such requests.
 */
const FOR_ALL = { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" };
const FOR_MEMBERS = { "cache-control": "private, no-cache" };

type Listed = Pick<FeedDocument, "title" | "entries"> & { path: string };

function answer(ctx: PageContext, form: keyof typeof TYPES, { title, path, entries }: Listed): PageAnswer {
  const { core, context } = ctx;
  const { name } = communitySettingsOf(core);
  const document = {
    id: idOf(ctx, `feed:${path}`),
    title: title === "" ? name : `${title} · ${name}`,
    page: `${core.origin}${path}`,
    address: `${core.origin}${context.path}`,
    author: name,
    // An empty feed gets the epoch as its time, so it does not change between requests.
    updated: Math.max(0, ...entries.map(({ updated }) => updated)),
    entries,
  };
  return documentAnswer(context, (form === "atom" ? atom : jsonFeed)(document, core.origin), {
    "content-type": TYPES[form],
    ...(isForMembers(core) ? FOR_MEMBERS : FOR_ALL),
  });
}

function idOf({ core }: PageContext, what: string): string {
  return `tag:${new URL(core.origin).hostname},2026:${what}`;
}

function postsOf(ctx: PageContext, filter: { tag?: string; author?: string }): FeedEntry[] {
  return listFeed(ctx.core, readerOf(ctx), filter, { limit: ENTRIES }).nodes.map((post) =>
    entryOf(ctx, post),
  );
}

function feedOf(ctx: PageContext): Listed {
  return { title: "", path: "/", entries: postsOf(ctx, {}) };
}

function tagFeedOf(ctx: PageContext): Listed {
  const tag = slugged(ctx.params["tag"] ?? "").toLowerCase();
  return { title: `#${tag}`, path: `/tags/${encodeURIComponent(tag)}`, entries: postsOf(ctx, { tag }) };
}

function builderFeedOf(ctx: PageContext, { username, name }: Profile): Listed {
  return {
    title: `${name} (@${username})`,
    path: `/@${username}`,
    entries: postsOf(ctx, { author: username }),
  };
}

function jobFeedOf(ctx: PageContext): Listed {
  const { nodes } = searchJobs(ctx.core, readerOf(ctx), {}, { limit: ENTRIES });
  // The title is in the community's language, because shared caches serve the feed to every reader.
  const { layout: frame } = messagesOf(communitySettingsOf(ctx.core).language);
  return { title: frame.jobs, path: "/jobs", entries: nodes.map((job) => jobEntryOf(ctx, job)) };
}

function entryOf(ctx: PageContext, post: Post): FeedEntry {
  const { origin } = ctx.core;
  return {
    id: idOf(ctx, post.id),
    title: titleOf(post.text),
    page: `${origin}/posts/${post.id}`,
    author: nameInText(ctx.staff(), post.author),
    authorPage: `${origin}/@${post.author.username}`,
    published: post.createdAt,
    updated: post.editedAt ?? post.createdAt,
    text: post.text,
    html: renderMarkdown(post.text),
    tags: post.tags,
  };
}

function jobEntryOf(ctx: PageContext, job: JobListing): FeedEntry {
  const at = [job.company.name, job.location, job.stack.join(", ")].filter(Boolean).join(" · ");
  return {
    id: idOf(ctx, job.id),
    title: `${job.title} · ${job.company.name}`,
    page: `${ctx.core.origin}/jobs/${job.id}`,
    author: job.company.name,
    published: job.postedAt,
    updated: job.postedAt,
    text: at,
    tags: job.stack,
  };
}
