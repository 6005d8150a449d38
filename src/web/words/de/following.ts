import type { Words } from "../words.ts";
import { plural } from "./forms.ts";

/** Whom and what one follows, and what one keeps. */
export const following: Words["following"] = {
  views: {
    label: "Welche Beiträge",
    all: "Alle",
    following: "Folge ich",
  },
  feed: {
    title: "Folge ich",
    empty: "Hier ist noch nichts",
    emptyLead:
      "Folge [Mitgliedern](/builders) auf ihrem Profil und Schlagwörtern auf der Seite ihrer Beiträge. [Wem du folgst](/settings/following)",
    list: "[Wem du folgst](/settings/following)",
  },
  seen: "Darüber: neu seit deinem letzten Besuch",
  follow: "Folgen",
  unfollow: "Folge ich",
  followers: "Follower",
  keep: "Merken",
  bookmarks: {
    title: "Lesezeichen",
    lead: "Beiträge und Antworten, die du dir gemerkt hast. Niemand sonst sieht sie.",
    empty: "Noch nichts gemerkt",
    emptyLead: "Jeder Beitrag hat einen Knopf, der ihn hierher legt.",
  },
  list: {
    title: "Folge ich",
    lead: "Niemand sonst sieht, wem du folgst. Folgst du einem Mitglied, erfährt es davon.",
    builders: "Mitglieder",
    tags: "Schlagwörter",
    nobody: "Du folgst noch niemandem. [Mitglieder](/builders)",
    noTag: "Du folgst noch keinem Schlagwort.",
    stop: "Nicht mehr folgen",
    end: (what) => `${what} nicht mehr folgen`,
    more: "Mehr",
    count: (followers) => plural(followers, { one: "1 Follower", other: "{n} Follower" }),
  },
};
