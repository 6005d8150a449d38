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
    /** What opens the form. */
    begin: "What are you building?",
    text: "Your post",
    hint: "Markdown, up to 2,000 characters.",
    hintOf: (written: number) => `Markdown, ${number(written)} of 2,000 characters.`,
    more: "Add pictures or videos",
    file: "A picture",
    fileHint: "JPEG, PNG, WebP or GIF, at most 16 MiB. Where it was taken, and with what, is not kept.",
    carried: "Your picture",
    instead: "A different picture",
    alt: "Description of the picture",
    altHint: "For whoever does not see it.",
    media: "Addresses of others",
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
    kinds: { launch: "Launch", question: "Question" },
    post: (author: string) => `Post of ${author}`,
    reply: (author: string) => `Reply of ${author}`,
    replies: (count: number) => plural(count, { one: "1 reply", other: "{n} replies" }),
    likes: (count: number) => plural(count, { one: "1 like", other: "{n} likes" }),
    like: (count: number) => `Like ${number(count)}`,
    hidden: "Hidden by moderators: only its author and they see it.",
    edited: "edited",
    answer: "Reply",
    edit: "Edit",
    delete: "Delete",
    report: "Report",
    media: "Pictures and videos",
    picture: "The picture in full size",
  },
  post: {
    replies: "Replies",
    aReply: "A reply to it",
    all: "All of the conversation",
    more: "More",
    signIn: "[Sign in]({address}) to reply.",
    form: "Reply",
    yours: (author: string) => `Your reply to ${author}`,
    reply: "Reply",
  },
  thread: {
    gap: "A reply that is not there any more.",
    answers: "In answer to [{author}]({address})",
  },
  edit: {
    post: "Edit your post",
    reply: "Edit your reply",
    lead: "What it said before stays readable for everybody. To take something back for good, [delete it]({address}).",
    text: "What it says",
    save: "Save",
    back: "Back to it",
    pictures: { title: "Its pictures", drop: "Take it away", unnamed: "A picture without words" },
    stale: {
      title: "It was edited meanwhile, in another window perhaps.",
      lead: "Below is what it says now and, in the box, what you were about to say. Saving replaces what it says now.",
    },
  },
  history: {
    title: "What it has said",
    lead: "The newest first. What was added is underlined, what was taken away is struck through. [Back to it]({address}).",
    /** On the page of reports. */
    reported: "It was edited since. When it was reported it said:",
    never: "It was never edited.",
    first: "As it was published",
    edited: "Edited",
    tags: "Tags",
    media: "Pictures and videos",
  },
  deletion: {
    reply: "Delete this reply?",
    post: "Delete this post?",
    button: "Delete it",
    quoted: (title: string) => `“${title}”`,
    replyGone: "What others answered stays. It cannot be brought back.",
    postGone: "Its replies go with it. It cannot be brought back.",
    reported:
      "If it was reported, moderators keep its text and your name until they decide on the report, and for 30 days after.",
  },
  /** Beside the feed. */
  rail: {
    streak: "Your streak",
    daysInARow: (days: number) => plural(days, { one: "day in a row", other: "days in a row" }),
    calendar: (active: number, days: number) =>
      `Of the last ${number(days)} days you did something on ${number(active)}.`,
    waiting: "Waiting for you",
    messages: (count: number) => plural(count, { one: "1 unread message", other: "{n} unread messages" }),
    notifications: (count: number) => plural(count, { one: "1 notification", other: "{n} notifications" }),
    matches: (count: number) => plural(count, { one: "1 job that fits", other: "{n} jobs that fit" }),
    tags: "Tags you follow",
    newest: "New here",
    place: "A home for builders.",
    joining: {
      open: "Everybody may join. [Join](/sign-up) or [sign in](/sign-in).",
      approval:
        "Who wants to join asks, and is let in by people. [Ask to join](/sign-up) or [sign in](/sign-in).",
      invite: "One joins by an invitation of a member. [Sign in](/sign-in).",
      closed: "Nobody new joins at the moment. [Sign in](/sign-in).",
    },
  },
};
