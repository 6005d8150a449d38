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
  const { following } = await ctx.write(() => change(ctx.core, ctx.person.caller, tag));
  const isList = ctx.form.get("back") === "list";
  return {
    to: isList ? "/settings/following" : tagPath(tag),
    fragment: () => <TagFollowForm ctx={ctx} tag={tag} isFollowed={following} isList={isList} />,
  };
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
      current={ctx.context.path === "/following" ? "/following" : "/"}
    />
  );
}

/** The follow button on the page of a valid tag, for members. */
export function FollowTag({ ctx, tag }: { ctx: PageContext; tag: string }) {
  if (!ctx.person) return "";
  return <TagFollowForm ctx={ctx} tag={tag} isFollowed={followsTag(ctx.core, ctx.person.caller, tag)} />;
}

export function TagFollowForm({ tag, ...followed }: FollowState & { tag: string }) {
  return <FollowForm {...followed} path={`/tags/${encodeURIComponent(tag)}`} what={`#${tag}`} />;
}

export interface FollowState {
  ctx: PageContext;
  isFollowed: boolean;
  /** Whether the form is in the list of what the member follows. */
  isList?: boolean;
}

/** The button to follow or unfollow a member or a tag at `path`. In a list, its label says `what`. */
export function FollowForm({
  ctx,
  path,
  what,
  isFollowed,
  isList = false,
}: FollowState & { path: string; what: string }) {
  const { follow, unfollow, list } = ctx.messages.following;
  const label = isFollowed ? list.end({ what }) : what;
  return (
    <Form
      action={`${path}/${isFollowed ? "unfollow" : "follow"}`}
      ctx={ctx}
      kind="inline"
      label={isList ? label : undefined}
      inPlace
    >
      {isList ? <input type="hidden" name="back" value="list" /> : ""}
      <Button kind="quiet">{isFollowed ? (isList ? list.stop : unfollow) : follow}</Button>
    </Form>
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
