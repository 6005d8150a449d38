import { plural } from "./forms.ts";

/** Whom and what one follows, and what one keeps. */
export const following = {
  views: {
    label: "Which posts",
    all: "All",
    following: "Following",
  },
  feed: {
    title: "Following",
    empty: "Nothing from what you follow yet",
    emptyLead:
      "Follow [builders](/builders) on their profiles, and tags on the pages of their posts. [Whom and what you follow](/settings/following)",
    list: "[Whom and what you follow](/settings/following)",
  },
  seen: "Above: new since your last visit",
  follow: "Follow",
  unfollow: "Following",
  followers: "Followers",
  keep: "Bookmark",
  bookmarks: {
    title: "Bookmarks",
    lead: "Posts and replies that you keep. Nobody else sees them.",
    empty: "Nothing kept yet",
    emptyLead: "Each post has a button that keeps it here.",
  },
  list: {
    title: "Following",
    lead: "Nobody else sees whom and what you follow. Whoever you follow is told.",
    builders: "Builders",
    tags: "Tags",
    nobody: "You follow nobody yet. [Builders](/builders)",
    noTag: "You follow no tag yet.",
    stop: "Stop following",
    end: (what: string) => `Stop following ${what}`,
    more: "More",
    count: (followers: number) => plural(followers, { one: "1 follower", other: "{n} followers" }),
  },
};
