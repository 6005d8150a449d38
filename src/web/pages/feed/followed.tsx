/** @jsxImportSource @kitajs/html */
import { CoreError } from "../../../core/base/errors.ts";
import { followsTag, followTag, unfollowTag } from "../../../core/community/following/following.ts";
import { isVisitDue, noteVisit, lastSeenPost } from "../../../core/community/feed/visits.ts";
import { Views } from "../../parts/layout.tsx";
import { Button, Form } from "../../parts/parts.tsx";
import { type PageAsk, type PersonAsk, signedInPage } from "../../request/route.ts";
import { tagPath } from "./post-card.tsx";

/** Which tags somebody follows. */
export const followedTagPages = [
  signedInPage("POST", "/tags/:tag/follow", (ask) => setFollowed(ask, followTag)),
  signedInPage("POST", "/tags/:tag/unfollow", (ask) => setFollowed(ask, unfollowTag)),
];

async function setFollowed(ask: PersonAsk, act: typeof followTag) {
  const tag = ask.params["tag"] ?? "";
  await ask.write(() => act(ask.core, ask.person.caller, tag));
  return { to: ask.form.get("back") === "list" ? "/settings/following" : tagPath(tag) };
}

/** From the whole feed to what one follows, and back. */
export function FeedViews({ ask }: { ask: PageAsk }) {
  if (!ask.person) return "";
  const { label, all, following } = ask.words.following.views;
  return (
    <Views
      ask={ask}
      label={label}
      views={[
        { href: "/", words: all },
        { href: "/following", words: following },
      ]}
    />
  );
}

/** The follow button on the page of a valid tag, for members. */
export function FollowTag({ ask, tag }: { ask: PageAsk; tag: string }) {
  if (!ask.person) return "";
  const isFollowed = followsTag(ask.core, ask.person.caller, tag);
  return (
    <Form
      action={`/tags/${encodeURIComponent(tag)}/${isFollowed ? "unfollow" : "follow"}`}
      ask={ask}
      kind="inline"
    >
      <FollowButton ask={ask} isFollowed={isFollowed} />
    </Form>
  );
}

export function FollowButton({ ask, isFollowed }: { ask: PageAsk; isFollowed: boolean }) {
  return (
    <Button kind="quiet">{isFollowed ? ask.words.following.unfollow : ask.words.following.follow}</Button>
  );
}

/**
 * The last post that whoever looks at the beginning of the feed had seen before this visit; and writes down
 * that they look, where it is them: a page that a browser fetches ahead was not looked at.
 */
export async function recordVisit(ask: PageAsk): Promise<string | undefined> {
  const { core, person } = ask;
  if (!person || ask.query.has("tag")) return undefined;
  const seen = lastSeenPost(core, person.caller);
  if (!ask.query.has("cursor") && isLooking(ask) && isVisitDue(core, person.caller)) {
    try {
      await ask.write(() => noteVisit(core, person.caller));
    } catch (error) {
      // In maintenance nothing is written down, and the page is shown all the same.
      if (!(error instanceof CoreError)) throw error;
    }
  }
  return seen;
}

function isLooking({ context: { request } }: PageAsk): boolean {
  const { headers } = request;
  const destination = headers.get("sec-fetch-dest");
  const isAhead = ["sec-purpose", "purpose", "x-moz"].some((name) =>
    /prefetch|prerender/.test(headers.get(name) ?? ""),
  );
  return request.method === "GET" && !isAhead && (destination === null || destination === "document");
}
