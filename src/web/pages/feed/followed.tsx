/** @jsxImportSource @kitajs/html */
import { CoreError } from "../../../core/base/errors.ts";
import { followsTag, followTag, unfollowTag } from "../../../core/community/following/following.ts";
import { storeVisit, visitState } from "../../../core/community/feed/visits.ts";
import { Views } from "../../parts/layout.tsx";
import { Button, Form } from "../../parts/parts.tsx";
import { type PageContext, type PersonContext, signedInPage } from "../../request/route.ts";
import { tagPath } from "./post-card.tsx";

/** Following and unfollowing tags. */
export const followedTagPages = [
  signedInPage("POST", "/tags/:tag/follow", (ctx) => setFollowed(ctx, followTag)),
  signedInPage("POST", "/tags/:tag/unfollow", (ctx) => setFollowed(ctx, unfollowTag)),
];

async function setFollowed(ctx: PersonContext, change: typeof followTag) {
  const tag = ctx.params["tag"] ?? "";
  await ctx.write(() => change(ctx.core, ctx.person.caller, tag));
  return { to: ctx.form.get("back") === "list" ? "/settings/following" : tagPath(tag) };
}

/** Links to the whole feed and to the followed feed. */
export function FeedViews({ ctx }: { ctx: PageContext }) {
  if (!ctx.person) return "";
  const { label, all, following } = ctx.messages.following.views;
  return (
    <Views
      ctx={ctx}
      label={label}
      views={[
        { href: "/", label: all },
        { href: "/following", label: following },
      ]}
    />
  );
}

/** The follow button on the page of a valid tag, for members. */
export function FollowTag({ ctx, tag }: { ctx: PageContext; tag: string }) {
  if (!ctx.person) return "";
  const isFollowed = followsTag(ctx.core, ctx.person.caller, tag);
  return (
    <Form
      action={`/tags/${encodeURIComponent(tag)}/${isFollowed ? "unfollow" : "follow"}`}
      ctx={ctx}
      kind="inline"
    >
      <FollowButton ctx={ctx} isFollowed={isFollowed} />
    </Form>
  );
}

export function FollowButton({ ctx, isFollowed }: { ctx: PageContext; isFollowed: boolean }) {
  return (
    <Button kind="quiet">
      {isFollowed ? ctx.messages.following.unfollow : ctx.messages.following.follow}
    </Button>
  );
}

/**
 * Returns the last post that the member had seen before this visit. Records the visit, unless the browser
 * only prefetches the page.
 */
export async function recordVisit(ctx: PageContext): Promise<string | undefined> {
  const { core, person } = ctx;
  if (!person || ctx.query.has("tag")) return undefined;
  const { lastSeen, isDue } = visitState(core, person.caller);
  if (isDue && !ctx.query.has("cursor") && isPageVisit(ctx)) {
    try {
      await ctx.write(() => storeVisit(core, person.caller));
    } catch (error) {
      // Maintenance mode refuses the write. The page is shown anyway.
      if (!(error instanceof CoreError)) throw error;
    }
  }
  return lastSeen;
}

function isPageVisit({ context: { request } }: PageContext): boolean {
  const { headers } = request;
  const destination = headers.get("sec-fetch-dest");
  const isAhead = ["sec-purpose", "purpose", "x-moz"].some((name) =>
    /prefetch|prerender/.test(headers.get(name) ?? ""),
  );
  return request.method === "GET" && !isAhead && (destination === null || destination === "document");
}
