import type { PluralForms } from "../forms.ts";
import { number, plural } from "./forms.ts";

/** The feed, a post, a conversation. */
export const feed = {
  heading: "Feed",
  whole: "The whole feed",
  welcome: {
    title: "A home for builders",
    lead: "What we make, what we look for, what we learn. [Join](/sign-up) or [sign in](/sign-in) to take part.",
  },
  composer: {
    label: "New post",
    text: "What are you building?",
    hint: "Markdown, up to 2,000 characters.",
    hintOf: (written: number) => `Markdown, ${number(written)} of 2,000 characters.`,
    more: "Add pictures or videos",
    media: "Their addresses",
    mediaHint: "Up to four, each on a line of its own, beginning with https://.",
    tags: "Tags",
    tagsExample: "rust, shipped",
    post: "Post",
  },
  /** Said by a script, which counts. */
  newPosts: { one: "1 new post", other: "{n} new posts" } as PluralForms,
  empty: {
    title: "Nothing here yet",
    first: "Say what you are working on: somebody has to be first.",
    nobody: "Nobody has posted yet.",
  },
  card: {
    post: (author: string) => `Post of ${author}`,
    reply: (author: string) => `Reply of ${author}`,
    replies: (count: number) => plural(count, { one: "1 reply", other: "{n} replies" }),
    likes: (count: number) => plural(count, { one: "1 like", other: "{n} likes" }),
    like: (count: number) => `Like ${number(count)}`,
    hidden: "Hidden by moderators: only its author and they see it.",
    delete: "Delete",
    report: "Report",
    media: "Pictures and videos",
  },
  post: {
    replies: "Replies",
    aReply: "A reply to it",
    all: "All of the conversation",
    next: "What was said next",
    more: "More",
    signIn: "[Sign in]({address}) to reply.",
    form: "Reply",
    yours: "Your reply",
    reply: "Reply",
  },
  deletion: {
    reply: "Delete this reply?",
    post: "Delete this post?",
    button: "Delete it",
    quoted: (title: string) => `“${title}”`,
    replyGone: "It cannot be brought back.",
    postGone: "Its replies go with it. It cannot be brought back.",
  },
};
