/** @jsxImportSource @kitajs/html */
import { bookmarkPost, listBookmarks, unbookmarkPost } from "../../../core/community/feed/bookmarks.ts";
import { Heading } from "../../parts/layout.tsx";
import { Empty, More } from "../../parts/parts.tsx";
import { safePath } from "../../request/forms.ts";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";
import { BookmarkForm, PostList } from "./post-card.tsx";

/** The posts and replies that a member has bookmarked. */
export const bookmarkPages = [
  signedInPage("GET", "/bookmarks", (ctx) => bookmarksView(ctx)),
  signedInPage("POST", "/posts/:id/bookmark", (ctx) => changeBookmark(ctx, bookmarkPost)),
  signedInPage("POST", "/posts/:id/unbookmark", (ctx) => changeBookmark(ctx, unbookmarkPost)),
];

async function changeBookmark(ctx: PersonContext, change: typeof bookmarkPost) {
  const id = ctx.params["id"] ?? "";
  const { bookmarked } = await ctx.write(() => change(ctx.core, ctx.person.caller, id));
  const back = safePath(ctx.form.get("back"));
  return {
    to: back,
    fragment: () => <BookmarkForm id={id} isBookmarked={bookmarked} ctx={ctx} back={back} />,
  };
}

function bookmarksView(ctx: PersonContext): View {
  const messages = ctx.messages.following.bookmarks;
  const page = listBookmarks(ctx.core, ctx.person.caller, pageRequest(ctx));
  return {
    title: messages.title,
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        {page.nodes.length > 0 ? (
          <PostList posts={page.nodes} ctx={ctx} />
        ) : (
          <Empty title={messages.empty}>
            <p>{messages.emptyLead}</p>
          </Empty>
        )}
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}
