/** @jsxImportSource @kitajs/html */
import { bookmarkPost, listBookmarks, unbookmarkPost } from "../../../core/community/feed/bookmarks.ts";
import { Heading } from "../../parts/layout.tsx";
import { Empty, More } from "../../parts/parts.tsx";
import { safePath } from "../../request/forms.ts";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { type PersonAsk, signedInPage, type View } from "../../request/route.ts";
import { PostList } from "./post-card.tsx";

/** The posts and replies that somebody keeps. */
export const bookmarkPages = [
  signedInPage("GET", "/bookmarks", (ask) => bookmarksView(ask)),
  signedInPage("POST", "/posts/:id/bookmark", (ask) => setKept(ask, bookmarkPost)),
  signedInPage("POST", "/posts/:id/unbookmark", (ask) => setKept(ask, unbookmarkPost)),
];

async function setKept(ask: PersonAsk, act: typeof bookmarkPost) {
  await ask.write(() => act(ask.core, ask.person.caller, ask.params["id"] ?? ""));
  return { to: safePath(ask.form.get("back")) };
}

function bookmarksView(ask: PersonAsk): View {
  const words = ask.words.following.bookmarks;
  const page = listBookmarks(ask.core, ask.person.caller, pageRequest(ask));
  return {
    title: words.title,
    body: (
      <>
        <Heading title={words.title}>
          <p>{words.lead}</p>
        </Heading>
        {page.nodes.length > 0 ? (
          <PostList posts={page.nodes} ask={ask} />
        ) : (
          <Empty title={words.empty}>
            <p>{words.emptyLead}</p>
          </Empty>
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}
